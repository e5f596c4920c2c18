"""The pool over workers, with workers that end when the test says so."""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass, field
from typing import Any

import pytest

from racing.base.errors import RaceError, TargetError
from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Instance, Outcome, Status
from racing.evaluate.workers import STARTS, Report, Tell, WorkerPool


@dataclass(eq=False)
class Puppet:
    """A worker that does nothing by itself."""

    name: str
    tell: Tell
    at: Experiment | None = None
    killed: bool = False
    ended: bool = False

    def start(self, experiment: Experiment) -> None:
        """Take an experiment."""
        assert self.at is None, "one at a time"
        assert not self.ended
        self.at = experiment

    def report(self, report: Report) -> None:
        """End the attempt."""
        self.at, self.killed = None, False
        self.tell(self, report)

    def kill(self) -> None:
        """Keep it in mind."""
        self.killed = True

    def end(self) -> None:
        """Keep it in mind."""
        self.ended = True

    def join(self, seconds: float) -> None:
        """It has ended."""

    def gone(self) -> bool:
        """It has ended once it was told to."""
        return self.ended and self.at is None


@dataclass
class Stage:
    """A pool and all its workers."""

    size: int = 2
    retries: int = 0
    workers: list[Puppet] = field(default_factory=list)
    released: int = 0

    def __post_init__(self) -> None:
        self.pool = WorkerPool(
            self.size, retries=self.retries, engine="puppet", spawn=self._spawn,
            release=self._release,
        )  # fmt: skip

    @property
    def busy(self) -> list[Puppet]:
        """Those at work."""
        return [one for one in self.workers if one.at is not None]

    def _spawn(self, name: str, tell: Tell) -> Puppet:
        self.workers.append(Puppet(name, tell))
        return self.workers[-1]

    def _release(self) -> None:
        self.released += 1


def experiment(number: int) -> Experiment:
    return Experiment(Candidate(number, {}), Instance(0, "a", 1))


def good(one: Experiment) -> Report:
    return Report(one.outcome(float(one.candidate.id)))


def failed(one: Experiment, *, died: bool = False) -> Report:
    return Report(one.failure(Status.CRASHED, "crashed"), alive=not died, died=died)


