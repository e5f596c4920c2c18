"""Reads a log in SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, partial
from typing import TypeVar

from racing.base.quantities import MOST_COST, Direction
from racing.core.candidate import Candidate
from racing.core.decider import Entrant
from racing.core.experiment import Instance, Outcome
from racing.core.verdict import Verdict
from racing.log import rows
from racing.log.log import (
    Extension,
    FailedAttempt,
    Finish,
    Header,
    Lost,
    Session,
    TargetFile,
    Unfinished,
)
from racing.log.sqlite_errors import damaged, explained

T = TypeVar("T")

_WRONG = (ArithmeticError, LookupError, RecursionError, TypeError, ValueError)
"""The errors that decoding raises for damaged cells."""


class LogReader:
    """The part of a log that reads; `name` is the log's name in errors."""

    def __init__(self, name: str, db: sqlite3.Connection) -> None:
        self.name = name
        self._db = db

    @property
    def header(self) -> Header:
        found = self._all(Header, rows.HEADER, "run")
        if len(found) != 1:
            raise damaged(self.name, f"it describes {len(found)} runs, not one")
        return found[0]

    @property
    def elapsed(self) -> float:
        latest = " UNION ALL ".join(
            f"SELECT max(elapsed) AS seconds FROM {table}"
            for table in ("outcome", "failed_attempt", "session")
        )
        found = self._read(f"SELECT coalesce(max(seconds), 0.0) FROM ({latest})")
        return self._decoded(lambda row: rows.real(row[0]), found)[0]

    @property
    def finished(self) -> Finish | None:
        found = self._read("SELECT stopped, winner FROM run WHERE stopped IS NOT NULL")
        return self._decoded(rows.finish, found)[0] if found else None

    def extensions(self) -> list[Extension]:
        added: dict[int, list[str]] = {}
        more = "SELECT extension, instance FROM added ORDER BY number"
        for number, instance in self._read(more) if self._has("added") else ():
            added.setdefault(number, []).append(instance)
        ends = self._read("SELECT number, after, budget, stopped, winner FROM extension ORDER BY 1")
        return self._decoded(lambda row: rows.extension(row[1:], added.get(row[0], ())), ends)

    def entrants(self) -> list[Entrant]:
        found = self._read(f"SELECT {rows.ENTRANT} FROM candidate ORDER BY number")
        return self._decoded(rows.entrant, found)

    def candidates(self) -> list[Candidate]:
        return [entrant.candidate for entrant in self.entrants()]

    def instances(self) -> list[Instance]:
        return self._all(Instance, rows.INSTANCE, "instance ORDER BY step")

    def outcomes(self) -> list[Outcome]:
        return list(self.each_outcome())

    def each_outcome(self) -> Iterator[Outcome]:
        several = len(self._metrics)
        with explained(self.name, "read it"):
            found = self._db.execute(f"SELECT {rows.OUTCOME} FROM outcome ORDER BY number")
            try:
                yield from self._measured(several) if several else map(rows.outcome, found)
            except _WRONG as error:
                raise damaged(self.name, str(error)) from error

    def _measured(self, several: int) -> Iterator[Outcome]:
        """The outcomes with the costs of their metrics."""
        found = self._db.execute(f"SELECT number, {rows.OUTCOME} FROM outcome ORDER BY number")
        costs = self._db.execute(
            f"SELECT {rows.METRIC_COST} FROM metric_cost ORDER BY outcome, metric"
        )
        numbered = ((number, rows.outcome(tuple(row))) for number, *row in found)
        return rows.joined(numbered, costs, several)

    @cached_property
    def _metrics(self) -> dict[str, Direction]:
        return rows.metrics_of(self.header)

    def failed_attempts(self) -> list[FailedAttempt]:
        columns = f"consequence, {rows.ATTEMPT}"
        found = self._read(f"SELECT {columns} FROM failed_attempt ORDER BY number")
        return self._decoded(
            lambda row: FailedAttempt(outcome=rows.attempt(row[1:]), then=row[0]), found
        )

    @property
    def dropped(self) -> Unfinished:
        sums = "CAST(total(dropped) AS INTEGER) AS evaluations, total(dropped_seconds) AS seconds"
        return self._all(Unfinished, "evaluations, seconds", f"(SELECT {sums} FROM session)")[0]

    @property
    def unanswered(self) -> int:
        if not self._has("begun"):
            return 0
        (begun,), (answered,) = self._read(
            "SELECT count(*) FROM begun UNION ALL SELECT count(*) FROM outcome WHERE "
            "(candidate, step) IN (SELECT candidate, step FROM begun)"
        )
        return int(begun - answered)

    def losses(self) -> list[Lost]:
        kept = self._has("lost")
        return self._all(Lost, "after, evaluations, spent", "lost ORDER BY number") if kept else []

    def _has(self, table: str) -> bool:
        """Whether it has a table that only some logs have."""
        return bool(self._read("SELECT 1 FROM sqlite_master WHERE name = ?", table))

    def verdicts(self) -> list[Verdict]:
        return self._verdicts("ORDER BY number")

    @cached_property
    def outdated(self) -> bool:
        beyond = f"WHERE abs(cost) > {MOST_COST} AND abs(cost) < 9e999 LIMIT 1"  # 9e999 is infinity
        tables = ("outcome", "metric_cost") if self._metrics else ("outcome",)
        return any(self._read(f"SELECT 1 FROM {table} {beyond}") for table in tables)

    def target_files(self) -> list[TargetFile]:
        return self._all(TargetFile, rows.TARGET_FILE, "target_file ORDER BY number")

    def sessions(self) -> list[Session]:
        return self._all(Session, "pid, host, started, ended, why", "session ORDER BY number")

    def _verdicts(self, which: str, *values: int) -> list[Verdict]:
        found = self._read(f"SELECT number, {rows.VERDICT} FROM verdict {which}", *values)
        eliminated = f"SELECT {rows.ELIMINATION} FROM elimination WHERE verdict = ? ORDER BY rowid"
        return self._decoded(
            lambda row: rows.verdict(row[1:], self._read(eliminated, row[0])), found
        )

    def _read(self, sql: str, *values: int | str) -> list[rows.Row]:
        with explained(self.name, "read it"):
            return self._db.execute(sql, values).fetchall()

    def _all(self, kind: type[T], names: str, where: str) -> list[T]:
        """The records in a table, whose columns are named as the fields."""
        found = self._read(f"SELECT {names} FROM {where}")
        return self._decoded(partial(rows.read, kind, names), found)

    def _decoded(self, decode: Callable[[rows.Row], T], found: Iterable[rows.Row]) -> list[T]:
        try:
            return list(map(decode, found))
        except _WRONG as error:
            raise damaged(self.name, str(error)) from error
