"""Errors over seeds and instances: the formula, its limits, and that intervals cover."""

from __future__ import annotations

import math

import numpy as np
import pytest

from benchmarks.search_live.errors import crossed


def test_it_is_the_formula_of_a_two_way_table() -> None:
    values = np.array([[1.0, 4.0, 7.0], [3.0, 4.0, 14.0]])
    # Mean squares by hand: 13.5 of rows (1 df), 39.5 of columns (2), 6.5 of the rest (2).
    assert crossed(values) == pytest.approx(math.sqrt((13.5 + 39.5 - 6.5) / 6))


def test_one_row_or_one_column_has_the_usual_error() -> None:
    values = np.array([1.0, 2.0, 6.0])
    assert crossed(values[:, None]) == crossed(values[None]) == values.std(ddof=1) / math.sqrt(3)
    assert math.isnan(crossed(np.ones((1, 1))))


def test_a_component_below_zero_counts_as_none() -> None:
    rest = np.array([[1.0, -1.0], [-1.0, 1.0]])  # rows and columns have equal means
    assert crossed(rest) == pytest.approx(math.sqrt(4 / 4))


def test_intervals_cover_where_seeds_share_instances() -> None:
    rng, seeds, instances, runs = np.random.default_rng(1), 10, 100, 400
    both = over_seeds = 0
    for _ in range(runs):
        values = 0.1 * rng.normal(size=(seeds, 1)) + rng.normal(size=(1, instances))
        values = values + rng.normal(size=(seeds, instances))
        both += abs(values.mean()) < 2 * crossed(values)
        over_seeds += abs(values.mean()) < 2 * crossed(values.mean(axis=1)[:, None])
    assert both / runs > 0.92
    assert over_seeds / runs < 0.8
