"""Where survivors stand."""

from __future__ import annotations

import numpy as np
import pytest

from racing.core.candidate import Candidate
from racing.core.failures import Failures
from racing.core.results import Results
from racing.core.standing import ranking, shown_of


def rank(costs, survivors=None, objective="rank", **options):
    costs = np.array(costs, dtype=float)
    ids = tuple(range(1, costs.shape[1] + 1))
    columns = np.arange(len(ids)) if survivors is None else np.array(survivors)
    results = Results(costs, ~np.isnan(costs), ids, columns, **options)
    return ranking(results, {id: Candidate(id, {}) for id in ids}, objective)


def test_best_first_with_ranks_among_all():
    places = rank([[3, 1, 2], [3, 2, 1], [3, 1, 2]], survivors=[0, 1])
    assert [place.candidate.id for place in places] == [2, 1]
    assert [place.mean_rank for place in places] == [pytest.approx(4 / 3), 3.0]
    assert [place.mean_cost for place in places] == [pytest.approx(4 / 3), 3.0]
    assert {place.instances for place in places} == {3}


def test_failures_are_counted_and_left_out_of_the_mean():
    best, middle, last = rank([[1, 2, np.inf], [np.inf, 4, np.inf]], objective="mean")
    assert (best.candidate.id, best.failures, best.mean_cost) == (2, 0, 3.0)
    assert (middle.candidate.id, middle.failures, middle.mean_cost) == (1, 1, 1.0)
    assert (last.candidate.id, last.failures) == (3, 2)
    assert last.mean_cost is None


def test_only_instances_that_all_have_seen_count():
    (first, _) = rank([[1, 2], [9, np.nan]])
    assert (first.candidate.id, first.instances) == (1, 1)


def test_nobody_stands_anywhere_before_the_first_instance():
    assert rank(np.empty((0, 3))) == ()
    assert rank([[1, np.nan]]) == ()


def test_the_objective_decides():
    costs = [[1, 2]] * 3 + [[100, 2]]
    assert rank(costs)[0].candidate.id == 1
    assert rank(costs, objective="mean")[0].candidate.id == 2


def test_the_estimated_mean_by_which_they_are_ordered_counts_failures():
    costs = [[1.0, 3.0, 2.0], [9.0, 5.0, 8.0], [np.inf, 4.0, 6.0], [2.0, 3.0, np.inf]]
    places = rank(costs, objective="mean", failures=Failures("rate"))
    estimates = [place.estimated_mean for place in places]
    assert estimates == sorted(estimates)
    assert [place.candidate.id for place in places] == [2, 1, 3]
    assert [place.mean_cost for place in places] == pytest.approx([3.75, 4.0, 16 / 3])
    assert places[1].estimated_mean > places[1].mean_cost


def test_of_a_front_what_was_confirmed_is_shown():
    front = [Candidate(id, {}) for id in range(1, 8)]
    assert shown_of(front, 3, front[1]) == [0, 1, 6]
    assert shown_of(front, 3, front[1], {"#3", "#4", "#99"}) == [1, 2, 3]
