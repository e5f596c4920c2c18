"""A team as something to use: what is exported can be read again."""

from __future__ import annotations

import json

import pytest
import yaml

import racing
from racing.base.errors import InputError
from racing.report.portfolio_data import portfolio_data
from racing.report.portfolio_forms import team_form
from racing.scenario import CandidateSource, Entry
from tests.analysis.portfolio.kit import kinds_log


def test_yaml_and_json_are_candidates_of_a_scenario(tmp_path):
    data = portfolio_data(racing.portfolio(kinds_log(tmp_path), size=2))
    for found in (yaml.safe_load(team_form(data, "yaml")), json.loads(team_form(data, "json"))):
        source = CandidateSource(list=[Entry(one["values"], one["name"]) for one in found])
        assert [dict(entry.values) for entry in source.list] == [
            one["values"] for one in data["team"]
        ]


def test_by_family_they_are_the_values_of_each(tmp_path):
    data = portfolio_data(racing.portfolio(kinds_log(tmp_path), by="family"))
    found = yaml.safe_load(team_form(data, "yaml"))
    assert found["k"] == {"x": 2}
    assert list(found) == ["k", "php", "sat"]


def test_command_lines_are_those_of_the_program():
    data = {"team": [{"command": "solve INSTANCE SEED --x=1"}, {"command": "solve INSTANCE SEED"}]}
    assert team_form(data, "commands").splitlines() == [one["command"] for one in data["team"]]


def test_a_function_has_no_command_lines(tmp_path):
    data = portfolio_data(racing.portfolio(kinds_log(tmp_path), size=2))
    with pytest.raises(InputError, match="the target is no program"):
        team_form(data, "commands")
