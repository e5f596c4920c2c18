"""The library logs for those who listen, and is silent for the others."""

from __future__ import annotations

import logging
import re
import subprocess
import sys
from pathlib import Path

import pytest

from racing.candidate import Candidate
from racing.evaluate.task import Task
from racing.experiment import Experiment, Instance, Status
from racing.logs import logger

PACKAGE = Path(__file__).parents[1] / "racing"
SILENT = ("stats", "rules", "race", "space")  # no I/O there


def test_messages_arrive_below_the_package_s_logger(caplog):
    with caplog.at_level(logging.INFO, logger="racing"):
        logger("racing.loop").info("resumed after %d outcomes", 3)
    (record,) = caplog.records
    assert (record.name, record.getMessage()) == ("racing.loop", "resumed after 3 outcomes")


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
    code = "from racing.logs import logger; logger('racing.loop').error('not to be seen')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")


def test_the_package_sets_no_level_and_no_other_handler():
    root = logging.getLogger("racing")
    assert root.level == logging.NOTSET
    assert root.propagate
    assert {type(handler) for handler in root.handlers} == {logging.NullHandler}


def test_another_package_has_no_logger_here():
    with pytest.raises(ValueError, match="expected the name of a module of racing"):
        logger("numpy.linalg")


def test_loggers_are_made_in_one_place_and_not_where_no_io_is_done():
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        inside = path.relative_to(PACKAGE)
        if path.name != "logs.py":
            assert not re.search(r"^\s*(import|from) logging\b", text, re.MULTILINE), inside
        if inside.parts[0] in SILENT:
            assert "racing.logs" not in text, inside
