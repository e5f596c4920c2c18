"""What is private to joblib's loky is there, in whatever version of joblib is installed."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue

from joblib.externals.loky.process_executor import BrokenProcessPool, ProcessPoolExecutor

from racing.evaluate.engines import loky_process
from racing.evaluate.engines.leftovers import Leftovers
from racing.evaluate.engines.loky import LokyWorker
from racing.evaluate.groups import Groups
from racing.evaluate.worker import Report
from tests.evaluate.test_pool import experiments, running
from tests.waiting import eventually

BRIEF = ["Objective", "Budget", "Instances"]  # what a run says when it begins


def test_the_private_attributes_that_are_read_exist() -> None:
    """Those named in loky_process.py; if one is gone in a new joblib, that file is to change."""
    executor = ProcessPoolExecutor(max_workers=1)
    try:
        pid = executor.submit(os.getpid).result()
        assert list(executor._processes) == [pid]
        assert callable(executor._processes[pid].join)
        assert isinstance(executor._executor_manager_thread, threading.Thread)
    finally:
        executor.shutdown(wait=True, kill_workers=True)


def test_how_a_process_died_is_in_the_message_of_the_error() -> None:
    executor = ProcessPoolExecutor(max_workers=1)
    try:
        error = executor.submit(os._exit, 3).exception()
        assert isinstance(error, BrokenProcessPool)
        assert "exit codes of the workers are {EXIT(3)}" in str(error)
    finally:
        executor.shutdown(wait=True, kill_workers=True)


def test_dead_workers_hold_no_files() -> None:
    """A long run drops many experiments, and every drop ends a process."""
    ended: list[Report] = []
    heard = threading.Event()

    def tell(worker: object, report: Report) -> None:
        ended.append(report)
        heard.set()

    def files() -> int:
        return len(os.listdir("/proc/self/fd"))

    watched = Groups(guarded=True)
    counts = []
    for number in range(3):
        worker = LokyWorker(str(number), b"", None, watched, tell, Leftovers())  # type: ignore[arg-type]
        worker.start(experiments(1)[0])
        assert heard.wait(60)
        heard.clear()
        worker.kill()
        worker.end()
        assert eventually(worker.gone)
        del worker
        gc.collect()
        counts.append(files())
    watched.close()
    assert counts[2] <= counts[0]
    assert len(watched) == 0


def test_what_cannot_be_sent_is_told_at_once_and_reaches_no_thread_of_lokys() -> None:
    """Such a thread would fail at it while another one ends the process."""
    reports: SimpleQueue[Report] = SimpleQueue()
    watched = Groups(guarded=True)
    worker = LokyWorker(
        "one", b"", None, watched, lambda worker, report: reports.put(report), Leftovers()
    )
    [sound] = experiments(1)
    unsendable = replace(sound, instance=replace(sound.instance, problem=threading.Lock()))
    for _ in range(3):
        worker.start(unsendable)
        report = reports.get(timeout=60)
        assert report.alive
        assert report.outcome is not None
        assert "could not be sent to or from its worker process" in report.outcome.message
    assert len(watched) == 0, "no process was needed"
    worker.start(sound)
    assert reports.get(timeout=60).outcome is not None
    worker.end()
    worker.join(60)
    assert eventually(worker.gone)
    watched.close()


def test_threads_that_start_workers_at_once_keep_their_options() -> None:
    """What cleans up after workers is started with others."""
    before, done = list(sys.warnoptions), SimpleQueue[int]()

    def start() -> None:
        for each in range(50):
            loky_process._start_trackers()
            done.put(each)

    threads = [threading.Thread(target=start) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert done.qsize() == 400
    assert sys.warnoptions == before


def test_a_run_that_is_killed_leaves_no_warnings(tmp_path: Path) -> None:
    """What cleans up after it outlives it a little, on the same terminal."""
    controller = _start(tmp_path)
    started = "joblib.externals.loky.backend.popen_loky_posix"
    assert eventually(lambda: _of(controller.pid, running(started)))
    controller.kill()
    _, said = controller.communicate(timeout=60)
    assert [line.partition(":")[0] for line in said.splitlines()] in ([], BRIEF)


def test_ctrl_c_while_workers_start_prints_no_traceback(tmp_path: Path) -> None:
    """The terminal sends SIGINT to the whole group, again and again, while workers start."""
    with _start(tmp_path) as controller:
        started = "joblib.externals.loky.backend.popen_loky_posix"
        assert eventually(lambda: _of(controller.pid, running(started)))
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


def _of(session: int, pids: list[int]) -> bool:
    """Whether one of these processes is in a session still."""
    found = []
    for pid in pids:
        try:
            found.append(os.getsid(pid))
        except OSError:
            continue
    return session in found


def test_a_worker_that_was_killed_just_after_its_attempt_charges_nobody_with_that() -> None:
    """The process may take an experiment before anybody has noticed its death."""
    reports: SimpleQueue[Report] = SimpleQueue()
    watched = Groups(guarded=True)
    worker = LokyWorker(
        "one", b"", None, watched, lambda worker, report: reports.put(report), Leftovers()
    )
    first, second = experiments(2)
    worker.start(first)
    assert reports.get(timeout=60).outcome is not None
    worker.kill()
    worker.start(second)
    assert reports.get(timeout=60) == Report(alive=False)
    worker.end()
    worker.join(60)
    watched.close()
