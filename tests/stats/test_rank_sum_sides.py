"""Both sides of the rope: each entry of a matrix is the posterior of its pair alone."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from racing.base.errors import InputError
from racing.stats.dp_rank_sum import AT, RankSumPrior, dp_rank_sum

SAMPLES = ([1.0, 2.0, 3.0, 4.0], [2.0, 3.0, 4.0, 5.5, np.inf], [0.5, 3.0, 3.0])
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
    left, inside, right = sides(SAMPLES, prior, rope=rope)
    for i, j in itertools.permutations(range(3), 2):
        above, below = shares(SAMPLES[i], SAMPLES[j], prior, rope=rope, s=1.0)
        assert left[i, j] == pytest.approx(above, abs=2**0.5 * NEAR), (i, j)
        assert right[i, j] == pytest.approx(below, abs=2**0.5 * NEAR), (i, j)
    assert left + inside + right == pytest.approx(np.ones((3, 3)))


@pytest.mark.parametrize("method", ["monte carlo", "beta"])
def test_the_other_order_is_the_other_side_under_the_other_prior(method: str) -> None:
    turned: dict[RankSumPrior, RankSumPrior] = {"left": "right", "rope": "rope", "none": "none"}
    for prior, other in turned.items():
        left, inside, right = sides(SAMPLES, prior, rope=0.05, method=method)
        turned_left, turned_inside, turned_right = sides(SAMPLES, other, rope=0.05, method=method)
        assert turned_left == pytest.approx(right.T)
        assert turned_right == pytest.approx(left.T)
        assert turned_inside == pytest.approx(inside.T)


@pytest.mark.parametrize("method", ["monte carlo", "beta"])
def test_a_prior_pulls_to_its_side_in_every_order(method: str) -> None:
    left, rope, right = (
        sides(SAMPLES, prior, s=3.0, method=method)[0] for prior in ("left", "rope", "right")
    )
    off = ~np.eye(3, dtype=bool)
    assert (left[off] > rope[off]).all()
    assert (rope[off] > right[off]).all()


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("method", ["monte carlo", "beta"])
def test_a_sample_is_equivalent_to_itself(prior: RankSumPrior, method: str) -> None:
    left, inside, right = sides(SAMPLES, prior, method=method)
    assert np.diag(left).tolist() == np.diag(right).tolist() == [0.5] * 3
    assert (inside == 0).all()
    left, inside, right = sides(SAMPLES, prior, rope=0.1, method=method)
    assert np.diag(inside).tolist() == [1.0] * 3


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("method", ["monte carlo", "beta"])
def test_of_equal_runs_the_prior_alone_decides(prior: RankSumPrior, method: str) -> None:
    left, _, right = sides(([7.0] * 3, [7.0] * 2), prior, method=method)
    share = AT[prior]
    assert left[0, 1] == left[1, 0] == share
    assert right[0, 1] == right[1, 0] == 1 - share


@pytest.mark.parametrize("rope", [-0.1, 0.5, True, "much", float("nan")])
def test_a_rope_is_below_a_half(rope: object) -> None:
    with pytest.raises(InputError, match=r"^rope must be half the width"):
        dp_rank_sum(SAMPLES, rng=np.random.default_rng(1), rope=rope)  # type: ignore[arg-type]


def test_auto_draws_where_a_sample_is_small() -> None:
    large = [float(k) for k in range(30)]
    for samples, drawn in (((large, large), 0), ((large, large[1:]), 100)):
        assert dp_rank_sum(samples, rng=np.random.default_rng(1), draws=100).draws == drawn
