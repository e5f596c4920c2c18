"""How the files of logs are opened: made whole, and refused with the reason."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from racing.base.errors import LogError
from racing.log import opening
from tests.log.samples import HEADER, make


def test_a_log_appears_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "log.sqlite"

    def fail(db: sqlite3.Connection, *, metrics: bool) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(opening.schema, "build", fail)
    with pytest.raises((LogError, OSError)):
        opening.build(path, HEADER)
    assert list(tmp_path.iterdir()) == []


def test_the_draft_of_a_killed_process_is_no_obstacle(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    for ending in ("", "-wal", "-journal"):
        path.with_name(f"log.sqlite.new{ending}").write_text("left over")
    opening.build(path, HEADER)
    assert [one.name for one in tmp_path.iterdir()] == ["log.sqlite"]
    opening.open_to_read(path).close()


def test_a_reader_cannot_write(tmp_path: Path) -> None:
    db = opening.open_to_read(make(tmp_path / "log.sqlite"))
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        db.execute("DELETE FROM outcome")
    db.close()


def test_processes_are_alive_or_not(monkeypatch: pytest.MonkeyPatch) -> None:
    assert opening.is_alive(os.getpid())
    for pid in (2**22 + 1, 2**70, None, "odd"):
        assert not opening.is_alive(pid)

    def refuse(pid: int, signal: int) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "kill", refuse)
    assert opening.is_alive(1), "it exists, and belongs to another user"


def test_a_file_has_an_identity_as_long_as_it_is_there(tmp_path: Path) -> None:
    path = make(tmp_path / "log.sqlite")
    before = opening.identity(path)
    assert before == opening.identity(path)
    copy = tmp_path / "copy"
    copy.write_bytes(path.read_bytes())
    copy.replace(path)
    assert opening.identity(path) not in (before, None)
    path.unlink()
    assert opening.identity(path) is None
