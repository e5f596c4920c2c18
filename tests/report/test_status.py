"""Where a run stands and what to do next: one sentence for each state that a log can be in."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from racing.answer.head import Answer
from racing.core.stop import Stop
from racing.log import Session
from racing.report import gather
from racing.report.facts import next_step, resume_command
from tests.report.kit import changed, told_race
from tests.worlds import normal_world

LOG = Path("a run.sqlite")
RESUME = "`racing resume 'a run.sqlite'`"
CONTINUES = f"{RESUME} continues it"
HERE = socket.gethostname()
STARTED, SINCE = "2024-05-01T10:00:00.123+00:00", "2024-05-01 10:00 UTC"
NO_PROCESS = 2**22 + 1  # beyond the largest id of a process


@pytest.fixture(scope="module")
def facts():
    return gather(told_race(normal_world(5, 12, seed=1)))


def session(pid=NO_PROCESS, host=HERE, ended=None, why=""):
    return Session(pid=pid, host=host, started=STARTED, ended=ended, why=why)


def test_the_command_that_resumes_a_run_can_be_pasted():
    assert resume_command(LOG) == RESUME


@pytest.mark.parametrize(
    ("last", "said", "step"),
    [
        (None, "not begun", CONTINUES),
        (session(ended=SINCE, why="interrupted"), "stopped (interrupted)", CONTINUES),
        (
            session(ended=SINCE, why="target_failed"),
            f"stopped: {Stop.TARGET_FAILED.meaning}",
            f"fix the target; {RESUME} tries again",
        ),
        (
            session(why="killed"),
            f"killed (process {NO_PROCESS} on {HERE} since {SINCE})",
            CONTINUES,
        ),
        (session(), f"killed (process {NO_PROCESS} on {HERE} since {SINCE})", CONTINUES),
        (
            session(pid=os.getpid()),
            f"at work: process {os.getpid()} on {HERE} since {SINCE}",
            "`racing watch 'a run.sqlite'` follows it",
        ),
        (
            session(host="far"),
            f"at work, or killed: process {NO_PROCESS} on far since {SINCE}",
            f"{CONTINUES}, unless it is at work",
        ),
    ],
    ids=["none", "interrupted", "failed", "killed", "gone", "at work", "far"],
)
def test_a_run_that_is_not_over_says_what_became_of_it_and_what_comes_next(facts, last, said, step):
    sessions = () if last is None else (last,)
    open_run = changed(facts, stopped=None, sessions=sessions)
    assert open_run.state == said
    assert next_step(open_run, LOG) == step


def test_a_run_that_is_over_says_why_and_what_comes_next(facts):
    assert facts.state == f"over: {facts.stopped.meaning}"
    assert not facts.answer.gain.why
    assert next_step(facts, LOG).startswith("`racing test 'a run.sqlite' INSTANCE...`")
    nothing = Answer(headline="", sentences=())
    alone = changed(facts, answer=nothing, survivors=facts.survivors[:1])
    assert next_step(alone, LOG) == "`racing export 'a run.sqlite'` for the numbers"
    several = changed(facts, answer=nothing, survivors=facts.survivors[:1] * 2)
    assert next_step(several, LOG).startswith("more instances or a larger budget")


def test_a_run_without_a_winner_says_what_would_help(facts):
    failed = changed(facts, winner=None, stopped=Stop.ALL_FAILED)
    assert next_step(failed, LOG).startswith("fix the target")
    short = changed(facts, winner=None, stopped=Stop.EVALUATIONS)
    assert next_step(short, LOG).startswith("a larger budget, or fewer candidates")
