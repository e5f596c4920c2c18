"""A worker process of loky's: its signals, its output, its outcomes, and its end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

CHILD = """
import json, os, pickle, signal, sys
from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Instance
from racing.evaluate.engines import loky_child
from racing.evaluate.packing import as_bytes
from racing.evaluate.work import Plain

def work(experiment):
    print("the target prints")
    os.environ["LEFT"] = str(experiment.candidate.id)
    if experiment.candidate.id == 2:
        raise ValueError("no luck")
    return experiment.outcome(experiment.instance.seed)

payload = b"damaged" if {damaged} else as_bytes(Plain(work))
out = os.dup(1)
loky_child.install(payload, "w-1", {parent}, {note!r})
ready = loky_child.prepare()
found = [
    loky_child.evaluate(pickle.dumps(Experiment(Candidate(k, {{}}), Instance(0, "a", 10 + k))))
    for k in (1, 2, 3)
]
os.write(out, json.dumps({{
    "ready": ready, "pid": os.getpid(), "session": os.getsid(0),
    "ignored": signal.getsignal(signal.SIGINT) == signal.SIG_IGN,
    "outcomes": [[str(o.status), o.cost, o.worker, o.message] for o, _ in found],
    "left": [list(left) for _, left in found],
}}, default=str).encode())
os.close(out)
if {stay}:
    signal.pause()
"""

pytestmark = pytest.mark.skipif(os.name != "posix", reason="sessions are of POSIX")


def code(folder: Path, *, damaged: bool = False, stay: bool = False, parent: str = "") -> str:
    return CHILD.format(
        damaged=damaged, stay=stay, parent=parent or os.getpid(), note=str(folder / "note")
    )


@pytest.fixture(scope="module")
def child(tmp_path_factory: pytest.TempPathFactory) -> subprocess.CompletedProcess[str]:
    script = code(tmp_path_factory.mktemp("child"))
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True,
                          timeout=60, check=True)  # fmt: skip


def test_it_leaves_ctrl_c_to_its_controller(child: subprocess.CompletedProcess[str]) -> None:
    said = json.loads(child.stdout)
    assert said["ready"] == said["pid"] == said["session"]
    assert said["ignored"]


def test_what_targets_print_goes_to_stderr(child: subprocess.CompletedProcess[str]) -> None:
    assert child.stderr.count("the target prints") == 3
    assert "the target prints" not in child.stdout


def test_each_attempt_has_its_outcome(child: subprocess.CompletedProcess[str]) -> None:
    first, second, third = json.loads(child.stdout)["outcomes"]
    assert first[:3] == ["ok", 11, "w-1"]
    assert second[0] == "crashed"
    assert "no luck" in second[3]
    assert third[:2] == ["ok", 13]


def test_what_cannot_be_unpacked_is_an_outcome_too(tmp_path: Path) -> None:
    script = code(tmp_path, damaged=True)
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True,
                           timeout=60, check=True)  # fmt: skip
    outcomes = json.loads(found.stdout)["outcomes"]
    assert [one[0] for one in outcomes] == ["crashed"] * 3


def test_it_does_not_outlive_its_parent(tmp_path: Path) -> None:
    script = tmp_path / "child.py"
    script.write_text(code(tmp_path, stay=True, parent="os.getppid()"))
    starter = (
        "import subprocess, sys, time\n"
        f"child = subprocess.Popen([sys.executable, {str(script)!r}])\n"
        "time.sleep(600)"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", starter], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert parent.stdout is not None
    pid = json.loads(_line(parent.stdout.fileno()))["pid"]
    os.kill(pid, 0)
    parent.send_signal(signal.SIGKILL)
    parent.wait(10)
    parent.stdout.close()
    end = time.monotonic() + 30
    while _runs(pid) and time.monotonic() < end:
        time.sleep(0.02)
    assert not _runs(pid)


def _line(fd: int) -> bytes:
    """All that came, when it is whole."""
    got = b""
    while not got.endswith(b"}"):
        more = os.read(fd, 1 << 12)
        assert more, "the child has ended"
        got += more
    return got


def _runs(pid: int) -> bool:
    """Whether a process runs; one that has ended may still wait to be noticed."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
