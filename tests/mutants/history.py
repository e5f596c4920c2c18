"""Errors in the log, in its lock, and in the loop that commits before it tells."""

from __future__ import annotations

from tests.mutants.mutation import mutation

LOOP = ("test_commit_first.py",)

# fmt: off
TABLE = (
    mutation("the race is told before the log has committed", "log/recorder.py",
             "        self.log.record(outcome, self.instance(outcome.step))\n"
             "        self.decider.tell(outcome)\n",
             "        self.decider.tell(outcome)\n"
             "        self.log.record(outcome, self.instance(outcome.step))\n",
             *LOOP),
    mutation("the wall-clock time starts anew with every session", "loop.py",
             "self.started = options.clock() - log.elapsed",
             "self.started = options.clock()",
             "test_loop.py::test_wall_time_adds_up_over_sessions"),
    mutation("a lock that never refuses", "log/lock.py",
             "fcntl.LOCK_EX | fcntl.LOCK_NB",
             "fcntl.LOCK_SH | fcntl.LOCK_NB",
             "log/test_lock.py"),
    mutation("a lock on a file that is no longer there", "log/lock.py",
             "if self._is_current(fd):",
             "if True:",
             "log/test_lock.py"),
    mutation("a lock file stays behind", "log/lock.py",
             "self._path.unlink(missing_ok=True)",
             "pass",
             "log/test_lock.py"),
    mutation("any verdict agrees with the one in the log", "log/check.py",
             "if not _agree(tuple(_flat(known)), tuple(_flat(told))):",
             "if False:",
             "log/test_contract.py"),
    mutation("replayed verdicts must agree in the last bit", "log/check.py",
             "return math.isclose(known, told, rel_tol=1e-9, abs_tol=1e-12)",
             "return known == told",
             "log/test_contract.py"),
    mutation("replayed verdicts may differ by a thousandth", "log/check.py",
             "rel_tol=1e-9, abs_tol=1e-12",
             "rel_tol=1e-3, abs_tol=1e-3",
             "log/test_check.py"),
    mutation("true and 1 are the same value of a candidate", "log/check.py",
             "(value, isinstance(value, bool)) for name",
             "(value, 0) for name",
             "log/test_contract.py"),
    mutation("the seed of an instance is not compared", "log/check.py",
             "if (text(known.name), known.seed) != (text(told.name), told.seed):",
             "if text(known.name) != text(told.name):",
             "log/test_contract.py"),
    mutation("a failed write leaves half of a transaction", "log/sqlite.py",
             "if self._db.in_transaction:\n                    self._db.execute(\"ROLLBACK\")",
             "if self._db.in_transaction:\n                    self._db.execute(\"COMMIT\")",
             "log/test_contract.py", "log/test_durability.py", "log/test_crashes.py"),
    mutation("a session compares no verdict of the sessions before", "log/sqlite.py",
             "    def begin_session(self, pid: int, host: str) -> None:\n        self._told = 0\n",
             "    def begin_session(self, pid: int, host: str) -> None:\n",
             "log/test_contract.py"),
)
