"""The one visible loop that joins decider, pool, log and clock."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from racing import messages
from racing.decider import Decider
from racing.errors import RaceError
from racing.evaluate.pool import Pool
from racing.experiment import Experiment, Outcome
from racing.log.log import Log
from racing.log.recorder import Recorder
from racing.race.speculation import allowance
from racing.stop import Stop

D = TypeVar("D", bound=Decider)

# Seconds: below this, the time between an answer and the next order is worth saving.
_QUICK = 0.5

Watch = Callable[[Any, Outcome], None]
"""Called with the decider and an outcome."""

Interrupted = Callable[[], bool]


def _ignore(decider: Decider, outcome: Outcome) -> None:
    """Watch nothing."""


def _never() -> bool:
    """Nobody interrupts."""
    return False


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """How a race or a search is driven; nothing of it changes what it comes to.

    Attributes
    ----------
    watch
        Called with the race or search and the outcome after every outcome that it has heard.
    interrupted
        Asked between outcomes: once it says yes, nothing more is begun, and what runs is waited
        for.
    jobs
        How many evaluations run at once, if not as the scenario says.
    clock
        Seconds that never run backwards.
    """

    watch: Watch = _ignore
    interrupted: Interrupted = _never
    jobs: int | None = None
    clock: Callable[[], float] = time.monotonic


def drive(
    decider: D,
    pool: Pool,
    log: Log,
    *,
    speculate: float = 0.0,
    stop_on_failure: bool = False,
    options: RunOptions | None = None,
) -> D:
    """Drive a race or a search to its end, or to an interruption; returns it.

    What the log holds is told first, so that resuming is the same as running. Every outcome is
    committed to the log before the decider hears of it. However it ends, the log is told why, and
    how much of the wall-clock time is used up.

    Parameters
    ----------
    decider
        What proposes and decides: see `racing.decider`. It has heard of nothing yet.
    speculate
        How many evaluations idle workers may begin that are not certain to be needed and then are
        not, as a share of the budget of evaluations; see `racing.race.speculation`.
    stop_on_failure
        Whether a failed evaluation ends the run, to be done again when the run is resumed.
    options
        Watching, interrupting, the clock.

    Raises
    ------
    LogError
        If the log cannot be written; whatever it had accepted before is kept.
    """
    return _Loop(decider, pool, log, speculate, stop_on_failure, options or RunOptions()).drive()


class _Loop(Generic[D]):
    """One session of a run."""

    def __init__(
        self,
        decider: D,
        pool: Pool,
        log: Log,
        speculate: float,
        stop_on_failure: bool,
        options: RunOptions,
    ) -> None:
        self.decider, self.pool, self.log, self.options = decider, pool, log, options
        self.speculate = speculate
        self.ended = log.dropped.evaluations
        self.submitted: dict[tuple[int, int], float] = {}
        self.stop_on_failure = stop_on_failure
        self.started = options.clock() - log.elapsed

    def drive(self) -> D:
        self.recorder = Recorder(self.decider, self.log)
        try:
            self._check_clock()
            messages.begins(self.decider, self.pool.size)
            self._go_on()
        except BaseException as error:
            self.recorder.abandon(error, elapsed=self._elapsed())
            raise
        self.recorder.finish(elapsed=self._elapsed())
        messages.ends(self.decider)
        return self.decider

    def _go_on(self) -> None:
        while not self.decider.done and not self.options.interrupted():
            self._feed()
            self._listen()
        while self._worth_waiting():
            self._listen()
        if self.decider.done:
            self._note_dropped(self.decider.pending)
        self.pool.drop()

    def _worth_waiting(self) -> bool:
        """Whether what still runs can count when this session ends: it was paid for."""
        goes_on = self.decider.stopped in (None, Stop.TARGET_FAILED)
        return goes_on and self.pool.running > 0 and self._seconds_left() != 0.0

    def _feed(self) -> None:
        """Hand the pool as much as it can run; of quick ones twice that, so that none waits."""
        pool, spent = self.pool, self.decider.spent
        mean = spent.target_time / max(spent.evaluations, 1)
        room = 2 * pool.size if pool.size > 1 and 0 < mean < _QUICK else pool.size
        self._submit(self.recorder.ask(max(room - pool.running, 0)))
        if (idle := pool.size - pool.running) > 0 and (extra := self._may_speculate()) > 0:
            self._submit(self.recorder.ask(idle, speculate=extra))
        if not pool.running:
            raise RaceError("the race is not over, but has nothing to run: a bug in racing")

    def _submit(self, experiments: list[Experiment]) -> None:
        for experiment in experiments:
            self.submitted[experiment.key] = self.options.clock()
            self.pool.submit(experiment)

    def _may_speculate(self) -> int:
        """How many further evaluations may be begun that are not certain to be needed."""
        decider = self.decider
        allowed = allowance(self.speculate, decider.budget, decider.spent.evaluations)
        return allowed - decider.speculative - decider.wasted - self.ended

    def _listen(self) -> None:
        """Commit what comes back while there is time, then tell the decider."""
        decided = len(self.decider.verdicts)
        for outcome in self.pool.wait(self._seconds_left()):
            self._hear(replace(outcome, elapsed=self._elapsed()))
        if len(self.decider.verdicts) > decided:
            messages.judged(self.decider.verdicts[decided:])
            if not self.decider.done:
                self._drop_unwanted()
        self._check_clock()

    def _drop_unwanted(self) -> None:
        """End the experiments of candidates that were dropped: their workers are needed."""
        unwanted = self.decider.unwanted
        self.pool.drop(unwanted)
        self._note_dropped(unwanted)
        for experiment in unwanted:
            self.decider.lost(experiment)

    def _note_dropped(self, experiments: Sequence[Experiment]) -> None:
        """Have the log know of evaluations that were begun and are not finished."""
        now = self.options.clock()
        begun = [self.submitted.pop(one.key) for one in experiments if one.key in self.submitted]
        if begun:
            self.ended += len(begun)
            self.log.note_dropped(len(begun), sum(now - start for start in begun))

    def _hear(self, outcome: Outcome) -> None:
        self.submitted.pop(outcome.key, None)
        if self.stop_on_failure and outcome.failed:
            instance = self.recorder.instance(outcome.step)
            self.log.record_failed_attempt(outcome, instance, then="stopped")
            self.decider.end(Stop.TARGET_FAILED)
            return
        self.recorder.tell(outcome)
        messages.heard(outcome)
        self.options.watch(self.decider, outcome)

    def _elapsed(self) -> float:
        return self.options.clock() - self.started

    def _seconds_left(self) -> float | None:
        limit = self.decider.budget.wall_time
        return None if limit is None else max(limit - self._elapsed(), 0.0)

    def _check_clock(self) -> None:
        if self._seconds_left() == 0.0:
            self.decider.end(Stop.WALL_TIME)
