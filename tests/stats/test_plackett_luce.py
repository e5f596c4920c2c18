"""Plackett–Luce worths: closed forms, another optimiser, simulation, ties."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from scipy.optimize import minimize

from racing.base.errors import InputError
from racing.stats import plackett_luce
from tests.stats.garcia_2010 import COSTS


def simulated(worths, n, seed=0):
    """Exponential costs with rates in proportion to worth: their order is Plackett–Luce."""
    rng = np.random.default_rng(seed)
    return rng.exponential(1.0 / np.asarray(worths), size=(n, len(worths)))


def log_likelihood(log_worths, costs):
    """The definition, without ties."""
    total = 0.0
    for row in costs:
        w = np.exp(np.asarray(log_worths)[np.argsort(row)])
        total += sum(np.log(w[k] / w[k:].sum()) for k in range(w.size))
    return total


def test_two_algorithms_are_bradley_and_terry_s():
    costs = np.array([[1.0, 2.0]] * 7 + [[2.0, 1.0]] * 3)
    assert plackett_luce(costs, pseudo=0).worths == pytest.approx([0.7, 0.3])
    assert plackett_luce(costs, pseudo=0).beats[0, 1] == pytest.approx(0.7)


def test_every_ranking_equally_often_leaves_equal_worths():
    costs = np.array(list(permutations((1.0, 2.0, 3.0, 4.0))))
    assert plackett_luce(costs).worths == pytest.approx(np.full(4, 0.25))


@pytest.mark.parametrize("seed", range(3))
def test_another_optimiser_finds_the_same(seed):
    costs = simulated([4, 3, 2, 1], 15, seed)
    found = plackett_luce(costs, pseudo=0)
    other = minimize(lambda v: -log_likelihood([0, *v], costs), np.zeros(3), tol=1e-10)
    w = np.exp([0, *other.x])
    assert found.worths == pytest.approx(w / w.sum(), abs=1e-5)
    assert found.log_likelihood == pytest.approx(log_likelihood(found.log_worths, costs))


def test_the_covariance_is_the_inverse_curvature():
    costs = simulated([3, 2, 1], 40)
    found = plackett_luce(costs, pseudo=0)
    h, eye = 1e-4, np.eye(3)
    f = lambda v: log_likelihood(v, costs)  # noqa: E731
    v = found.log_worths
    hessian = np.array(
        [
            [
                (f(v + h * (a + b)) - f(v + h * (a - b)) - f(v - h * (a - b)) + f(v - h * (a + b)))
                / (4 * h * h)
                for b in eye
            ]
            for a in eye
        ]
    )
    assert found.covariance == pytest.approx(np.linalg.pinv(-hessian, rcond=1e-6), rel=1e-3)


def test_worths_are_recovered_and_intervals_cover():
    truth = np.log([5.0, 3.0, 2.0, 1.0, 1.0])
    truth -= truth.mean()
    inside = []
    for seed in range(200):
        found = plackett_luce(simulated(np.exp(truth), 60, seed), pseudo=0)
        low, high = found.interval()
        inside.append((low < truth) & (truth < high))
    assert np.mean(inside) == pytest.approx(0.95, abs=0.02)


def test_ties_leave_equals_equal_and_are_the_mean_of_both_orders_nearly():
    tied = np.array([[1.0, 1.0, 2.0]] * 4 + [[2.0, 2.0, 1.0]])
    w = plackett_luce(tied).worths
    assert w[0] == pytest.approx(w[1])
    assert w[0] > w[2]
    assert plackett_luce(np.ones((5, 4))).worths == pytest.approx(np.full(4, 0.25))


def test_efron_s_likelihood_of_a_tie():
    """Two tied before a third: log[w1·w2/((w1+w2+w3)((w1+w2)/2+w3))]."""
    costs = np.array([[1.0, 1.0, 2.0], [2.0, 1.0, 1.0], [1.0, 2.0, 1.0], [1.0, 2.0, 3.0]])

    def plain(v):
        w = np.exp([0, *v])
        value = 0.0
        for a, b, c in ((0, 1, 2), (1, 2, 0), (0, 2, 1)):
            value += np.log(w[a] * w[b] / ((w.sum()) * ((w[a] + w[b]) / 2 + w[c])))
        return value + np.log(w[0] / w.sum() * w[1] / (w[1] + w[2]))

    other = minimize(lambda v: -plain(v), np.zeros(2), tol=1e-12)
    w = np.exp([0, *other.x])
    assert plackett_luce(costs, pseudo=0).worths == pytest.approx(w / w.sum(), abs=1e-5)


def test_who_always_wins_has_a_finite_worth_or_is_refused():
    costs = np.array([[1.0, 2.0, 3.0], [1.0, 3.0, 2.0]])
    found = plackett_luce(costs)
    assert found.worths[0] > 0.5
    assert np.isfinite(found.covariance).all()
    with pytest.raises(InputError, match=r"pseudo=0\.5"):
        plackett_luce(costs, pseudo=0)


def test_ranks_do_as_well_as_costs():
    from racing.stats import rank_rows

    assert plackett_luce(COSTS).worths == pytest.approx(
        plackett_luce(rank_rows(COSTS), ranked=True).worths
    )
    assert plackett_luce(COSTS).worths.argmax() == 0


def test_two_hundred_algorithms():
    found = plackett_luce(simulated(np.linspace(1, 3, 200), 20))
    assert np.corrcoef(found.log_worths, np.log(np.linspace(1, 3, 200)))[0, 1] > 0.6
