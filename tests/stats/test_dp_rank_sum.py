"""The Bayesian rank-sum test: exact cases, the two methods, priors, laws."""

from __future__ import annotations

import itertools
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import betainc

from racing.stats import dp_rank_sum, prior_bounds, vargha_delaney
from racing.stats._samples import Groups
from racing.stats.dp_rank_sum import AT, Draws, RankSumPrior, drawn

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


# --- draws of A: the double sum over runs, from the same weights ---------------------------------


SAMPLES = ([3.0, 1.0, 2.0, 2.0], [2.0], [np.inf, 0.5, 2.0, 5.0, np.inf])


def by_summing(s, q, draws, seed):
    """A of each pair from weights drawn in the same order."""
    rng = np.random.default_rng(seed)
    samples = [np.sort(x) for x in SAMPLES]
    sizes = [len(x) for x in samples]
    weights = np.split(rng.standard_exponential((sum(sizes), draws)), np.cumsum(sizes)[:-1])
    atoms = rng.standard_gamma(s, size=(3, draws)) if s else np.zeros((3, draws))
    out = []
    for i, j in ((0, 1), (0, 2), (1, 2)):
        h = np.less.outer(samples[i], samples[j]) + np.equal.outer(samples[i], samples[j]) / 2
        w, v = weights[i], weights[j]
        won = np.einsum("ad,ab,bd->d", w, h, v)
        w0, v0, w, v = atoms[i], atoms[j], w.sum(axis=0), v.sum(axis=0)
        out.append((won + q * (w0 * v + w * v0 + w0 * v0)) / ((w + w0) * (v + v0)))
    return np.array(out)


@pytest.mark.parametrize("s", [0.0, 0.25, 1.0])
@pytest.mark.parametrize("q", [0.0, 0.5, 1.0])
def test_by_definition(s, q):
    (block,) = drawn(Groups.of(SAMPLES), s, 50, np.random.default_rng(1))
    assert block.a(q) == pytest.approx(by_summing(s, q, 50, 1))


def test_blocks_add_up(monkeypatch):
    monkeypatch.setattr(sys.modules["racing.stats.dp_rank_sum"], "_CELLS", 70)
    blocks = list(drawn(Groups.of(SAMPLES), 0.5, 33, np.random.default_rng(1)))
    assert len(blocks) > 1
    joined = Draws.joined(blocks)
    assert joined.won.shape == (3, 33)
    assert joined.a(0.5).shape == (3, 33)


# --- both sides of the rope: each entry of a matrix is the posterior of its pair alone -----------


RANK_SUM_SIDES_SAMPLES = ([1.0, 2.0, 3.0, 4.0], [2.0, 3.0, 4.0, 5.5, np.inf], [0.5, 3.0, 3.0])
DRAWS = 20_000
NEAR = 4.5 * 0.5 / DRAWS**0.5  # standard errors of a share
PRIORS: tuple[RankSumPrior, ...] = ("none", "left", "rope", "right")


Sides = tuple[np.ndarray, np.ndarray, np.ndarray]


def sides(
    samples: tuple[list[float], ...], prior: RankSumPrior, *, rope: float = 0.0,
    s: float = 1.0, method: str = "monte carlo",
) -> Sides:  # fmt: skip
    found = dp_rank_sum(
        samples, rng=np.random.default_rng(1), prior=prior, rope=rope, s=s,
        method=method, draws=DRAWS,  # type: ignore[arg-type]
    )  # fmt: skip
    return found.p_left, found.p_rope, found.p_right


def shares(
    x: list[float], y: list[float], prior: RankSumPrior, *, rope: float, s: float
) -> tuple[float, float]:
    """P(A > 1/2 + rope) and P(A < 1/2 - rope) by the definition, from other draws."""
    rng = np.random.default_rng(2)
    s = 0.0 if prior == "none" else s
    extended = [np.append(np.ones(len(one)), s) for one in (x, y)]
    v, w = (rng.standard_gamma(np.maximum(one, 1e-300), (DRAWS, len(one))) for one in extended)
    h = np.full((len(x) + 1, len(y) + 1), AT[prior])
    h[:-1, :-1] = np.less.outer(x, y) + np.equal.outer(x, y) / 2
    a = np.einsum("da,ab,db->d", v, h, w) / (v.sum(axis=1) * w.sum(axis=1))
    return float(np.mean(a > 0.5 + rope)), float(np.mean(a < 0.5 - rope))


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("rope", [0.0, 0.06])
def test_each_pair_in_each_order_by_definition(prior: RankSumPrior, rope: float) -> None:
    left, inside, right = sides(RANK_SUM_SIDES_SAMPLES, prior, rope=rope)
    for i, j in itertools.permutations(range(3), 2):
        above, below = shares(
            RANK_SUM_SIDES_SAMPLES[i], RANK_SUM_SIDES_SAMPLES[j], prior, rope=rope, s=1.0
        )
        assert left[i, j] == pytest.approx(above, abs=2**0.5 * NEAR), (i, j)
        assert right[i, j] == pytest.approx(below, abs=2**0.5 * NEAR), (i, j)
    assert left + inside + right == pytest.approx(np.ones((3, 3)))


@pytest.mark.parametrize("method", ["monte carlo", "beta"])
def test_the_other_order_is_the_other_side_under_the_other_prior(method: str) -> None:
    turned: dict[RankSumPrior, RankSumPrior] = {"left": "right", "rope": "rope", "none": "none"}
    for prior, other in turned.items():
        left, inside, right = sides(RANK_SUM_SIDES_SAMPLES, prior, rope=0.05, method=method)
        turned_left, turned_inside, turned_right = sides(
            RANK_SUM_SIDES_SAMPLES, other, rope=0.05, method=method
        )
        assert turned_left == pytest.approx(right.T)
        assert turned_right == pytest.approx(left.T)
        assert turned_inside == pytest.approx(inside.T)


@pytest.mark.parametrize("method", ["monte carlo", "beta"])
def test_a_prior_pulls_to_its_side_in_every_order(method: str) -> None:
    left, rope, right = (
        sides(RANK_SUM_SIDES_SAMPLES, prior, s=3.0, method=method)[0]
        for prior in ("left", "rope", "right")
    )
    off = ~np.eye(3, dtype=bool)
    assert (left[off] > rope[off]).all()
    assert (rope[off] > right[off]).all()


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("method", ["monte carlo", "beta"])
def test_a_sample_is_equivalent_to_itself(prior: RankSumPrior, method: str) -> None:
    left, inside, right = sides(RANK_SUM_SIDES_SAMPLES, prior, method=method)
    assert np.diag(left).tolist() == np.diag(right).tolist() == [0.5] * 3
    assert (inside == 0).all()
    left, inside, right = sides(RANK_SUM_SIDES_SAMPLES, prior, rope=0.1, method=method)
    assert np.diag(inside).tolist() == [1.0] * 3


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("method", ["monte carlo", "beta"])
def test_of_equal_runs_the_prior_alone_decides(prior: RankSumPrior, method: str) -> None:
    left, _, right = sides(([7.0] * 3, [7.0] * 2), prior, method=method)
    share = AT[prior]
    assert left[0, 1] == left[1, 0] == share
    assert right[0, 1] == right[1, 0] == 1 - share
