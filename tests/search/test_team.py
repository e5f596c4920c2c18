"""The turns of a portfolio, the runs of its team, and what may complement it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from racing.base.errors import InputError
from racing.core.budget import Budget
from racing.search.coding import Draw
from racing.search.portfolio import PortfolioSearch
from racing.search.team import TeamRuns, after, complete, promising, turns_of
from tests.search.kit import a_context, line_space


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
