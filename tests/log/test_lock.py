from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from racing.base.errors import LogBusy, LogError
from racing.log.lock import WriterLock


def test_one_holder_also_within_a_process(tmp_path: Path) -> None:
    log = tmp_path / "log"
    lock = WriterLock(log)
    with pytest.raises(LogBusy, match=f"process {os.getpid()} on .* since 2"):
        WriterLock(log)
    lock.release()
    lock.release()
    WriterLock(log).release()
    assert list(tmp_path.iterdir()) == []


def test_a_lock_file_left_by_a_killed_process_is_no_lock(tmp_path: Path) -> None:
    (tmp_path / "log.lock").write_text(
        "process 1 on elsewhere since long ago, and longer than us " * 9
    )
    lock = WriterLock(tmp_path / "log")
    assert (tmp_path / "log.lock").read_text().startswith(f"process {os.getpid()} on ")
    assert "elsewhere" not in (tmp_path / "log.lock").read_text()
    lock.release()


def test_it_is_never_held_twice(tmp_path: Path) -> None:
    """Holders remove the file, so somebody may lock one that is no longer there."""
    log, inside, most, entries = tmp_path / "log", [0], [0], [0]

    def enter_often() -> None:
        for _ in range(300):
            try:
                lock = WriterLock(log)
            except LogBusy:
                continue
            inside[0] += 1
            most[0] = max(most[0], inside[0])
            entries[0] += 1
            inside[0] -= 1
            lock.release()

    threads = [threading.Thread(target=enter_often) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1]
    assert entries[0] >= 300 / 4


def test_a_file_system_without_locks_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(fd: int, how: int) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr("fcntl.flock", refuse)
    with pytest.raises(LogError, match="No locks available; keep the log on a local disk"):
        WriterLock(tmp_path / "log")


def test_a_lock_on_a_file_that_its_holder_has_removed_is_taken_again(tmp_path: Path) -> None:
    """The holder removes the file after the next one has opened it and before it locks it."""
    holder = WriterLock(tmp_path / "log")

    class Slow(WriterLock):
        opened = 0

        def _open(self) -> int:
            fd = super()._open()
            self.opened += 1
            holder.release()
            return fd

    slow = Slow(tmp_path / "log")
    assert slow.opened == 2
    with pytest.raises(LogBusy):
        WriterLock(tmp_path / "log")
    slow.release()
