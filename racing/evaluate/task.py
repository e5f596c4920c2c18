"""One experiment in a pool: its attempts, and whether another one is due."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from racing.experiment import Experiment, Outcome
from racing.logs import logger
from racing.plain import printable

_LOGGER = logger(__name__)

DIED = "crashed: its worker process died"


@dataclass(eq=False, slots=True)
class Task:
    """An experiment, and the attempts at it so far.

    The pool decides about retries, and not the engine or the evaluator. So the number of attempts
    is the same whatever runs them, and a lost worker changes nothing in the race.

    Attributes
    ----------
    experiment
        What is to be evaluated.
    retries
        How many failed attempts are repeated.
    failed
        The failed attempts so far, each with its own number, worker and start.
    deaths
        How many of them failed because their worker died. The first death may be an accident, so
        it allows one more attempt.
    seconds
        What the failed attempts took; the time of those whose worker died is not charged.
    """

    experiment: Experiment
    retries: int = 0
    failed: list[Outcome] = field(default_factory=list)
    deaths: int = 0
    seconds: float = 0.0

    def hear(self, attempt: Outcome, *, died: bool = False) -> Outcome | None:
        """Take in what an attempt came to.

        Parameters
        ----------
        attempt
            The outcome of this attempt alone.
        died
            Whether the worker died under it.

        Returns
        -------
        The outcome of the experiment, or None if it is to be attempted once more.
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
