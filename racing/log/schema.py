"""The SQL tables of a log, their version, and the checksums of their rows.

A file is a log of this package if its `application_id` is `APPLICATION_ID`; its `user_version` is
the version of its tables.

The SQL function `seal` of a connection is the CRC-32 of its arguments: changed cells are detected
when the log is opened. Outcomes have checksums too; they are many, so they are checked when they
are read (`racing.log.rows.outcome`).
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing
from functools import cache
from pathlib import Path

from racing.log import rows
from racing.log.sqlite_errors import damaged

APPLICATION_ID = 0x52414345  # "RACE"
VERSION = 1

TABLES = """
CREATE TABLE run (            -- one row: what is raced, and how it ended
  id        INTEGER PRIMARY KEY CHECK (id = 1),
  name      TEXT NOT NULL,    -- the scenario's name
  seed      INTEGER NOT NULL, -- the scenario's seed
  direction TEXT NOT NULL,    -- minimize or maximize: what the user's scores mean
  objective TEXT NOT NULL,    -- rank or mean: what "best" means
  scenario  TEXT NOT NULL,    -- the whole scenario as JSON
  racing    TEXT NOT NULL,    -- the version of racing that created the log
  created   TEXT NOT NULL,    -- UTC, ISO 8601
  stopped   TEXT,             -- why the race ended; NULL: it has not
  winner    INTEGER REFERENCES candidate (id),
  checksum  INTEGER NOT NULL  -- CRC-32 of the row, here and in every table
);
CREATE TABLE candidate (
  id            INTEGER PRIMARY KEY,                -- counted from 1
  number        INTEGER NOT NULL UNIQUE,            -- order of entry, from 1
  name          TEXT NOT NULL,                      -- '' where none was given
  parent        INTEGER REFERENCES candidate (id),  -- the one that it was derived from
  configuration TEXT NOT NULL,                      -- JSON: parameter -> value
  origin        TEXT NOT NULL,                      -- why it entered: given, joined, ...
  draw          TEXT,                               -- JSON: address of its random stream
  entered       INTEGER NOT NULL,                   -- steps of the race before it takes part
  checksum      INTEGER NOT NULL
);
CREATE TABLE instance (       -- written when the first outcome on it is
  step INTEGER PRIMARY KEY,   -- its place in the race, from 0
  name TEXT NOT NULL,         -- comes again, with another seed, where instances are repeated
  seed INTEGER NOT NULL,      -- what every candidate's run on it was seeded with
  checksum INTEGER NOT NULL
);
CREATE TABLE outcome (        -- one row per finished experiment; rows are only ever added
  number    INTEGER PRIMARY KEY,                      -- order of commits, from 1
  candidate INTEGER NOT NULL REFERENCES candidate (id),
  step      INTEGER NOT NULL REFERENCES instance (step),
  cost      REAL NOT NULL,    -- lower is better whatever the direction; Inf = failed
  seconds   REAL NOT NULL,    -- what the evaluation took, all attempts together
  status    TEXT NOT NULL,    -- ok, crashed, timeout, out of memory, unreadable, censored
  message   TEXT NOT NULL,    -- why it failed: a line for people, then the end of stderr
  attempts  INTEGER NOT NULL, -- how often the target was started for it
  elapsed   REAL NOT NULL,    -- the run's wall-clock seconds at that time, over all sessions
  worker    TEXT NOT NULL,    -- what made the last attempt; '': unknown
  started   REAL,             -- when that began: seconds since 1970; NULL: unknown
  bound     REAL,             -- the cost at which the evaluation was stopped; NULL: none
  spent     TEXT,             -- JSON: what was paid, by name; NULL: nothing
  refused   INTEGER NOT NULL, -- how often the target's service was busy: racing.Retry
  reused    TEXT,             -- JSON: the earlier log that it was taken from; NULL: evaluated
  checksum  INTEGER NOT NULL, -- CRC-32 of the row
  UNIQUE (step, candidate)
);
CREATE TABLE failed_attempt ( -- starts of the target that did not become an outcome
  number    INTEGER PRIMARY KEY,
  candidate INTEGER NOT NULL REFERENCES candidate (id),
  step      INTEGER NOT NULL REFERENCES instance (step),
  attempt   INTEGER NOT NULL, -- which start it was, from 1
  seconds   REAL NOT NULL,
  status    TEXT NOT NULL,
  message   TEXT NOT NULL,
  elapsed   REAL NOT NULL,
  worker    TEXT NOT NULL,
  started   REAL,
  consequence TEXT NOT NULL,  -- retried, or stopped: the policy ended the run
  checksum  INTEGER NOT NULL
);
CREATE TABLE verdict (        -- what the rule said after an instance
  number         INTEGER PRIMARY KEY,  -- in the order given, from 1
  instances      INTEGER NOT NULL,     -- how many instances it judged by
  leader         INTEGER NOT NULL REFERENCES candidate (id),  -- which looked best
  about          TEXT,        -- JSON: ids that it could drop; NULL: all survivors
  steps          TEXT,        -- JSON: instances that it judged by; NULL: the first ones
  gate           TEXT,        -- the omnibus test; NULL: the rule has none, nor the next four
  gate_statistic REAL,
  gate_threshold REAL,        -- what the statistic had to exceed
  gate_p_value   REAL,        -- or the posterior of no difference; NULL: the test has none
  gate_passed    INTEGER,     -- 1: it rejected, so that eliminations were possible
  checksum       INTEGER NOT NULL
);
CREATE TABLE elimination (    -- which candidate left the race, by which numbers
  verdict   INTEGER NOT NULL REFERENCES verdict (number),
  candidate INTEGER NOT NULL REFERENCES candidate (id),
  against   INTEGER NOT NULL REFERENCES candidate (id),  -- which it lost to, or equals
  reason    TEXT NOT NULL,    -- inferior, indistinguishable, not worthwhile, schedule
  measure   TEXT NOT NULL,    -- what value and threshold are: p-value, posterior, gain, ...
  value     REAL,             -- the number that decided
  threshold REAL,             -- what it was held to
  statistic REAL,             -- the statistic behind it; NULL: none
  checksum  INTEGER NOT NULL,
  PRIMARY KEY (verdict, candidate)
);
CREATE TABLE session (        -- one stretch of work by one process
  number  INTEGER PRIMARY KEY,
  pid     INTEGER NOT NULL,
  host    TEXT NOT NULL,
  started TEXT NOT NULL,      -- UTC, ISO 8601
  ended   TEXT,               -- NULL: still at work, or killed
  why     TEXT,               -- why it ended
  elapsed REAL,               -- the run's wall-clock seconds by then, over all sessions
  dropped INTEGER NOT NULL DEFAULT 0,     -- evaluations that were ended: they could not count
  dropped_seconds REAL NOT NULL DEFAULT 0, -- for how long they had run, all together
  checksum INTEGER NOT NULL
);
CREATE TABLE target_file (    -- a file that the target is started from, when it is new or changed
  number INTEGER PRIMARY KEY,
  path   TEXT NOT NULL,       -- seen from the scenario's folder
  sha256 TEXT NOT NULL,       -- of what it holds; '': it could not be read
  since  INTEGER NOT NULL,    -- number of the first outcome made with it
  checksum INTEGER NOT NULL
);
CREATE TABLE extension (      -- a run that was over and continued with other limits
  number  INTEGER PRIMARY KEY,
  after   INTEGER NOT NULL,   -- after how many outcomes
  budget  TEXT NOT NULL,      -- JSON: the limits from then on, counted from the start
  stopped TEXT NOT NULL,      -- why the run had ended
  winner  INTEGER REFERENCES candidate (id),
  checksum INTEGER NOT NULL
);
CREATE VIEW results AS        -- outcomes with names, scored in the user's direction
  SELECT outcome.number, outcome.candidate,
         CASE candidate.name WHEN '' THEN '#' || candidate.id ELSE candidate.name END AS name,
         outcome.step, instance.name AS instance, instance.seed,
         CASE run.direction WHEN 'maximize' THEN 0 - outcome.cost ELSE outcome.cost END AS score,
         outcome.seconds, outcome.status, outcome.attempts, outcome.elapsed
  FROM outcome
  JOIN candidate ON candidate.id = outcome.candidate
  JOIN instance ON instance.step = outcome.step
  JOIN run;
