"""The one visible loop that joins race, pool, log and clock."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

from racing.errors import LogError, RaceError
from racing.evaluate.pool import Pool
from racing.experiment import Instance, Outcome
from racing.log.log import Log
from racing.race import Race, Stop

# Seconds: below this, the time between an answer and the next order is worth saving.
_QUICK = 0.5

Watch = Callable[[Race, Outcome], None]
Interrupted = Callable[[], bool]


def _ignore(race: Race, outcome: Outcome) -> None:
    """Watch nothing."""


def _never() -> bool:
    """Nobody interrupts."""
    return False


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """How a race is driven; nothing of it changes what the race comes to.

    Attributes
    ----------
    watch
        Called with the race and the outcome after every outcome that the race has heard.
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
    race: Race,
    pool: Pool,
    log: Log,
    *,
    ahead: int = 0,
    stop_on_failure: bool = False,
    options: RunOptions | None = None,
) -> Race:
    """Drive a race to its end, or to an interruption; returns the race.

    What the log holds is told first, so that resuming is the same as running. Every outcome is
    committed to the log before the race hears of it. However it ends, the log is told why, and how
    much of the wall-clock time is used up.

    Parameters
    ----------
    ahead
        Rows beyond the next test that idle workers may begin; see `Race.ask`.
    stop_on_failure
        Whether a failed evaluation ends the run, to be done again when the run is resumed.
    options
        Watching, interrupting, the clock.

    Raises
    ------
    LogError
        If the log cannot be written; whatever it had accepted before is kept.
    """
    return _Loop(race, pool, log, ahead, stop_on_failure, options or RunOptions()).drive()


class _Loop:
    """One session of a run."""

    def __init__(
        self,
        race: Race,
        pool: Pool,
        log: Log,
        ahead: int,
        stop_on_failure: bool,
        options: RunOptions,
    ) -> None:
        self.race, self.pool, self.log, self.options = race, pool, log, options
        self.ahead = ahead
        self.stop_on_failure = stop_on_failure
        self.started = options.clock() - log.elapsed
        self.verdicts_written = 0
        self.instances: dict[int, Instance] = {}  # of this session, by step

    def drive(self) -> Race:
        self.log.begin_session(os.getpid(), socket.gethostname())
        try:
            self._replay()
            self._go_on()
        except BaseException as error:
            why = f"{type(error).__name__}: {error}".partition("\n")[0]
            with suppress(LogError):  # the first error is the one to hear about
                self.log.end_session(why, elapsed=self._elapsed())
            raise
        self._close()
        return self.race

    def _replay(self) -> None:
        for outcome in self.log.outcomes():
            self.race.tell(outcome)
        self._write_verdicts()
        self._check_clock()

    def _go_on(self) -> None:
        while not self.race.done and not self.options.interrupted():
            self._feed()
            self._listen()
        while self._worth_waiting():
            self._listen()
        self.pool.drop()

    def _worth_waiting(self) -> bool:
        """Whether what still runs can count when this session ends: it was paid for."""
        goes_on = self.race.stopped in (None, Stop.TARGET_FAILED)
        return goes_on and self.pool.running > 0 and self._seconds_left() != 0.0

    def _feed(self) -> None:
        """Hand the pool as much as it can run; of quick ones twice that, so that none waits."""
        race, pool = self.race, self.pool
        mean = race.spent.target_time / max(race.spent.evaluations, 1)
        room = 2 * pool.size if pool.size > 1 and 0 < mean < _QUICK else pool.size
        for experiment in race.ask(max(room - pool.running, 0), ahead=self.ahead):
            self.instances[experiment.instance.step] = experiment.instance
            pool.submit(experiment)
        if not pool.running:
            raise RaceError("the race is not over, but has nothing to run: a bug in racing")

    def _listen(self) -> None:
        """Commit what comes back while there is time, then tell the race."""
        for outcome in self.pool.wait(self._seconds_left()):
            self._hear(replace(outcome, elapsed=self._elapsed()))
        self._write_verdicts()
        self._check_clock()

    def _hear(self, outcome: Outcome) -> None:
        instance = self.instances[outcome.step]
        if self.stop_on_failure and outcome.failed:
            self.log.record_failed_attempt(outcome, instance, then="stopped")
            self.race.end(Stop.TARGET_FAILED)
            return
        self.log.record(outcome, instance)
        self.race.tell(outcome)
        self.options.watch(self.race, outcome)

    def _write_verdicts(self) -> None:
        for verdict in self.race.verdicts[self.verdicts_written :]:
            self.log.record_verdict(verdict)
        self.verdicts_written = len(self.race.verdicts)

    def _close(self) -> None:
        race = self.race
        self.log.end_session(str(race.stopped or "interrupted"), elapsed=self._elapsed())
        if race.done and race.stopped is not Stop.TARGET_FAILED:
            self.log.finish(str(race.stopped), race.winner.id if race.winner else None)

    def _elapsed(self) -> float:
        return self.options.clock() - self.started

    def _seconds_left(self) -> float | None:
        limit = self.race.budget.wall_time
        return None if limit is None else max(limit - self._elapsed(), 0.0)

    def _check_clock(self) -> None:
        if self._seconds_left() == 0.0:
            self.race.end(Stop.WALL_TIME)
