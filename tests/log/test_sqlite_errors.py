"""Errors of SQLite become errors of the log that say what is wrong, where, and what to do."""

from __future__ import annotations

import errno
import sqlite3
from pathlib import Path

import pytest

from racing.base.errors import LogBusy, LogDamaged, LogError
from racing.log import sqlite_errors
from racing.log.sqlite_errors import damaged, explain, explained

AT = Path("runs/race.sqlite")


def coded(code: int, name: str = "SQLITE_ERROR", text: str = "what SQLite says") -> sqlite3.Error:
    """An error as the module of Python raises it."""
    error = sqlite3.OperationalError(text)
    error.sqlite_errorcode, error.sqlite_errorname = code, name
    return error


@pytest.mark.parametrize(
    ("code", "kind", "says"),
    [
        (sqlite3.SQLITE_FULL, LogError, "the disk is full"),
        (sqlite3.SQLITE_IOERR, LogError, "the disk refused"),
        (sqlite3.SQLITE_READONLY, LogError, "it is read-only"),
        (sqlite3.SQLITE_PERM, LogError, "it is read-only"),
        (sqlite3.SQLITE_BUSY, LogBusy, "another program keeps it locked"),
        (sqlite3.SQLITE_LOCKED, LogBusy, "another program keeps it locked"),
        (sqlite3.SQLITE_CANTOPEN, LogError, "it cannot be opened"),
        (sqlite3.SQLITE_NOTADB, LogDamaged, "is not an SQLite database"),
        (sqlite3.SQLITE_CORRUPT, LogDamaged, "is damaged or truncated"),
        (sqlite3.SQLITE_CONSTRAINT, LogError, "what SQLite says"),
    ],
)
@pytest.mark.parametrize("detail", [0, 3, 0x1F])
def test_the_kind_of_an_error_does_not_hang_on_its_details(
    code: int, kind: type[LogError], says: str, detail: int
) -> None:
    found = explain(coded(code | detail << 8), AT, "record an outcome")
    assert type(found) is kind
    assert str(AT) in str(found)
    assert says in str(found)
    assert kind is LogDamaged or f"{AT}: cannot record an outcome: " in str(found)


def test_an_error_without_a_code_is_told_in_its_words() -> None:
    assert str(explain(sqlite3.Error("odd"), AT, "read")) == f"{AT}: cannot read: odd"


@pytest.mark.parametrize("text", ["no such table: outcome", "no such column: cost"])
def test_a_table_that_is_missing_is_damage(text: str) -> None:
    found = explain(coded(sqlite3.SQLITE_ERROR, text=text), AT, "read")
    assert isinstance(found, LogDamaged)
    assert text in str(found)
    assert f"`sqlite3 {AT} .recover > saved.sql`" in str(found)


def test_what_can_be_resumed_says_how() -> None:
    for code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        said = str(explain(coded(code), AT, "record an outcome"))
        assert "everything recorded before is safe" in said
        assert f"`racing resume {AT}`" in said
    assert "resume" not in str(damaged(AT, "torn"))


def test_a_process_that_may_open_no_more_files(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused() -> None:
        raise OSError(errno.EMFILE, "too many")

    monkeypatch.setattr(sqlite_errors, "spare", refused)
    told = explain(coded(sqlite3.SQLITE_CANTOPEN), AT, "open it")
    assert str(told).startswith(f"{AT}: cannot open it: too many open files in this process: raise")


def test_the_cause_is_kept_and_other_errors_pass() -> None:
    for error in (sqlite3.IntegrityError("no"), OverflowError("too large")):
        with pytest.raises(LogError) as told, explained(AT, "write"):
            raise error
        assert told.value.__cause__ is error
    with pytest.raises(KeyError), explained(AT, "write"):
        raise KeyError
