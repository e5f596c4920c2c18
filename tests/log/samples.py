"""A log to try things on."""

from __future__ import annotations

import math
from pathlib import Path

from racing.core.candidate import Candidate
from racing.core.experiment import Instance, Outcome, Status
from racing.core.verdict import Elimination, Gate, Reason, Verdict
from racing.log import Header, Log, SQLiteLog

HEADER = Header(name="sample", seed=1, direction="maximize", racing="0.1.0")
CANDIDATES = [
    Candidate(1, {"alpha": 1.0, "rule": "acs"}, "default"),
    Candidate(2, {"alpha": 0.5, "rule": "mmas", "ants": 10}),
    Candidate(3, {"alpha": 0.1, "rule": "as"}, parent=2),
]
VERDICT = Verdict(
    instances=5,
    leader=1,
    eliminated=(
        Elimination(
            candidate=3,
            against=1,
            reason=Reason.INFERIOR,
            measure="p-value",
            value=0.01,
            threshold=0.05,
            statistic=5.0,
        ),
    ),
    gate=Gate(test="Friedman", statistic=7.6, threshold=5.99, p_value=0.02, passed=True),
)


def instance(step: int) -> Instance:
    return Instance(step, f"{step}.cnf", 100 + step)


def outcome(k: int) -> Outcome:
    """The k-th outcome of the sample, from 0: a function of k alone."""
    step, place = divmod(k, len(CANDIDATES))
    if k % 7 == 3:
        return Outcome(
            place + 1, step, math.inf, 5.0, Status.TIMEOUT, "killed after 5 s", 1, float(k)
        )
    return Outcome(place + 1, step, -float(k), 0.01, elapsed=float(k))


def fill(log: Log, n: int, start: int = 0) -> None:
    for k in range(start, n):
        log.record(outcome(k), instance(outcome(k).step))


def make(path: Path, n: int = 15) -> Path:
    """A closed log with n outcomes, a verdict and a session that ended."""
    with SQLiteLog.create(path, HEADER) as log:
        log.begin_session(4711, "here")
        log.add(CANDIDATES)
        fill(log, n)
        log.record_verdict(VERDICT)
        log.end_session("interrupted", elapsed=float(n))
    return path
