"""Worker processes: what their end says of the attempt in them, and what is left of them."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Instance
from racing.evaluate.engines.loky import Common, Process, ProcessWorker
from racing.evaluate.workers import Report, Worker
from tests.evaluate.test_pool import experiments, running
from tests.waiting import eventually

EXPERIMENT = Experiment(Candidate(1, {}), Instance(0, "a", 5))
BRIEF = ["Objective", "Budget", "Instances"]  # what a run says when it begins
CHILD = "racing.evaluate.engines.child"  # in the command line of a worker process


@pytest.fixture
def process() -> Iterator[Process]:
    """A process that died in an attempt with a limit, as far as can be seen."""
    common = Common(b"", 1.0)
    found = Process(common, "one")
    found._code, found._hung_in = -9, ""
    yield found
    found.end()
    common.running.close()


def death(process: Process, *, hung_in: str, stopped: bool) -> Report:
    """What is told of an attempt whose process was ended."""
    process._hung_in = hung_in
    return process._death(EXPERIMENT, 0.5, stopped=stopped)


def test_a_process_that_does_not_react_to_its_alarm_timed_out(process: Process) -> None:
    report = death(process, hung_in="File solve.py, line 3", stopped=False)
    assert report.outcome is not None
    assert report.outcome.status == "timeout"
    assert not report.died


def test_one_that_was_stopped_with_all_others_begins_again(process: Process) -> None:
    assert death(process, hung_in="File solve.py, line 3", stopped=True) == Report(alive=False)


@pytest.mark.parametrize("stopped", [False, True])
def test_one_that_ends_by_itself_died(process: Process, stopped: bool) -> None:
    report = death(process, hung_in="", stopped=stopped)
    assert report.outcome is not None
    assert report.outcome.status == "crashed"
    assert report.outcome.message == "crashed: its worker process died by SIGKILL(-9)"
    assert report.died


@pytest.fixture
def common() -> Iterator[Common]:
    """What processes share whose work cannot be unpacked."""
    found = Common(b"", None)
    yield found
    assert len(found.running) == 0
    found.running.close()


def test_dead_workers_hold_no_files(common: Common) -> None:
    """A long run drops many experiments, and every drop ends a process."""
    heard = threading.Event()

    def tell(worker: Worker, report: Report) -> None:
        heard.set()

    def files() -> int:
        return len(os.listdir("/proc/self/fd"))

    counts = []
    for number in range(3):
        worker = ProcessWorker(common, str(number), tell)
        worker.start(experiments(1)[0])
        assert heard.wait(60)
        heard.clear()
        worker.kill()
        worker.end()
        assert eventually(worker.gone)
        del worker
        gc.collect()
        counts.append(files())
    assert counts[2] <= counts[0]


def test_what_cannot_be_sent_is_told_at_once_and_needs_no_process(common: Common) -> None:
    process = Process(common, "one")
    [sound] = experiments(1)
    unsendable = replace(sound, instance=replace(sound.instance, problem=threading.Lock()))
    for _ in range(3):
        report = process.attempt(unsendable)
        assert report.alive
        assert report.outcome is not None
        assert report.outcome.worker == "one"
        assert "could not be sent to or from its worker process" in report.outcome.message
    assert len(common.running) == 0, "no process was needed"
    assert process.attempt(sound).outcome is not None
    process.end()


def test_the_system_need_not_tell_the_end_of_a_process(
    common: Common, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on macOS, and on Linux before 5.3."""
    monkeypatch.delattr(os, "pidfd_open")
    process = Process(common, "one")
    for _ in range(2):
        assert process.attempt(EXPERIMENT).outcome is not None
        assert process._process is not None
        os.kill(process._process.pid, signal.SIGKILL)
        os.waitid(os.P_PID, process._process.pid, os.WEXITED | os.WNOWAIT)
    process.end()


def test_a_run_that_is_killed_leaves_no_warnings(tmp_path: Path) -> None:
    """What cleans up after it outlives it a little, on the same terminal."""
    controller = _start(tmp_path)
    assert eventually(lambda: _of(controller.pid))
    controller.kill()
    _, said = controller.communicate(timeout=60)
    assert [line.partition(":")[0] for line in said.splitlines()] in ([], BRIEF)


def test_ctrl_c_while_workers_start_prints_no_traceback(tmp_path: Path) -> None:
    """The terminal sends SIGINT to the whole group, again and again, while workers start."""
    with _start(tmp_path) as controller:
        assert eventually(lambda: _of(controller.pid))
        for _ in range(40):
            os.killpg(controller.pid, signal.SIGINT)
            if controller.poll() is not None:
                break
            threading.Event().wait(0.02)
        _, said = controller.communicate(timeout=60)
    assert "Traceback" not in said, said
    assert controller.returncode == 130, said


def _start(folder: Path) -> subprocess.Popen[str]:
    """A race whose evaluations do not end soon, in a session of its own."""
    (folder / "target.py").write_text(
        "import time\ndef solve(values, instance, seed):\n    time.sleep(60)\n"
    )
    (folder / "race.yaml").write_text(
        "target: {python: target.py:solve}\n"
        "candidates: {list: [{x: 1}, {x: 2}]}\ninstances: {list: [a, b, c, d, e]}\n"
        "execution: {jobs: 2}\n"
    )
    return subprocess.Popen(
        [sys.executable, "-m", "racing", "run", str(folder / "race.yaml")],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True, text=True,
    )  # fmt: skip


def _of(parent: int) -> bool:
    """Whether a process has started a worker process."""
    return any(f"\nPPid:\t{parent}\n" in _status(pid) for pid in running(CHILD))


def _status(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return ""


def test_a_worker_that_was_killed_just_after_its_attempt_charges_nobody_with_that(
    common: Common,
) -> None:
    """The process may take an experiment before anybody has noticed its death."""
    process = Process(common, "one")
    first, second = experiments(2)
    assert process.attempt(first).outcome is not None
    process.kill()
    assert process.attempt(second) == Report(alive=False)
    process.end()


def test_one_that_is_killed_before_it_starts_does_not(common: Common) -> None:
    process = Process(common, "one")
    process.kill()
    assert process.attempt(EXPERIMENT) == Report(alive=False)
    assert len(common.running) == 0
