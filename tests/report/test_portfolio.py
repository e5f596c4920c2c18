"""A team as facts in the user's direction, and as something to use: what is exported is read."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
import yaml

import racing
from racing.answer.json import as_data
from racing.base.errors import InputError
from racing.base.plain import json_text
from racing.report.portfolio import team_form
from racing.runner.run import run
from racing.scenario import CandidateSource, Entry
from tests.analysis.portfolio.kit import kinds_log, write_kinds


def test_it_has_the_team_the_sizes_and_what_they_are_worth(kept):
    found = racing.portfolio(kept(kinds_log, rule="none"), size=3, by="family")
    data = json.loads(json_text(as_data(found)))
    assert [one["candidate"]["values"]["x"] for one in data["members"]] == [
        one.candidate.values["x"] for one in found.members
    ]
    assert data["size"]["gain"]["low"] == found.size.gain.low > 0
    assert [one["size"] for one in data["sizes"]] == [1, 2, 3]  # which no larger team beats
    assert (data["shown"], data["complete"], data["measure"]) == (True, 1.0, "score")
    assert [one["family"] for one in data["by_family"]["families"]] == ["k", "php", "sat"]
    assert data["answer"][0].startswith("The team: ")


def test_scores_that_are_maximized_are_told_as_they_were_given(tmp_path):
    log = tmp_path / "log.sqlite"
    run(write_kinds(tmp_path, rule="none", direction="maximize"), log=log)
    found = racing.portfolio(log, size=2)
    single = found.sizes[0].score
    score = found.size.score
    assert score.low < score.mean < score.high
    assert score.mean > single.mean > 0
    assert found.size.gain.estimate > 0
    assert found.virtual >= score.mean
    assert 0 < found.closed <= 1.05


def test_yaml_and_json_are_candidates_of_a_scenario(kept):
    found = racing.portfolio(kept(kinds_log), size=2)
    for listed in (yaml.safe_load(team_form(found, "yaml")), json.loads(team_form(found, "json"))):
        source = CandidateSource(list=[Entry(one["values"], one["name"]) for one in listed])
        assert [dict(entry.values) for entry in source.list] == [
            one.candidate.values for one in found.members
        ]


def test_by_family_they_are_the_values_of_each(kept):
    found = racing.portfolio(kept(kinds_log), by="family")
    values = yaml.safe_load(team_form(found, "yaml"))
    assert values["k"] == {"x": 2}
    assert list(values) == ["k", "php", "sat"]


def test_a_program_has_a_command_line_for_each_member_and_a_function_none(kept):
    found = racing.portfolio(kept(kinds_log), size=2)
    with pytest.raises(InputError, match="the target is no program"):
        team_form(found, "commands")
    line = "solve INSTANCE SEED --x=1"
    program = replace(found)
    vars(program)["commands"] = (line, line)  # of a target that is a program
    assert team_form(program, "commands").splitlines() == [line, line]
