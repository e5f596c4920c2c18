"""The forest of a run is fitted to the scale of costs that it explains best."""

from __future__ import annotations

import numpy as np
import pytest

from racing.analysis.explain.model import _best
from racing.space import Real, Space

pytest.importorskip("sklearn", reason="forests need the extra racing[sklearn]")

SPACE = Space({"x": Real(0, 1), "y": Real(0, 1)})
N, INSTANCES = 120, 6


@pytest.fixture
def points() -> np.ndarray:
    """Configurations on the unit scale."""
    return SPACE.encoding.draw(np.random.default_rng(1), N)


def table(points: np.ndarray, noise: float) -> np.ndarray:
    """Costs that are a sum of effects."""
    rng = np.random.default_rng(2)
    hard = rng.normal(size=(INSTANCES, 1))
    return 4 * points[:, 0] + hard + noise * rng.normal(size=(INSTANCES, N))


def test_costs_that_are_products_are_fitted_by_their_logarithms(points):
    forest, scale = _best(points, np.exp(2 * table(points, 0.5)), "mean", 1)
    assert scale == "log"
    assert forest.r2 > 0.8


def test_costs_that_are_sums_are_fitted_as_they_are(points):
    """Some are near 0, where logarithms are mostly noise."""
    costs = np.abs(table(points, 0.1) - table(points, 0.1).min()) + 1e-9
    forest, scale = _best(points, costs, "mean", 1)
    assert scale == "cost"
    assert forest.r2 > 0.8


def test_ranks_are_fitted_where_they_decide(points):
    assert _best(points, table(points, 0.5), "rank", 1)[1] == "rank"


def test_costs_that_are_all_the_same_have_a_forest_without_quality(points):
    forest, scale = _best(points, np.ones((INSTANCES, N)), "mean", 1)
    assert (forest.r2, scale) == (None, "cost")
