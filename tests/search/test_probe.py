"""Whether all instances rank configurations alike: correlations and groups of instances."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import spearmanr

from racing.core.budget import Budget
from racing.report.parts import search_facts
from racing.search.portfolio import ENOUGH, PortfolioSearch
from racing.search.team import (
    CANDIDATES,
    INSTANCES,
    Probe,
    groups_apart,
    rank_correlations,
    want_the_same,
    worth_a_probe,
)
from tests.search.kit import a_context, finish, line_space


def made(kinds, noise, seed, m=CANDIDATES):
    """(n, m) costs of instances of these kinds, each with its own order of configurations."""
    rng = np.random.default_rng(seed)
    worth = rng.normal(size=(max(kinds) + 1, m))
    return worth[list(kinds)] + noise * rng.normal(size=(len(kinds), m))


def test_correlations_are_those_of_spearman():
    costs = np.random.default_rng(1).integers(0, 5, size=(6, 9)).astype(float)
    assert rank_correlations(costs) == pytest.approx(spearmanr(costs, axis=1).statistic)


def test_failures_are_the_worst_and_an_instance_without_differences_agrees_with_none():
    costs = np.array([[1, 2, np.inf], [5, 6, 7], [4, 4, 4]])
    assert rank_correlations(costs) == pytest.approx(np.array([[1, 1, 0], [1, 1, 0], [0, 0, 0]]))


def test_without_groups_the_difference_is_0_on_average():
    found = [groups_apart(made([0] * INSTANCES, 1.0, seed)) for seed in range(150)]
    assert abs(np.mean(found)) < 3 * np.std(found) / np.sqrt(len(found))


def test_two_groups_are_told_apart():
    found = [groups_apart(made([0, 1] * 4, 0.3, seed)) for seed in range(20)]
    assert np.mean(found) > 0.5


@pytest.mark.parametrize(
    ("kinds", "noise", "least", "most"),
    [
        ([0] * 8, 0.5, 0.9, 1),  # all rank alike
        ([0] * 8, 3.0, 0, 0.1),  # they may, but noise hides it
        ([0, 1] * 4, 0.5, 0, 0.1),
        ([0, 1, 2, 0, 1, 2, 0, 1], 0.5, 0, 0.1),
        (range(8), 0.5, 0, 0.05),
    ],
)
def test_the_same_is_said_only_where_it_is_shown(kinds, noise, least, most):
    share = np.mean([want_the_same(made(list(kinds), noise, seed)) for seed in range(60)])
    assert least <= share <= most


def test_each_configuration_runs_on_each_instance_and_is_charged_once():
    context = a_context(line_space(), budget=Budget(evaluations=1000))
    for draw in context.design.take(CANDIDATES + 3):
        context.trials.enter(draw)
    assert worth_a_probe(context, 960)
    assert not worth_a_probe(context, 950)
    probe = Probe(context, [2, 1], 1)
    assert (probe.extra, probe.agreed, probe.over) == (CANDIDATES * INSTANCES, False, False)
    for one in context.trials.queue.take(None):
        context.trials.record(one.outcome(float(one.candidate.id)))
        probe.update(one.candidate.id)
    assert probe.over
    assert probe.agreed
    assert context.account.spent.evaluations == CANDIDATES * INSTANCES
    assert Probe(context, [2, 1], 1).extra == 0
    assert (probe.elites, probe.steps) == ((2, 1), range(1))


def test_few_candidates_or_few_instances_are_not_probed():
    few = a_context(line_space(), budget=Budget(evaluations=1000))
    for draw in few.design.take(CANDIDATES - 1):
        few.trials.enter(draw)
    assert not worth_a_probe(few, 10**6)
    short = a_context(line_space(), budget=Budget(evaluations=1000, instances=INSTANCES - 1))
    for draw in short.design.take(CANDIDATES):
        short.trials.enter(draw)
    assert not worth_a_probe(short, 10**6)


def target(wants):
    """The distance from what an instance wants, with some noise."""

    def cost(experiment):
        x, place = experiment.candidate.values["x"], experiment.instance.step % len(wants)
        rng = np.random.default_rng([experiment.instance.seed, int(1e6 * x)])
        return experiment.outcome(abs(x - wants[place]) + 0.02 * rng.random(), seconds=1.0)

    return cost


def a_team(budget):
    return PortfolioSearch(line_space(), range(60), budget=budget, portfolio=2, seed=4)


@pytest.mark.parametrize("budget", [Budget(evaluations=900), Budget(target_time=900.0)])
def test_where_all_want_the_same_one_search_has_the_whole_budget(budget):
    search = finish(a_team(budget), target([0.3]))
    assert search.team == (search.winner,)
    assert abs(search.winner.values["x"] - 0.3) < 0.03
    assert ENOUGH in search.notes
    assert search_facts(search, {}).team is None
    assert (search.portfolio, search.team_gain) == (1, None)
    assert search.spent.evaluations > 800


def test_where_they_want_different_ones_there_is_a_team():
    search = finish(a_team(Budget(evaluations=900)), target([0.1, 0.9]))
    found = sorted(one.values["x"] for one in search.team)
    assert found == pytest.approx([0.1, 0.9], abs=0.06)
    assert ENOUGH not in search.notes
    assert search.portfolio == 2
    assert search.team_gain.low > 0
    assert search.single not in search.team or search.team_gain.pairs > 5
