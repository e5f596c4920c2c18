-- A log of version 1, as it was written then: frozen, so that newer versions are held to reading it.
PRAGMA application_id = 1380008773;
PRAGMA user_version = 1;
BEGIN TRANSACTION;
CREATE TABLE candidate (
  id            INTEGER PRIMARY KEY,                -- counted from 1
  name          TEXT NOT NULL,                      -- '' where none was given
  parent        INTEGER REFERENCES candidate (id),  -- the one that it was derived from
  configuration TEXT NOT NULL                       -- JSON: parameter -> value
);
INSERT INTO "candidate" VALUES(1,'default',NULL,'{"alpha": 1.0, "rule": "acs"}');
INSERT INTO "candidate" VALUES(2,'',NULL,'{"alpha": 0.5, "rule": "mmas", "ants": 10}');
INSERT INTO "candidate" VALUES(3,'',2,'{"alpha": 0.1, "rule": "as"}');
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
INSERT INTO "elimination" VALUES(1,3,1,'inferior','p-value',0.01,0.05,5.0);
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
CREATE TABLE instance (       -- written when the first outcome on it is
  step INTEGER PRIMARY KEY,   -- its place in the race, from 0
  name TEXT NOT NULL,         -- comes again, with another seed, where instances are repeated
  seed INTEGER NOT NULL       -- what every candidate's run on it was seeded with
);
INSERT INTO "instance" VALUES(0,'0.cnf',100);
INSERT INTO "instance" VALUES(1,'1.cnf',101);
INSERT INTO "instance" VALUES(2,'2.cnf',102);
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
INSERT INTO "outcome" VALUES(1,1,0,0.0,0.01,'ok','',1,0.0);
INSERT INTO "outcome" VALUES(2,2,0,-1.0,0.01,'ok','',1,1.0);
INSERT INTO "outcome" VALUES(3,3,0,-2.0,0.01,'ok','',1,2.0);
INSERT INTO "outcome" VALUES(4,1,1,9e999,5.0,'timeout','killed after 5 s',1,3.0);
INSERT INTO "outcome" VALUES(5,2,1,-4.0,0.01,'ok','',1,4.0);
INSERT INTO "outcome" VALUES(6,3,1,-5.0,0.01,'ok','',1,5.0);
INSERT INTO "outcome" VALUES(7,1,2,-6.0,0.01,'ok','',1,6.0);
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
INSERT INTO "run" VALUES(1,'sample',1,'maximize','rank','{}','0.1.0','2030-01-01T00:00:00.000+00:00',NULL,NULL);
CREATE TABLE sitting (        -- one stretch of work by one process
  number  INTEGER PRIMARY KEY,
  pid     INTEGER NOT NULL,
  host    TEXT NOT NULL,
  started TEXT NOT NULL,      -- UTC, ISO 8601
  ended   TEXT,               -- NULL: still at work, or killed
  why     TEXT,               -- why it ended
  elapsed REAL                -- the run's wall-clock seconds by then, over all sessions
);
INSERT INTO "sitting" VALUES(1,4711,'here','2030-01-01T00:00:00.000+00:00','2030-01-01T00:00:00.000+00:00','interrupted',7.0);
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
INSERT INTO "verdict" VALUES(1,5,1,'Friedman',7.6,5.99,0.02,1);
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
COMMIT;
