"""What a candidate is worth to the default rule, by how much noise, and judged among whom."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import norm

from racing.rules import gain
from racing.rules.gain import not_worthwhile, spreads
from tests.rules.seen import noisy

MEANS = np.array([0.0, 0.05, 0.1, 0.3, 0.35, 0.6])
NOISE = np.array([1.0, 0.7, 1.4, 1.0, 2.0, 0.5])
"""Six candidates, best first, and how much each varies from instance to instance."""


def gains(means, t) -> np.ndarray:
    """What each candidate is worth beside all the others if its mean moves by t, for the leader."""
    below, log_above, dx = gain._tails(means, np.asarray(t)[:, None], int(np.argmin(means)))
    without = np.exp(log_above.sum(axis=0) - log_above)
    return (below * without).sum(axis=2)[:, 0] * dx[0]


def moves(noise, n, h):
    """(k,) standard deviation of what h more instances do to means over n."""
    return np.asarray(noise) * np.sqrt(h / (n * (n + h)))


def two(difference, t):
    """What the worse of two is worth: the expected positive part of a normal difference."""
    z = difference / t
    return t * (norm.pdf(z) - z * norm.cdf(-z))


def left_by_hand(means, noise, order, *, n, ahead, price) -> dict[int, tuple[float, float]]:
    """`not_worthwhile` as told: one after the other, by a sum over 2000 points."""
    stay = [int(i) for i in order]
    gone = {}
    for i in stay[:0:-1]:
        best = 0.0
        for h in [2**p for p in range(20) if 2**p <= ahead]:
            t = moves(noise, n, h)
            low, high = (means - 9 * t).min(), means[order[0]] + 9 * t[order[0]]
            x = np.linspace(low, high, 2000)
            density = norm.cdf((x - means[i]) / t[i])
            for j in stay:
                if j != i:
                    density = density * norm.sf((x - means[j]) / t[j])
            best = max(best, density.sum() * (x[1] - x[0]) / h)
        k = len(stay)
        threshold = price * math.sqrt(k) / (k - 1)
        if best < threshold:
            gone[i] = best, threshold
            stay.remove(i)
    return gone


# What a candidate is worth


@pytest.mark.parametrize("k", [2, 3, 6])
@pytest.mark.parametrize("h", [1, 8, 64])
def test_the_gain_is_what_drawn_means_say(k, h):
    """By 200 000 draws of the means, within 4 standard errors."""
    means, t = MEANS[:k], moves(NOISE[:k], 6, h)
    drawn = np.random.default_rng(k + h).normal(means, t, size=(200_000, k))
    found = gains(means, t)
    for i in range(1, k):
        better = np.maximum(np.delete(drawn, i, axis=1).min(axis=1) - drawn[:, i], 0.0)
        error = better.std() / math.sqrt(len(better))
        assert found[i] == pytest.approx(better.mean(), abs=4 * error + 1e-8)


@pytest.mark.parametrize("noise", [(1.0, 1.0), (1.0, 3.0), (5.0, 1.0)])
@pytest.mark.parametrize("z", [0.0, 0.3, 1.0, 2.0, 4.0])
def test_of_two_it_is_the_closed_form(noise, z):
    t = math.hypot(*noise)
    found = gains(np.array([0.0, z * t]), noise)[1]
    assert found == pytest.approx(two(z * t, t), rel=1e-4)


@pytest.mark.parametrize("h", [1, 8, 64, 4096])
@pytest.mark.parametrize("least", [1.0, 0.5, 0.1])
def test_96_points_are_as_good_as_2000(monkeypatch, h, least):
    """Also where one candidate varies ten times as little as the others."""
    noise = np.where(np.arange(6) == 2, least, 1.0) * NOISE
    t = moves(noise, 6, h)
    few = gains(MEANS, t)
    monkeypatch.setattr(gain, "_POINTS", 2000)
    assert few == pytest.approx(gains(MEANS, t), rel=1e-5, abs=1e-8 * t.max())


def test_the_most_favourable_number_of_instances_counts():
    """Well behind after 20 instances, one more changes nothing, but 32 could."""
    n, means, order = 20, np.array([0.0, 0.5]), np.array([0, 1])
    of = {h: two(0.5, moves(math.sqrt(2), n, h)) / h for h in (1, 2, 4, 8, 16, 32, 64)}
    assert max(of, key=of.__getitem__) == 32
    for ahead in (1, 2, 7, 8, 100):
        gain, _ = not_worthwhile(means, np.ones(2), order, n=n, ahead=ahead, price=1.0)[1]
        assert gain == pytest.approx(max(v for h, v in of.items() if h <= ahead), rel=1e-4)


def test_spreads_are_of_the_differences_to_the_leader_and_of_all():
    n, k, prior = 9, 4, 3.0
    rng = np.random.default_rng(1)
    y = rng.normal(size=(n, k)) * [1.0, 0.5, 2.0, 1.0]
    y += 5 * rng.normal(size=(n, 1))
    within = [[y[i, j] - sum(y[i]) / k for j in range(k)] for i in range(n)]
    column = [sum(row[j] for row in within) / n for j in range(k)]
    rest = sum((within[i][j] - column[j]) ** 2 for i in range(n) for j in range(k))
    behind = [y[i, j] - y[i, 2] for i in range(n) for j in range(k)]
    unit = sum((b - sum(behind) / (n * k)) ** 2 for b in behind) / (n * k) / 2
    pooled = (rest + unit) / ((n - 1) * (k - 1) + 1)
    expected = [
        ((n - 1) * np.var(y[:, j] - y[:, 2], ddof=1) / 2 + prior * pooled) / (n - 1 + prior)
        for j in range(k)
    ]
    expected[2] = pooled
    np.testing.assert_allclose(spreads(y, 2, prior=prior), np.sqrt(expected))


@pytest.mark.parametrize("effect", [10.0, 1e6])
def test_what_an_instance_adds_to_all_scores_is_no_noise(effect):
    y = noisy(8, 12, seed=1)
    effects = effect * np.random.default_rng(2).normal(size=(12, 1))
    found = spreads(y + effects, 0, prior=4.0)
    np.testing.assert_allclose(found, spreads(y, 0, prior=4.0), rtol=1e-9)


@pytest.mark.parametrize("leader", range(3))
@pytest.mark.parametrize("factor", [1e-14, 0.3, 1e9])
def test_spreads_are_in_units_of_scores_wherever_their_zero_is(leader, factor):
    y = noisy(3, 12, seed=1)
    expected = factor * spreads(y, leader, prior=4.0)
    np.testing.assert_allclose(spreads(factor * y, leader, prior=4.0), expected, rtol=1e-12)
    np.testing.assert_allclose(spreads(factor * (y + 1e3), leader, prior=4.0), expected, rtol=1e-9)


@pytest.mark.parametrize("spread", [0.0, 3.0])
def test_where_nobody_differs_spreads_are_above_0_all_the_same(spread):
    """The pseudo-observation is then of the instances, or of the size of costs, or 1."""
    y = np.tile(7.0 + spread * np.arange(5.0)[:, None], (1, 3))
    unit = spread * math.sqrt(2) or 7.0
    assert spreads(y, 0, prior=4.0)[0] == pytest.approx(unit / math.sqrt(4 * 2 + 1))
    assert spreads(np.zeros((5, 3)), 0, prior=4.0)[0] == pytest.approx(1 / 3)


def test_nor_does_rounding_make_a_spread():
    """The mean of three times 0.1 is not 0.1."""
    y = np.tile(0.1 * np.arange(1.0, 7.0)[:, None], (1, 3))
    assert spreads(y, 0, prior=4.0)[0] == pytest.approx(y.std() / math.sqrt(5 * 2 + 1))


# One after the other


@pytest.mark.parametrize("price", [1e-4, 1e-3, 3e-3, 1e-2, 0.1])
@pytest.mark.parametrize("seed", range(4))
def test_who_leaves_is_judged_among_those_who_stay(price, seed):
    rng = np.random.default_rng(seed)
    means, noise = rng.uniform(size=7) * 0.5, rng.uniform(0.5, 1.5, size=7)
    case = {"n": 8, "ahead": 30, "price": price}
    order = np.argsort(means)
    found = not_worthwhile(means, noise, order, **case)
    expected = left_by_hand(means, noise, order, **case)
    assert list(found) == list(expected)
    for i, (value, threshold) in found.items():
        assert value == pytest.approx(expected[i][0], rel=1e-4, abs=1e-9)
        assert threshold == pytest.approx(expected[i][1])


def test_of_ten_alike_most_go_at_once_though_each_alone_would_stay():
    """Gains are expected gaps of normal order statistics, over k; beside the leader .56 t."""
    n = 5
    t = moves(1.0, n, 1)
    case = {"n": n, "ahead": 50, "price": 0.3 * t}
    assert list(not_worthwhile(np.zeros(10), np.ones(10), np.arange(10), **case)) == [
        9, 8, 7, 6, 5, 4, 3,
    ]  # fmt: skip
    assert not_worthwhile(np.zeros(2), np.ones(2), np.arange(2), **case) == {}
