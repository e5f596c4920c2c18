"""Nothing that was acknowledged is ever lost: processes are killed, and power cuts imitated."""

from __future__ import annotations

import os
import random
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from racing.errors import LogBusy
from racing.log import SQLiteLog
from tests.log.samples import CANDIDATES, fill, make, outcome

WRITER = Path(__file__).with_name("writer.py")


@contextmanager
def writing(path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process that writes to the log until it is killed, in the end at the latest."""
    with subprocess.Popen([sys.executable, WRITER, path], stdout=subprocess.PIPE) as process:
        try:
            yield process
        finally:
            process.kill()


def acknowledged(process: subprocess.Popen[bytes], n: int) -> int:
    """Wait for n acknowledgements; the last one."""
    assert process.stdout is not None
    return [int(process.stdout.readline()) for _ in range(n)][-1]


def kill(process: subprocess.Popen[bytes]) -> int:
    """Kill -9; the last acknowledgement that it gave, or 0."""
    assert process.stdout is not None
    process.kill()
    rest = process.stdout.read().split(b"\n")
    process.wait()
    return max((int(line) for line in rest[:-1]), default=0)


def check_prefix(path: Path, at_least: int, at_most: int) -> int:
    """The log holds a prefix of the sample's outcomes of such a length; returns it."""
    with SQLiteLog.open(path, write=False) as log:
        outcomes = log.outcomes()
    assert outcomes == [outcome(k) for k in range(len(outcomes))]
    assert at_least <= len(outcomes) <= at_most
    return len(outcomes)


def test_killed_at_any_moment_the_log_keeps_what_it_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "run.sqlite"
    rng = random.Random(1)
    known = 0
    for sitting in range(1, 25):
        with writing(path) as process:
            known = max(known, acknowledged(process, rng.choice([1, 1, 2, 10, 100, 1000])))
            time.sleep(rng.random() * 0.003)
            known = max(known, kill(process))
        known = check_prefix(path, known, known + 1)  # one may have been under way
        with SQLiteLog.open(path, write=False) as log:
            assert len(log.sittings()) == sitting


def test_killed_at_its_start_a_log_is_whole_or_absent(tmp_path: Path) -> None:
    rng = random.Random(2)
    for trial in range(12):
        path = tmp_path / f"{trial}.sqlite"
        with writing(path) as process:
            while not list(tmp_path.glob(f"{trial}.*")):  # its lock comes first
                assert process.poll() is None
            time.sleep(rng.random() * 0.01)
            known = kill(process)
        if not path.exists():
            make(path)  # nothing is in the way
        else:
            n = check_prefix(path, known, known + 1)
            with SQLiteLog.open(path, write=True) as log:
                log.add(CANDIDATES)
                fill(log, n + 3, start=n)


def test_a_power_cut_leaves_a_prefix(tmp_path: Path) -> None:
    path = tmp_path / "run.sqlite"
    with writing(path) as process:
        acknowledged(process, 60)
        kill(process)
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


def test_a_second_writer_is_refused_until_the_first_is_gone(tmp_path: Path) -> None:
    path = tmp_path / "run.sqlite"
    with writing(path) as process:
        acknowledged(process, 1)
        for _ in range(2):
            with pytest.raises(LogBusy) as caught:
                SQLiteLog.open(path, write=True)
            assert f"process {process.pid} on {socket.gethostname()}" in str(caught.value)
        acknowledged(process, 100)  # it took no notice
        kill(process)
    with SQLiteLog.open(path, write=True) as log:
        n = len(log.outcomes())
        fill(log, n + 3, start=n)
    assert [found.name for found in tmp_path.iterdir()] == ["run.sqlite"]  # nothing left about


def test_readers_see_one_moment_while_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "run.sqlite"
    with writing(path) as process:
        acknowledged(process, 1)
        known = 1
        for _ in range(20):
            with SQLiteLog.open(path, write=False) as log, log.snapshot():
                first = log.outcomes()
                assert len(first) >= known
                known = max(known, acknowledged(process, 50))  # readers hold no writer up
                assert log.outcomes() == first
                assert len(log.instances()) == first[-1].step + 1
        known = max(known, kill(process))
    check_prefix(path, known, known + 1)


def test_a_closed_log_is_one_file(tmp_path: Path) -> None:
    path = make(tmp_path / "run.sqlite")
    check_prefix(path, 15, 15)
    with SQLiteLog.open(path, write=True) as log, SQLiteLog.open(path, write=False) as reader:
        fill(log, 18, start=15)
        assert len(reader.outcomes()) == 18
    assert [found.name for found in tmp_path.iterdir()] == ["run.sqlite"]