CREATE VIEW dropped AS        -- eliminations with names
  SELECT elimination.candidate,
         CASE loser.name WHEN '' THEN '#' || loser.id ELSE loser.name END AS name,
         verdict.instances, elimination.reason,
         CASE winner.name WHEN '' THEN '#' || winner.id ELSE winner.name END AS against,
         elimination.measure, elimination.value, elimination.threshold, elimination.statistic
  FROM elimination
  JOIN verdict ON verdict.number = elimination.verdict
  JOIN candidate AS loser ON loser.id = elimination.candidate
  JOIN candidate AS winner ON winner.id = elimination.against;
CREATE VIEW parameter AS      -- one row per candidate and parameter
  SELECT candidate.id AS candidate, setting.key AS name, setting.atom AS value
  FROM candidate JOIN json_each(candidate.configuration) AS setting;
"""

METRIC_TABLES = """
CREATE TABLE metric (         -- only where the scenario has metrics
  place     INTEGER PRIMARY KEY, -- from 0, in the order in which their values are told
  name      TEXT NOT NULL UNIQUE,
  direction TEXT NOT NULL,    -- minimize or maximize
  checksum  INTEGER NOT NULL
);
CREATE TABLE metric_cost (    -- one row per metric and outcome that did not fail
  outcome  INTEGER NOT NULL REFERENCES outcome (number),
  metric   INTEGER NOT NULL REFERENCES metric (place),
  cost     REAL NOT NULL,     -- lower is better whatever the direction
  checksum INTEGER NOT NULL,
  PRIMARY KEY (outcome, metric)
);
CREATE VIEW metrics AS        -- outcomes by metric, scored in its direction
  SELECT outcome.number, outcome.candidate, outcome.step, metric.name AS metric,
         CASE metric.direction WHEN 'maximize' THEN 0 - metric_cost.cost
                               ELSE metric_cost.cost END AS score
  FROM metric_cost
  JOIN outcome ON outcome.number = metric_cost.outcome
  JOIN metric ON metric.place = metric_cost.metric;
