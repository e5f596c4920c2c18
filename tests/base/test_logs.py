"""The library logs for those who listen, and is silent for the others."""

from __future__ import annotations

import logging
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from racing.base.logs import logger, only_warnings
from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Instance, Status
from racing.evaluate.task import Task
from racing.runner.run import resume, run
from racing.scenario import Scenario

PACKAGE = Path(__file__).parents[2] / "racing"
SILENT = ("stats", "rules", "race", "space")  # no I/O there


def test_messages_arrive_below_the_package_s_logger(caplog):
    with caplog.at_level(logging.INFO, logger="racing"):
        logger("racing.runner.loop").info("resumed after %d outcomes", 3)
    (record,) = caplog.records
    assert (record.name, record.getMessage()) == ("racing.runner.loop", "resumed after 3 outcomes")


def test_an_attempt_that_is_repeated_is_logged(caplog):
    experiment = Experiment(Candidate(4, {}), Instance(2, "a", 7))
    task = Task(experiment, retries=1)
    failure = experiment.failure(Status.CRASHED, "crashed: exit status 1")
    assert task.hear(failure) is None
    assert task.hear(failure)  # now it is an outcome, which the log of the run keeps
    (record,) = caplog.records
    assert (record.name, record.levelname) == ("racing.evaluate.task", "WARNING")
    assert "candidate 4 on instance 2: attempt 1 failed" in record.getMessage()
    assert "exit status 1" in record.getMessage()


def test_nothing_is_printed_unless_somebody_listens():
    code = (
        "from racing.base.logs import logger; logger('racing.runner.loop').error('not to be seen')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")


def test_the_package_sets_no_level_and_no_other_handler():
    root = logging.getLogger("racing")
    assert root.level == logging.NOTSET
    assert root.propagate
    assert {type(handler) for handler in root.handlers} == {logging.NullHandler}


def test_another_package_has_no_logger_here():
    with pytest.raises(ValueError, match="must be one of racing"):
        logger("numpy.linalg")


def test_loggers_are_made_in_one_place_and_not_where_no_io_is_done():
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        inside = path.relative_to(PACKAGE)
        if path.name != "logs.py":
            assert not re.search(r"^\s*(import|from) logging\b", text, re.MULTILINE), inside
        if inside.parts[0] in SILENT:
            assert "racing.base.logs" not in text, inside


def a_scenario(folder: Path, solve, **options) -> Scenario:
    return Scenario(
        target=solve,
        candidates=[{"x": x} for x in range(4)],
        instances=[f"i{k}" for k in range(12)],
        rule="sign",
        budget=40,
        execution={"engine": "in-process"},
        folder=str(folder),
        **options,
    )


def told(caplog, level: str) -> list[tuple[str, str]]:
    records = [one for one in caplog.records if one.levelname == level]
    return [(one.name.removeprefix("racing."), one.getMessage()) for one in records]


def test_a_run_tells_what_it_begins_with_whom_it_drops_and_how_it_ends(caplog, tmp_path):
    log, failed = tmp_path / "run.sqlite", []

    def solve(values, instance, seed):
        if values["x"] == 3 and not failed:
            failed.append(instance)
            raise ValueError("no luck")
        return values["x"]

    with caplog.at_level(logging.INFO, logger="racing"):
        race = run(a_scenario(tmp_path, solve), log=log)
    said = told(caplog, "INFO")
    budget = "budget evaluations 40"
    begin = f"race begins: 4 candidates, 1 at a time, {budget}; the log holds 0 outcomes"
    assert said[:2] == [("runner.run", f"race is recorded in {log}"), ("runner.loop", begin)]
    (failure,) = [text for _, text in said if "no luck" in text]
    assert failure.startswith("candidate 4 on instance 0: crashed")
    drops = [text for _, text in said if "dropped" in text]
    assert len(drops) == sum(bool(verdict.eliminated) for verdict in race.verdicts) > 0
    evaluations = f"{race.spent.evaluations} evaluations on {race.instances_seen} instances count"
    end = f"race ends, since {race.stopped.meaning}: candidate 1 leads; {evaluations}"
    assert said[-1] == ("runner.loop", end)
    caplog.clear()
    with caplog.at_level(logging.INFO, logger="racing"):
        resume(log, scenario=a_scenario(tmp_path, solve))
    said = told(caplog, "INFO")
    assert said[0] == ("runner.run", f"race continues with the log {log}")
    assert said[1][1].endswith(f"the log holds {race.outcomes} outcomes")
    assert len(said) == 3, "what an earlier session said is not said again"


def test_every_outcome_and_verdict_is_told_at_debug_level(caplog, tmp_path):
    with caplog.at_level(logging.DEBUG, logger="racing"):
        race = run(a_scenario(tmp_path, lambda values, *rest: values["x"]), log=tmp_path / "a")
    said = [text for _, text in told(caplog, "DEBUG")]
    assert sum(": cost " in text for text in said) == race.outcomes
    judged = sum("none dropped" in text for text in said)
    assert judged == sum(not verdict.eliminated for verdict in race.verdicts)


def test_a_worker_that_dies_is_told(caplog, tmp_path):
    def solve(values, instance, seed):
        if values["x"] == 2 and not (tmp_path / "died").exists():
            (tmp_path / "died").touch()
            os._exit(3)
        return values["x"]

    scenario = a_scenario(tmp_path, solve)
    with caplog.at_level(logging.WARNING, logger="racing"):
        run(replace(scenario, execution={"engine": "loky"}), log=tmp_path / "a")
    died, repeated = told(caplog, "WARNING")
    assert died == ("evaluate.workers", "the worker of candidate 3 on instance 0 died")
    assert repeated[0] == "evaluate.task"
    assert "attempt 1 failed, and is repeated" in repeated[1]


def test_another_package_says_warnings_only_unless_it_was_given_a_level():
    only_warnings("noisy.one")
    assert logging.getLogger("noisy.one").level == logging.WARNING
    logging.getLogger("noisy.two").setLevel(logging.DEBUG)
    only_warnings("noisy.two")
    assert logging.getLogger("noisy.two").level == logging.DEBUG
