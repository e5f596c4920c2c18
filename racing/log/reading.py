"""Reads a log in SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TypeVar

from racing.base.quantities import MOST_COST, Direction
from racing.core.candidate import Candidate
from racing.core.decider import Entrant
from racing.core.experiment import Instance, Outcome
from racing.core.verdict import Verdict
from racing.log import metric_costs, rows
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

_WRONG = (ArithmeticError, RecursionError, TypeError, ValueError)
"""The errors that decoding raises for damaged cells."""


class LogReader:
    """The part of a log that reads; `name` is the log's name in errors."""

    def __init__(self, name: str, db: sqlite3.Connection) -> None:
        self.name = name
        self._db = db

    @property
    def header(self) -> Header:
        found = self._read(f"SELECT {rows.HEADER} FROM run")
        if len(found) != 1:
            raise damaged(self.name, f"it describes {len(found)} runs, not one")
        return self._decoded(rows.header, found[0])

    @property
    def elapsed(self) -> float:
        tables = "outcome", "failed_attempt", "session"
        found = (self._read(f"SELECT max(elapsed) FROM {table}")[0][0] for table in tables)
        return max(self._decoded(rows.real, seconds or 0.0) for seconds in found)

    @property
    def finished(self) -> Finish | None:
        found = self._read("SELECT stopped, winner FROM run WHERE stopped IS NOT NULL")
        return self._decoded(rows.finish, found[0]) if found else None

    def extensions(self) -> list[Extension]:
        found = self._read("SELECT after, budget, stopped, winner FROM extension ORDER BY number")
        added: dict[int, list[str]] = {}
        more = "SELECT extension, instance FROM added ORDER BY number"
        for number, instance in self._read(more) if self._has("added") else ():
            added.setdefault(number, []).append(instance)
        return [
            self._decoded(rows.extension, row, added.get(number, ()))
            for number, row in enumerate(found, start=1)
        ]

    def entrants(self) -> list[Entrant]:
        found = self._read(f"SELECT {rows.ENTRANT} FROM candidate ORDER BY number")
        return [self._decoded(rows.entrant, row) for row in found]

    def candidates(self) -> list[Candidate]:
        return [entrant.candidate for entrant in self.entrants()]

    def instances(self) -> list[Instance]:
        found = self._read("SELECT step, name, seed FROM instance ORDER BY step")
        return [self._decoded(rows.instance, row) for row in found]

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
            f"SELECT {metric_costs.COLUMNS} FROM metric_cost ORDER BY outcome, metric"
        )
        numbered = ((number, rows.outcome(tuple(row))) for number, *row in found)
        return metric_costs.joined(numbered, costs, several)

    @cached_property
    def _metrics(self) -> dict[str, Direction]:
        return metric_costs.metrics_of(self.header)

    def failed_attempts(self) -> list[FailedAttempt]:
        found = self._read(
            f"SELECT consequence, {rows.ATTEMPT} FROM failed_attempt ORDER BY number"
        )
        return [
            FailedAttempt(outcome=self._decoded(rows.attempt, row), then=then)
            for then, *row in found
        ]

    @property
    def dropped(self) -> Unfinished:
        found = self._read("SELECT total(dropped), total(dropped_seconds) FROM session")
        return self._decoded(rows.unfinished, found[0])

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
        columns = "after, evaluations, spent"
        found = (
            self._read(f"SELECT {columns} FROM lost ORDER BY number") if self._has("lost") else []
        )
        return [self._decoded(rows.lost, row) for row in found]

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
        found = self._read("SELECT path, sha256, since FROM target_file ORDER BY number")
        return [self._decoded(rows.target_file, row) for row in found]

    def sessions(self) -> list[Session]:
        found = self._read("SELECT pid, host, started, ended, why FROM session ORDER BY number")
        return [self._decoded(rows.session, row) for row in found]

    def _verdicts(self, which: str, *values: int) -> list[Verdict]:
        found = self._read(f"SELECT number, {rows.VERDICT} FROM verdict {which}", *values)
        eliminated = f"SELECT {rows.ELIMINATION} FROM elimination WHERE verdict = ? ORDER BY rowid"
        return [
            self._decoded(rows.verdict, row, self._read(eliminated, number))
            for number, *row in found
        ]

    def _read(self, sql: str, *values: int | str) -> list[rows.Row]:
        with explained(self.name, "read it"):
            return self._db.execute(sql, values).fetchall()

    def _decoded(self, decode: Callable[..., T], *parts: object) -> T:
        try:
            return decode(*parts)
        except _WRONG as error:
            raise damaged(self.name, str(error)) from error
