"""The command `racing resume`."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
import yaml

from racing.log import SQLiteLog
from racing.runner.loop import RunOptions
from racing.runner.run import run as run_race
from tests.runs_kit import calls, write_scenario, write_search


def test_resume_goes_on_and_ends_like_run(racing, scenario, tmp_path):
    whole = racing("run", scenario, "--log", tmp_path / "whole.sqlite", "--json").data
    log = tmp_path / "log.sqlite"
    so_far = len(calls(tmp_path))
    run_race(
        scenario,
        log=log,
        options=RunOptions(interrupted=lambda: len(calls(tmp_path)) > so_far + 20),
    )
    said = racing("resume", log, "--json", "--jobs", 1)
    assert said.code == 0
    for key in ("winner", "stopped", "survivors", "instances", "evaluations"):
        assert said.data[key] == whole[key]


def test_resume_of_what_is_over_says_so(racing, log, tmp_path):
    before = calls(tmp_path)
    said = racing("resume", log)
    assert said.code == 0
    assert said.out.startswith("The race is over: ")
    assert calls(tmp_path) == before


def test_resume_of_nothing(racing, tmp_path):
    said = racing("resume", tmp_path / "none.sqlite")
    assert said.code == 4
    assert "there is no log at" in said.err


def edited(file: Path, **keys: object) -> None:
    """Write other values of some keys into a scenario file, after the run began."""
    file.write_text(yaml.safe_dump({**yaml.safe_load(file.read_text()), **keys}))
    os.utime(file, (later := time.time() + 60, later))


def test_an_edited_budget_is_told_with_the_command_that_gives_it(racing, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file, log = write_search(tmp_path, budget=60), tmp_path / "log.sqlite"
    racing("run", file, "--log", log)
    assert "race.yaml" not in racing("resume", log).err
    edited(file, budget=100)
    before = len(calls(tmp_path))
    said = racing("resume", log)
    assert "race.yaml was changed after this run began" in said.err
    assert "budget.evaluations: 60 in the log, 100 in race.yaml" in said.err
    assert said.code == 0
    assert len(calls(tmp_path)) == before
    command = said.err.partition("`racing ")[2].partition("`")[0].split()
    assert command[:3] == ["resume", str(log), "--budget"]
    again = racing(*command)
    assert "in the log" not in again.err
    more = int(command[3])
    words = f"{100 - more} evaluations so far, {more} evaluations more: 100 evaluations in all"
    assert words in again.err
    assert "was changed" not in racing("resume", log).err


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"budget": 16}, "can only grow"),
        ({"execution": {"engine": "threading", "jobs": 3}},
         "execution.jobs: 1 in the log, 3 in race.yaml"),
        ({"execution": {"engine": "threading", "jobs": 3}}, "--jobs 3 --engine threading"),
        ({"rule": "none"}, 'rule.name: "sign" in the log, "none" in race.yaml'),
        ({"rule": "none"}, "log-2.sqlite --set reuse=log.sqlite` begins a run by the file"),
        ({"instances": {"list": ["i9"]}}, "instances.list: 25 entries in the log, 1 entry in"),
        ({"test_instances": ["j"]}, "log.sqlite INSTANCE …` tests on other instances"),
        ({"budget": 0}, "cannot be read now: race.yaml:"),
    ],
)  # fmt: skip
def test_other_edits_are_told_with_what_would_carry_them_out(
    racing, tmp_path, monkeypatch, keys, words
):
    monkeypatch.chdir(tmp_path)
    file = write_scenario(tmp_path, budget=40)
    racing("run", file, "--log", "log.sqlite", "--quiet")
    edited(file, **keys)
    said = racing("resume", "log.sqlite")
    assert words in said.err
    assert said.code == 0


def test_an_edit_during_a_run_waits_for_its_end(racing, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = write_scenario(tmp_path, budget=100)
    run_race(
        file,
        log="log.sqlite",
        options=RunOptions(interrupted=lambda: len(calls(tmp_path)) > 20),
    )
    edited(file, budget={"evaluations": 150, "wall_time": "1h"})
    said = racing("resume", "log.sqlite")
    assert (
        "--budget evaluations=50,wall_time=3600s`, once the run is over, gives it the budget"
        in said.err
    )


def test_files_are_added_by_the_command_line(tmp_path, racing, monkeypatch):
    for name in ("data/a", "data/b", "more/c", "more/d", "last/e"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    source = {"glob": "data/*"}
    write_scenario(tmp_path, noise=8.0, source=source, rule="none", log="log.sqlite")
    monkeypatch.chdir(tmp_path)
    assert racing("run", "race.yaml", "--quiet").code == 0
    said = racing("resume", "log.sqlite", "--instances", "more/c", "more/d", "last", "--quiet")
    assert said.code == 0
    with SQLiteLog.open(tmp_path / "log.sqlite", write=False) as book:
        assert sorted(one.name for one in book.instances()) == [
            "data/a", "data/b", "last/e", "more/c", "more/d",
        ]  # fmt: skip
    assert {line.split()[1] for line in calls(tmp_path)} == {
        str(tmp_path / name) for name in ("data/a", "data/b", "more/c", "more/d", "last/e")
    }
    assert "5 instances" in racing("show", "log.sqlite").out
    said = racing("resume", "log.sqlite", "--instances", "no/*")
    assert said.code == 2
    assert "no/*: no file matches" in said.err
    (tmp_path / "more/c").unlink()
    said = racing("resume", "log.sqlite", "--instances", "data/b")
    assert "the run has the instance data/b already" in said.err
    (tmp_path / "data/f").write_text("x")
    said = racing("resume", "log.sqlite", "--instances", "data/f")
    assert "the instance more/c: no such file" in said.err
