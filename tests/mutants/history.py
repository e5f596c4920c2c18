"""Errors in the log, in its lock, and in the loop that commits before it tells."""

from __future__ import annotations

from tests.mutants.mutation import mutations

# fmt: off
TABLE = mutations({
    "runner/test_commit_first.py": {
        "the race is told before the log has committed":
            "self.«log.record(outcome, self.instance(outcome.step)) self.decider.tell(outcome) "
            "→ decider.tell(outcome)\n        self.log.record(outcome, "
            "self.instance(outcome.step))»",
    },
    "runner/test_loop.py::test_wall_time_adds_up_over_sessions": {
        "the wall-clock time starts anew with every session":
            "self.started = self.options.clock() «- self.log.elapsed → »",
    },
    "log/test_lock.py": {
        "a lock that never refuses": "fcntl.«LOCK_EX → LOCK_SH» | fcntl.LOCK_NB",
        "a lock on a file that is no longer there": "if «self._is_current(fd) → True»:",
        "a lock file stays behind": "«self._path.unlink(missing_ok=True) → pass»",
    },
    "embed/test_optimize.py::test_instances_that_are_objects_are_compared": {
        "objects of the same names are the same instances":
            "if one.problem is not None and «not _says_all(one) → False»",
    },
    "log/test_recorder.py": {
        "outcomes of other instances are taken":
            "if «(own.name, own.seed) != (noted.name, noted.seed) → False»:",
    },
    "runner/test_preflight.py": {
        "what a function changes itself is compared":
            'if not same(name, file.sha256, «now.get(name, "") → file.sha256»):',
        "what a function holds is not compared": "«{name: content.of(one) → {name: ''»",
        "another function by the name in a log is not noticed":
            "if given is not None and («name in known → False» or not isinstance(given, str)):",
    },
    "runner/test_loop.py::test_a_race_that_is_over_evaluates_nothing_and_says_the_same": {
        "a finished run gets one session more":
            "self._verdict = 0 if «self.finished is not None → False»: return",
    },
    "log/test_contract.py": {
        "replayed verdicts may differ by a thousandth":
            "log/check.py: rel_tol=«1e-9, abs_tol=1e-12 → 1e-3, abs_tol=1e-3»",
        "any verdict agrees with the one in the log":
            "if «not _agree(_sorted(known), _sorted(given)) → False»:",
        "replayed verdicts must agree in the last bit":
            "close = «math.isclose(known, told, rel_tol=1e-9, abs_tol=1e-12) → known == told»",
        "true and 1 are the same value of a candidate":
            "(value, «isinstance(value, bool) → 0») for name",
        "the seed of an instance is not compared":
            "if «(text(known.name), known.seed) != (text(given.name), given.seed) → "
            "text(known.name) != text(given.name)»:",
        "a session compares no verdict of the sessions before":
            "«self._verdict = 0 → » if self.finished is not None: return",
    },
    "log/test_contract.py, log/test_sqlite.py, log/test_crashes.py": {
        "a failed write leaves half of a transaction":
            'if self._db.in_transaction: self._db.execute("«ROLLBACK → COMMIT»")',
    },
    "log/test_seals.py": {
        "rows of a log are not checked": "log/schema.py: if «found is not None → False»:",
    },
    "log/test_seals.py::test_a_log_as_it_was_written_is_read": {
        "a changed row keeps the checksum of the old one":
            "«changes.get(column, column) → column» for column",
    },
    "log/test_bad_logs.py::test_a_bad_log_gets_its_message[a log with a trigger]": {
        "a log may have any tables, views and triggers": "if wrong := «schema.foreign(db) → None»:",
    },
    "log/test_bad_logs.py": {
        "rows may be lost": "if «found != (last or 0) → False»:",
        "a log with two names is written": "if «links > 1 → False»:",
    },
})
