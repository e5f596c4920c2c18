"""Experiment → Outcome: run the target, turn its score into a cost, and try again if told to."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol

from racing.errors import InputError
from racing.evaluate.attempt import Attempt
from racing.evaluate.running import Running
from racing.evaluate.task import Task
from racing.experiment import Experiment, Outcome, Status
from racing.quantities import Direction, Natural
from racing.records import Checked


class Target(Protocol):
    """What can be evaluated: `Command` and `Function` are."""

    @property
    def timeout(self) -> float | None: ...

    def prepare(self) -> None: ...

    def attempt(
        self, experiment: Experiment, *, running: Running, switches: Mapping[str, str]
    ) -> Attempt: ...


@dataclass(frozen=True, kw_only=True)
class OnFailure(Checked):
    """What a crash, a timeout, NaN or unreadable output means.

    Attributes
    ----------
    policy
        `worst`: the candidate ranks last on that instance, tied with other failures, and the race
        goes on. `stop`: the run stops; nothing that was evaluated is lost.
    retries
        How often a failed run is started again before it counts as a failure.
    """

    policy: Literal["worst", "stop"] = "worst"
    retries: Natural = 0


@dataclass(frozen=True)
class Evaluator:
    """Evaluates experiments; failures are outcomes too, and never raise.

    This is the one place where a score becomes a cost: a target that is maximized has its score's
    sign turned. Outcome.seconds is the time on the clock that the attempts took, all together,
    or what the target itself told.

    Parameters
    ----------
    target
        A Command or a Function.
    direction
        Whether lower (`minimize`) or higher (`maximize`) answers are better.
    on_failure
        How often a failed run is repeated.
    switches
        Parameter name → what stands before its value in a command's `{parameters}`.
    running
        Where its commands are counted in; its own by default.
    """

    target: Target
    direction: Direction = field(default="minimize", kw_only=True)
    on_failure: OnFailure = field(default=OnFailure(), kw_only=True)
    switches: Mapping[str, str] = field(default_factory=dict, kw_only=True, hash=False)
    running: Running = field(default_factory=Running, kw_only=True, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.direction not in ("minimize", "maximize"):
            raise InputError(f"direction is {self.direction!r}; expected 'minimize' or 'maximize'")

    def __call__(self, experiment: Experiment) -> Outcome:
        """Evaluate an experiment, with as many attempts as are allowed.

        Raises
        ------
        Cancelled
            If `cancel` was called before it ended.
        """
        task = Task(experiment, self.retries)
        while (outcome := task.hear(self.once(experiment))) is None:
            pass
        return outcome

    def once(self, experiment: Experiment, worker: str = "") -> Outcome:
        """Attempt an experiment once.

        Parameters
        ----------
        worker
            What the outcome calls the worker that made it.

        Raises
        ------
        Cancelled
            If `cancel` was called before it ended.
        """
        started = time.time()
        attempt = self.target.attempt(experiment, running=self.running, switches=self.switches)
        cost, status, why = self._as_cost(attempt)
        return Outcome(
            experiment.candidate.id, experiment.instance.step, cost, attempt.seconds,
            status, why, worker=worker, started=started, bound=experiment.bound,
        )  # fmt: skip

    def prepare(self) -> None:
        """Import the target, where there is something to import."""
        self.target.prepare()

    @property
    def retries(self) -> int:
        """How many failed attempts are repeated."""
        return self.on_failure.retries

    @property
    def timeout(self) -> float | None:
        """The most seconds that one attempt may take."""
        return self.target.timeout

    def cancel(self) -> None:
        """End every command that runs; for good. Twice: without a grace period."""
        self.running.stop()

    def close(self) -> None:
        """Release what guards the commands; to be called when nothing runs any more."""
        self.running.close()

    def branch(self) -> Evaluator:
        """The same evaluator, which can be cancelled apart from this one."""
        return replace(self, running=self.running.branch())

    def guarded(self) -> Evaluator:
        """The same evaluator with nothing running, whose commands die with this process.

        It is to be closed.
        """
        return replace(self, running=Running(guarded=True))

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (self.target, self.direction, self.on_failure, dict(self.switches))

    def _as_cost(self, attempt: Attempt) -> tuple[float, Status, str]:
        """Cost, status and message of an attempt."""
        score = attempt.score
        if score is None:
            return math.inf, attempt.status, attempt.message
        cost = score if self.direction == "minimize" else 0.0 - score
        if cost == -math.inf:
            why = f"unreadable: {score} is better than any answer can be"
            return math.inf, Status.UNREADABLE, why
        return cost, attempt.status, attempt.message


def _rebuilt(
    target: Target, direction: Direction, on_failure: OnFailure, switches: Mapping[str, str]
) -> Evaluator:
    return Evaluator(target, direction=direction, on_failure=on_failure, switches=switches)
