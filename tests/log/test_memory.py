"""What only a log in memory does; the contract is in `test_contract.py`."""

from __future__ import annotations

import copy
import pickle
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from racing.base.errors import LogError
from racing.core.candidate import Candidate
from racing.log import MemoryLog
from tests.log.samples import CANDIDATES, HEADER, VERDICT, fill, instance, outcome


@pytest.fixture
def log() -> MemoryLog:
    found = MemoryLog(HEADER)
    found.add(CANDIDATES)
    fill(found, 6)
    return found


def test_what_it_returns_can_be_changed_without_changing_it(log: MemoryLog) -> None:
    log.record_verdict(VERDICT)
    for of in (log.outcomes, log.entrants, log.candidates, log.instances, log.verdicts):
        found = of()
        assert found
        found.clear()
        assert of()


def test_errors_name_the_run_as_there_is_no_file(log: MemoryLog) -> None:
    with pytest.raises(LogError, match="the log of sample"):
        log.add([Candidate(1, {"alpha": 9.0})])


def test_the_time_is_that_of_the_latest_thing_recorded(log: MemoryLog) -> None:
    assert log.elapsed == 5.0
    log.record_failed_attempt(replace(outcome(6), elapsed=7.5), instance(2), then="retried")
    assert log.elapsed == 7.5
    log.begin_session(1, "here")
    log.end_session("interrupted", elapsed=9.0)
    log.begin_session(2, "here")
    log.end_session("interrupted", elapsed=8.0)
    assert log.elapsed == 9.0


def test_a_copy_is_a_log_of_its_own(log: MemoryLog) -> None:
    for copied in (copy.deepcopy(log), pickle.loads(pickle.dumps(log))):
        assert copied.outcomes() == log.outcomes()
        copied.record(outcome(6), instance(2))
        assert (len(copied.outcomes()), len(log.outcomes())) == (7, 6)


def test_it_can_be_read_in_another_thread_and_after_its_end(log: MemoryLog) -> None:
    with log:
        pass
    with ThreadPoolExecutor(1) as pool:
        assert len(pool.submit(log.outcomes).result()) == 6


def test_it_is_closed_with_its_last_reference() -> None:
    log = MemoryLog(HEADER)
    db = log._db
    del log
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        db.execute("SELECT 1")
