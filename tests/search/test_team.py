"""The turns of a portfolio, the runs of its team, and whether all instances rank alike."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import spearmanr

from racing.base.errors import InputError
from racing.core.budget import Budget
from racing.report.parts import search_facts
from racing.search.coding import Draw
from racing.search.portfolio import ENOUGH, PortfolioSearch
from racing.search.team import (
    CANDIDATES,
    INSTANCES,
    Probe,
    TeamRuns,
    after,
    complete,
    groups_apart,
    promising,
    rank_correlations,
    turns_of,
    want_the_same,
    worth_a_probe,
)
from tests.search.kit import a_context, finish, line_space


def told(costs: list[list[float]], *, charged: bool = True):
    """A context in which candidates have these costs, a row for each; NaN = not run."""
    context = a_context(line_space(), budget=Budget(evaluations=20))
    for place, row in enumerate(costs):
        x = place / 10
        id = context.trials.enter(Draw({"x": x}, np.array([x])))
        for step, cost in enumerate(row):
            if not math.isnan(cost):
                run(context, id, step, cost)
                if charged:
                    context.account.charge([context.trials.recorded[id, step]])
    return context


def run(context, id, step, cost):
    """Record an outcome."""
    trials = context.trials
    trials.want_pairs([(id, step)])
    experiment = next(one for one in trials.queue.take(None) if one.key == (id, step))
    trials.record(experiment.outcome(cost))


@pytest.mark.parametrize("size", range(2, 9))
def test_all_turns_have_a_share_and_the_last_share_revisits_the_first_half(size):
    turns = turns_of(size)
    added = [turn for turn in turns if turn.revisits is None]
    ends = [0.0, *(turn.until for turn in turns)]
    assert len(added) == size
    assert np.diff(ends[: size + 1]) == pytest.approx([1 / (size + 1)] * size)
    assert [turn.revisits for turn in turns[size:]] == list(range(size // 2))
    assert np.diff(ends[size:]) == pytest.approx([1 / (size + 1) / (size // 2)] * (size // 2))
    assert ends[-1] == 1


def test_a_cost_beside_a_team_is_the_lowest_of_both():
    trials = told([[1, 5], [4, 4], [9, 2]]).trials
    trials.team = (1, 2)
    assert trials.costs([3], range(2)).tolist() == [[1], [2]]
    assert trials.own_costs([3], range(2)).tolist() == [[9], [2]]
    trials.team = ()
    assert trials.costs([3], range(2)).tolist() == [[9], [2]]


def test_a_failure_beside_a_team_costs_what_the_team_costs():
    trials = told([[1, math.inf], [math.inf, math.inf]]).trials
    trials.team = (1,)
    assert trials.costs([2], range(2)).tolist() == [[1], [math.inf]]


def test_the_team_runs_where_it_has_not_and_each_run_is_charged_once():
    context = told([[1, 2, 3], [4, math.nan, math.nan]])
    runs = TeamRuns(context, [1, 2], range(3))
    wanted = context.trials.queue.take(None)
    assert [one.key for one in wanted] == [(2, 1), (2, 2)]
    for one in wanted:
        assert not runs.over
        context.trials.record(one.outcome(1.0))
        runs.update(one.candidate.id)
    assert runs.over
    assert context.account.spent.evaluations == 6
    assert TeamRuns(context, [1, 2], range(3)).over
    assert context.account.spent.evaluations == 6


def test_the_team_runs_on_whole_instances_as_far_as_the_budget_goes():
    context = told([[1.0] * 8, [1.0] * 7])
    runs = TeamRuns(context, [1, 2], range(20))
    assert context.account.room == 5
    assert runs.steps == range(10)  # 1 + 2 + 2 runs
    assert runs.instances == 10


def test_promising_is_who_was_better_than_the_team_somewhere():
    nan = math.nan
    context = told([[2, 2, 2], [9, 0, 9], [1, nan, nan], [3, 3, 3], [nan, 9, 0]])
    context.trials.team = (1,)
    # gains: 2/(3 + 2), 1/(1 + 2), 0, 2/(2 + 2)
    assert promising(context, range(3), 9) == [5, 2, 3, 4]
    assert promising(context, range(3), 2) == [5, 2]
    assert promising(context, range(2), 1) == [2]


def test_who_finishes_where_the_team_fails_is_most_promising():
    context = told([[math.inf, 2], [9, 9], [math.inf, 0]])
    context.trials.team = (1,)
    assert promising(context, range(2), 9) == [2, 3]


def test_what_is_not_charged_does_not_count():
    context = told([[2.0, 2.0], [0.0, 0.0]], charged=False)
    context.trials.team = (1,)
    assert promising(context, range(2), 9) == []
    assert complete(context, range(2)) == []
    context.account.charge(list(context.trials.recorded.values()))
    assert promising(context, range(2), 9) == [2]
    assert complete(context, range(2)) == [1, 2]
    assert complete(context, range(3)) == []


def test_turns_after_a_part_of_the_budget_share_what_is_left():
    turns = after(turns_of(2), 0.1)
    assert [turn.until for turn in turns] == pytest.approx([0.4, 0.7, 1.0])
    assert [turn.revisits for turn in turns] == [None, None, 0]


# 0.15 of a third of the 0.93 that are not kept: 8 and 42
@pytest.mark.parametrize(
    ("levels", "budget", "refused"),
    [(7, 180, True), (8, 180, False), (42, 900, True), (43, 900, False)],
)
def test_a_space_that_a_search_begins_with_as_a_whole_is_refused(levels, budget, refused):
    space = {"x": {"integer": [1, levels], "default": 1}}
    if not refused:
        PortfolioSearch(space, range(9), budget=budget, portfolio=2)
        return
    with pytest.raises(InputError, match=f"the space has {levels} configurations, no more than"):
        PortfolioSearch(space, range(9), budget=budget, portfolio=2)


def test_without_a_number_of_evaluations_the_least_that_searches_begin_with_counts():
    space = {"x": {"integer": [1, 12], "default": 1}}
    with pytest.raises(InputError, match="choose a team of that run with `racing portfolio`"):
        PortfolioSearch(space, range(9), budget={"target_time": 50.0}, portfolio=2)


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
