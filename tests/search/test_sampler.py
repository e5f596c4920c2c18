"""The local sampler, and its draws from truncated normals, against SciPy's."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest
from scipy.stats import kstest, truncnorm

from racing.search.block import Block
from racing.search.sampler import LocalSampler, State, truncated_normal


def state(points, *, progress: float = 0.0) -> State:
    points = np.atleast_2d(np.array(points, dtype=float))
    m = len(points)
    return State(
        decisions=0,
        progress=progress,
        elites=tuple(range(10, 10 + m)),
        points=points,
        block=Block(np.ones((4, m)), "mean"),
        noise=1.0,
    )


def draws(sampler: LocalSampler, state: State, choices, n: int = 3000):
    rng = np.random.default_rng(1)
    return [sampler.draw(state, np.array(choices), rng) for _ in range(n)]


@pytest.mark.parametrize("progress", [0.0, 0.4, 1.0])
@pytest.mark.parametrize("parent", [0.0, 0.3, 1.0])
def test_numbers_are_truncated_normals_that_get_narrower(progress, parent):
    found = draws(LocalSampler(uniform=0.0, cooling=2.5), state([parent], progress=progress), [0])
    sd = 0.5 * math.exp(-2.5 * progress)
    law = truncnorm(-parent / sd, (1 - parent) / sd, loc=parent, scale=sd)
    assert kstest([one.point[0] for one in found], law.cdf).pvalue > 0.001


@pytest.mark.parametrize("progress", [0.0, 0.6, 1.0])
def test_categories_change_less_and_less(progress):
    found = draws(LocalSampler(uniform=0.0, cooling=2.5), state([2.0], progress=progress), [4])
    levels = np.floor(np.array([one.point[0] for one in found]) * 4)
    anew = 0.6 * min(1.0, 2 * 0.5 * math.exp(-2.5 * progress))
    assert np.mean(levels != 2) == pytest.approx(anew * 3 / 4, abs=0.03)


def test_the_best_elites_are_the_most_frequent_parents():
    found = draws(LocalSampler(uniform=0.0), state([[0.1], [0.5], [0.9]]), [0])
    shares = [np.mean([one.parent == id for one in found]) for id in (10, 11, 12)]
    assert shares == pytest.approx([3 / 6, 2 / 6, 1 / 6], abs=0.03)


def test_a_share_is_drawn_uniformly_and_has_no_parent():
    found = draws(LocalSampler(uniform=0.3), state([0.5], progress=1.0), [0])
    orphans = [one for one in found if one.origin == "uniform"]
    assert all(one.parent is None for one in orphans)
    assert len(orphans) / len(found) == pytest.approx(0.3, abs=0.03)
    assert kstest([one.point[0] for one in orphans], "uniform").pvalue > 0.001


def test_what_the_parent_lacks_is_uniform():
    found = draws(
        LocalSampler(uniform=0.0), state([[0.5, np.nan, np.nan]], progress=1.0), [0, 0, 3]
    )
    points = np.array([one.point for one in found])
    assert kstest(points[:, 1], "uniform").pvalue > 0.001
    assert kstest(points[:, 2], "uniform").pvalue > 0.001


def test_points_never_leave_the_cube():
    rng = np.random.default_rng(0)
    for progress in (0.0, 1.0):
        one = state(rng.integers(0, 2, (4, 30)), progress=progress)
        for _ in range(200):
            point = LocalSampler().draw(one, np.array([0] * 15 + [2] * 15), rng).point
            assert ((point >= 0) & (point <= 1)).all()


U = np.linspace(0.001, 0.999, 23)


@pytest.mark.parametrize("mean", [0.0, 0.02, 0.5, 1.0])
@pytest.mark.parametrize("sd", [0.001, 0.1, 0.5, 30.0])
def test_they_are_quantiles_of_the_truncated_normal(mean: float, sd: float) -> None:
    law = truncnorm(-mean / sd, (1 - mean) / sd, loc=mean, scale=sd)
    found = truncated_normal(np.full(len(U), mean), np.full(len(U), sd), U)
    assert found == pytest.approx(law.ppf(U), abs=1e-9)


def test_without_width_the_mean_comes_back() -> None:
    mean = np.array([0.0, 0.3, 1.0])
    assert truncated_normal(mean, np.zeros(3), np.full(3, 0.7)).tolist() == mean.tolist()
    assert truncated_normal(mean, np.full(3, 1e-9), np.full(3, 0.7)) == pytest.approx(
        mean, abs=1e-6
    )


def test_each_draw_is_inside() -> None:
    for mean in (0.0, 0.4, 1.0):
        for sd in (1e-300, 1e-9, 0.03, 1e9):
            found = truncated_normal(mean, sd, np.array([0.0, 1e-300, 0.5, np.nextafter(1, 0)]))
            assert ((found >= 0) & (found <= 1)).all()


def test_shapes_are_kept_and_nothing_is_known_of_nan() -> None:
    mean = np.array([[0.1, np.nan], [0.3, 0.4]])
    found = truncated_normal(mean, np.full((2, 2), 0.1), np.full((2, 2), 0.5))
    assert np.isnan(found).tolist() == [[False, True], [False, False]]
    assert truncated_normal(np.empty(0), 0.1, np.empty(0)).shape == (0,)


def test_scipy_is_not_imported_for_them() -> None:
    code = (
        "import sys; from racing.search.sampler import truncated_normal as draw;"
        "draw(0.5, 0.1, 0.3); sys.exit('scipy.special' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
