"""The winner's configuration as text that can be used."""

from __future__ import annotations

import json
import shlex
import sys
from types import SimpleNamespace

import yaml

from racing.analysis.use import command_line
from racing.report import read_history
from racing.report.page.data import use_forms, use_title
from racing.runner.run import run
from tests.report.kit import changed
from tests.report.states import STATES
from tests.runs_kit import write_scenario


def test_yaml_and_json_are_the_whole_configuration():
    facts = STATES["one survivor"]()
    forms = {one.label: one.text for one in use_forms(facts)}
    assert list(forms) == ["YAML", "JSON"]
    assert yaml.safe_load(forms["YAML"]) == facts.winner.values
    assert json.loads(forms["JSON"]) == facts.winner.values


def test_a_program_has_a_command_line(tmp_path):
    log = tmp_path / "log.sqlite"
    run(write_scenario(tmp_path, command=True, instances=6), log=log)
    facts = read_history(log)
    line = use_forms(facts)[0]
    assert line.label == "Command line"
    values = [f"--x={facts.winner.values['x']}"]
    assert shlex.split(line.text) == [sys.executable, "command.py", "INSTANCE", "SEED", *values]


def test_a_function_or_a_log_of_unknown_kind_has_none():
    winner = STATES["one survivor"]().winner
    assert command_line({}, winner) == ""
    assert command_line({"target": {"command": "{unknown}"}}, winner) == ""


def test_without_a_winner_there_is_nothing_to_use():
    assert use_forms(STATES["not begun"]()) == ()


def test_a_team_has_the_configurations_of_its_members(tmp_path):
    log = tmp_path / "log.sqlite"
    race = run(write_scenario(tmp_path, command=True, instances=6), log=log)
    team = race.candidates[:2]
    search = SimpleNamespace(portfolio=2, team=team)
    facts = changed(read_history(log), race=SimpleNamespace(as_search=search), winner=race.winner)
    lines, text, data = (one.text for one in use_forms(facts))
    assert [one.split()[-1] for one in lines.splitlines()] == ["--x=0.0", "--x=0.125"]
    by_name = {str(one): dict(one.values) for one in team}
    assert yaml.safe_load(text) == json.loads(data) == by_name
    assert use_title(facts) == "The configurations of the team"
    assert use_title(STATES["one survivor"]()).startswith("The configuration of #")
    assert use_title(STATES["not begun"]()) == ""
