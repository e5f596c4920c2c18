"""Worlds know the truth about what they make."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import ndtr
from scipy.stats import rankdata

from benchmarks.racing_lab.families import DATA, chosen
from benchmarks.racing_lab.worlds import Matrix, Normal, Synthetic

SYNTHETIC = chosen(kind="synthetic")


def test_the_papers_world():
    """Section 7.1: means uniform on [0, 1], noise ρ, the highest score is best."""
    sample = Normal(30, 0.5, 4000).sample(np.random.default_rng(1))
    assert sample.costs.shape == (4000, 30)
    assert -1 <= sample.mean.min() < sample.mean.max() <= 0
    np.testing.assert_allclose(sample.costs.mean(axis=0), sample.mean, atol=5 * 0.5 / 4000**0.5)
    np.testing.assert_allclose(sample.costs.std(axis=0), 0.5, rtol=0.06)
    np.testing.assert_array_equal(sample.rank, rankdata(sample.mean))
    wins = (sample.costs[:, 0] < sample.costs[:, 1]).mean()
    assert sample.alike(0, 1) == pytest.approx(wins, abs=4 * 0.5 / 4000**0.5)
    assert sample.alike(0, 1) + sample.alike(1, 0) == pytest.approx(1)


@pytest.mark.parametrize("family", SYNTHETIC, ids=lambda family: family.name)
def test_synthetic_truths_are_those_of_a_long_run(family):
    world = replace(family.world, rows=6000)
    sample = world.sample(np.random.default_rng(4))
    costs = sample.costs
    error = costs.std(axis=0).max() * (1 / np.sqrt(6000) + 1 / np.sqrt(500))
    assert np.abs(costs.mean(axis=0) - sample.mean).max() < 5 * error
    ranks = rankdata(costs, axis=1).mean(axis=0)
    np.testing.assert_allclose(ranks, sample.rank, atol=0.05 * world.q)
    assert sample.rank.sum() == pytest.approx(world.q * (world.q + 1) / 2)
    a, b = costs[:, 0], costs[:, 1]
    assert sample.alike(0, 1) == pytest.approx((a < b).mean() + (a == b).mean() / 2, abs=0.1)


def test_the_better_location_has_the_better_truth_and_equals_have_the_same():
    locations = np.array([0.3, 0.0, 0.01, 0.3, -0.01])
    world = Synthetic(
        5, 10, lambda rng, q: locations, lambda rng, shape: rng.standard_normal(shape)
    )
    sample = world.sample(np.random.default_rng(2))
    for truth in (sample.mean, sample.rank):
        assert truth[0] == truth[3]
        assert list(np.argsort(truth, kind="stable")) == [4, 1, 2, 0, 3]
    assert sample.alike(0, 3) == 0.5
    assert sample.alike(4, 0) == pytest.approx(ndtr(0.31 / np.sqrt(2)), abs=0.06)


def test_a_matrix_is_met_in_random_order_without_replacement():
    world = Matrix(str(DATA / "aslib_MAXSAT19-UCMS.npz"))
    one, other = (world.sample(np.random.default_rng(seed)) for seed in (1, 2))
    assert one.costs.shape == (440, 7)
    assert not np.array_equal(one.costs, other.costs)
    np.testing.assert_allclose(np.sort(one.costs.sum(axis=1)), np.sort(other.costs.sum(axis=1)))
    np.testing.assert_allclose(one.costs.mean(axis=0), one.mean)
    np.testing.assert_allclose(rankdata(one.costs, axis=1).mean(axis=0), one.rank)


def test_part_of_a_matrix_keeps_the_truth_of_the_whole():
    world = Matrix(str(DATA / "aslib_MAXSAT19-UCMS.npz"), candidates=4, rows=50)
    sample = world.sample(np.random.default_rng(1))
    assert sample.costs.shape == (50, 4)
    assert sample.mean.shape == (4,)
    assert not np.allclose(sample.costs.mean(axis=0), sample.mean)
    assert sample.alike(0, 1) + sample.alike(1, 0) == pytest.approx(1)


def test_both_halves_have_every_kind():
    for half in ("tune", "report"):
        assert {family.kind for family in chosen(half=half)} == {"paper", "matrix", "synthetic"}
