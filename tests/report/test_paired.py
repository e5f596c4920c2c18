"""Pairs: what is shown, with failures as the worst, and figures of those that succeeded."""

from __future__ import annotations

import numpy as np
import pytest

from racing.report.paired import FEW, Difference, paired
from racing.stats.effects import median_difference
from racing.stats.shares import share_difference

NOISE = np.random.default_rng(3).normal(0, 0.1, 30)


def median(costs: np.ndarray) -> Difference:
    found = median_difference(*costs.T)
    return Difference(found.estimate, found.low, found.high, found.level)


@pytest.mark.parametrize(("shift", "evidence"), [(1.0, "better"), (-1.0, "worse"), (0.0, "open")])
def test_evidence_is_that_of_the_interval(shift, evidence):
    costs = np.column_stack([np.zeros(30), shift + NOISE - np.median(NOISE)])
    found = paired(costs)
    assert found.evidence == evidence
    assert found.gain == median(costs) == found.overall
    assert paired(costs[: FEW - 1]).evidence == "few"


def test_failures_count_as_worst_and_are_in_no_figure():
    costs = np.column_stack([np.zeros(30), 1 + NOISE])
    costs[:20, 1] = np.inf
    found = paired(costs)
    assert (found.own_failures, found.other_failures, found.succeeded) == (0, 20, 10)
    assert found.gain == median(costs[20:])
    assert found.overall.estimate == np.inf
    assert found.evidence == "better"


def test_an_interval_without_an_end_is_none():
    costs = np.column_stack([np.zeros(4), 1 + NOISE[:4]])
    assert paired(costs).interval is None
    costs[:] = np.inf
    assert paired(costs).gain is None
    assert paired(costs).interval is None


def test_groups_count_once_each():
    """Ten questions about each of five texts: on one text alone the first is much better."""
    costs = np.column_stack([np.zeros(50), np.repeat([1.0, 0.01, -0.01, 0.02, -0.02], 10)])
    costs[:, 1] += NOISE.repeat(2)[:50] / 1e3
    groups = np.repeat(np.arange(5), 10).tolist()
    found, alone = paired(costs, groups=groups), paired(costs)
    assert (found.instances, found.groups, found.independent) == (50, 5, 5)
    assert (alone.groups, alone.independent) == (None, 50)
    assert found.evidence == "few"
    assert found.gain.high > alone.gain.high
    assert found.superiority == alone.superiority
    assert found.test.pvalue > alone.test.pvalue
    own = paired(costs, groups=list(range(50)))
    assert (own.gain, own.overall, own.test) == (alone.gain, alone.overall, alone.test)


@pytest.mark.parametrize("scores", [False, True])
def test_right_or_wrong_is_compared_by_shares(scores):
    """27 items: 14 right for both, 9 for the first only, 1 for the other only."""
    wrong = np.array([[0, 0]] * 14 + [[0, 1]] * 9 + [[1, 0]] + [[1, 1]] * 3, dtype=float)
    costs = wrong - 1 if scores else wrong  # a score of 1 is a cost of -1
    found, share = paired(costs), share_difference(*costs.T)
    assert found.right == (23 / 27, 15 / 27)
    assert found.gain == (8 / 27, share.low, share.high, 0.95) == found.overall
    assert found.evidence == "better"
    assert paired(costs[:, ::-1]).evidence == "worse"
    grouped = paired(costs, groups=np.repeat(range(9), 3).tolist()).gain
    clustered = share_difference(*costs.T, groups=np.repeat(range(9), 3).tolist())
    assert grouped == (8 / 27, clustered.low, clustered.high, 0.95)


def test_costs_that_are_more_than_two_numbers_or_failed_are_no_shares():
    costs = np.array([[0.0, 1.0]] * 7)
    assert paired(costs).right == (1, 0)
    for other in (2.0, 0.5, np.inf):
        assert paired(np.vstack([costs, [0.0, other]])).right is None