"""

PAID_TABLES = """
CREATE TABLE begun (          -- only where evaluations are paid for: written before they begin
  number    INTEGER PRIMARY KEY,
  candidate INTEGER NOT NULL REFERENCES candidate (id),
  step      INTEGER NOT NULL,
  checksum  INTEGER NOT NULL
);
CREATE TABLE lost (           -- begun evaluations without an outcome, charged when a run is resumed
  number      INTEGER PRIMARY KEY,
  after       INTEGER NOT NULL, -- after how many outcomes
  evaluations INTEGER NOT NULL,
  spent       TEXT NOT NULL,    -- JSON: what was probably paid, by name
  checksum    INTEGER NOT NULL
);
"""

ADDED_TABLES = """
CREATE TABLE added (          -- only where instances were added to a run
  number    INTEGER PRIMARY KEY,
  extension INTEGER NOT NULL REFERENCES extension (number), -- with which
  instance  TEXT NOT NULL,    -- JSON: as in the list of a scenario
  checksum  INTEGER NOT NULL
);
"""

OPTIONAL = {"metric": METRIC_TABLES, "begun": PAID_TABLES, "added": ADDED_TABLES}
"""Tables that only some logs have, by the name of one of them."""

SEALED = {
    "run": f"{rows.HEADER}, stopped, winner",
    "candidate": rows.ENTRANT,
    "instance": rows.INSTANCE,
    "failed_attempt": f"{rows.ATTEMPT}, consequence",
    "verdict": f"number, {rows.VERDICT}",
    "elimination": f"verdict, {rows.ELIMINATION}",
    "session": "pid, host, started, ended, why, elapsed, dropped, dropped_seconds",
    "target_file": rows.TARGET_FILE,
    "extension": "after, budget, stopped, winner",
    "metric": "place, name, direction",
    "begun": "candidate, step",
    "lost": "after, evaluations, spent",
    "added": "extension, instance",
}
"""Table → the columns that its checksum covers."""


def version(db: sqlite3.Connection) -> int:
    """The version of the tables in a log."""
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def build(db: sqlite3.Connection, *, metrics: bool = False) -> None:
    """Make the tables in an empty database; those of metrics only if there are metrics."""
    marks = f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {VERSION}"
    tables = TABLES + METRIC_TABLES * metrics
    db.executescript(f"BEGIN; {tables} {marks}; COMMIT")


def foreign(db: sqlite3.Connection) -> str | None:
    """What of a log's schema is not as `build` made it; None if all is.

    A view in place of a table could keep a reader busy without end, and a trigger could change what
    is written.
    """
    found = _definitions(db)
    expected = _expected(frozenset(OPTIONAL) & {name for _, name, *_ in found})
    for kind, name, *_ in found - expected:
        return f"its {kind} {name!r:.80} is not one of a log; if you added it, drop it"
    for kind, name, *_ in expected - found:
        return f"its {kind} {name!r} is missing"
    return None


def add_table(db: sqlite3.Connection, name: str) -> None:
    """Make an optional table, with those that belong to it, once."""
    if not db.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (name,)).fetchone():
        for table in OPTIONAL[name].split(";")[:-1]:
            db.execute(table.strip())


@cache
def _expected(parts: frozenset[str]) -> Counter[tuple[str, ...]]:
    with closing(sqlite3.connect(":memory:")) as db:
        build(db)
        for part in parts:
            db.executescript(OPTIONAL[part])
        return _definitions(db)


def _definitions(db: sqlite3.Connection) -> Counter[tuple[str, ...]]:
    """Kind, name, table and text of each part of a schema; a damaged one may hold any bytes."""
    cells = ", ".join(f"CAST({each} AS BLOB)" for each in ("type", "name", "tbl_name", "sql"))
    found = db.execute(f"SELECT {cells} FROM sqlite_master")
    return Counter(tuple((cell or b"").decode(errors="replace") for cell in row) for row in found)


def install(db: sqlite3.Connection) -> None:
    """Add the function `seal` to a connection."""
    db.create_function("seal", -1, lambda *cells: rows.checksum(cells), deterministic=True)


@cache
def insert(table: str) -> str:
    """The statement that adds a sealed row; its values are those of `SEALED`, in that order."""
    columns = SEALED[table]
    names = [f"column{place}" for place in range(1, columns.count(",") + 2)]  # as SQLite calls them
    marks = ", ".join("?" for _ in names)
    values = f"SELECT *, seal({', '.join(names)}) FROM (VALUES ({marks}))"
    return f"INSERT INTO {table} ({columns}, checksum) {values}"


def update(table: str, where: str, **changes: str) -> str:
    """The statement that updates sealed rows: column = SQL expression."""
    settings = ", ".join(f"{column} = {value}" for column, value in changes.items())
    cells = ", ".join(changes.get(column, column) for column in SEALED[table].split(", "))
    return f"UPDATE {table} SET {settings}, checksum = seal({cells}) WHERE {where}"


def check_rows(db: sqlite3.Connection, path: Path) -> None:
    """Refuse a log with a changed row.

    Raises
    ------
    LogDamaged
        If there is one.
    """
    there = {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
    sealed = {table: columns for table, columns in SEALED.items() if table in there}
    for table, columns in sealed.items():
        wrong = f"SELECT rowid FROM {table} WHERE checksum IS NOT seal({columns}) LIMIT 1"
        try:
            found = db.execute(wrong).fetchone()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_ERROR:
                raise
            raise damaged(path, f"its table {table} cannot be read: {error}") from error
        if found is not None:
            raise damaged(path, f"row {found[0]} of its table {table} is not what was written")
