"""Time in which the process that measures is stopped neither makes a timeout nor counts."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Instance, Status
from racing.core.goal import Goal
from racing.core.metric import Metric
from racing.evaluate import family, stops
from racing.evaluate.answers import Attempt
from racing.evaluate.evaluator import Evaluator
from racing.evaluate.stops import IDLE, STOP, TICK, Watch
from tests.evaluate.stopped_run import LIMIT
from tests.waiting import eventually, runs

ROOT = Path(__file__).parents[2]
RUNS = {  # name → kind of target, engine, whether the workers are stopped too
    "a function's process": ("function", "loky", True),
    "a function's controller": ("function", "loky", False),
    "a function in its controller": ("function", "in-process", False),
    "a coroutine": ("coroutine", "asyncio", False),
    "a command": ("command", "threading", False),
}


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What runs print that are stopped for longer than their limit; all at a time."""
    folder = tmp_path_factory.mktemp("stops")
    runs = {name: _start(kind, engine, folder / name) for name, (kind, engine, _) in RUNS.items()}
    stopped = [
        pid
        for name, run in runs.items()
        for pid in _begun(run, folder / name, everything=RUNS[name][2])
    ]
    time.sleep(LIMIT + STOP + 2 * TICK)
    for pid in reversed(stopped):  # what evaluates goes on before what waits for it
        os.kill(pid, signal.SIGCONT)
    return {name: run.communicate(timeout=60)[0].splitlines()[-1] for name, run in runs.items()}


