"""What callbacks hear of a run, and how they stop it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from racing.errors import CallbackError, InputError
from racing.experiment import Outcome
from racing.progress import Progress
from racing.race import Race
from racing.rules.verdict import Verdict
from racing.search import Search

if TYPE_CHECKING:
    from racing.embed.result import Result


@dataclass(frozen=True, kw_only=True)
class Event:
    """Something that happened in a run.

    Attributes
    ----------
    race
        The race or the search: to be asked, not to be changed.
    """

    race: Race | Search


@dataclass(frozen=True, kw_only=True)
class Heard(Event):
    """An outcome came, and is in the log. Its cost is lower for better, in both directions."""

    outcome: Outcome


@dataclass(frozen=True, kw_only=True)
class Decided(Event):
    """The rule was asked, and said this."""

    verdict: Verdict


@dataclass(frozen=True, kw_only=True)
class Ended(Event):
    """The run is over, or was stopped; the last event."""

    result: Result


Callback: TypeAlias = Callable[[Event], object]
"""Called with every event; if it returns True, the run stops once what runs is done."""


class Watch:
    """Tells callbacks and the progress line of a run; knows whether a callback wants it to stop.

    Parameters
    ----------
    callbacks
        In the order in which they are called.
    progress
        The line that is drawn.
    decided
        How many verdicts there were before.

    Raises
    ------
    InputError
        If a callback cannot be called.
    """

    def __init__(self, callbacks: Sequence[Callback], progress: Progress, decided: int) -> None:
        for callback in callbacks:
            if not callable(callback):
                raise InputError(f"a callback is {callback!r:.80}; expected a function of an event")
        self._callbacks, self._progress, self._decided = callbacks, progress, decided
        self.stop = False

    def __call__(self, race: Race | Search, outcome: Outcome) -> None:
        """Hear of an outcome that the race has heard."""
        self._progress(race, outcome)
        self.tell(Heard(race=race, outcome=outcome))
        for verdict in race.verdicts[self._decided :]:
            self.tell(Decided(race=race, verdict=verdict))
        self._decided = len(race.verdicts)

    def tell(self, event: Event) -> None:
        """Tell every callback.

        Raises
        ------
        CallbackError
            If one raises anything.
        """
        for callback in self._callbacks:
            try:
                if callback(event) is True:
                    self.stop = True
            except Exception as error:
                name = getattr(callback, "__name__", type(callback).__name__)
                raise CallbackError(
                    f"the callback {name} raised {type(error).__name__}: {error}; nothing is lost: "
                    "mend it, and go on with log=error.result.log"
                ) from error

    def wants_to_stop(self) -> bool:
        """Whether a callback returned True."""
        return self.stop
