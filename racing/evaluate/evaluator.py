"""Evaluates experiments: runs the target, turns its score into a cost, and retries."""

from __future__ import annotations

import math
import time
from collections.abc import Awaitable, Callable, Generator, Mapping
from contextlib import closing, nullcontext
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from racing.base.errors import InputError, must_be
from racing.base.logs import logger
from racing.base.quantities import Direction, cost_of, unusable
from racing.core.experiment import Experiment, Outcome, Status
from racing.core.failures import OnFailure
from racing.core.goal import Goal
from racing.core.metric import Metrics
from racing.evaluate.answers import Attempt
from racing.evaluate.function import Function
from racing.evaluate.groups import Groups
from racing.evaluate.stops import Watch
from racing.evaluate.task import Task, Waits
from racing.evaluate.work import Work

if TYPE_CHECKING:  # a worker of functions does without
    from racing.evaluate.command import Command

_LOGGER = logger(__name__)

_UNWATCHED = nullcontext()


@dataclass(frozen=True)
class Evaluator(Work):
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

    target: Command | Function
    direction: Direction = field(default="minimize", kw_only=True)
    on_failure: OnFailure = field(default=OnFailure(), kw_only=True)
    switches: Mapping[str, str] = field(default_factory=dict, kw_only=True, hash=False)
    running: Groups = field(default_factory=Groups, kw_only=True, repr=False, compare=False)
    goal: Goal | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        if self.direction not in ("minimize", "maximize"):
            raise InputError(must_be("direction", "minimize or maximize", self.direction))
        object.__setattr__(self, "switches", dict(self.switches))  # which can be pickled

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
        course = self._course(experiment, worker)
        try:
            step = next(course)
            while not isinstance(step, Outcome):
                if step is None:
                    step = course.send(self._call(experiment))
                else:
                    time.sleep(step)
                    step = next(course)
            return step
        finally:
            course.close()

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
        assert isinstance(self.target, Function)
        with closing(self._course(experiment, worker)) as course:
            step = next(course)
            while not isinstance(step, Outcome):
                if step is None:
                    await turn()
                    call = self.target.attempt_async(experiment, metrics=self._metrics)
                    step = course.send(await call)
                else:
                    await rest(step)
                    step = next(course)
        return step

    def _call(self, experiment: Experiment) -> Attempt:
        running, switches = self.running, self.switches
        return self.target.attempt(
            experiment, running=running, switches=switches, metrics=self._metrics
        )

    def _course(
        self, experiment: Experiment, worker: str
    ) -> Generator[Outcome | float | None, Attempt, None]:
        """The steps of an attempt.

        These are None for a call, which is sent back; seconds until the next one; or the outcome.
        """
        started, waits = time.time(), Waits(self.on_failure.patience, experiment.key)
        clocked = self.timeout is not None or self._costs_time  # its time may decide about a call
        watched = clocked
        while True:
            with Watch() if watched else _UNWATCHED as watch:
                call = yield None
                if watch is not None and self._unknown(call, watch, experiment):
                    watched = False  # once more, whatever happens
                    continue
            watched = clocked
            if (pause := waits.pause(call)) is None:
                yield self._outcome(experiment, waits.told(call), worker, started)
            else:
                yield pause

    @property
    def _costs_time(self) -> bool:
        measured = any(one.measure == "wall_time" for one in (self._metrics or {}).values())
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
        cost, status, why = math.inf, attempt.status, attempt.message
        costs: tuple[float, ...] = ()
        if attempt.score is not None:
            if self.goal is None:
                fault = unusable(attempt.score, self.direction)
                cost = cost_of(attempt.score, self.direction)
            else:
                costs = self.goal.costs(attempt.metrics)
                cost, fault = self.goal.cost(costs), self.goal.fault(costs)
            if fault:
                cost, status, why = math.inf, Status.UNREADABLE, f"unreadable: {fault}"
        return Outcome(
            experiment.candidate.id, experiment.instance.step, cost, attempt.seconds,
            status, why, worker=worker, started=started, bound=experiment.bound,
            spent=attempt.spent, refused=attempt.refused, metrics=costs,
        )  # fmt: skip

    @property
    def _metrics(self) -> Metrics | None:
        return None if self.goal is None else self.goal.metrics

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