class Story:
    """Random calls of a pool and random ends of its workers, with what has to come of them."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.stage = Stage(size=self.rng.randrange(1, 4), retries=self.rng.randrange(3))
        self.size = self.stage.size
        self.numbers = itertools.count(1)
        self.failures: dict[int, int] = {}  # of those that are neither over nor dropped
        self.deaths: set[int] = set()
        self.expected: dict[int, bool] = {}
        self.returned: dict[int, Outcome] = {}

    def submit(self) -> None:
        """Another experiment."""
        number = next(self.numbers)
        self.failures[number] = 0
        self.stage.pool.submit(experiment(number))

    def end(self) -> None:
        """An attempt ends: well or badly, or because its experiment was dropped."""
        if self.stage.busy:
            worker = self.rng.choice(self.stage.busy)
            assert worker.at is not None
            if worker.killed:
                assert worker.at.candidate.id not in self.failures
                worker.report(Report(alive=False))
            elif self.rng.random() < 0.5:
                self._over(worker.at, well=True)
                worker.report(good(worker.at))
            else:
                self._fail(worker, worker.at, died=self.rng.random() < 0.5)

    def _fail(self, worker: Puppet, at: Experiment, *, died: bool) -> None:
        number = at.candidate.id
        self.failures[number] += 1
        self.deaths |= {number} if died else set()
        if self.failures[number] == 1 + self.stage.retries + (number in self.deaths):
            self._over(at, well=False)
        worker.report(failed(at, died=died))

    def _over(self, at: Experiment, *, well: bool) -> None:
        del self.failures[at.candidate.id]
        self.expected[at.candidate.id] = well

    def drop(self) -> None:
        """An experiment is not wanted any more."""
        if self.failures and self.rng.random() < 0.3:
            number = self.rng.choice([*self.failures])
            del self.failures[number]
            self.stage.pool.drop([experiment(number)])

    def resize(self) -> None:
        """More or fewer at a time."""
        running = len(self.stage.busy)
        self.size = self.rng.randrange(1, 4)
        self.stage.pool.resize(self.size)
        assert len(self.stage.busy) <= max(self.size, running)

    def wait(self) -> None:
        """Whatever is there comes back."""
        for one in self.stage.pool.wait(0.0):
            assert one.candidate not in self.returned
            self.returned[one.candidate] = one

    def check(self) -> None:
        """Nobody idles while something waits, and there are no more workers than may be."""
        busy = self.stage.busy
        assert len(self.failures) == sum(not one.killed for one in busy) or len(busy) >= self.size
        assert sum(not one.ended for one in self.stage.workers) <= max(self.size, len(busy))


@pytest.mark.parametrize("seed", range(40))
def test_each_experiment_comes_back_once_unless_it_is_dropped(seed: int) -> None:
    """Whatever happens in whatever order, each attempt that the rules allow is made."""
    story = Story(seed)
    acts = [story.submit, story.end, story.end, story.drop, story.resize, story.wait]
    for _ in range(300):
        story.rng.choice(acts)()
        story.check()
    while story.stage.busy:
        story.end()
    story.wait()
    assert {k: not one.failed for k, one in story.returned.items()} == story.expected
    assert all(one.attempts == 1 + len(one.earlier) for one in story.returned.values())
    assert story.stage.pool.running == 0
    story.stage.pool.close()
    assert all(one.ended for one in story.stage.workers)
    assert story.stage.released == 1


def test_an_attempt_that_was_stopped_from_outside_begins_again_and_is_not_charged() -> None:
    stage = Stage(size=1)
    stage.pool.submit(experiment(1))
    for _ in range(5):
        stage.busy[0].report(Report(alive=False))
    assert len(stage.workers) == 6
    stage.busy[0].report(good(experiment(1)))
    assert [one.attempts for one in stage.pool.wait(0.0)] == [1]


def test_workers_that_die_while_they_start_end_the_run() -> None:
    stage = Stage(size=1)
    stage.pool.submit(experiment(1))
    for _ in range(STARTS - 1):
        stage.busy[0].report(Report(alive=False, unborn="it fell"))
    assert stage.pool.wait(0.0) == []
    stage.busy[0].report(Report(alive=False, unborn="it fell"))
    with pytest.raises(TargetError, match=f"{STARTS} worker processes in a row .* it fell"):
        stage.pool.wait(0.0)
    assert not stage.busy


@pytest.mark.parametrize("last", [Report(alive=False), None])
def test_what_runs_answers_before_the_error_of_workers_that_cannot_start(last) -> None:
    stage = Stage(size=3)
    for number in (1, 2, 3):
        stage.pool.submit(experiment(number))
    first, second, _ = stage.busy
    for _ in range(STARTS):
        stage.busy[-1].report(Report(alive=False, unborn="it fell"))
    assert stage.pool.wait(0.0) == []
    first.report(good(experiment(1)))
    assert [one.candidate for one in stage.pool.wait(0.0)] == [1]
    second.report(last or good(experiment(2)))
    if last is None:
        assert [one.candidate for one in stage.pool.wait(0.0)] == [2]
    with pytest.raises(TargetError, match="in a row"):
        stage.pool.wait()


def test_a_birth_in_between_forgets_the_dead() -> None:
    stage = Stage(size=1)
    for number in range(3):
        stage.pool.submit(experiment(number))
        for _ in range(STARTS - 1):
            stage.busy[0].report(Report(alive=False, unborn="it fell"))
        stage.busy[0].report(good(experiment(number)))
    assert len(stage.pool.wait(0.0)) == 3


def test_outcomes_come_before_the_error_of_a_broken_engine() -> None:
    stage = Stage(size=2)
    for number in (1, 2):
        stage.pool.submit(experiment(number))
    first, second = stage.busy
    first.report(good(experiment(1)))
    second.report(Report(alive=False, broken=TargetError("no engine")))
    assert [one.candidate for one in stage.pool.wait(0.0)] == [1]
    with pytest.raises(TargetError, match="no engine"):
        stage.pool.wait(0.0)


def test_nothing_is_taken_twice_or_after_the_end() -> None:
    stage = Stage()
    stage.pool.submit(experiment(1))
    with pytest.raises(RaceError, match="was submitted before"):
        stage.pool.submit(experiment(1))
    stage.pool.cancel()
    assert stage.busy[0].killed
    with pytest.raises(RaceError, match="was cancelled"):
        stage.pool.submit(experiment(2))
    assert stage.pool.wait(0.0) == []


def copied(retries: int = 0, *, size: int = 2) -> tuple[Stage, Puppet, Puppet]:
    """An experiment that two workers run."""
    stage = Stage(size=size, retries=retries)
    stage.pool.submit(experiment(1))
    stage.pool.copy(experiment(1))
    first, second = stage.busy
    return stage, first, second


class TestCopies:
    @pytest.mark.parametrize("quick", [0, 1])
    def test_the_first_answer_counts_and_the_other_worker_is_stopped(self, quick: int) -> None:
        stage, *both = copied()
        fast, slow = both[quick], both[1 - quick]
        fast.report(Report(experiment(1).outcome(5.0)))
        assert slow.killed
        slow.report(Report(experiment(1).outcome(7.0)))
        assert [(one.cost, one.attempts) for one in stage.pool.wait(0.0)] == [(5.0, 1)]
        assert stage.pool.wait(0.0) == []
        stage.pool.submit(experiment(1))  # it is over, so this is another one
        assert len(stage.busy) == 1

    @pytest.mark.parametrize("died", [False, True])
    def test_a_failure_waits_for_the_other_one(self, died: bool) -> None:
        stage, first, second = copied()
        first.report(failed(experiment(1), died=died))
        assert stage.pool.wait(0.0) == []
        assert not second.killed
        second.report(good(experiment(1)))
        assert [(one.cost, one.attempts) for one in stage.pool.wait(0.0)] == [(1.0, 1)]

    def test_two_failures_are_one_attempt(self) -> None:
        stage, first, second = copied(retries=1)
        for worker in (first, second):
            worker.report(failed(experiment(1)))
        assert len(stage.busy) == 1
        stage.busy[0].report(failed(experiment(1)))
        assert [(one.failed, one.attempts) for one in stage.pool.wait(0.0)] == [(True, 2)]
        assert not stage.busy

    def test_a_copy_that_waits_for_a_worker_is_the_next_attempt(self) -> None:
        stage = Stage(size=1, retries=1)
        stage.pool.submit(experiment(1))
        for _ in range(3):
            stage.pool.copy(experiment(1))
        stage.busy[0].report(failed(experiment(1)))
        stage.busy[0].report(good(experiment(1)))
        assert [(one.cost, one.attempts) for one in stage.pool.wait(0.0)] == [(1.0, 2)]
        assert not stage.busy

    def test_an_answer_takes_a_waiting_copy_away(self) -> None:
        stage = Stage(size=1)
        stage.pool.submit(experiment(1))
        stage.pool.copy(experiment(1))
        stage.busy[0].report(good(experiment(1)))
        assert not stage.busy
        assert len(stage.pool.wait(0.0)) == 1

    def test_what_is_dropped_is_stopped_in_both_places_and_never_returned(self) -> None:
        stage, first, second = copied()
        stage.pool.drop([experiment(1)])
        assert first.killed
        assert second.killed
        first.report(good(experiment(1)))
        second.report(Report())
        assert stage.pool.running == 0
        assert stage.pool.wait(0.0) == []

    def test_a_pool_that_is_cancelled_starts_none_and_ends_both(self) -> None:
        stage, first, second = copied()
        stage.pool.cancel()
        assert first.killed
        assert second.killed
        stage.pool.copy(experiment(1))
        for worker in (first, second):
            worker.report(Report(alive=False))
        assert not stage.busy
        stage.pool.close()
        assert stage.released == 1

    def test_only_what_runs_has_a_copy_and_only_one_that_waits(self) -> None:
        stage = Stage(size=1)
        for number in (1, 2):
            stage.pool.submit(experiment(number))
        stage.pool.copy(experiment(2))  # it has not begun
        stage.pool.copy(experiment(3))  # there is none
        for number in (1, 2):
            stage.busy[0].report(good(experiment(number)))
        assert not stage.busy
        stage.pool.copy(experiment(2))  # it has an answer
        assert not stage.busy
        assert stage.pool.running == 2


class Rests:
    """Calls that rest, by number, and those that were given a slot again."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.awake: list[int] = []
        self.wakes: dict[int, Any] = {}

    def rest(self, number: int) -> None:
        """Refused."""
        self.wakes[number] = lambda: self.awake.append(number)
        self.stage.pool.rest(self.wakes[number])

    def rested(self, number: int) -> None:
        """Ready for another call."""
        self.stage.pool.rested(self.wakes[number])


