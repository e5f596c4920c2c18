"""From logs to a team: its members, its value, and what is refused."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import racing
from racing.analysis.portfolio.choice import choose, family_table
from racing.analysis.portfolio.crossfit import folds_of
from racing.analysis.portfolio.team import certain_scores, contributions
from racing.base.errors import InputError
from racing.core.experiment import Instance
from racing.stats.teams import best_team
from tests.analysis.portfolio.kit import NAN, kinds_log, known_costs, types_world


def test_a_team_of_a_size_is_the_best_of_what_the_log_knows(kept):
    found = racing.portfolio(kept(kinds_log, rule="none"), size=3)
    assert sorted(one.candidate.values["x"] for one in found.members) == [0, 2, 5]
    assert found.asked
    assert found.shown
    assert found.complete == 1
    assert 0.9 < found.closed <= 1.05
    assert str(found.single) == "#3"
    assert repr(found).startswith(f"<Portfolio: {found.members[0].candidate}, ")
    assert f"gain over #3 {found.size.gain.estimate:.4g} (" in repr(found)
    assert sum(one.best_on for one in found.members) >= len(found.scores)


def test_members_are_told_with_what_they_add_and_where_they_ran():
    costs = types_world(40, 5, types=3, seed=4)
    costs[20:, 3] = NAN
    found = choose(known_costs(costs), size=2)
    scores = certain_scores(costs, "mean")
    team = best_team(scores, 2)
    assert [one.candidate.id - 1 for one in found.members] == list(team)
    assert [one.adds for one in found.members] == contributions(scores, team).tolist()
    assert [one.ran_on for one in found.members] == (~np.isnan(costs[:, list(team)])).sum(
        0
    ).tolist()
    assert found.virtual == scores.min(axis=1).mean()


def test_a_candidate_that_was_not_run_is_not_said_to_be_best():
    costs = np.column_stack([np.ones(30), np.full(30, NAN), np.ones(30)])
    costs[:2, 1] = -1.0
    found = choose(known_costs(costs), size=3)
    own = next(one for one in found.members if one.candidate.id == 2)
    assert (own.best_on, own.ran_on) == (2, 2)


def test_without_a_size_it_is_the_knee_and_one_member_where_nothing_is_shown():
    rng = np.random.default_rng(2)
    assert choose(known_costs(types_world(90, 6, types=3, seed=1, noise=0.1))).size.size > 1
    alone = np.column_stack([np.zeros(40), *rng.random((3, 40))])
    found = choose(known_costs(alone))
    assert [str(one.candidate) for one in found.members] == ["#1"]
    assert not found.asked
    assert not found.shown


def test_families_have_candidates_of_their_own(kept):
    found = racing.portfolio(kept(kinds_log, rule="none"), by="family").by_family
    assert {row.family: row.candidate.values["x"] for row in found.families} == {
        "sat": 0,
        "php": 5,
        "k": 2,
    }


@pytest.mark.parametrize("size", [0, -1, 7, 2.5, "two", True])
def test_a_size_that_cannot_be_is_refused(size):
    known = known_costs(types_world(20, 6, types=2, seed=1))
    if size is True:
        assert choose(known, size=1).size.size == 1
        return
    with pytest.raises(InputError, match="must be a whole number from 1 to 6"):
        choose(known, size=size)


def test_one_instance_is_too_few_for_a_choice_and_its_judgement():
    with pytest.raises(InputError, match="ran on is the instance i0; a team is chosen"):
        choose(known_costs(np.array([[1.0, 2.0, 3.0]])))


# --- a candidate for each family: the best there, and told where it was not chosen ---


KINDS = ["a", "b", "b"] * 14


def world(noise=0.2):
    rng = np.random.default_rng(6)
    wants = np.array([0 if kind == "a" else 2 for kind in KINDS])
    return np.abs(np.arange(4)[None, :] - wants[:, None]) + noise * rng.normal(size=(42, 4))


def known(costs, kinds=KINDS):
    instances = tuple(Instance(k, f"i{k}", k, family=kind) for k, kind in enumerate(kinds))
    return known_costs(
        costs, instances=instances, first=SimpleNamespace(header=SimpleNamespace(scenario={}))
    )


def test_each_family_has_its_best_candidate_beside_the_single_best():
    costs = world()
    found = family_table(known(costs), costs, "family")
    assert [(row.family, row.candidate.id, row.instances) for row in found.families] == [
        ("a", 1, 14),
        ("b", 3, 28),
    ]
    assert found.families[0].single_best == costs[np.array(KINDS) == "a", 2].mean()
    assert found.gain.low > 0


@pytest.mark.parametrize("seed", range(6))
def test_it_is_told_on_instances_that_did_not_choose(seed):
    costs = np.random.default_rng(seed).normal(size=(42, 4))
    folds = folds_of([f"i{k}" for k in range(42)])
    labels, told = np.array(KINDS), []
    for row in range(42):
        rest = (folds != folds[row]) & (labels == labels[row])
        told.append(costs[row, np.argmin(costs[rest].mean(axis=0))])
    assert family_table(known(costs), costs, "family").score.mean == pytest.approx(np.mean(told))


def test_where_families_want_the_same_no_gain_is_shown():
    costs = np.arange(4)[None, :] + np.random.default_rng(1).normal(size=(42, 4))
    assert family_table(known(costs), costs, "family").gain.low <= 0


def test_one_family_is_refused():
    with pytest.raises(InputError, match="one family"):
        family_table(known(world(), ["a"] * 42), world(), "family")
