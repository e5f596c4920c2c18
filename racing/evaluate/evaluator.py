"""Evaluates experiments: runs the target, turns its score into a cost, and retries."""

from __future__ import annotations

import math
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from racing.base.errors import InputError, must_be
from racing.base.logs import logger
from racing.base.quantities import Direction, cost_of, score_of, unusable
from racing.core.experiment import Experiment, Outcome, Status
from racing.core.failures import OnFailure
from racing.core.goal import Goal
from racing.core.metric import Metrics
from racing.evaluate.attempt import Attempt
from racing.evaluate.function import Function
from racing.evaluate.groups import Groups
from racing.evaluate.stops import Watch
from racing.evaluate.task import Task, Waits

_LOGGER = logger(__name__)


class Target(Protocol):
    """The protocol of targets; `Command` and `Function` implement it."""

    @property
    def timeout(self) -> float | None: ...

    def prepare(self, running: Groups) -> None: ...

    def attempt(
        self,
        experiment: Experiment,
        *,
        running: Groups,
        switches: Mapping[str, str],
        metrics: Metrics | None = None,
    ) -> Attempt: ...


@dataclass(frozen=True)
class Evaluator:
    """Evaluates experiments; failures are outcomes too, not exceptions.

    Only here a score becomes a cost: scores that are maximized are negated. Outcome.seconds is the
    total wall-clock time of the attempts, or the time that the target reports.

    Parameters
    ----------
    target
        A Command or a Function.
    direction
        `minimize` or `maximize` answers.
    on_failure
        The treatment of failures.
    switches
        Parameter name → the text before its value in a command's `{parameters}`.
    running
        The groups that its commands join; new ones by default.
    goal
        The metrics, if there are several; the direction is then that of the goal.
    """

    target: Target
    direction: Direction = field(default="minimize", kw_only=True)
    on_failure: OnFailure = field(default=OnFailure(), kw_only=True)
    switches: Mapping[str, str] = field(default_factory=dict, kw_only=True, hash=False)
    running: Groups = field(default_factory=Groups, kw_only=True, repr=False, compare=False)
    goal: Goal | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        if self.direction not in ("minimize", "maximize"):
            raise InputError(must_be("direction", "minimize or maximize", self.direction))

    def __call__(self, experiment: Experiment) -> Outcome:
        """Evaluate an experiment, with all allowed attempts.

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
            The name of the worker in the outcome.

        Raises
        ------
        Cancelled
            If `cancel` was called before it ended.
        """
        started, waits = time.time(), Waits(self.on_failure.patience, experiment.key)
        while True:
            call = self._attempt(experiment)
            if (pause := waits.pause(call)) is None:
                return self._outcome(experiment, waits.told(call), worker, started)
            time.sleep(pause)

    async def once_async(
        self,
        experiment: Experiment,
        worker: str,
        *,
        turn: Callable[[], Awaitable[None]],
        rest: Callable[[float], Awaitable[None]],
    ) -> Outcome:
        """`once` for an async function, in a running event loop.

        Parameters
        ----------
        turn
            Awaited before each call: it returns when the call may start.
        rest
            Awaited between two calls, with the seconds that the service wants.

        Raises
        ------
        asyncio.CancelledError
            If the current task was cancelled.
        """
        started, waits = time.time(), Waits(self.on_failure.patience, experiment.key)
        while True:
            await turn()
            call = await self._attempt_async(experiment)
            if (pause := waits.pause(call)) is None:
                return self._outcome(experiment, waits.told(call), worker, started)
            await rest(pause)

    def _attempt(self, experiment: Experiment) -> Attempt:
        if not self._clocked:
            return self._call(experiment)
        with Watch() as watch:
            call = self._call(experiment)
            if not self._unknown(call, watch, experiment):
                return call
        return self._call(experiment)

    async def _attempt_async(self, experiment: Experiment) -> Attempt:
        assert isinstance(self.target, Function)
        if not self._clocked:
            return await self.target.attempt_async(experiment, **self._asked)
        with Watch() as watch:
            call = await self.target.attempt_async(experiment, **self._asked)
            if not self._unknown(call, watch, experiment):
                return call
        return await self.target.attempt_async(experiment, **self._asked)

    def _call(self, experiment: Experiment) -> Attempt:
        return self.target.attempt(
            experiment, running=self.running, switches=self.switches, **self._asked
        )

    @property
    def _clocked(self) -> bool:
        """Whether the time that an attempt takes may decide about it."""
        return self.timeout is not None or self._costs_time

    @property
    def _costs_time(self) -> bool:
        metrics = self.goal.metrics.values() if self.goal else ()
        measured = any(one.measure == "wall_time" for one in metrics)
        return measured or getattr(self.target, "cost", None) == "time"

    def _unknown(self, call: Attempt, watch: Watch, experiment: Experiment) -> bool:
        """Whether an attempt's time decides and is not known, as this process was stopped in it."""
        over = self.timeout is not None and call.seconds >= self.timeout
        decides = over or call.status is Status.TIMEOUT or self._costs_time
        if not (decides and watch.stopped):
            return False
        _LOGGER.warning(
            "candidate %d on instance %d: this process was stopped meanwhile, so its time is not "
            "known, and it is begun again",
            *experiment.key,
        )
        return True

    def _outcome(
        self, experiment: Experiment, attempt: Attempt, worker: str, started: float
    ) -> Outcome:
        costs = () if self.goal is None else self._costs(self.goal, attempt)
        cost, status, why = self._as_cost(attempt, costs)
        return Outcome(
            experiment.candidate.id, experiment.instance.step, cost, attempt.seconds,
            status, why, worker=worker, started=started, bound=experiment.bound,
            spent=attempt.spent, refused=attempt.refused,
            metrics=costs,
        )  # fmt: skip

    def prepare(self) -> None:
        """Import the target, if needed."""
        self.target.prepare(self.running)

    @property
    def retries(self) -> int:
        """The number of failed attempts that are repeated."""
        return self.on_failure.retries

    @property
    def timeout(self) -> float | None:
        """The time limit of one attempt in seconds."""
        return self.target.timeout

    def cancel(self) -> None:
        """End all running commands and start no more. The second call skips the grace period."""
        self.running.stop()

    def close(self) -> None:
        """Release the watchdog; call it when nothing runs."""
        self.running.close()

    def branch(self) -> Evaluator:
        """The same evaluator, which can be cancelled separately."""
        return replace(self, running=self.running.branch())

    def guarded(self) -> Evaluator:
        """The same evaluator without running commands; its commands die with this process.

        Close it after use.
        """
        return replace(self, running=Groups(guarded=True))

    def __reduce__(self) -> tuple[Any, ...]:
        options = self.direction, self.on_failure, dict(self.switches), self.goal
        return _rebuilt, (self.target, *options)

    @property
    def _asked(self) -> dict[str, Any]:
        """The terms of several metrics for the target."""
        return {} if self.goal is None else {"metrics": self.goal.metrics}

    @staticmethod
    def _costs(goal: Goal, attempt: Attempt) -> tuple[float, ...]:
        """The cost of each metric; () for an attempt that failed."""
        return () if attempt.score is None else goal.costs(attempt.metrics)

    def _as_cost(self, attempt: Attempt, costs: tuple[float, ...]) -> tuple[float, Status, str]:
        """Cost, status and message of an attempt."""
        score = attempt.score
        if score is None:
            return math.inf, attempt.status, attempt.message
        if self.goal is not None:
            score = score_of(self.goal.cost(costs), self.direction)
        if why := self.goal.fault(costs) if self.goal else unusable(score, self.direction):
            return math.inf, Status.UNREADABLE, f"unreadable: {why}"
        return cost_of(score, self.direction), attempt.status, attempt.message


def _rebuilt(
    target: Target,
    direction: Direction,
    on_failure: OnFailure,
    switches: Mapping[str, str],
    goal: Goal | None,
) -> Evaluator:
    return Evaluator(
        target, direction=direction, on_failure=on_failure, switches=switches, goal=goal
    )