def _start(kind: str, engine: str, begun: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.evaluate.stopped_run", kind, engine, str(begun)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)


def _begun(run: subprocess.Popen[str], begun: Path, *, everything: bool) -> list[int]:
    """Stop a run when its evaluation has begun."""
    while not begun.exists():
        assert run.poll() is None
        time.sleep(0.01)
    who = [run.pid, *(family.members(run.pid) if everything else ())]
    for pid in who:
        os.kill(pid, signal.SIGSTOP)
    return who


@pytest.mark.parametrize("name", RUNS)
def test_a_stop_makes_no_timeout(name: str, said: dict[str, str]) -> None:
    assert said[name] == "ok 7.0 1 True"


@dataclass
class Clock:
    """A clock and a meter of processor time that are set by hand."""

    clock: float = 0.0
    processor: float = 0.0

    def __call__(self) -> tuple[float, float]:
        return self.clock, self.processor


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of the watches, which nothing but the test ticks."""
    found = Clock()
    monkeypatch.setattr(stops, "_now", found)
    monkeypatch.setattr(stops, "_CLOCK", stops._Clock())
    monkeypatch.setattr(stops.threading, "Thread", lambda **_: found)
    monkeypatch.setattr(Clock, "start", lambda self: None, raising=False)
    return found


def test_a_long_time_without_a_tick_is_a_stop(clock: Clock) -> None:
    with Watch() as watch:
        clock.clock = STOP
        assert not watch.stopped
        clock.clock = STOP + 0.1
        assert watch.stopped


def test_a_target_that_is_at_work_all_the_time_is_not_stopped(clock: Clock) -> None:
    """It holds the interpreter's lock, so that nothing ticks."""
    with Watch() as watch:
        clock.clock, clock.processor = 100.0, 100 * IDLE
        assert not watch.stopped


def test_the_time_before_a_watch_is_no_stop_in_it(clock: Clock) -> None:
    clock.clock = 100.0
    with Watch() as watch:
        assert not watch.stopped


class Ticks(Watch):
    """Keeps what it is told, and ends after a number of ticks."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.told: list[tuple[float, bool]] = []
        self.most = most

    def tick(self, seconds: float, *, stopped: bool) -> bool:
        """Keep it."""
        super().tick(seconds, stopped=stopped)
        self.told.append((seconds, stopped))
        return len(self.told) == self.most


def test_ticks_tell_the_time_since_the_last_one_until_nobody_listens(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A late tick of a process at work is no stop, one of a process that stands still is."""
    passed = iter([(TICK, 0.0), (4.0, 3.0), (4.0, 1.0), (TICK, TICK), (TICK, 0.0)])

    def sleep(seconds: float) -> None:
        assert seconds == TICK
        more, used = next(passed)
        clock.clock, clock.processor = clock.clock + more, clock.processor + used

    monkeypatch.setattr(stops.time, "sleep", sleep)
    first, second = Ticks(2), Ticks(4)
    first.begin()
    second.begin()
    stops._CLOCK._run()
    told = [(TICK, False), (4.0, False), (4.0, True), (TICK, False)]
    assert second.told == told
    assert first.told == told[:2]
    assert second.stopped
    assert not first._stopped
    assert len(list(passed)) == 1, "it ends with the last watch"


def test_a_stop_is_noted_at_the_next_tick(clock: Clock) -> None:
    with Watch() as watch:
        assert not watch.tick(TICK, stopped=True)
        assert not watch.tick(TICK, stopped=False)
        assert watch.stopped
    with watch:
        assert not watch.stopped, "it begins anew"


class Slow:
    """A target that is stopped in its first calls, and says how long each took."""

    def __init__(
        self,
        clock: Clock,
        *seconds: float,
        cost: str = "answer",
        timeout: float | None = 1.0,
        status: Status = Status.OK,
    ) -> None:
        self.clock, self.seconds, self.cost = clock, list(seconds), cost
        self.timeout, self.status = timeout, status

    def attempt(self, experiment: Experiment, **_: object) -> Attempt:
        """Stand still for a while."""
        self.clock.clock += 10 * STOP
        score = 1.0 if self.status is Status.OK else None
        seconds = self.seconds.pop(0)
        metrics = {"time": seconds, "quality": 1.0}
        return Attempt(score=score, seconds=seconds, status=self.status, metrics=metrics)


@pytest.mark.parametrize(
    ("seconds", "cost", "calls"),
    [
        ((0.5,), "answer", 1),
        ((5.0, 0.5), "answer", 2),
        ((5.0, 5.0), "answer", 2),
        ((0.5, 0.4), "time", 2),
    ],
)
def test_an_attempt_is_begun_again_once_if_its_time_counts(
    clock: Clock, seconds: tuple[float, ...], cost: str, calls: int
) -> None:
    target = Slow(clock, *seconds, cost=cost)
    outcome = Evaluator(target).once(  # type: ignore[arg-type]
        Experiment(Candidate(1, {}), Instance(0, "a", 5))
    )
    assert len(seconds) - len(target.seconds) == calls
    assert outcome.seconds == seconds[calls - 1]


@pytest.mark.parametrize(
    ("cost", "timeout", "status", "metrics", "calls"),
    [
        ("answer", None, Status.OK, {}, 1),
        ("time", None, Status.OK, {}, 2),
        ("answer", 9.0, Status.OK, {}, 1),
        ("answer", 9.0, Status.TIMEOUT, {}, 2),
        ("answer", 9.0, Status.CRASHED, {}, 1),
        ("answer", None, Status.OK, {"time": Metric(measure="wall_time")}, 2),
        ("answer", None, Status.OK, {"time": Metric(measure="cpu_time")}, 1),
    ],
)
def test_its_time_counts_as_a_cost_a_metric_or_a_timeout(
    clock: Clock,
    cost: str,
    timeout: float | None,
    status: Status,
    metrics: dict[str, Metric],
    calls: int,
) -> None:
    target = Slow(clock, 5.0, 5.0, cost=cost, timeout=timeout, status=status)
    goal = Goal({**metrics, "quality": Metric()}, None) if metrics else None
    Evaluator(target, goal=goal).once(  # type: ignore[arg-type]
        Experiment(Candidate(1, {}), Instance(0, "a", 5))
    )
    assert 2 - len(target.seconds) == calls


def test_an_attempt_without_a_stop_is_begun_once() -> None:
    target = Slow(Clock(), 5.0)
    outcome = Evaluator(target).once(  # type: ignore[arg-type]
        Experiment(Candidate(1, {}), Instance(0, "a", 5))
    )
    assert outcome.seconds == 5.0


def test_a_forked_child_can_watch_although_a_thread_held_the_lock() -> None:
    with Watch(), stops._CLOCK._lock:
        child = os.fork()
        if not child:
            with Watch():
                os._exit(0 if stops._CLOCK._ticks else 1)
    if not eventually(lambda: not runs(child)):
        os.kill(child, signal.SIGKILL)
    assert os.waitpid(child, 0)[1] == 0
