"""A log in an SQLite database: what it reads and writes.

Its tables are in `racing.log.schema`. A method that writes commits before it returns.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property, partial
from typing import Literal, Self, TypeVar

from racing.base.errors import LogError
from racing.base.quantities import MOST_COST, Direction
from racing.core.budget import Budget
from racing.core.candidate import Candidate
from racing.core.decider import Entrant
from racing.core.experiment import Instance, Outcome
from racing.core.verdict import Verdict
from racing.log import check, rows, schema
from racing.log.records import (
    Extension,
    FailedAttempt,
    Finish,
    Header,
    Lost,
    Session,
    TargetFile,
    Unfinished,
    now,
)
from racing.log.sqlite_errors import damaged, explained

T = TypeVar("T")

WORTH_A_SYNC = 0.1
"""Seconds of work that a log in a file syncs to the disk at once."""

_WRONG = (ArithmeticError, LookupError, RecursionError, TypeError, ValueError)
"""The errors that decoding raises for damaged cells."""

_MARKS = ", ".join("?" * len(rows.OUTCOME.split(",")))
_RECORD = f"INSERT INTO outcome ({rows.OUTCOME}) VALUES ({_MARKS})"
_COSTS = f"INSERT INTO metric_cost ({rows.METRIC_COST}) VALUES (?, ?, ?, ?)"
_LAST = "number = (SELECT max(number) FROM session)"
_END = schema.update("session", _LAST, ended=":ended", why=":why", elapsed=":elapsed")
_DROPPED = schema.update(
    "session", _LAST, dropped="dropped + :evaluations", dropped_seconds="dropped_seconds + :seconds"
)
_FINISH = schema.update("run", "id = 1", stopped=":stopped", winner=":winner")


class Log:
    """The record of a run. When a method that writes returns, its arguments are stored.

    A log never changes or deletes a record; an extension keeps the earlier end of the run. Repeated
    records must agree with the first. A second outcome of an experiment is refused.

    A method that cannot write raises `LogError`, and the log does not change.

    Parameters
    ----------
    name
        The log's name in errors.
    db
        A connection to a database with the tables of `racing.log.schema`.
    """

    def __init__(self, name: str, db: sqlite3.Connection) -> None:
        self.name = name
        self._db = db
        self._verdict = 0  # the number of verdicts that this session has recorded

    # --- the run ----------------------------------------------------------------------------

    @property
    def header(self) -> Header:
        """The description of the run."""
        found = self._all(Header, rows.HEADER, "run")
        if len(found) != 1:
            raise damaged(self.name, f"it describes {len(found)} runs, not one")
        return found[0]

    @property
    def elapsed(self) -> float:
        """Wall-clock seconds over all sessions, as far as recorded."""
        latest = " UNION ALL ".join(
            f"SELECT max(elapsed) AS seconds FROM {table}"
            for table in ("outcome", "failed_attempt", "session")
        )
        found = self._read(f"SELECT coalesce(max(seconds), 0.0) FROM ({latest})")
        return self._decoded(lambda row: rows.real(row[0]), found)[0]

    @property
    def finished(self) -> Finish | None:
        """How the run ended; None before."""
        found = self._read("SELECT stopped, winner FROM run WHERE stopped IS NOT NULL")
        return self._decoded(rows.finish, found)[0] if found else None

    def finish(self, stopped: str, winner: int | None) -> None:
        """Store how the run ended; raises `LogError` if another end is recorded."""
        finish = Finish(stopped=str(stopped), winner=winner)  # `stopped` may be an Enum
        if not self.outdated:
            check.check_finish(self.finished or finish, finish, self.name)
        if self.finished is not None:
            return
        with self._transaction("finish the run", WORTH_A_SYNC):
            self._db.execute(_FINISH, {"stopped": finish.stopped, "winner": winner})

    def extend(
        self,
        budget: Budget,
        instances: Sequence[Mapping[str, object]] = (),
        *,
        ending: Finish | None = None,
    ) -> None:
        """Continue a finished run with these limits, counted from its start.

        Parameters
        ----------
        instances
            Those that are added, as in the list of a scenario.
        ending
            How the run ends now, if it is not over.

        Raises
        ------
        LogError
            If the run is not over, and no ending is given.
        """
        finish = self.finished or ending
        if finish is None:
            why = "the run is not over, so it cannot be extended; resume it"
            raise LogError(f"{self.name}: {why}")
        added = [rows.plain_json(one, "an instance") for one in instances]
        with self._transaction("extend the run", WORTH_A_SYNC):
            limits = rows.budget_text(budget)
            self._insert("extension", (self._outcomes(), limits, finish.stopped, finish.winner))
            if added:
                schema.add_table(self._db, "added")
                [(number,)] = self._read("SELECT count(*) FROM extension")
                self._insert("added", *((number, one) for one in added))
            self._db.execute(_FINISH, {"stopped": None, "winner": None})

    def extensions(self) -> list[Extension]:
        """All extensions, in order."""
        added: dict[int, list[str]] = {}
        more = "SELECT extension, instance FROM added ORDER BY number"
        for number, instance in self._read(more) if self._has("added") else ():
            added.setdefault(number, []).append(instance)
        ends = self._read("SELECT number, after, budget, stopped, winner FROM extension ORDER BY 1")
        return self._decoded(lambda row: rows.extension(row[1:], added.get(row[0], ())), ends)

    # --- candidates and instances -----------------------------------------------------------

    def add(self, entrants: Iterable[Entrant | Candidate]) -> None:
        """Store entrants, or candidates given at the start, in this order.

        A known one must be equal, else `LogError`.
        """
        new: dict[int, Entrant] = {}
        for one in entrants:
            entrant = one if isinstance(one, Entrant) else Entrant(candidate=one)
            id = entrant.candidate.id
            known = self._candidates.get(id) or new.setdefault(id, entrant)
            check.check_entrant(known, entrant, self.name)
        if new:
            numbered = enumerate(new.values(), len(self._candidates) + 1)
            with self._transaction("add candidates"):
                self._insert("candidate", *(rows.entrant_row(*one) for one in numbered))
            self._candidates.update(new)

    def entrants(self) -> list[Entrant]:
        """All candidates with the time and reason of entry, in the order of `add`."""
        found = self._read(f"SELECT {rows.ENTRANT} FROM candidate ORDER BY number")
        return self._decoded(rows.entrant, found)

    def candidates(self) -> list[Candidate]:
        """All candidates, in the order of `add`."""
        return [entrant.candidate for entrant in self.entrants()]

    def instances(self) -> list[Instance]:
        """All instances used so far, by step; `problem` is not stored."""
        return self._all(Instance, rows.INSTANCE, "instance ORDER BY step")

    @cached_property
    def _candidates(self) -> dict[int, Entrant]:
        """Those in the log, for writing."""
        return {entrant.candidate.id: entrant for entrant in self.entrants()}

    @cached_property
    def _instances(self) -> dict[int, Instance]:
        """Those in the log, for writing."""
        return {instance.step: instance for instance in self.instances()}

    # --- outcomes ---------------------------------------------------------------------------

    def record(self, outcome: Outcome, instance: Instance) -> None:
        """Store an outcome, and its instance if new; committed on return.

        Its earlier attempts are stored too, as failed attempts that were retried.

        Raises
        ------
        LogError
            If the experiment has an outcome (which stays), the candidate is unknown, or the
            instance differs from the log's at that step.
        """
        try:
            with self._on(instance, outcome, "record an outcome"):
                number = self._db.execute(_RECORD, rows.outcome_row(outcome)).lastrowid
                if outcome.metrics and self._metrics:
                    self._db.executemany(_COSTS, rows.cost_rows(number or 0, outcome))
                earlier = ((*rows.attempt_row(one), "retried") for one in outcome.earlier)
                self._insert("failed_attempt", *earlier)
        except LogError as error:
            if isinstance(error.__cause__, sqlite3.IntegrityError):
                one = f"SELECT {rows.OUTCOME} FROM outcome WHERE candidate = ? AND step = ?"
                found = self._read(one, *map(int, outcome.key))
                for known in self._decoded(rows.outcome, found):
                    check.refuse_outcome(known, outcome, self.name)
            raise

    def outcomes(self) -> list[Outcome]:
        """All outcomes, in the order of commits."""
        return list(self.each_outcome())

    def each_outcome(self) -> Iterator[Outcome]:
        """The outcomes one by one, with little memory; do not write meanwhile."""
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

    def record_failed_attempt(
        self, outcome: Outcome, instance: Instance, *, then: Literal["retried", "stopped"]
    ) -> None:
        """Store a failed start of the target that is not (or not yet) an outcome."""
        with self._on(instance, outcome, "record a failed attempt"):
            self._insert("failed_attempt", (*rows.attempt_row(outcome), then))

    def failed_attempts(self) -> list[FailedAttempt]:
        """All failed starts, in the order of commits."""
        columns = f"consequence, {rows.ATTEMPT}"
        found = self._read(f"SELECT {columns} FROM failed_attempt ORDER BY number")
        return self._decoded(
            lambda row: FailedAttempt(outcome=rows.attempt(row[1:]), then=row[0]), found
        )

    @contextmanager
    def _on(self, instance: Instance, outcome: Outcome, doing: str) -> Iterator[None]:
        """A transaction for an outcome, which stores its instance if new."""
        if outcome.candidate not in self._candidates:
            unknown = f"no candidate {outcome.candidate}: add it before its outcomes"
            raise LogError(f"{self.name} has {unknown}")
        if outcome.step != instance.step:
            came = f"an outcome on instance {outcome.step} came with instance {instance.step}"
            raise LogError(f"{self.name}: {came}")
        if known := self._instances.get(instance.step):
            check.check_instance(known, instance, self.name)
        with self._transaction(doing, outcome.seconds):
            if not known:
                self._insert("instance", rows.write(instance, rows.INSTANCE))
            yield
        if not known:
            self._instances[instance.step] = replace(instance, problem=None)

    # --- evaluations without an outcome -----------------------------------------------------

    def note_dropped(self, evaluations: int, seconds: float) -> None:
        """Add to the number of stopped evaluations of this session.

        Parameters
        ----------
        seconds
            Their total running time.
        """
        more = {"evaluations": int(evaluations), "seconds": float(seconds)}
        with self._transaction("note what was dropped"):
            self._db.execute(_DROPPED, more)

    @property
    def dropped(self) -> Unfinished:
        """The stopped evaluations of all sessions."""
        sums = "CAST(total(dropped) AS INTEGER) AS evaluations, total(dropped_seconds) AS seconds"
        return self._all(Unfinished, "evaluations, seconds", f"(SELECT {sums} FROM session)")[0]

    def begin(self, keys: Iterable[tuple[int, int]]) -> None:
        """Store that evaluations (candidate, step) begin, where they are paid for."""
        if begun := [(int(candidate), int(step)) for candidate, step in keys]:
            with self._transaction("note what begins", WORTH_A_SYNC):
                schema.add_table(self._db, "begun")
                self._insert("begun", *begun)

    @property
    def unanswered(self) -> int:
        """The number of begun evaluations that have no outcome: running, dropped or lost."""
        if not self._has("begun"):
            return 0
        (begun,), (answered,) = self._read(
            "SELECT count(*) FROM begun UNION ALL SELECT count(*) FROM outcome WHERE "
            "(candidate, step) IN (SELECT candidate, step FROM begun)"
        )
        return int(begun - answered)

    def note_lost(self, evaluations: int, spent: Mapping[str, float]) -> None:
        """Store that so many unanswered evaluations are charged, at an estimate."""
        paid = rows.plain_json(spent, "what was spent")
        with self._transaction("note what was lost"):
            self._insert("lost", (self._outcomes(), int(evaluations), paid))

    def losses(self) -> list[Lost]:
        """All of these, in order."""
        kept = self._has("lost")
        return self._all(Lost, "after, evaluations, spent", "lost ORDER BY number") if kept else []

    # --- verdicts ---------------------------------------------------------------------------

    def record_verdict(self, verdict: Verdict) -> None:
        """Store the next verdict of the race.

        A session records all verdicts from the first: known ones are compared, new ones added.

        Raises
        ------
        LogError
            If the log has a different verdict at that place: log and code disagree.
        """
        number = self._verdict + 1
        if known := self._verdicts("WHERE number = ?", number):
            if not self.outdated:
                check.check_verdict(known[0], verdict, number, self.name)
        else:
            with self._transaction("record a verdict"):
                self._insert("verdict", (number, *rows.verdict_row(verdict)))
                out = (rows.write(one, rows.ELIMINATION) for one in verdict.eliminated)
                self._insert("elimination", *((number, *row) for row in out))
        self._verdict = number

    def verdicts(self) -> list[Verdict]:
        """All verdicts, in order."""
        return self._verdicts("ORDER BY number")

    def _verdicts(self, which: str, *values: int) -> list[Verdict]:
        found = self._read(f"SELECT number, {rows.VERDICT} FROM verdict {which}", *values)
        eliminated = f"SELECT {rows.ELIMINATION} FROM elimination WHERE verdict = ? ORDER BY rowid"
        return self._decoded(
            lambda row: rows.verdict(row[1:], self._read(eliminated, row[0])), found
        )

    @cached_property
    def outdated(self) -> bool:
        """Whether verdicts were made by costs beyond the largest one, which are failures now."""
        beyond = f"WHERE abs(cost) > {MOST_COST} AND abs(cost) < 9e999 LIMIT 1"  # 9e999 is infinity
        tables = ("outcome", "metric_cost") if self._metrics else ("outcome",)
        return any(self._read(f"SELECT 1 FROM {table} {beyond}") for table in tables)

    # --- sessions ---------------------------------------------------------------------------

    def begin_session(self, pid: int, host: str) -> None:
        """Begin a session of this process; a finished run has no more of them."""
        self._verdict = 0
        if self.finished is not None:
            return
        with self._transaction("begin a session"):
            self._insert("session", (int(pid), rows.text(host), now(), None, None, None, 0, 0.0))
        # so that the loss of a -wal file is noticed
        with explained(self.name, "begin a session"):
            self._db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def end_session(self, why: str, *, elapsed: float | None = None) -> None:
        """Store why the session ended, and the run's wall-clock seconds so far."""
        if self.finished is not None:
            return
        seconds = None if elapsed is None else float(elapsed)
        with self._transaction("end the session", WORTH_A_SYNC):
            self._db.execute(_END, {"ended": now(), "why": rows.text(why), "elapsed": seconds})

    def sessions(self) -> list[Session]:
        """All sessions, in order."""
        return self._all(Session, "pid, host, started, ended, why", "session ORDER BY number")

    def note_target(self, files: Mapping[str, str], *, since: int | None = None) -> None:
        """Store the target's files (path → SHA-256) from an outcome on, by default the next one.

        Unchanged files are not stored again.
        """
        known = {file.path: file.sha256 for file in self.target_files()}
        given = {rows.text(path): sha256 for path, sha256 in files.items()}
        with self._transaction("note the target's files"):
            first = 1 + self._outcomes() if since is None else since
            new = (one for one in given.items() if known.get(one[0]) != one[1])
            self._insert("target_file", *((*one, first) for one in new))

    def target_files(self) -> list[TargetFile]:
        """All versions of the target's files, in the order of recording."""
        return self._all(TargetFile, rows.TARGET_FILE, "target_file ORDER BY number")

    # --- the database -----------------------------------------------------------------------

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Context manager: all reads within it are of the same moment."""
        yield  # no other process writes

    def close(self) -> None:
        """Close the log; closing it twice does nothing."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _transaction(self, doing: str, seconds: float = 0.0) -> Iterator[None]:
        """A transaction with `seconds` of work."""
        with explained(self.name, doing):
            try:
                self._db.execute("BEGIN IMMEDIATE")
                yield
                self._db.execute("COMMIT")
            finally:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")

    def _insert(self, table: str, *new: rows.Row) -> None:
        """Add sealed rows."""
        if new:
            self._db.executemany(schema.insert(table), new)

    def _outcomes(self) -> int:
        """The number of outcomes."""
        return int(self._read("SELECT count(*) FROM outcome")[0][0])

    def _has(self, table: str) -> bool:
        """Whether it has a table that only some logs have."""
        return bool(self._read("SELECT 1 FROM sqlite_master WHERE name = ?", table))

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
