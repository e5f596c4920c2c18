"""The loop that connects decider, pool, log and clock."""

from __future__ import annotations

import math
import time
from bisect import insort
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from racing.base.errors import RaceError
from racing.core.decider import Decider
from racing.core.experiment import Experiment, Outcome
from racing.core.stop import Stop
from racing.evaluate.work import Pool
from racing.log.log import Log
from racing.log.recorder import Recorder
from racing.race.limits import FREE, SILENT, silent, unpaid
from racing.race.speculation import allowance
from racing.runner import messages

D = TypeVar("D", bound=Decider)
Key = tuple[int, int]

FEWEST = 20
"""Evaluations with known times before one is begun a second time."""

# Seconds: evaluations below this are queued in advance, to save the time between two.
_QUICK = 0.5

Watch = Callable[[Any, Outcome], None]
"""Called with the decider and an outcome."""

Interrupted = Callable[[], bool]

Begin = Callable[[Any, Any], None]
"""Called with the scenario and its race or search."""


def _silent(scenario: object, decider: Decider) -> None:
    """The default of `begin`."""


def _ignore(decider: Decider, outcome: Outcome) -> None:
    """The default of `watch`."""


Known = Callable[[Experiment], Outcome | None]
"""The outcome of an experiment, if an earlier run has one."""


def _unknown(experiment: Experiment) -> None:
    """The default of `known`."""


def _never() -> bool:
    """The default of `interrupted`."""
    return False


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """Options of a run that do not change its result.

    Attributes
    ----------
    watch
        Called with the race or search and the outcome, after every outcome.
    begin
        Called with the scenario and its race or search, when a run of a scenario begins or goes on.
    interrupted
        Called between outcomes: after it returns True, no evaluation starts, and running ones end.
    jobs
        The number of evaluations at once, instead of the scenario's; as `execution.jobs` there. A
        new search whose window is not set gets one for so many.
    clock
        A monotonic clock, in seconds.

    Examples
    --------
    >>> from racing import RunOptions
    >>> RunOptions(jobs=4).jobs
    4
    """

    watch: Watch = _ignore
    begin: Begin = _silent
    interrupted: Interrupted = _never
    jobs: int | None = None
    clock: Callable[[], float] = time.monotonic


def drive(
    decider: D,
    pool: Pool,
    log: Log,
    *,
    speculate: float = 0.0,
    hedge: float = 1.0,
    stop_on_failure: bool = False,
    known: Known = _unknown,
    options: RunOptions | None = None,
) -> D:
    """Drive a race or a search to its end, or to an interruption; return it.

    The log is replayed first, so resuming is the same as running. Every outcome is committed to the
    log before the decider receives it. At the end, the log gets the reason and the used wall-clock
    time.

    Parameters
    ----------
    decider
        Proposes and decides: see `racing.core.decider`. It has no outcomes yet.
    speculate
        Evaluations in vain that idle workers may start, as a share of the budget of evaluations;
        see `racing.race.speculation`.
    hedge
        The quantile of the times beyond which an evaluation is begun a second time on an idle
        worker; 1 for none.
    stop_on_failure
        Whether a failed evaluation ends the run; a resumed run repeats it.
    known
        Answers experiments in place of the pool, where it can.
    options
        See `RunOptions`.

    Raises
    ------
    LogError
        If the log cannot be written; earlier records are kept.
    TargetError
        If no evaluation can be started, or the target does not tell payments that are limited.
    """
    options = options or RunOptions()
    return _Loop(decider, pool, log, speculate, hedge, stop_on_failure, known, options).drive()


