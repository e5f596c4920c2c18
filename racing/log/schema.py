"""The tables of a log, their version, and how older logs become newer ones.

A file is a log of this package if its `application_id` is `APPLICATION_ID`; its `user_version` is
the version of its tables. A change to the tables is a new function at the end of `MIGRATIONS`, and
never an edit of one that was released.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from typing import Any

APPLICATION_ID = 0x52414345  # "RACE"

Migration = Callable[[sqlite3.Connection], None]


def _tell_the_budget_of_instances(db: sqlite3.Connection) -> None:
    """Version 2: a race that a budget of instances ended says so, and not that none were left."""
    db.execute(
        "UPDATE run SET stopped = 'instance_budget' WHERE stopped = 'instances' "
        "AND json_extract(scenario, '$.budget.instances') = (SELECT 1 + max(step) FROM outcome)"
    )


def _keep_the_targets_files(db: sqlite3.Connection) -> None:
    """Version 3: a change of the target between two sessions can be seen."""
    db.execute(TARGET_FILE)


def _keep_why_candidates_entered(db: sqlite3.Connection) -> None:
    """Version 4: entrants, the subject of verdicts, workers and starts, checksums; `session`."""
    db.execute("ALTER TABLE sitting RENAME TO session")
    for table, column in ADDED:
        db.execute(f"ALTER TABLE {table} ADD COLUMN {column}")
    db.execute(
        "UPDATE candidate SET number = "
        "(SELECT count(*) FROM candidate AS before WHERE before.id <= candidate.id)"
    )
    db.execute("CREATE UNIQUE INDEX candidate_number ON candidate (number)")


def _keep_extensions(db: sqlite3.Connection) -> None:
    """Version 5: a run that was over can go on with other limits."""
    db.execute(EXTENSION)


def _keep_bounds(db: sqlite3.Connection) -> None:
    """Version 6: the bound that an evaluation was given."""
    db.execute("ALTER TABLE outcome ADD COLUMN bound REAL /* stopped at that cost; NULL: none */")


def _keep_what_was_dropped(db: sqlite3.Connection) -> None:
    """Version 7: evaluations that were begun and ended because they could not count any more."""
    for column in DROPPED:
        db.execute(f"ALTER TABLE session ADD COLUMN {column}")
    for id, text in db.execute("SELECT id, scenario FROM run").fetchall():
        scenario = json.loads(text)
        if isinstance(scenario, dict) and _rename_execution(scenario.get("execution")):
            db.execute("UPDATE run SET scenario = ? WHERE id = ?", (json.dumps(scenario), id))


def _rename_execution(execution: Any) -> bool:
    """Give the settings of execution today's names; whether any had another one."""
    if not isinstance(execution, dict):
        return False
    had = execution.keys() & {"ahead", "backend"}
    execution.pop("ahead", None)  # rows that idle workers could begin: now `speculate`
    if "backend" in execution:
        execution.setdefault("engine", execution.pop("backend"))
    return bool(had)


# MIGRATIONS[k - 1] makes version k + 1 of version k, inside a transaction: no executescript there.
MIGRATIONS: list[Migration] = [
    _tell_the_budget_of_instances,
    _keep_the_targets_files,
    _keep_why_candidates_entered,
    _keep_extensions,
    _keep_bounds,
    _keep_what_was_dropped,
]

DROPPED = (
    "dropped INTEGER NOT NULL DEFAULT 0 /* evaluations that were ended: they could not count */",
    "dropped_seconds REAL NOT NULL DEFAULT 0 /* for how long they had run, all together */",
)

ADDED = (
    ("candidate", "number INTEGER /* order of entry, from 1 */"),
    ("candidate", "origin TEXT NOT NULL DEFAULT 'given' /* why it entered: given, joined, ... */"),
    ("candidate", "draw TEXT /* JSON: address of the random stream it was drawn from */"),
    (
        "candidate",
        "entered INTEGER NOT NULL DEFAULT 0 /* steps of the race before it takes part */",
    ),
    ("outcome", "worker TEXT NOT NULL DEFAULT '' /* who made the last attempt; '' = unknown */"),
    ("outcome", "started REAL /* when that began: seconds since 1970; NULL: unknown */"),
    ("outcome", "checksum INTEGER /* CRC-32 of the row; NULL: written by an older version */"),
    ("failed_attempt", "worker TEXT NOT NULL DEFAULT ''"),
    ("failed_attempt", "started REAL"),
    ("verdict", "about TEXT /* JSON: ids that it could drop; NULL: all survivors */"),
    ("verdict", "steps TEXT /* JSON: instances that it judged by; NULL: the first ones */"),
)

TARGET_FILE = """
CREATE TABLE target_file (    -- a file that the target is started from, when it is new or changed
  number INTEGER PRIMARY KEY,
  path   TEXT NOT NULL,       -- seen from the scenario's folder
  sha256 TEXT NOT NULL,       -- of what it holds; '': it could not be read
  since  INTEGER NOT NULL     -- number of the first outcome made with it
)
"""

EXTENSION = """
CREATE TABLE extension (      -- a run that was over and went on with other limits
  number  INTEGER PRIMARY KEY,
  after   INTEGER NOT NULL,   -- after how many outcomes
  budget  TEXT NOT NULL,      -- JSON: the limits from then on, counted from the start
  stopped TEXT NOT NULL,      -- why the run had ended
  winner  INTEGER REFERENCES candidate (id)
)
"""

