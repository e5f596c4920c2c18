"""One experiment in a pool: its attempts and retries, and the calls of a busy service in each."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace

from racing.base.logs import logger
from racing.base.plain import printable
from racing.core.experiment import Experiment, Outcome, total
from racing.evaluate.answers import Attempt

_LOGGER = logger(__name__)

DIED = "crashed: its worker process died"
FIRST, LONGEST = 1.0, 60.0  # seconds before the first repetition, and the most between two
JITTER = 0.5  # the largest random extension of a wait, as a share


@dataclass(eq=False, slots=True)
class Task:
    """An experiment, and the attempts at it so far.

    The pool decides about retries, not the engine or the evaluator. So the number of attempts is
    the same in all engines, and a lost worker does not change the race.

    Attributes
    ----------
    experiment
        The experiment.
    retries
        The number of failed attempts that are repeated.
    failed
        The failed attempts so far, each with its own number, worker and start.
    deaths
        The number of attempts whose worker died. The first death may be an accident, so it allows
        one more attempt.
    seconds
        The duration of the failed attempts; without those whose worker died.
    answered
        Whether the pool has its outcome, so that a copy that still runs does not count.
    """

    experiment: Experiment
    retries: int = 0
    failed: list[Outcome] = field(default_factory=list)
    deaths: int = 0
    seconds: float = 0.0
    answered: bool = False

    def hear(self, attempt: Outcome, *, died: bool = False) -> Outcome | None:
        """Add the outcome of an attempt.

        Parameters
        ----------
        attempt
            The outcome of this attempt alone.
        died
            Whether the worker died during it.

        Returns
        -------
        The outcome of the experiment, or None for another attempt.
        """
        if not attempt.failed and not self.failed:
            return attempt
        self.deaths += died
        number = len(self.failed) + 1
        if attempt.failed and number < 1 + self.retries + (self.deaths > 0):
            self.failed.append(replace(attempt, attempts=number))
            self.seconds += 0.0 if died else attempt.seconds
            _LOGGER.warning(
                "candidate %d on instance %d: attempt %d failed, and is repeated: %s",
                *attempt.key, number, printable(attempt.message.partition("\n")[0]),
            )  # fmt: skip
            return None
        return replace(
            attempt,
            seconds=attempt.seconds + self.seconds,
            spent=total(one.spent for one in (*self.failed, attempt)),
            refused=sum(one.refused for one in (*self.failed, attempt)),
            message=self._message(attempt, died=died),
            attempts=number,
            earlier=tuple(self.failed),
        )

    def _message(self, last: Outcome, *, died: bool) -> str:
        attempts = [*self.failed, last]
        if len(attempts) == 1:
            return last.message
        if died and self.deaths == len(attempts):
            times = "twice" if self.deaths == 2 else f"{self.deaths} times"
            return f"{DIED} {times}, lastly{last.message.removeprefix(DIED)}"
        return "\n".join(
            f"attempt {number} of {len(attempts)}: {one.message}"
            for number, one in enumerate(attempts, start=1)
            if one.message
        )


class Waits:
    """The calls of one attempt: counts refused calls, and sums the payments.

    Parameters
    ----------
    patience
        The most seconds of all waits together.
    key
        Of the experiment: its waits are drawn from it.
    """

    def __init__(self, patience: float, key: tuple[int, int]) -> None:
        self._patience, self._key = patience, key
        self._rng: random.Random | None = None
        self._waited = 0.0
        self.refused = 0
        self.spent: dict[str, float] = {}

    def pause(self, call: Attempt) -> float | None:
        """Seconds until the next call; None for no further call."""
        for name, amount in call.spent.items():
            self.spent[name] = self.spent.get(name, 0.0) + amount
        if call.retry is None:
            return None
        self._rng = self._rng or random.Random(f"{self._key}")
        self.refused += 1
        wait = backoff(self.refused, call.retry.after, self._rng.random())
        if self._waited + wait > self._patience:
            return None
        self._waited += wait
        return wait

    def told(self, last: Attempt) -> Attempt:
        """The last attempt, with the totals of all calls."""
        if not self.refused:
            return last
        if last.retry is None:
            return replace(last, refused=self.refused, spent=self.spent)
        times = "once" if self.refused == 1 else f"{self.refused} times"
        why = f"crashed: the service was busy {times}, longer than on_failure.patience allows"
        reason = printable(str(last.retry))
        said = f"{why} ({self._patience:g} s)" + (f": {reason}" if reason else "")
        return replace(last, message=said, refused=self.refused, spent=self.spent)


def backoff(number: int, after: float | None, chance: float) -> float:
    """Seconds to wait after the service was busy for the `number`-th time, counted from 1.

    wait = d · (1 + JITTER · chance), d = after, or else min(LONGEST, FIRST · 2^(number − 1))

    Parameters
    ----------
    chance
        From 0 to 1, drawn uniformly.
    """
    due = min(LONGEST, FIRST * 2.0 ** min(number - 1, 30)) if after is None else after
    return due * (1 + JITTER * chance)
