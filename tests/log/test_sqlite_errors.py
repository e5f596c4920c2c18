"""Errors of SQLite become errors of the log that say what is wrong, where, and what to do."""

from __future__ import annotations

import errno
import os
import resource
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
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


# --- as they happen ---------------------------------------------------------------------------


Connect = Callable[..., sqlite3.Connection]


@pytest.fixture
def connect() -> Iterator[Connect]:
    """Connections that are closed in the end."""
    with ExitStack() as opened:
        yield lambda *given, **how: opened.enter_context(closing(sqlite3.connect(*given, **how)))


def rows(connect: Connect, path: Path) -> sqlite3.Connection:
    """A database with a table of blobs."""
    db = connect(path, isolation_level=None, timeout=0.0)
    db.execute("CREATE TABLE t (x BLOB UNIQUE)")
    return db


def test_another_writer(tmp_path: Path, connect: Connect) -> None:
    one = rows(connect, tmp_path / "a")
    one.execute("BEGIN EXCLUSIVE")
    with pytest.raises(LogBusy), explained(tmp_path / "a", "read"):
        connect(tmp_path / "a", timeout=0.0).execute("SELECT * FROM t")


def test_a_file_that_is_no_database(tmp_path: Path, connect: Connect) -> None:
    (tmp_path / "a").write_text("no database at all, but long enough to be read as one" * 30)
    with pytest.raises(LogDamaged, match="is not a log"), explained(tmp_path / "a", "read"):
        connect(tmp_path / "a").execute("SELECT * FROM t")


def test_a_folder_that_is_not_there(tmp_path: Path, connect: Connect) -> None:
    with pytest.raises(LogError, match="cannot be opened"), explained(tmp_path / "b/a", "open"):
        connect(tmp_path / "b" / "a").execute("SELECT 1")


def test_a_connection_that_may_only_read(tmp_path: Path, connect: Connect) -> None:
    rows(connect, tmp_path / "a").close()
    db = connect(f"file:{tmp_path / 'a'}?mode=ro", uri=True)
    with pytest.raises(LogError, match="read-only"), explained(tmp_path / "a", "write"):
        db.execute("INSERT INTO t VALUES (1)")


def test_a_database_that_may_not_grow(tmp_path: Path, connect: Connect) -> None:
    db = rows(connect, tmp_path / "a")
    db.execute("PRAGMA max_page_count = 3")
    with pytest.raises(LogError, match="the disk is full"), explained(tmp_path / "a", "write"):
        db.execute("INSERT INTO t VALUES (zeroblob(100000))")


def test_a_file_that_the_system_lets_grow_no_more(tmp_path: Path, connect: Connect) -> None:
    db = rows(connect, tmp_path / "a")
    limit, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.getsignal(signal.SIGXFSZ)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (os.path.getsize(tmp_path / "a"), limit[1]))
    try:
        with pytest.raises(LogError, match="is safe"), explained(tmp_path / "a", "write"):
            db.execute("INSERT INTO t VALUES (zeroblob(100000))")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
        signal.signal(signal.SIGXFSZ, handler)


def test_a_process_that_may_open_no_more_files(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused() -> None:
        raise OSError(errno.EMFILE, "too many")

    monkeypatch.setattr(sqlite_errors, "spare", refused)
    told = explain(coded(sqlite3.SQLITE_CANTOPEN), AT, "open it")
    assert str(told).startswith(f"{AT}: cannot open it: too many open files in this process: raise")


def test_a_number_beyond_what_sqlite_holds(tmp_path: Path, connect: Connect) -> None:
    db = rows(connect, tmp_path / "a")
    with pytest.raises(LogError, match="beyond 64 bits"), explained(tmp_path / "a", "write"):
        db.execute("INSERT INTO t VALUES (?)", (2**63,))


def test_the_cause_is_kept_and_other_errors_pass(tmp_path: Path, connect: Connect) -> None:
    db = rows(connect, tmp_path / "a")
    db.execute("INSERT INTO t VALUES (1)")
    with pytest.raises(LogError) as told, explained(tmp_path / "a", "write"):
        db.execute("INSERT INTO t VALUES (1)")
    assert isinstance(told.value.__cause__, sqlite3.IntegrityError)
    with pytest.raises(KeyError), explained(tmp_path / "a", "write"):
        raise KeyError