@dataclass(eq=False)
class _Loop(Generic[D]):
    """One session of a run; the arguments are those of `drive`."""

    decider: D
    pool: Pool
    log: Log
    speculate: float
    hedge: float
    stop_on_failure: bool
    known: Known
    options: RunOptions

    def __post_init__(self) -> None:
        if not hasattr(self.pool, "copy"):
            self.hedge = 1.0
        self.took: list[float] = []  # sorted
        self.overdue: set[Key] = set()  # those that were begun again, or may not be
        self.copied: set[Key] = set()
        self.ended = self.log.dropped.evaluations
        self.silent = set(self.decider.budget.paid)  # limited payments that nothing has told yet
        self.paid = bool(self.silent)  # whether evaluations cost money or tokens
        self.free, self.answers = True, 0
        self.finished: deque[Outcome] = deque()  # and not yet committed
        self.submitted: dict[Key, float] = {}
        self.running: dict[Key, Experiment] = {}
        self.started = self.options.clock() - self.log.elapsed

    def drive(self) -> D:
        self.recorder = Recorder(self.decider, self.log)
        spent = self.decider.spent
        self.free = not (spent.usd or spent.tokens)
        self.paid = self.paid or not self.free
        try:
            self._check_clock()
            messages.begins(self.decider, self.pool.size)
            self._go_on()
        except BaseException as error:
            try:
                self._keep_finished()
            finally:
                self.recorder.abandon(error, elapsed=self._elapsed())
            raise
        self.recorder.finish(elapsed=self._elapsed())
        messages.ends(self.decider)
        return self.decider

    def _go_on(self) -> None:
        while not self._over and not self.options.interrupted():
            self._feed()
            self._listen()
        while self._worth_waiting():
            self._listen()
        if self._over:
            self._note_dropped(list(self.submitted))
        self.pool.drop()

    @property
    def _over(self) -> bool:
        return self.decider.stopped is not None

    def _worth_waiting(self) -> bool:
        """Whether running evaluations can count when this session ends: they were paid for."""
        goes_on = self.decider.stopped in (None, Stop.TARGET_FAILED)
        return goes_on and self.pool.running > 0 and self._seconds_left() != 0.0

    def _feed(self) -> None:
        """Submit as many experiments as the pool can run; twice that for quick ones."""
        pool, spent = self.pool, self.decider.spent
        mean = spent.target_time / max(spent.evaluations, 1)
        ahead = pool.size > 1 and 0 < mean < _QUICK and not self.paid
        room = 2 * pool.size if ahead else pool.size
        self._submit(self.recorder.ask(max(room - pool.running, 0)))
        idle = pool.size - pool.running - len(self.finished)
        if idle > 0 and (extra := self._may_speculate()) > 0:
            self._submit(self.recorder.ask(idle, speculate=extra))
        if not (pool.running or self.finished):
            raise RaceError("the race is not over, but has nothing to run: a bug in racing")
        self._copy_overdue()

    def _submit(self, experiments: list[Experiment]) -> None:
        outcomes = {experiment.key: self.known(experiment) for experiment in experiments}
        self.finished += filter(None, outcomes.values())
        new = [experiment for experiment in experiments if outcomes[experiment.key] is None]
        if self.paid:
            self.log.begin([experiment.key for experiment in new])
        for experiment in new:
            self.submitted[experiment.key] = self.options.clock()
            self.running[experiment.key] = experiment
            self.pool.submit(experiment)

    def _copy_overdue(self) -> None:
        """Begin evaluations that take far longer than others again, on idle workers."""
        now, longest = self.options.clock(), self._longest
        for key, begun in self.submitted.items():  # the oldest first
            if now < begun + longest or self._idle <= 0:
                return
            if key not in self.overdue:
                self.overdue.add(key)
                self._copy(self.running[key])

    def _copy(self, experiment: Experiment) -> None:
        """Begin an evaluation again, if the money kept for it covers this."""
        if self.decider.spare(experiment):
            if self.paid:
                self.log.begin([experiment.key])
            self.copied.add(experiment.key)
            self.pool.copy(experiment)  # type: ignore[attr-defined]

    @property
    def _idle(self) -> int:
        return self.pool.size - self.pool.running - len(self.copied)

    @property
    def _longest(self) -> float:
        """Seconds after which an evaluation is begun a second time; inf for never."""
        if self.hedge == 1 or len(self.took) < FEWEST:
            return math.inf
        return self.took[max(math.ceil(self.hedge * len(self.took)) - 1, 0)]

    def _until_overdue(self) -> float | None:
        """Seconds to wait at most; until the next evaluation is overdue."""
        left, longest = self._seconds_left(), self._longest
        if longest == math.inf or self._idle <= 0:
            return left
        due = (begun for key, begun in self.submitted.items() if key not in self.overdue)
        if (first := next(due, None)) is None:
            return left
        wait = max(first + longest - self.options.clock(), 0.0)
        return wait if left is None else min(wait, left)

    def _may_speculate(self) -> int:
        """The number of further evaluations that may start although they may not be needed."""
        decider = self.decider
        if not self.speculate:
            return 0
        allowed = allowance(self.speculate, decider.budget, decider.spent.evaluations)
        return allowed - decider.speculative - decider.wasted - self.ended

    def _listen(self) -> None:
        """Commit finished outcomes while there is time, then tell the decider."""
        decided = len(self.decider.verdicts)
        if not self.finished:
            self.finished += self.pool.wait(self._until_overdue())
        while self.finished:
            self._hear(replace(self.finished[0], elapsed=self._elapsed()))
        if len(self.decider.verdicts) > decided:
            messages.judged(self.decider.verdicts[decided:])
            if not self._over:
                self._drop_unwanted()
        self._check_clock()

    def _drop_unwanted(self) -> None:
        """Stop the experiments of dropped candidates, to free their workers."""
        unwanted = self.decider.unwanted
        self.pool.drop(unwanted)
        self._note_dropped([experiment.key for experiment in unwanted])
        for experiment in unwanted:
            self.decider.lost(experiment)

    def _note_dropped(self, keys: Sequence[Key]) -> None:
        """Note unfinished evaluations in the log."""
        now = self.options.clock()
        begun = [self._forget(key) for key in keys if key in self.submitted]
        if begun:
            self.ended += len(begun)
            self.log.note_dropped(len(begun), sum(now - start for start in begun))

    def _forget(self, key: Key) -> float:
        """Note that an evaluation is over; returns when it began."""
        self.running.pop(key)
        self.overdue.discard(key)
        self.copied.discard(key)
        return self.submitted.pop(key)

    def _hear(self, outcome: Outcome) -> None:
        if outcome.key in self.submitted:
            insort(self.took, self.options.clock() - self._forget(outcome.key))
        self.paid = self.paid or bool(outcome.price)
        if self.stop_on_failure and outcome.failed:
            instance = self.recorder.instance(outcome.step)
            self.log.record_failed_attempt(outcome, instance, then="stopped")
            self.finished.popleft()
            self.decider.end(Stop.TARGET_FAILED)
            return
        self.recorder.tell(outcome)
        self.finished.popleft()
        messages.heard(outcome)
        self.options.watch(self.decider, outcome)
        self._check_told(outcome)

    def _keep_finished(self) -> None:
        """Commit what has finished when an error ends the session, for example in `watch`."""
        with suppress(Exception):  # the pool may be what failed
            if hasattr(self.pool, "copy"):  # it runs them by itself, not in `wait`
                self.finished += self.pool.wait(0.0)
        for outcome in self.finished:
            if not (self.stop_on_failure and outcome.failed):
                with suppress(Exception):  # the log may be what failed, or it is there already
                    self.recorder.tell(replace(outcome, elapsed=self._elapsed()))

    def _check_told(self, outcome: Outcome) -> None:
        """Refuse a limit of payments that the target does not tell."""
        self.silent -= outcome.spent.keys()
        self.answers += not outcome.failed and outcome.reused is None
        if self.silent and self.answers >= SILENT:
            raise silent(min(self.silent), SILENT)
        self.free = self.free and not any(outcome.price.values())
        if self.free and self.answers >= FREE and self._ends_by_payments:
            raise unpaid(self.decider.budget.paid[0])

    @property
    def _ends_by_payments(self) -> bool:
        """Whether nothing but payments ends this run, also no lack of instances."""
        search = getattr(self.decider, "as_search", None) is not None
        instances = getattr(self.decider, "instances", None)
        endless = search or (instances is not None and instances.limit is None)
        return self.decider.budget.paid_alone and endless

    def _elapsed(self) -> float:
        return self.options.clock() - self.started

    def _seconds_left(self) -> float | None:
        limit = self.decider.budget.wall_time
        return None if limit is None else max(limit - self._elapsed(), 0.0)

    def _check_clock(self) -> None:
        if self._seconds_left() == 0.0:
            self.decider.end(Stop.WALL_TIME)
