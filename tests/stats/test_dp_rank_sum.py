"""The Bayesian rank-sum test: exact cases, the two methods, priors, laws."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import betainc

from racing.base.errors import InputError
from racing.stats import (
    dp_rank_sum,
    prior_bounds,
    vargha_delaney,
)

X, Y = (1.1, 2.2, 3.3, 4.4, 2.5, 0.7, 3.1), (2, 5.1, 4.8, 6, 3.9)
COSTS = st.lists(st.sampled_from([0.0, 1.0, 2.0, np.inf]), min_size=1, max_size=5)
METHODS = ("monte carlo", "beta")


def rng():
    return np.random.default_rng(1)


def test_the_worked_example():
    """P(A > ½) = .979 without a prior, and .943 to .986 over the priors of weight ¼."""
    one = dp_rank_sum(X, Y, rng=rng(), draws=200_000)
    assert one.p_left == pytest.approx(0.979, abs=0.002)
    low, high = prior_bounds(dp_rank_sum, X, Y, rng=rng(), draws=200_000).p_left
    assert low == pytest.approx(0.943, abs=0.002)
    assert high == pytest.approx(0.986, abs=0.002)


def test_one_run_against_many_is_a_beta_tail():
    """A is then the weight of the runs that the one beats: Beta(wins, losses)."""
    y = [1.0, 2.0, 3.0, 6.0, 7.0, 8.0, 9.0]
    found = dp_rank_sum([5.0], y, rng=rng(), draws=100_000, rope=0.1)
    assert found.p_left == pytest.approx(1 - betainc(4, 3, 0.6), abs=0.006)
    assert found.p_right == pytest.approx(betainc(4, 3, 0.4), abs=0.006)
    exact = dp_rank_sum([5.0], y, rng=rng(), method="beta", rope=0.1)
    assert exact.p_left == pytest.approx(1 - betainc(4, 3, 0.6))
    assert (exact.low, exact.high) == pytest.approx((0.2228, 0.8819), abs=1e-4)


def test_the_mean_is_vargha_and_delaneys_a():
    found = dp_rank_sum(X, Y, rng=rng())
    assert found.a == pytest.approx(vargha_delaney(X, Y, paired=False).a)


def test_a_mean_of_infinitely_many_draws():
    """Several streams: the told standard error is the true one."""
    p = [
        float(dp_rank_sum(X, Y, rng=np.random.default_rng(i), draws=500).p_left) for i in range(80)
    ]
    told = dp_rank_sum(X, Y, rng=rng(), draws=500).standard_error
    assert np.std(p) == pytest.approx(told, rel=0.3)


@given(COSTS, COSTS, st.sampled_from([0.0, 0.06]), st.sampled_from(METHODS))
def test_laws(x, y, rope, method):
    one = dp_rank_sum(x, y, rng=rng(), rope=rope, method=method, draws=200)
    assert one.p_left + one.p_rope + one.p_right == pytest.approx(1)
    assert 0 <= one.low <= one.a + 1e-9
    assert one.a - 1e-9 <= one.high <= 1
    bounds = prior_bounds(dp_rank_sum, x, y, rng=rng(), rope=rope, method=method, draws=200)
    for low, high in (bounds.p_left, bounds.p_rope, bounds.p_right):
        assert 0 <= low <= high <= 1
    if method == "beta":
        back = dp_rank_sum(y, x, rng=rng(), rope=rope, method=method)
        assert back.p_left == pytest.approx(one.p_right)
        swapped = prior_bounds(dp_rank_sum, y, x, rng=rng(), rope=rope, method=method)
        assert np.array(swapped.p_left) == pytest.approx(np.array(bounds.p_right))


def test_priors_pull_to_their_side():
    p = {
        prior: dp_rank_sum(X, Y, rng=rng(), prior=prior, s=1.0)
        for prior in ("left", "rope", "none", "right")
    }
    assert p["left"].p_left > p["none"].p_left > p["right"].p_left
    assert p["left"].a > p["rope"].a > p["right"].a
    bounds = prior_bounds(dp_rank_sum, X, Y, rng=rng(), s=1.0)
    assert bounds.p_left == (p["right"].p_left, p["left"].p_left)


def test_equal_runs():
    for method in METHODS:
        one = dp_rank_sum([1, 1], [1, 1, 1], rng=rng(), method=method)
        assert (one.p_left, one.p_right, one.a, one.sd) == (0.5, 0.5, 0.5, 0)
        bounds = prior_bounds(dp_rank_sum, [1, 1], [1, 1, 1], rng=rng(), method=method)
        assert bounds.p_left == (0, 1)
        inside = dp_rank_sum([1, 1], [1, 1, 1], rng=rng(), method=method, rope=0.05)
        assert inside.p_rope == 1


def test_no_overlap_is_certain_for_no_prior_only():
    x, y = [1, 2, 3], [4, 5, 6]
    assert dp_rank_sum(x, y, rng=rng()).p_left == 1
    low, high = prior_bounds(dp_rank_sum, x, y, rng=rng()).p_left
    assert low < 0.98 < high == 1


def test_auto_draws_below_thirty_runs():
    stream = np.random.default_rng(2)
    many, few = stream.normal(size=30), stream.normal(size=29)
    assert dp_rank_sum(many, many + 0.1, rng=rng()).method == "beta"
    drawn = dp_rank_sum(many, few, rng=rng())
    assert (drawn.method, drawn.draws) == ("monte carlo", 10_000)
    assert drawn.standard_error > 0


@pytest.mark.parametrize("method", METHODS)
def test_pairs(method):
    stream = np.random.default_rng(3)
    samples = [np.round(stream.normal(i / 2, 1, 8 + i), 1) for i in range(4)]
    found = dp_rank_sum(samples, rng=rng(), method=method, rope=0.05, draws=20_000)
    bounds = prior_bounds(dp_rank_sum, samples, rng=rng(), method=method, draws=20_000)
    for i, x in enumerate(samples):
        assert (found.p_rope[i, i], found.a[i, i], found.sd[i, i]) == (1, 0.5, 0)
        assert bounds.p_left[0][i, i] == 0.5
        for j, y in enumerate(samples):
            if i != j:
                one = dp_rank_sum(x, y, rng=rng(), method=method, rope=0.05, draws=20_000)
                assert found.p_left[i, j] == pytest.approx(one.p_left, abs=0.015)
                assert found.low[i, j] == pytest.approx(one.low)
                edge = prior_bounds(dp_rank_sum, x, y, rng=rng(), method=method, draws=20_000)
                assert bounds.p_left[0][i, j] == pytest.approx(edge.p_left[0], abs=0.015)
    assert found.p_right == pytest.approx(found.p_left.T)


def test_the_same_stream_gives_the_same_answer():
    assert dp_rank_sum(X, Y, rng=rng()).p_left == dp_rank_sum(X, Y, rng=rng()).p_left


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"rope": 0.5}, "from 0 to below 0.5"),
        ({"rope": -0.1}, "from 0 to below 0.5"),
        ({"rope": "a"}, "from 0 to below 0.5"),
        ({"s": -1.0, "prior": "left"}, "prior weight"),
        ({"prior": "symmetric"}, "prior must be one of none, left"),
        ({"method": "normal"}, "method must be one of"),
        ({"draws": 0}, "draws"),
        ({"level": 95}, "level"),
        ({"rng": 1}, "rng must be"),
    ],
)
def test_refusals(options, says):
    with pytest.raises(InputError, match=says):
        dp_rank_sum(X, Y, **{"rng": rng(), **options})
