"""Inside a worker process: its signals, its output, its outcomes, and its end."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Instance, Outcome
from racing.evaluate.work import Plain, as_bytes
from tests.waiting import eventually, runs

RUN = "from racing.evaluate.engines.child import main; main({file}, {note})"

pytestmark = pytest.mark.skipif(os.name != "posix", reason="sessions are of POSIX")


def work(experiment: Experiment) -> Outcome:
    """Prints, changes the environment, and says what process it is in."""
    print("the target prints")
    os.environ["LEFT"] = str(experiment.candidate.id)
    if experiment.candidate.id == 2:
        raise ValueError("no luck")
    ignores = signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    return experiment.outcome(experiment.instance.seed + 100 * ignores)


class Said(NamedTuple):
    """What a worker process has answered and printed."""

    ready: bytes
    answers: list[tuple[Any, tuple[str, ...]]]
    stdout: str
    stderr: str
    code: int


def said(folder: Path, payload: bytes) -> Said:
    """Let a worker process attempt three experiments."""
    ours, theirs = Pipe()
    with ours, (folder / "note").open("w") as note:
        with theirs:
            child = _child(theirs, note.fileno())
        ours.send_bytes(pickle.dumps((payload, "w-1", os.getpid())))
        ready, answers = ours.recv_bytes(), []
        for k in (1, 2, 3):
            ours.send_bytes(pickle.dumps(Experiment(Candidate(k, {}), Instance(0, "a", 10 + k))))
            answers.append(pickle.loads(ours.recv_bytes()))
        ours.send_bytes(b"")
        out, err = child.communicate(timeout=60)
    return Said(ready, answers, out, err, child.returncode)


def _child(theirs: Connection, note: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", RUN.format(file=theirs.fileno(), note=note)],
        pass_fds=(theirs.fileno(), note), start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


@pytest.fixture(scope="module")
def child(tmp_path_factory: pytest.TempPathFactory) -> Said:
    return said(tmp_path_factory.mktemp("child"), as_bytes(Plain(work)))


def test_it_is_ready_once_and_ends_when_it_is_told_to(child: Said) -> None:
    assert child.ready == b"ready"
    assert child.code == 0


def test_what_targets_print_goes_to_stderr(child: Said) -> None:
    assert child.stderr.count("the target prints") == 3
    assert child.stdout == ""


def test_each_attempt_has_its_outcome_and_leaves_ctrl_c_to_its_controller(child: Said) -> None:
    (first, left), (second, _), (third, _) = child.answers
    assert (first.status, first.cost, first.worker) == ("ok", 111, "w-1")
    assert left == ()
    assert second.status == "crashed"
    assert "no luck" in second.message
    assert (third.status, third.cost) == ("ok", 113)


def test_what_cannot_be_unpacked_is_an_outcome_too(tmp_path: Path) -> None:
    answers = said(tmp_path, b"damaged").answers
    assert [one.status for one, _ in answers] == ["crashed"] * 3


def test_it_does_not_outlive_its_parent(tmp_path: Path) -> None:
    note = tmp_path / "note"
    starter = (
        "import os, pickle, subprocess, sys, time\n"
        "from multiprocessing import Pipe\n"
        "ours, theirs = Pipe()\n"
        f"note = open({str(note)!r}, 'w')\n"
        f"run = {RUN!r}.format(file=theirs.fileno(), note=note.fileno())\n"
        "child = subprocess.Popen([sys.executable, '-c', run], start_new_session=True,\n"
        "                         pass_fds=(theirs.fileno(), note.fileno()))\n"
        "ours.send_bytes(pickle.dumps((b'', 'w-1', os.getpid())))\n"
        "ours.recv_bytes()\n"
        "print(child.pid, flush=True)\n"
        "time.sleep(600)"
    )
    holder = subprocess.Popen([sys.executable, "-c", starter], stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    pid = int(holder.stdout.readline())
    os.kill(pid, 0)
    holder.send_signal(signal.SIGKILL)
    holder.wait(10)
    holder.stdout.close()
    assert eventually(lambda: not runs(pid))
