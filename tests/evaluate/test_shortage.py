"""What racing lacks to start an evaluation is never booked as its failure."""

from __future__ import annotations

import errno
import os
import pickle
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from racing.base.errors import TargetError
from racing.core.experiment import Status
from racing.evaluate import shortage as module
from racing.evaluate.command import Command
from racing.evaluate.engines import in_process
from racing.evaluate.evaluator import Evaluator
from racing.evaluate.function import Function
from racing.evaluate.pool import open_pool
from racing.evaluate.shortage import CALM, PATIENCE, Shortage, Supply, shortage, spare
from racing.evaluate.workers import Report
from racing.log import SQLiteLog
from tests.evaluate.test_pool import answers, collect, experiments, shell
from tests.evaluate.test_workers import Stage, experiment, good

LACKING = (errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM, errno.ETXTBSY)
CROWDED = Shortage("no files", crowded=True)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, which passes when a test says so."""
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return now


class TestSupply:
    def test_fewer_run_while_something_is_short_and_more_again_later(
        self, clock: list[float]
    ) -> None:
        supply = Supply()
        assert supply.room(8) == 8
        supply.lacks(CROWDED, 3)
        assert supply.room(8) == 3
        supply.serves()
        assert supply.room(8) == 3
        for more in (4, 5):
            clock[0] += CALM
            supply.serves()
            assert supply.room(8) == more
        assert supply.room(2) == 2

    def test_what_is_away_takes_no_room(self) -> None:
        supply = Supply()
        supply.lacks(Shortage("away"), 3)
        assert supply.room(8) == 8

    def test_tries_grow_rare_and_end(self, clock: list[float]) -> None:
        supply, pauses = Supply(), list[float]()
        with pytest.raises(TargetError, match=r"started for 30 s: away; .*racing resume"):
            self._try_on(supply, clock, pauses)
        assert np.all(np.diff(pauses) > -1e-9)
        assert PATIENCE <= sum(pauses) <= PATIENCE + 2
        assert len(pauses) < 30

    def _try_on(self, supply: Supply, clock: list[float], pauses: list[float]) -> None:
        while True:
            supply.lacks(Shortage("away"), 0)
            pauses.append(supply.pause)
            clock[0] += supply.pause

    def test_while_others_run_there_is_time(self, clock: list[float]) -> None:
        supply = Supply()
        supply.lacks(CROWDED, 1)
        clock[0] += 10 * PATIENCE
        supply.lacks(CROWDED, 1)
        supply.serves()
        supply.lacks(CROWDED, 0)
        assert clock[0] > PATIENCE, "nothing was raised"


class TestPools:
    def test_what_could_not_start_waits_and_is_not_charged(self, clock: list[float]) -> None:
        stage = Stage(size=3)
        for number in range(3):
            stage.pool.submit(experiment(number))
        first, second, third = stage.busy
        third.report(Report(short=CROWDED))
        second.report(Report(short=CROWDED))
        assert [third.ended, second.ended] == [True, True], "one at a time is left"
        first.report(good(experiment(0)))
        while len(stage.busy) == 1:
            [worker] = stage.busy
            assert worker.at is not None
            worker.report(good(worker.at))
        found = stage.pool.wait(0.0)
        assert {(one.candidate, one.attempts, one.failed) for one in found} == {
            (number, 1, False) for number in range(3)
        }

    def test_it_is_tried_again_after_a_pause(self) -> None:
        stage = Stage(size=1)
        stage.pool.submit(experiment(1))
        stage.busy[0].report(Report(short=Shortage("away")))
        assert not stage.busy
        assert stage.pool.wait(1.0) == []
        assert stage.busy

    def test_a_pool_in_which_nothing_starts_ends_the_run(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(module, "PATIENCE", 0.0)
        stage = Stage(size=2)
        for number in range(2):
            stage.pool.submit(experiment(number))
        first, second = stage.busy
        first.report(Report(short=CROWDED))
        assert stage.pool.wait(0.0) == [], "the other one runs"
        second.report(Report(short=CROWDED))
        with pytest.raises(TargetError, match="no evaluation could be started"):
            stage.pool.wait(5.0)

    @pytest.mark.parametrize("engine", ["in-process", "threading"])
    @pytest.mark.parametrize("number", LACKING, ids=errno.errorcode.get)
    def test_errors_of_the_system_are_no_outcomes(
        self, engine: str, number: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        real, calls = subprocess.Popen, iter(range(1000))

        def start(*arguments: object, **options: object) -> object:
            if next(calls) % 3 == 1:
                raise OSError(number, os.strerror(number))
            return real(*arguments, **options)  # type: ignore[call-overload]

        with open_pool(
            shell('echo "$1"'), engine=engine, jobs=1 + 3 * (engine != "in-process")
        ) as pool:
            monkeypatch.setattr(subprocess, "Popen", start)
            for one in experiments(12):
                pool.submit(one)
            found = collect(pool)
        assert {key: (one.cost, one.attempts) for key, one in found.items()} == {
            key: (key, 1) for key in range(1, 13)
        }

    def test_threads_that_the_system_refuses_are_no_outcomes(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        real, calls = threading.Thread.start, iter(range(1000))

        def start(self: threading.Thread) -> None:
            if self.name.startswith("racing-thread") and next(calls) > 1:
                raise RuntimeError("can't start new thread")
            real(self)

        monkeypatch.setattr(threading.Thread, "start", start)
        found = answers(open_pool(shell('echo "$1"'), engine="threading", jobs=4), experiments(12))
        assert all(one.cost == key for key, one in found.items())
        assert {one.worker for one in found.values()} == {"thread-1", "thread-2"}


class TestFunctions:
    """Functions that run in racing's process share its files."""

    def test_what_others_hold_is_waited_for_and_what_one_alone_lacks_is_its_failure(self) -> None:
        stage = Stage(size=2)
        for number in (0, 1):
            stage.pool.submit(experiment(number))
        first, second = stage.busy
        lack = Shortage("no files", crowded=True, failure="crashed: too many")
        second.report(Report(short=lack))
        first.report(good(experiment(0)))
        assert [one.candidate for one in stage.pool.wait(0.0)] == [0]
        stage.pool.wait(1.0)
        [alone] = stage.busy
        alone.report(Report(short=lack))
        [found] = stage.pool.wait(0.0)
        assert (found.candidate, found.status, found.attempts) == (1, Status.CRASHED, 1)
        assert found.message == "crashed: too many"

    @pytest.mark.parametrize("engine", ["in-process", "threading"])
    def test_a_function_that_lacks_files_by_itself_has_failed(self, engine: str) -> None:
        def solve(values: object, instance: object, seed: int) -> float:
            raise OSError(errno.EMFILE, "too many")

        one = answers(open_pool(Evaluator(Function(solve)), engine=engine), experiments(1))[1]
        assert (one.status, one.attempts) == (Status.CRASHED, 1)
        assert one.message.startswith("crashed: OSError: [Errno 24] too many\nTraceback")

    def test_a_socket_without_data_is_a_failure_of_its_own(self) -> None:
        waits = BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        assert shortage(waits) is not None
        assert shortage(waits, inside=True) is None
        assert shortage(OSError(errno.EMFILE, "too many"), inside=True) is not None


