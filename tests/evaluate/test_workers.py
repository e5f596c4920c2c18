"""The pool over workers, with workers that end when the test says so."""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass, field

import pytest

from racing.base.errors import RaceError, TargetError
from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Instance, Outcome, Status
from racing.evaluate.worker import Report, Tell
from racing.evaluate.workers import STARTS, WorkerPool


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
