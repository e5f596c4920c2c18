"""Mean and variance of A under Dirichlet weights: the fourfold sum, and draws of the weights."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from racing.stats._samples import Groups, Placements
from racing.stats.dp_rank_sum import beta_above, beta_interval, moments

COSTS = st.lists(st.sampled_from([0.0, 1.0, 2.0, np.inf]), min_size=1, max_size=5)


def pairs_of_weights(alpha):
    """E[w_a w_b] of a Dirichlet distribution."""
    total = alpha.sum()
    return (np.outer(alpha, alpha) + np.diag(alpha)) / (total * (total + 1))


def by_summing(x, y, s, q):
    """E[A] and Var[A] from the definition, the atoms as a last row and column of h."""
    h = np.full((len(x) + 1, len(y) + 1), q)
    h[:-1, :-1] = np.less.outer(x, y) + np.equal.outer(x, y) / 2
    a, b = (np.append(np.ones(len(side)), s) for side in (x, y))
    mean = (a / a.sum()) @ h @ (b / b.sum())
    square = np.einsum("ac,bd,ab,cd->", pairs_of_weights(a), pairs_of_weights(b), h, h)
    return mean, square - mean**2


@given(COSTS, COSTS, st.sampled_from([0.0, 0.25, 2.0]), st.sampled_from([0.0, 0.5, 1.0]))
def test_by_definition(x, y, s, q):
    placed = Placements.of(Groups.of([x, y]))
    mean, variance = moments(placed, s, q)
    assert (mean[0, 1], variance[0, 1]) == pytest.approx(by_summing(x, y, s, q), abs=1e-12)
    back, spread = moments(placed, s, 1 - q)
    assert mean[0, 1] == pytest.approx(1 - back[1, 0])
    assert variance[0, 1] == pytest.approx(spread[1, 0], abs=1e-12)


def test_the_worked_example():
    """x, y of the docs: E[A] = .8286 and sd .1259 without a prior."""
    x, y = (1.1, 2.2, 3.3, 4.4, 2.5, 0.7, 3.1), (2, 5.1, 4.8, 6, 3.9)
    mean, variance = moments(Placements.of(Groups.of([x, y])), 0.0, 0.5)
    assert f"{mean[0, 1]:.4f} {np.sqrt(variance[0, 1]):.4f}" == "0.8286 0.1259"


@pytest.mark.parametrize(("n", "m", "off"), [(5, 5, 0.013), (10, 30, 0.01), (30, 30, 0.006)])
def test_the_beta_distribution_is_close(n, m, off):
    """Against 60,000 draws of the weights (a standard error of at most .002)."""
    rng = np.random.default_rng(n + m)
    for shift, sd in product((0.0, 0.6), (1.0, 3.0)):
        x, y = rng.normal(0, sd, n), rng.normal(shift, 1, m)
        mean, variance = moments(Placements.of(Groups.of([x, y])), 0.0, 0.5)
        w, v = (rng.standard_exponential((60_000, size)) for size in (n, m))
        a = np.einsum("da,ab,db->d", w, np.less.outer(x, y) * 1.0, v) / w.sum(1) / v.sum(1)
        for t in (0.44, 0.5, 0.56):
            told = beta_above(mean, variance, t)[0, 1]
            assert told == pytest.approx(np.mean(a > t), abs=off)


def test_without_variance():
    mean, none = np.array([0.0, 0.5, 1.0, 0.7]), np.zeros(4)
    assert beta_above(mean, none, 0.5).tolist() == [0, 0.5, 1, 1]
    low, high = beta_interval(mean, none, 0.95)
    assert low.tolist() == high.tolist() == mean.tolist()


def test_the_interval_holds_its_share():
    mean, variance = np.array([0.6]), np.array([0.01])
    low, high = beta_interval(mean, variance, 0.9)
    inside = beta_above(mean, variance, low[0]) - beta_above(mean, variance, high[0])
    assert inside == pytest.approx(0.9)