TABLES = """
CREATE TABLE run (            -- one row: what is raced, and how it ended
  id        INTEGER PRIMARY KEY CHECK (id = 1),
  name      TEXT NOT NULL,    -- the scenario's name
  seed      INTEGER NOT NULL, -- the scenario's seed
  direction TEXT NOT NULL,    -- minimize or maximize: what the user's scores mean
  objective TEXT NOT NULL,    -- rank or mean: what "best" means
  scenario  TEXT NOT NULL,    -- the whole scenario as JSON
  racing    TEXT NOT NULL,    -- the version of racing that made these tables what they are
  created   TEXT NOT NULL,    -- UTC, ISO 8601
  stopped   TEXT,             -- why the race ended; NULL: it has not
  winner    INTEGER REFERENCES candidate (id)
);
CREATE TABLE candidate (
  id            INTEGER PRIMARY KEY,                -- counted from 1
  name          TEXT NOT NULL,                      -- '' where none was given
  parent        INTEGER REFERENCES candidate (id),  -- the one that it was derived from
  configuration TEXT NOT NULL                       -- JSON: parameter -> value
);
CREATE TABLE instance (       -- written when the first outcome on it is
  step INTEGER PRIMARY KEY,   -- its place in the race, from 0
  name TEXT NOT NULL,         -- comes again, with another seed, where instances are repeated
  seed INTEGER NOT NULL       -- what every candidate's run on it was seeded with
);
CREATE TABLE outcome (        -- one row per finished experiment; rows are only ever added
  number    INTEGER PRIMARY KEY,                      -- order of commits, from 1
  candidate INTEGER NOT NULL REFERENCES candidate (id),
  step      INTEGER NOT NULL REFERENCES instance (step),
  cost      REAL NOT NULL,    -- lower is better whatever the direction; Inf = failed
  seconds   REAL NOT NULL,    -- what the evaluation took, all attempts together
  status    TEXT NOT NULL,    -- ok, crashed, timeout, out of memory, unreadable
  message   TEXT NOT NULL,    -- why it failed: a line for people, then the end of stderr
  attempts  INTEGER NOT NULL, -- how often the target was started for it
  elapsed   REAL NOT NULL,    -- the run's wall-clock seconds at that time, over all sessions
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
  consequence TEXT NOT NULL   -- retried, or stopped: the policy ended the run
);
CREATE TABLE verdict (        -- what the rule said after an instance
  number         INTEGER PRIMARY KEY,  -- in the order given, from 1
  instances      INTEGER NOT NULL,     -- how many instances it judged by
  leader         INTEGER NOT NULL REFERENCES candidate (id),  -- who looked best
  gate           TEXT,        -- the omnibus test; NULL: the rule has none, nor the next four
  gate_statistic REAL,
  gate_threshold REAL,        -- what the statistic had to exceed
  gate_p_value   REAL,        -- or the posterior of no difference; NULL: the test has none
  gate_passed    INTEGER      -- 1: it rejected, so that eliminations were possible
);
CREATE TABLE elimination (    -- who left the race, by which numbers
  verdict   INTEGER NOT NULL REFERENCES verdict (number),
  candidate INTEGER NOT NULL REFERENCES candidate (id),
  against   INTEGER NOT NULL REFERENCES candidate (id),  -- who it lost to, or equals
  reason    TEXT NOT NULL,    -- inferior, indistinguishable, not worthwhile, schedule
  measure   TEXT NOT NULL,    -- what value and threshold are: p-value, posterior, gain, ...
  value     REAL,             -- the number that decided
  threshold REAL,             -- what it was held to
  statistic REAL,             -- the statistic behind it; NULL: none
  PRIMARY KEY (verdict, candidate)
);
CREATE TABLE sitting (        -- one stretch of work by one process
  number  INTEGER PRIMARY KEY,
  pid     INTEGER NOT NULL,
  host    TEXT NOT NULL,
  started TEXT NOT NULL,      -- UTC, ISO 8601
  ended   TEXT,               -- NULL: still at work, or killed
  why     TEXT,               -- why it ended
  elapsed REAL                -- the run's wall-clock seconds by then, over all sessions
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


def current() -> int:
    """The version of the tables that this package writes."""
    return 1 + len(MIGRATIONS)


def version(db: sqlite3.Connection) -> int:
    """The version of the tables in a log."""
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def build(db: sqlite3.Connection) -> None:
    """Make the tables in an empty database."""
    marks = f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = 1"
    db.executescript(f"BEGIN; {TABLES} {marks}; COMMIT")
    migrate(db)


def migrate(db: sqlite3.Connection, *, racing: str | None = None) -> None:
    """Bring the tables to the current version: each step wholly, or not at all.

    Parameters
    ----------
    racing
        The version of this package that does so, which the log then names.
    """
    for k in range(version(db), current()):
        db.execute("BEGIN IMMEDIATE")
        try:
            MIGRATIONS[k - 1](db)
            db.execute(f"PRAGMA user_version = {k + 1}")
            if racing:
                db.execute("UPDATE run SET racing = ?", (racing,))
            db.execute("COMMIT")
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise
