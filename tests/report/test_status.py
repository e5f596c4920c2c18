"""Where a run stands and what to do next: one sentence for each state that a log can be in."""

from __future__ import annotations

import os
import socket
from dataclasses import replace
from pathlib import Path

import pytest

from racing.answer.head import Answer
from racing.core.stop import Stop
from racing.log import Session, SQLiteLog
from racing.report import gather
from racing.report.facts import next_step, resume_command
from tests.report.kit import changed, told_race, told_search
from tests.worlds import normal_world

LOG = Path("a run.sqlite")
RESUME = "`racing resume 'a run.sqlite'`"
CONTINUES = f"{RESUME} continues it"
HERE = socket.gethostname()
STARTED, SINCE = "2024-05-01T10:00:00.123+00:00", "2024-05-01 10:00 UTC"
BY_COMMAND = {"target": {"command": "solve {x}"}}
NO_PROCESS = 2**22 + 1  # beyond the largest id of a process


@pytest.fixture(scope="module")
def facts():
    return gather(told_race(normal_world(5, 12, seed=1), scenario=BY_COMMAND))


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
    several = changed(alone, survivors=facts.survivors[:1] * 2)
    enough = changed(several, stopped=Stop.SURVIVORS)
    assert next_step(enough, LOG) == next_step(alone, LOG)
    lacking = {Stop.INSTANCES: "--instances FILE...", Stop.EVALUATIONS: "--budget +N"}
    for stop, option in lacking.items():
        more = f"`racing resume 'a run.sqlite' {option}` may tell the survivors apart"
        assert next_step(changed(several, stopped=stop), LOG) == more


@pytest.mark.parametrize(
    "scenario",
    [
        {},
        {"target": {"python": "__main__:solve"}},
        {"target": {"python": "solver:make.<locals>.solve"}},
        {**BY_COMMAND, "instances": {"list": [{"name": "1", "problem": "<class 'int'>"}]}},
        {**BY_COMMAND, "rule": {"name": "mine:Rule"}},
    ],
    ids=["own loop", "script", "closure", "objects", "own rule"],
)
def test_a_log_that_only_python_can_continue_gets_no_advice_of_commands(facts, scenario):
    kept = {**facts.header.scenario, **scenario}
    if not scenario:
        del kept["target"]
    run = changed(facts, header=replace(facts.header, scenario=kept))
    call = '`racing.minimize(function, [first, second], further, rule="none").gain`'
    test = f"in Python, {call} compares #1 (first) and #5 (second) on further instances"
    if not scenario:
        test = "in Python, run #5 and #1 on further instances: `racing.compare` measures the gain"
    assert next_step(run, LOG) == test
    undecided = changed(run, answer=Answer(headline="", sentences=()), survivors=run.survivors * 2)
    more = next_step(changed(undecided, stopped=Stop.EVALUATIONS), LOG)
    assert more.endswith("larger budget may tell the survivors apart") == (not scenario)
    assert more.endswith("larger `budget` may tell the survivors apart") == bool(scenario)
    more = next_step(changed(undecided, stopped=Stop.INSTANCES), LOG)
    assert more == "a new run in Python on more instances may tell the survivors apart"
    unfinished = changed(run, stopped=None, sessions=())
    assert next_step(unfinished, LOG) == "the same Python code with this log continues it"
    failed = changed(run, winner=None, stopped=Stop.ALL_FAILED)
    fix = "fix the target: `racing export 'a run.sqlite'` has every message"
    assert next_step(failed, LOG) == fix


def test_a_run_without_a_winner_says_what_would_help(facts):
    failed = changed(facts, winner=None, stopped=Stop.ALL_FAILED)
    assert next_step(failed, LOG).startswith("fix the target")
    short = changed(facts, winner=None, stopped=Stop.EVALUATIONS)
    assert next_step(short, LOG).startswith("a larger budget, or fewer candidates")


def test_a_search_whose_instances_ran_out_needs_more_of_them(tmp_path):
    with SQLiteLog.open(told_search(tmp_path), write=False) as log:
        told = gather(log)
    assert told.stopped.by_budget
    assert next_step(told, LOG).endswith("`racing resume 'a run.sqlite' --budget +N` searches on")
    lacking = changed(told, stopped=Stop.INSTANCES)
    more = "`racing resume 'a run.sqlite' --instances FILE...` searches on"
    assert next_step(lacking, LOG).endswith(more)
    assert "--" not in next_step(changed(told, stopped=Stop.SURVIVORS), LOG)
