"""docs/log.md is true: its queries run, and its tables have the columns that it says."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from racing.log import sqlite as log_sqlite
from racing.log.export import TABLES
from tests.log.samples import make

DOCS = (Path(__file__).parents[2] / "docs" / "log.md").read_text()
QUERIES = re.findall(r"```sql\n(.*?)```", DOCS, re.DOTALL)


@pytest.fixture
def db(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    db = sqlite3.connect(make(tmp_path / "run.sqlite"))
    yield db
    db.close()


@pytest.mark.parametrize("query", QUERIES)
def test_every_query_answers(query: str, db: sqlite3.Connection) -> None:
    assert db.execute(query).fetchall()


def test_the_first_answers_are_right(db: sqlite3.Connection) -> None:
    best = db.execute(QUERIES[0]).fetchall()
    assert [(name, n) for name, n, _ in best] == [("default", 5), ("#2", 5)]
    assert db.execute(QUERIES[1]).fetchall() == [
        (5, "#3", "inferior", "default", "p-value", 0.01, 0.05)
    ]
    assert db.execute("SELECT score FROM results WHERE number IN (2, 4)").fetchall() == [
        (1.0,),
        (float("-inf"),),
    ]
    assert ("rule", "mmas") in db.execute("SELECT name, value FROM parameter").fetchall()


def test_every_table_and_column_is_documented(db: sqlite3.Connection) -> None:
    found = db.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')").fetchall()
    columns = {
        name: [row[1] for row in db.execute(f"PRAGMA table_info({name})")] for (name,) in found
    }
    documented = {
        name: re.findall(r"`(\w+)`", cells)
        for name, cells in re.findall(r"^\| `(\w+)` \|[^|]*\|(.*)\|$", DOCS, re.MULTILINE)
    }
    assert documented == columns


def test_every_exported_file_is_documented() -> None:
    assert re.findall(r"^\| `(\w+)\.csv` \|", DOCS, re.MULTILINE) == list(TABLES)


def test_the_promises_on_syncing_are_those_of_the_code() -> None:
    assert f"{log_sqlite.WORTH_A_SYNC} s or more" in DOCS
    assert log_sqlite.SYNC_EVERY == 1.0