def _away(mend: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> None:
    """Mend what is away while the pool waits for the first time."""

    def sleep(seconds: float) -> None:
        monkeypatch.undo()
        mend()

    monkeypatch.setattr(in_process.time, "sleep", sleep)


class TestPrograms:
    def run(self, folder: Path, command: str, **options: object) -> tuple[float, Status, str]:
        target = Command(command, cwd=str(folder), **options)  # type: ignore[arg-type]
        target.check(["alpha"])
        return self.evaluated(target)

    def evaluated(self, target: Command) -> tuple[float, Status, str]:
        one = answers(open_pool(Evaluator(target), engine="in-process"), experiments(1))[1]
        return one.cost, one.status, one.message

    @pytest.mark.parametrize("command", ["./solver {alpha}", "sh ./solver {alpha}"])
    @pytest.mark.parametrize("memory", [None, 2**30])
    def test_a_program_that_is_away_for_a_while_is_waited_for(
        self, command: str, memory: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        solver, aside = tmp_path / "solver", tmp_path / "aside"
        solver.write_text("#!/bin/sh\necho 7\n")
        solver.chmod(0o755)
        target = Command(command, cwd=str(tmp_path), memory=memory)
        target.check(["alpha"])
        solver.rename(aside)
        _away(lambda: aside.rename(solver), monkeypatch)
        assert self.evaluated(target) == (7.0, Status.OK, "")

    @pytest.mark.parametrize("memory", [None, 2**30])
    def test_a_program_that_is_being_written_is_waited_for(
        self, memory: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        solver = tmp_path / "echo"
        solver.write_bytes(Path("/bin/echo").read_bytes())
        solver.chmod(0o755)
        file = solver.open("r+b")
        _away(file.close, monkeypatch)
        assert self.run(tmp_path, "./echo {alpha}", memory=memory)[0] == 1.0
        assert file.closed

    def test_one_that_is_replaced_while_it_fails_runs_again(self, tmp_path: Path) -> None:
        solver = tmp_path / "solver"
        solver.write_text(
            "#!/bin/sh\nprintf '#!/bin/sh\\necho 7\\n' > new\nchmod +x new\nmv new solver\nexit 1\n"
        )
        solver.chmod(0o755)
        assert self.run(tmp_path, "./solver {alpha}") == (7.0, Status.OK, "")

    def test_one_that_replaces_itself_each_time_has_failed(self, tmp_path: Path) -> None:
        solver = tmp_path / "solver"
        solver.write_text("#!/bin/sh\necho '#' >> solver\nexit 1\n")
        solver.chmod(0o755)
        assert self.run(tmp_path, "./solver {alpha}")[1] is Status.CRASHED

    def test_a_program_that_stays_away_ends_the_run(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(module, "PATIENCE", 0.0)
        with pytest.raises(TargetError, match=r"solver: No such file"):
            self.evaluated(Command("./solver {alpha}", cwd=str(tmp_path)))

    def test_a_program_that_the_candidate_names_is_its_own(self, tmp_path: Path) -> None:
        _, status, message = self.evaluated(Command("./solver-{alpha}", cwd=str(tmp_path)))
        assert status is Status.CRASHED
        assert "'./solver-1' does not exist" in message


def test_what_loky_makes_of_a_lack_of_files_is_seen_through() -> None:
    try:
        try:
            raise OSError(errno.EMFILE, "too many")
        finally:
            raise UnboundLocalError("parent_r")
    except UnboundLocalError as error:
        found = shortage(error)
    assert found is not None
    assert found.crowded
    assert shortage(OSError(errno.ENOENT, "none")) is None
    assert shortage(RuntimeError("no idea")) is None


def test_it_travels_between_processes() -> None:
    found = pickle.loads(pickle.dumps(Shortage("no files", crowded=True, failure="crashed")))
    told = type(found), str(found), found.crowded, found.failure
    assert told == (Shortage, "no files", True, "crashed")


def test_files_are_spared() -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    held = len(os.listdir("/proc/self/fd"))
    spare()
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (8, before[1]))
        with pytest.raises(OSError, match="Too many open files"):
            spare()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
    assert len(os.listdir("/proc/self/fd")) == held


@pytest.mark.parametrize(
    ("target", "engine", "jobs", "files"),
    [
        ("{command: [sh, -c, 'sleep 0.02; echo $0', '{x}']}", "threading", 32, 64),
        ("{python: target.py:solve}", "loky", 12, 40),
        ("{python: target.py:wait}", "asyncio", 24, 64),
        ("{python: target.py:sleep}", "threading", 12, 64),
    ],
)
def test_a_race_with_few_files_has_the_result_of_one_with_many(
    target: str, engine: str, jobs: int, files: int, tmp_path: Path
) -> None:
    (tmp_path / "target.py").write_text(
        "import asyncio, time\n\n"
        "def solve(values, instance, seed): return values['x']\n\n"
        "def sleep(values, instance, seed):\n"
        "    files = [open('/dev/null') for _ in range(9)]\n"
        "    time.sleep(0.02)\n    return values['x']\n\n"
        "async def wait(values, instance, seed):\n"
        "    files = [open('/dev/null') for _ in range(9)]\n"
        "    await asyncio.sleep(0.02)\n    return values['x']\n"
    )
    (tmp_path / "race.yaml").write_text(
        f"target: {target}\ncandidates: {[{'x': x} for x in range(1, 11)]}\n"
        f"instances: {list('abcdefghij')}\nrule: none\n"
        f"execution: {{engine: {engine}, jobs: {jobs}}}\n"
    )
    run = [sys.executable, "-m", "racing", "run", "race.yaml", "--log", "log.sqlite"]
    ended = subprocess.run(
        ["sh", "-c", f'ulimit -n {files}; exec "$@"', "sh", *run],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    assert "raise `ulimit -n`, or use fewer jobs" in ended.stderr
    with SQLiteLog.open(tmp_path / "log.sqlite", write=False) as book:
        assert [(one.cost, one.attempts) for one in book.outcomes()] != []
        assert not any(one.failed or one.attempts > 1 for one in book.outcomes())
        assert len(book.outcomes()) == 100
