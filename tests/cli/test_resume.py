"""The command `racing resume`."""

from __future__ import annotations

from racing.runner.loop import RunOptions
from racing.runner.run import run as run_race
from tests.runs_kit import calls


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
