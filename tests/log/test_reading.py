"""What a reader makes of the tables, and of cells that nothing of racing wrote."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from racing.base.errors import LogDamaged
from racing.log import Log
from tests.log.samples import CANDIDATES, HEADER, VERDICT, make, outcome

READ: dict[str, Callable[[Log], object]] = {
    "outcomes": Log.outcomes,
    "candidates": Log.candidates,
    "verdicts": Log.verdicts,
    "instances": Log.instances,
    "failed_attempts": Log.failed_attempts,
    "elapsed": lambda found: found.elapsed,
    "header": lambda found: found.header,
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return make(tmp_path / "log.sqlite", 15)


@pytest.fixture
def reader(path: Path) -> Iterator[Callable[..., Log]]:
    """Readers of copies in memory, in which a cell may have been changed."""
    with ExitStack() as opened:

        def read(change: str = "") -> Log:
            db = opened.enter_context(closing(sqlite3.connect(":memory:")))
            with closing(sqlite3.connect(path)) as source:
                source.backup(db)
            triggers = "SELECT name FROM sqlite_schema WHERE type = 'trigger'"
            for (trigger,) in db.execute(triggers).fetchall():
                db.execute(f'DROP TRIGGER "{trigger}"')
            db.execute("PRAGMA ignore_check_constraints = ON")
            if change:
                db.execute(change)
            return Log(path, db)

        yield read


def test_everything_is_read_in_its_order(reader: Callable[..., Log]) -> None:
    found = reader()
    assert found.header == HEADER
    assert found.candidates() == CANDIDATES
    assert found.outcomes() == [outcome(k) for k in range(15)]
    assert found.verdicts() == [VERDICT]
    assert [one.step for one in found.instances()] == list(range(5))
    assert found.elapsed == 15.0
    assert found.finished is None


@pytest.mark.parametrize(
    ("change", "read"),
    [
        ("UPDATE outcome SET status = 'odd' WHERE number = 3", "outcomes"),
        ("UPDATE candidate SET configuration = '[' WHERE number = 2", "candidates"),
        ("UPDATE elimination SET value = 'much'", "verdicts"),
        ("UPDATE instance SET seed = 'odd' WHERE step = 1", "instances"),
        ("UPDATE session SET elapsed = 'long'", "elapsed"),
        ("DROP TABLE failed_attempt", "failed_attempts"),
        ("DELETE FROM run", "header"),
    ],
)
def test_a_cell_that_cannot_be_read_is_damage_of_this_file(
    reader: Callable[..., Log], change: str, read: str
) -> None:
    found = reader(change)
    with pytest.raises(LogDamaged, match=r"log\.sqlite"):
        READ[read](found)


def test_outcomes_before_a_damaged_one_are_read(reader: Callable[..., Log]) -> None:
    found = reader("UPDATE outcome SET status = 'odd' WHERE number = 5").each_outcome()
    assert [next(found) for _ in range(4)] == [outcome(k) for k in range(4)]
    with pytest.raises(LogDamaged):
        next(found)
