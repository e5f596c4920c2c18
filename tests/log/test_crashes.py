"""Nothing that was acknowledged is ever lost: processes are killed, and power cuts imitated."""

from __future__ import annotations

import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from racing.base.errors import LogBusy
from racing.log import SQLiteLog
from tests.log.samples import CANDIDATES, fill, make, outcome

WRITER = Path(__file__).with_name("writer.py")


class Writer:
    """A process that writes to a log until it is killed, in the end at the latest."""

    def __init__(self, nursery: subprocess.Popen[str], log: Path) -> None:
        assert nursery.stdin is not None
        assert nursery.stdout is not None
        fifo = log.with_name("acknowledged")
        os.mkfifo(fifo)
        nursery.stdin.write(f"{log}\t{fifo}\n")
        nursery.stdin.flush()
        self.pid = int(nursery.stdout.readline())
        self._gone = nursery.stdout.readline
        self._acknowledged = fifo.open("rb")
        fifo.unlink()

    def acknowledged(self, n: int) -> int:
        """The number of the last of the next n outcomes that it acknowledges."""
        return [int(self._acknowledged.readline()) for _ in range(n)][-1]

    def kill(self) -> int:
        """Kill -9; the number of the last outcome acknowledged since we asked, or 0."""
        if self._acknowledged.closed:
            return 0
        os.kill(self.pid, signal.SIGKILL)
        assert self._gone() == "gone\n"
        with self._acknowledged as rest:
            return max((int(line) for line in rest.read().split(b"\n")[:-1]), default=0)


Start = Callable[[Path], AbstractContextManager[Writer]]


@pytest.fixture(scope="module")
def writing() -> Iterator[Start]:
    """Starts writers, one at a time."""
    command = [sys.executable, str(WRITER)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as nursery:

        @contextmanager
        def start(log: Path) -> Iterator[Writer]:
            writer = Writer(nursery, log)
            try:
                yield writer
            finally:
                writer.kill()

        yield start


def check_prefix(path: Path, at_least: int, at_most: int) -> int:
    """The log holds a prefix of the sample's outcomes of such a length; returns it."""
    with SQLiteLog.open(path, write=False) as log:
        outcomes = log.outcomes()
    assert outcomes == [outcome(k) for k in range(len(outcomes))]
    assert at_least <= len(outcomes) <= at_most
    return len(outcomes)


def test_killed_at_any_moment_the_log_keeps_what_it_acknowledged(
    tmp_path: Path, writing: Start
) -> None:
    path = tmp_path / "run.sqlite"
    rng = random.Random(1)
    known = 0
    for session in range(1, 25):
        with writing(path) as writer:
            known = max(known, writer.acknowledged(rng.choice([1, 1, 2, 10, 100, 1000])))
            time.sleep(rng.random() * 0.003)
            known = max(known, writer.kill())
        known = check_prefix(path, known, known + 1)  # one may have been under way
        with SQLiteLog.open(path, write=False) as log:
            assert len(log.sessions()) == session


def test_killed_at_its_start_a_log_is_whole_or_absent(tmp_path: Path, writing: Start) -> None:
    rng = random.Random(2)
    for trial in range(24):
        path = tmp_path / f"{trial}.sqlite"
        with writing(path) as writer:
            while not list(tmp_path.glob(f"{trial}.sqlite*")):  # its lock comes first
                os.kill(writer.pid, 0)
            time.sleep(rng.random() * 0.1)
            known = writer.kill()
        if not path.exists():
            make(path)  # nothing is in the way
        else:
            n = check_prefix(path, known, known + 1)
            with SQLiteLog.open(path, write=True) as log:
                log.add(CANDIDATES)
                fill(log, n + 3, start=n)


def test_a_power_cut_leaves_a_prefix(tmp_path: Path, writing: Start) -> None:
    path = tmp_path / "run.sqlite"
    with writing(path) as writer:
        writer.acknowledged(60)
        writer.kill()
    wal = tmp_path / "run.sqlite-wal"
    rng = random.Random(3)
    lengths = []
    for trial in range(30):
        cut = tmp_path / str(trial) / "run.sqlite"
        cut.parent.mkdir()
        shutil.copy(path, cut)
        shutil.copy(wal, cut.parent)
        os.truncate(
            cut.parent / wal.name, rng.randrange(wal.stat().st_size // 20, wal.stat().st_size)
        )
        lengths.append(check_prefix(cut, 0, 10_000))
    assert len(set(lengths)) > 5


def test_a_second_writer_is_refused_until_the_first_is_gone(tmp_path: Path, writing: Start) -> None:
    path = tmp_path / "run.sqlite"
    with writing(path) as writer:
        writer.acknowledged(1)
        for _ in range(2):
            with pytest.raises(LogBusy) as caught:
                SQLiteLog.open(path, write=True)
            assert f"process {writer.pid} on {socket.gethostname()}" in str(caught.value)
        writer.acknowledged(100)  # it took no notice
        writer.kill()
    with SQLiteLog.open(path, write=True) as log:
        n = len(log.outcomes())
        fill(log, n + 3, start=n)
    assert [found.name for found in tmp_path.iterdir()] == ["run.sqlite"]  # nothing left about


def test_readers_see_one_moment_while_it_is_written(tmp_path: Path, writing: Start) -> None:
    path = tmp_path / "run.sqlite"
    with writing(path) as writer:
        writer.acknowledged(1)
        known = 1
        for _ in range(20):
            with SQLiteLog.open(path, write=False) as log, log.snapshot():
                first = log.outcomes()
                assert len(first) >= known
                known = max(known, writer.acknowledged(50))  # readers hold no writer up
                assert log.outcomes() == first
                assert len(log.instances()) == first[-1].step + 1
        known = max(known, writer.kill())
    check_prefix(path, known, known + 1)


def test_a_closed_log_is_one_file(tmp_path: Path) -> None:
    path = make(tmp_path / "run.sqlite")
    check_prefix(path, 15, 15)
    with SQLiteLog.open(path, write=True) as log, SQLiteLog.open(path, write=False) as reader:
        fill(log, 18, start=15)
        assert len(reader.outcomes()) == 18
    assert [found.name for found in tmp_path.iterdir()] == ["run.sqlite"]
