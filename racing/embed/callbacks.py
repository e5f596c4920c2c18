"""Events of a run, and callbacks, which can stop it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from racing.base.errors import CallbackError, InputError, must_be
from racing.core.experiment import Outcome
from racing.core.verdict import Verdict
from racing.core.view import View
from racing.runner.progress import Progress

if TYPE_CHECKING:
    from racing.embed.result import Result


@dataclass(frozen=True, kw_only=True)
class Event:
    """The base of all events of a run.

    Attributes
    ----------
    race
        The race or the search; read it, do not change it.

    Examples
    --------
    >>> import racing
    >>> def solve(values, instance, seed):
    ...     return values["x"] + seed % 7 / 10
    >>> seen = []
    >>> def watch(event):
    ...     seen.append((type(event).__name__, event.race.outcomes))
    >>> found = racing.minimize(solve, [{"x": 0}, {"x": 1}], range(20), callbacks=[watch])
    >>> seen[0]
    ('Heard', 1)
    """

    race: View


@dataclass(frozen=True, kw_only=True)
class Heard(Event):
    """An outcome is in the log. A lower cost is better, in both directions.

    Examples
    --------
    >>> import racing
    >>> events = []
    >>> def error(values, instance, seed):
    ...     return abs(values["x"] - 0.3) + seed % 7 / 100
    >>> candidates = [{"x": x / 10} for x in range(11)]
    >>> found = racing.minimize(error, candidates, range(40), callbacks=[events.append])
    >>> sum(isinstance(one, racing.embed.Heard) for one in events) == found.spent.evaluations
    True
    """

    outcome: Outcome


@dataclass(frozen=True, kw_only=True)
class Decided(Event):
    """The rule gave this verdict.

    Examples
    --------
    >>> import racing
    >>> events = []
    >>> def error(values, instance, seed):
    ...     return abs(values["x"] - 0.3) + seed % 7 / 100
    >>> candidates = [{"x": x / 10} for x in range(11)]
    >>> found = racing.minimize(error, candidates, range(40), callbacks=[events.append])
    >>> any(isinstance(one, racing.embed.Decided) for one in events)
    True
    """

    verdict: Verdict


@dataclass(frozen=True, kw_only=True)
class Ended(Event):
    """The last event: the run is over, or was stopped.

    Examples
    --------
    >>> import racing
    >>> events = []
    >>> def error(values, instance, seed):
    ...     return abs(values["x"] - 0.3) + seed % 7 / 100
    >>> candidates = [{"x": x / 10} for x in range(11)]
    >>> found = racing.minimize(error, candidates, range(40), callbacks=[events.append])
    >>> events[-1].result.best
    {'x': 0.3}
    """

    result: Result


Callback: TypeAlias = Callable[[Event], object]
"""Called with every event; if it returns True, the run stops after the running evaluations."""

Callbacks: TypeAlias = Callback | Iterable[Callback]


class Watch:
    """Passes events to callbacks and the progress line; notes whether a callback wants to stop.

    Parameters
    ----------
    callbacks
        One, or several in the order of the calls.
    progress
        The progress line.
    decided
        The number of earlier verdicts.

    Raises
    ------
    InputError
        If a callback cannot be called.
    """

    def __init__(self, callbacks: Callbacks, progress: Progress, decided: int) -> None:
        given = (callbacks,) if callable(callbacks) else callbacks
        if isinstance(given, str) or not isinstance(given, Iterable):
            allowed = "a function of an event, or a list of them"
            raise InputError(must_be("callbacks", allowed, callbacks))
        self._callbacks, self._progress, self._decided = tuple(given), progress, decided
        for callback in self._callbacks:
            if not callable(callback):
                raise InputError(must_be("a callback", "a function of an event", callback))
        self.stop = False

    def __call__(self, race: View, outcome: Outcome) -> None:
        """Receive an outcome."""
        self._progress(race, outcome)
        self.tell(Heard(race=race, outcome=outcome))
        for verdict in race.verdicts[self._decided :]:
            self.tell(Decided(race=race, verdict=verdict))
        self._decided = len(race.verdicts)

    def tell(self, event: Event) -> None:
        """Call every callback.

        Raises
        ------
        CallbackError
            If one raises anything.
        """
        for callback in self._callbacks:
            try:
                answer = callback(event)
                self.stop |= isinstance(answer, bool | np.bool_) and bool(answer)
            except Exception as error:
                name = getattr(callback, "__name__", type(callback).__name__)
                raise CallbackError(
                    f"the callback {name} raised {type(error).__name__}: {error}; nothing is "
                    "lost: fix it, and continue with log=error.result.log"
                ) from error

    def wants_to_stop(self) -> bool:
        """Whether a callback returned True."""
        return self.stop
