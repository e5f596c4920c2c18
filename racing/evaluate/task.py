"""One experiment in a pool: its attempts and retries."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from racing.base.logs import logger
from racing.base.plain import printable
from racing.core.experiment import Experiment, Outcome, total

_LOGGER = logger(__name__)

DIED = "crashed: its worker process died"


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