class TestResting:
    def test_a_resting_call_frees_its_slot_and_gets_the_next_one_again(self) -> None:
        stage = Stage(size=1)
        rests = Rests(stage)
        for number in (1, 2, 3):
            stage.pool.submit(experiment(number))
        assert (stage.pool.size, stage.pool.running, len(stage.busy)) == (1, 3, 1)
        rests.rest(1)
        assert (stage.pool.size, stage.pool.running, len(stage.busy)) == (2, 3, 2)
        rests.rested(1)
        assert rests.awake == []
        stage.busy[1].report(good(experiment(2)))
        assert rests.awake == [1]  # before the third begins
        assert (stage.pool.size, len(stage.busy)) == (1, 1)
        stage.busy[0].report(good(experiment(1)))
        assert [one.at.candidate.id for one in stage.busy if one.at] == [3]
        assert sorted(one.candidate for one in stage.pool.wait(0.0)) == [1, 2]

    def test_a_free_slot_ends_the_wait_for_outcomes(self) -> None:
        stage = Stage(size=1)
        stage.pool.submit(experiment(1))
        Rests(stage).rest(1)
        assert stage.pool.wait() == []
        assert stage.pool.size - stage.pool.running == 1

    def test_one_that_is_cancelled_while_it_waits_for_a_slot_leaves_none_over(self) -> None:
        stage = Stage(size=1)
        rests = Rests(stage)
        for number in (1, 2, 3):  # the first two rest while the next one runs
            stage.pool.submit(experiment(number))
            if number < 3:
                rests.rest(number)
        rests.rested(1)
        rests.rested(2)
        stage.pool.drop([experiment(2)])
        stage.pool.rise(rests.wakes[2])
        next(one for one in stage.busy if one.killed).report(Report())
        assert rests.awake == []  # the third still runs
        assert (stage.pool.size, stage.pool.running, len(stage.busy)) == (2, 2, 2)
        next(one for one in stage.busy if one.at == experiment(3)).report(good(experiment(3)))
        assert rests.awake == [1]
        assert (stage.pool.size, stage.pool.running, len(stage.busy)) == (1, 2, 1)

    def test_closing_meanwhile_ends_them(self) -> None:
        stage = Stage(size=1)
        rests = Rests(stage)
        stage.pool.submit(experiment(1))
        rests.rest(1)
        stage.pool.cancel()
        assert stage.busy[0].killed
        stage.pool.rise(rests.wakes[1])
        stage.busy[0].report(Report())
        assert (stage.pool.size, stage.pool.running) == (1, 0)
        stage.pool.close()
        assert stage.released == 1
