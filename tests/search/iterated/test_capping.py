"""Bounds by the elites, and who is dominated."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from racing.core.experiment import Outcome, Status
from racing.core.failures import Failures
from racing.search.iterated.capping import Capping

ELITES = np.array([[1.0, 2.0, 6.0], [3.0, 2.0, 6.0]])  # means 2, 2, 6


def test_the_bound_is_what_is_left_of_the_elites_time():
    capping = Capping(most=10.0)
    # 2 · median(2, 2, 6) + 0.01 − 1.5
    assert capping.bound(np.array([1.5]), ELITES) == pytest.approx(2.51)


@pytest.mark.parametrize(
    ("statistic", "each"), [("median", 2.0), ("mean", 10 / 3), ("best", 2.0), ("worst", 6.0)]
)
def test_which_elite_counts(statistic, each):
    capping = Capping(most=100.0, statistic=statistic)
    assert capping.bound(np.array([1.0]), ELITES) == pytest.approx(2 * each + 0.01 - 1.0)


def test_whoever_used_it_up_gets_the_elites_time_once_more():
    assert Capping(most=10.0).bound(np.array([9.0]), ELITES) == 2.0


def test_no_run_takes_more_than_the_most():
    assert Capping(most=1.5).bound(np.array([0.1]), ELITES) == 1.5
    assert Capping(most=1.5).bound(np.array([0.1]), np.empty((2, 0))) == 1.5


def dominated(capping, costs, elites):
    means = costs.mean(axis=0)
    return means > capping.limit(means, elites, 2)


def test_dominated_are_those_slower_than_the_elites():
    costs = np.array([[1.0, 2.0, 3.0, 9.0]])
    capping = Capping(most=10.0)
    assert dominated(capping, costs, [0, 1]).tolist() == [False, True, True, True]
    # without protected elites the best two stand for them: median(1, 2)
    assert dominated(capping, costs, []).tolist() == [False, True, True, True]
    assert dominated(Capping(most=10.0, statistic="worst"), costs, [0, 1]).tolist() == [
        False, False, True, True,
    ]  # fmt: skip


def test_protected_elites_stay_and_so_does_the_best():
    costs = np.array([[5.0, 2.0, 3.0, 9.0]])
    verdict = Capping(most=10.0, statistic="best").verdict([11, 12, 13, 14], costs, [0], 2)
    assert [one.candidate for one in verdict.eliminated] == [14]
    assert verdict.leader == 12
    free = Capping(most=10.0, statistic="best").verdict([11, 12, 13, 14], costs, [], 2)
    assert [one.candidate for one in free.eliminated] == [14, 13, 11]


def test_a_protected_elite_stays_though_another_elite_is_faster():
    costs = np.array([[5.0, 2.0, 3.0, 9.0]])
    verdict = Capping(most=10.0, statistic="best").verdict([11, 12, 13, 14], costs, [0, 1], 2)
    assert [one.candidate for one in verdict.eliminated] == [14, 13]


class Times:
    """A book of running times: rows are instances, columns candidates 1, 2, ..."""

    failures = Failures()

    def __init__(self, costs):
        self.table = np.array(costs)

    def costs(self, ids, steps):
        return self.table[np.ix_(steps, [id - 1 for id in ids])]


def test_a_run_that_reached_its_bound_counts_as_the_most_and_others_as_they_are():
    book = Times([[1.0, 3.0, 10.0], [2.0, 4.0, np.inf]])
    capping = Capping(most=10.0, bounds={(2, 0): 3.0, (2, 1): 4.5, (1, 1): 1.5})
    assert capping.costs(book, [1, 2, 3], [0, 1]).tolist() == [
        [1.0, 10.0, 10.0],
        [10.0, 4.0, np.inf],  # a failure stays one
    ]


def test_a_penalty_is_no_running_time():
    outcomes = Outcome(1, 0, 50.0, status=Status.CRASHED), Outcome(2, 0, 12.0)
    trials = SimpleNamespace(
        failures=Failures(cost=50.0),
        recorded={one.key: one for one in outcomes},
        costs=lambda ids, steps: np.array([[50.0, 12.0]]),
    )
    assert Capping(most=10.0).costs(trials, [1, 2], [0]).tolist() == [[50.0, 10.0]]
