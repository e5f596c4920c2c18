"""What every log keeps, over all logs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from racing.base.errors import InputError, LogError
from racing.core.budget import Budget
from racing.core.candidate import Candidate
from racing.core.experiment import Instance, Outcome, Reused, Status
from racing.core.verdict import Elimination, Gate, Reason, Verdict
from racing.log import (
    Extension,
    FailedAttempt,
    Finish,
    Header,
    Log,
    MemoryLog,
    SQLiteLog,
    TargetFile,
    Unfinished,
)

HEADER = Header(
    name="clasp",
    seed=42,
    direction="maximize",
    objective="mean",
    scenario={"budget": {"evaluations": 100}, "name": "clasp", "tags": ["ä", None, 1.5]},
    racing="0.1.0",
    created="2030-01-01T00:00:00.000+00:00",
)
CANDIDATES = [
    Candidate(1, {"alpha": 0.1, "ants": 10, "rule": "acs", "restart": True}, "default"),
    Candidate(2, {"alpha": 1e-300}),
    Candidate(7, {}, "seven", parent=1),
]
FIRST = Instance(0, "a.cnf", 11, problem=object())
SECOND = Instance(1, "a.cnf", 12)
VERDICT = Verdict(
    instances=2,
    leader=1,
    eliminated=(
        Elimination(
            candidate=7,
            against=1,
            measure="p-value",
            value=0.01,
            threshold=0.05,
            statistic=math.nan,
        ),
        Elimination(
            candidate=2,
            against=1,
            reason=Reason.INDISTINGUISHABLE,
            measure="posterior",
            value=1 / 3,
            threshold=0.3,
            statistic=-math.inf,
        ),
    ),
    gate=Gate(test="Friedman", statistic=6.0, threshold=5.99, p_value=math.nan, passed=True),
)

Make = Callable[[], Log]


@pytest.fixture(params=["memory", "sqlite"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Make]:
    """Makes a log with three candidates; all are closed in the end."""
    made: list[Log] = []

    def one() -> Log:
        log: Log
        if request.param == "memory":
            log = MemoryLog(HEADER)
        else:
            log = SQLiteLog.create(tmp_path / f"{len(made)}.sqlite", HEADER)
        made.append(log)
        log.add(CANDIDATES)
        return log

    yield one
    for log in made:
        log.close()


@pytest.fixture
def log(make: Make) -> Log:
    return make()


def test_what_was_recorded_is_read_back(log: Log) -> None:
    outcomes = [
        Outcome(7, 1, 1.25, seconds=0.5, elapsed=1.5),
        Outcome(
            1, 0, math.inf, 0.25, Status.TIMEOUT, 'killed\nafter "5 s" ✗', attempts=3, elapsed=2.0
        ),
        Outcome(1, 1, -0.0, elapsed=3.0),
    ]
    for outcome in outcomes:
        log.record(outcome, (FIRST, SECOND)[outcome.step])
    assert log.header == HEADER
    assert log.candidates() == CANDIDATES
    assert [type(v) for v in log.candidates()[0].values.values()] == [float, int, str, bool]
    assert log.outcomes() == outcomes  # in the order of their commits
    assert log.instances() == [replace(FIRST, problem=None), SECOND]
    assert log.elapsed == 3.0


def test_a_new_log_is_empty(log: Log) -> None:
    assert log.outcomes() == []
    assert log.verdicts() == []
    assert log.instances() == []
    assert log.failed_attempts() == []
    assert log.sessions() == []
    assert log.elapsed == 0.0
    assert log.finished is None


def test_an_experiment_has_one_outcome(log: Log) -> None:
    first = Outcome(1, 0, 3.0)
    log.record(first, FIRST)
    for again in (first, Outcome(1, 0, 2.0)):
        with pytest.raises(LogError, match=r"outcome of candidate 1 on instance 0: cost 3\.0"):
            log.record(again, FIRST)
    assert log.outcomes() == [first]
    log.record(Outcome(2, 0, 2.0), FIRST)
    assert len(log.outcomes()) == 2


def test_strangers_are_refused(log: Log) -> None:
    with pytest.raises(LogError, match="no candidate 3"):
        log.record(Outcome(3, 0, 1.0), FIRST)
    with pytest.raises(LogError, match="on instance 1 came with instance 0"):
        log.record(Outcome(1, 1, 1.0), FIRST)
    log.record(Outcome(1, 0, 1.0), FIRST)
    for other in (Instance(0, "b.cnf", 11), Instance(0, "a.cnf", 99)):
        with pytest.raises(LogError, match=r"has 'a\.cnf' with seed 11 at step 0"):
            log.record(Outcome(2, 0, 1.0), other)
        with pytest.raises(LogError, match="disagree"):
            log.record_failed_attempt(Outcome(2, 0, 1.0), other, then="stopped")
    assert len(log.outcomes()) == 1
    assert log.failed_attempts() == []


def test_candidates_may_be_added_again_and_later(log: Log) -> None:
    log.add(CANDIDATES)
    late = Candidate(8, {"alpha": np.float64(0.5), "ants": np.int64(3), "restart": np.False_})
    log.add([late, *CANDIDATES, late])
    assert log.candidates() == [*CANDIDATES, Candidate(8, {"alpha": 0.5, "ants": 3, "restart": 0})]
    log.record(Outcome(8, 0, 1.0), FIRST)


@pytest.mark.parametrize(
    "other",
    [
        replace(CANDIDATES[0], name="other"),
        replace(CANDIDATES[0], parent=2),
        replace(CANDIDATES[0], values={**CANDIDATES[0].values, "alpha": 0.2}),
        replace(CANDIDATES[0], values={**CANDIDATES[0].values, "restart": 1}),
    ],
)
def test_a_candidate_cannot_change(log: Log, other: Candidate) -> None:
    with pytest.raises(LogError, match="has candidate 1 as 'default'"):
        log.add([Candidate(9, {}), other])
    assert log.candidates() == CANDIDATES  # all or nothing


def test_failed_attempts_are_no_outcomes(log: Log) -> None:
    failed = Outcome(1, 0, math.inf, 1.0, Status.CRASHED, "exit 1", elapsed=5.0)
    log.record_failed_attempt(failed, FIRST, then="retried")
    log.record_failed_attempt(replace(failed, attempts=2), FIRST, then="stopped")
    assert log.outcomes() == []
    assert log.failed_attempts() == [
        FailedAttempt(outcome=failed, then="retried"),
        FailedAttempt(outcome=replace(failed, attempts=2), then="stopped"),
    ]
    assert log.elapsed == 5.0
    log.record(Outcome(1, 0, 1.0, attempts=3, elapsed=6.0), FIRST)  # run again, and well
    assert log.instances() == [replace(FIRST, problem=None)]


def test_verdicts_are_told_from_the_first_in_every_session(log: Log) -> None:
    bare = Verdict(instances=1, leader=2)
    log.begin_session(1, "here")
    log.record_verdict(bare)
    log.begin_session(2, "here")
    for verdict in (bare, VERDICT):
        log.record_verdict(verdict)
    log.begin_session(3, "here")
    for verdict in (bare, VERDICT):
        log.record_verdict(verdict)
    assert len(log.verdicts()) == 2
    assert log.verdicts() == [bare, VERDICT]


def test_rounding_is_no_other_verdict(log: Log) -> None:
    log.begin_session(1, "here")
    log.record_verdict(VERDICT)
    log.begin_session(2, "there")
    out = VERDICT.eliminated[0]
    order = (VERDICT.eliminated[1], replace(out, value=out.value * (1 + 1e-15)))
    log.record_verdict(replace(VERDICT, eliminated=order))
    assert log.verdicts()[0] == VERDICT  # the first stays


@pytest.mark.parametrize(
    "other",
    [
        replace(VERDICT, instances=3),
        replace(VERDICT, leader=2),
        replace(VERDICT, gate=None),
        replace(VERDICT, eliminated=()),
        replace(VERDICT, eliminated=(VERDICT.eliminated[0],)),
        *(
            replace(
                VERDICT,
                eliminated=(replace(VERDICT.eliminated[0], **changes), VERDICT.eliminated[1]),
            )
            for changes in (
                {"value": 0.01 * (1 + 1e-7)},
                {"threshold": 0.05 * (1 - 1e-4)},
                {"statistic": 0.0},
            )
        ),
    ],
)
def test_another_verdict_is_refused_with_both(log: Log, other: Verdict) -> None:
    log.begin_session(1, "here")
    log.record_verdict(VERDICT)
    log.begin_session(2, "here")
    with pytest.raises(LogError, match=r"verdict 1: 2 instances, leader 1, .*; not: .*disagree"):
        log.record_verdict(other)
    assert log.verdicts()[0] == VERDICT


def test_sessions_and_the_end(log: Log) -> None:
    class Stop(StrEnum):
        SURVIVORS = "survivors"

    log.begin_session(12, "here")
    log.end_session("interrupted", elapsed=9.5)
    log.begin_session(13, "there")
    first, second = log.sessions()
    assert (first.pid, first.host, first.why) == (12, "here", "interrupted")
    assert first.ended is not None
    assert (second.pid, second.ended, second.why) == (13, None, None)
    assert log.elapsed == 9.5
    log.finish(Stop.SURVIVORS, 7)
    log.finish("survivors", 7)
    assert log.finished == Finish(stopped="survivors", winner=7)
    with pytest.raises(LogError, match="'survivors' with winner 7, not by 'budget'"):
        log.finish("budget", 7)


def test_a_file_of_the_target_is_kept_when_it_is_new_or_has_changed(log: Log) -> None:
    assert log.target_files() == []
    log.note_target({"solve": "aa", "lib/\N{SNOWMAN}": ""})
    log.record(Outcome(1, 0, 3.0), FIRST)
    log.record(Outcome(2, 0, 3.0), FIRST)
    log.note_target({"solve": "bb", "lib/\N{SNOWMAN}": ""})
    log.note_target({"solve": "bb"})
    log.note_target({"solve": "aa"})
    assert log.target_files() == [
        TargetFile(path="solve", sha256="aa", since=1),
        TargetFile(path="lib/\N{SNOWMAN}", sha256="", since=1),
        TargetFile(path="solve", sha256="bb", since=3),
        TargetFile(path="solve", sha256="aa", since=3),
    ]


def test_a_run_may_end_without_a_winner(log: Log) -> None:
    log.finish("all_failed", None)
    assert log.finished == Finish(stopped="all_failed", winner=None)


def test_closing_twice_is_nothing(log: Log) -> None:
    with log as inside, inside.snapshot():
        assert inside.candidates() == CANDIDATES
    log.close()


OUTCOMES = st.builds(
    Outcome,
    st.integers(1, 9),
    st.integers(0, 5),
    cost=st.floats(allow_nan=False).filter(lambda cost: cost != -math.inf),
    seconds=st.floats(0, 1e9),
    status=st.sampled_from(Status),
    message=st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])),
    attempts=st.integers(1, 2**31),
    elapsed=st.floats(0, 1e9),
    bound=st.none() | st.floats(0, 1e9, exclude_min=True),
    spent=st.dictionaries(st.sampled_from(["usd", "tokens", "requests"]), st.floats(0, 1e12)),
    refused=st.integers(0, 2**31),
    reused=st.none()
    | st.builds(
        Reused,
        log=st.just("runs/old.sqlite"),
        seconds=st.floats(0, 1e9),
        spent=st.dictionaries(st.just("usd"), st.floats(0, 1e12)),
        started=st.floats(0, 1e10),
    ),
)


@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(outcomes=st.lists(OUTCOMES, unique_by=lambda outcome: outcome.key))
def test_every_outcome_survives_the_journey(make: Make, outcomes: list[Outcome]) -> None:
    log = make()
    log.add([Candidate(id, {}) for id in (3, 4, 5, 6, 8, 9)])
    for outcome in outcomes:
        log.record(outcome, Instance(outcome.step, "i", 1))
    assert log.outcomes() == outcomes
    log.close()


def test_what_json_cannot_hold_is_refused(tmp_path: Path) -> None:
    with SQLiteLog.create(tmp_path / "log", HEADER) as log:
        for value in (math.nan, math.inf, object()):
            with pytest.raises(InputError, match="candidate 1 cannot be logged"):
                log.add([Candidate(1, {"alpha": value})])  # type: ignore[dict-item]
        assert log.candidates() == []
    with pytest.raises(LogError, match="64 bits"):
        SQLiteLog.create(tmp_path / "other", replace(HEADER, seed=2**63))
    assert [path.name for path in tmp_path.iterdir()] == ["log"]


def test_odd_text_is_kept_readable(tmp_path: Path) -> None:
    instance = Instance(0, "caf\udce9.cnf", 1)  # a file name that is not UTF-8
    with SQLiteLog.create(tmp_path / "log", HEADER) as log:
        log.add(CANDIDATES)
        log.record(Outcome(1, 0, math.inf, status=Status.CRASHED, message="a\0b\udcff"), instance)
        log.record(Outcome(2, 0, 1.0), instance)
        assert log.outcomes()[0].message == "a\\x00b\\udcff"
    with SQLiteLog.open(tmp_path / "log", write=True) as log:
        log.record(Outcome(7, 0, 1.0), instance)  # the same instance after a resume
        assert [found.name for found in log.instances()] == ["caf\\udce9.cnf"]


def test_what_was_dropped_adds_up_over_sessions(log: Log) -> None:
    assert log.dropped == Unfinished()
    log.begin_session(1, "here")
    log.note_dropped(2, 0.5)
    log.note_dropped(1, 0.25)
    log.begin_session(2, "here")
    log.note_dropped(1, 1.0)
    assert log.dropped == Unfinished(evaluations=4, seconds=1.75)


def test_an_extension_keeps_when_with_what_limits_and_how_the_run_had_ended(log: Log) -> None:
    for step in range(3):
        log.record(Outcome(1, step, 1.0), Instance(step, "i", 1))
    log.finish("evaluations", 1)
    log.extend(Budget(evaluations=9, wall_time=2.5))
    assert log.finished is None
    for step in range(3, 5):
        log.record(Outcome(1, step, 1.0), Instance(step, "i", 1))
    log.finish("wall_time", 2)
    log.extend(Budget(target_time=7))
    assert log.extensions() == [
        Extension(
            after=3,
            budget=Budget(evaluations=9, wall_time=2.5),
            finish=Finish(stopped="evaluations", winner=1),
        ),
        Extension(
            after=5,
            budget=Budget(target_time=7),
            finish=Finish(stopped="wall_time", winner=2),
        ),
    ]


def test_a_run_that_is_not_over_is_not_extended(log: Log) -> None:
    with pytest.raises(LogError, match="not over"):
        log.extend(Budget(evaluations=9))
    assert log.extensions() == []


def test_now_is_in_utc_to_the_millisecond() -> None:
    before = datetime.now(UTC) - timedelta(milliseconds=1)
    said = datetime.fromisoformat(Header(name="a", seed=1).created)
    assert before <= said <= datetime.now(UTC)
    assert said.utcoffset() == timedelta(0)
    assert said.microsecond % 1000 == 0
