"""A team as facts, as something to use, and in words."""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import yaml

import racing
from racing.analysis.portfolio.choice import choose, worth
from racing.analysis.portfolio.team import enough
from racing.answer.json import as_data
from racing.base.errors import InputError
from racing.base.plain import json_text
from racing.base.words import number
from racing.core.experiment import Instance
from racing.report.portfolio import team_form
from racing.runner.run import run
from racing.scenario import CandidateSource, Entry
from tests.analysis.portfolio.kit import NAN, kinds_log, known_costs, types_world, write_kinds

# --- a team as facts in the user's direction, and as something to use: what is exported is read


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


# --- the words of a team: a gain only where it is shown, and what the figures leave out -------


def words(costs, **how):
    size = how.pop("size", None)
    return choose(known_costs(costs, **how), size=size).answer


def test_a_gain_that_is_shown_is_told_with_its_interval_and_share():
    said = words(types_world(90, 6, types=3, seed=1, noise=0.1), size=3)
    assert said[0].startswith("The team: #")
    assert said[1].startswith("On 90 instances held out in turn, the team is better than #")
    assert " on average (95 % interval" in said[1]
    assert said[1].endswith("% of what is possible.")
    assert said[2].startswith("It has 3 runs on each instance and #")
    assert len(said) == 3


def test_a_gain_that_is_not_shown_is_not_called_one():
    rng = np.random.default_rng(2)
    said = words(np.column_stack([np.zeros(40), *rng.random((3, 40))]), size=2)
    assert said[1] == "One is enough: #1. On no instance #2 is better than that."
    assert "the team is not shown to be better than #1: the mean gain is 0 (95 %" in said[2]
    assert "Use #1 alone" in said[2]


def test_members_that_are_the_same_or_better_nowhere_are_said_once():
    rng = np.random.default_rng(2)
    two = np.array([[0.0, 1.0], [1.0, 0.0]] * 20) + 0.1 * rng.random((40, 2))
    costs = np.column_stack([two, two[:, 0], two[:, 1] + 0.5])
    members = choose(known_costs(costs), size=4).members
    assert [one.candidate.id for one in members if one.needed] == [2, 1]
    assert [*enough(members)] == [
        "Two are enough: #2 and #1. On no instance #3 and #4 are better than these."
    ]
    assert [*enough(members[:2])] == []


def test_one_member_is_told_as_what_it_is():
    rng = np.random.default_rng(2)
    alone = np.column_stack([np.zeros(40), *rng.random((3, 40)) - 0.01])
    assert words(alone)[0].startswith("No team is shown to be better than the single best, #1.")
    assert words(alone, size=1) == ("The single best is #1.",)
    everywhere = np.column_stack([np.zeros(40), *rng.random((3, 40))])
    said = "The single best, #1, is best on every instance: no team is better."
    assert words(everywhere) == words(everywhere, size=1) == (said,)
    assert words(everywhere[:, :1]) == ("The single best is #1.",)


def test_too_few_problems_are_said():
    said = words(types_world(5, 4, types=2, seed=1), size=2)[1]
    assert "it cannot be said whether the team is better than #" in said
    assert said.endswith("more problems can decide.")


def test_cells_that_were_not_run_and_bounds_are_said():
    costs = types_world(60, 4, types=2, seed=3)
    costs[30:, 1:] = NAN
    said = words(costs, size=2, censored=3)
    assert "50 % of 60 instances each; where one did not, it counts as the worst" in said[3]
    assert said[4] == "3 evaluations stopped at a bound have no cost, and are left out."


def test_timeouts_that_were_hardly_seen_are_said():
    rng = np.random.default_rng(1)
    times = rng.lognormal(size=(60, 4))
    times[rng.random((60, 4)) < 0.1] = 3000
    told = words(times, size=3)[2]
    assert told.startswith("The worst score that is known, 3000, came on none of 60 instances")
    assert "The interval of the score allows for as many as" in told
    often = np.where(rng.random((60, 1)) < 0.2, 3000, rng.lognormal(size=(60, 4)))
    for costs, how in ((often, {}), (rng.random((60, 4)), {}), (times, {"objective": "rank"})):
        assert not any("worst score that is known" in one for one in words(costs, size=3, **how))


def test_ranks_are_told_as_places():
    said = words(types_world(90, 6, types=3, seed=1, noise=0.1), size=3, objective="rank")
    costs = types_world(90, 6, types=3, seed=1, noise=0.1)
    found = choose(known_costs(costs, objective="rank"), size=3)
    gain = worth(found.size.gain, found)
    assert gain.estimate == 100 * found.size.gain.estimate
    assert f"by {number(gain.estimate)} places of 100 on average" in said[1]
    assert f"{number(gain.low)} to {number(gain.high)}" in said[1]


def test_a_choice_by_family_is_told_with_its_gain():
    kinds = ["a", "b"] * 30
    instances = tuple(Instance(k, f"i{k}", k, family=kind) for k, kind in enumerate(kinds))
    costs = np.array([[0.0, 1.0] if kind == "a" else [1.0, 0.0] for kind in kinds])
    costs += 0.1 * np.random.default_rng(1).normal(size=costs.shape)
    how = {"instances": instances}
    how["first"] = SimpleNamespace(header=SimpleNamespace(scenario={}))
    said = choose(known_costs(costs, **how), by="family").answer
    assert "the choice by family is better than #" in said[-1]
    same = np.column_stack([costs[:, 0] - 5, costs[:, 1]])
    said = choose(known_costs(same, **how), by="family").answer
    assert "the choice by family is not shown to be better than #1: the mean gain is 0" in said[-1]
