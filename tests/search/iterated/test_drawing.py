"""Configurations drawn around the elites: their distribution, against the formulas."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from racing.search.iterated.drawing import around, parent_weights, truncated_normal
from racing.search.iterated.model import Model
from racing.search.iterated.shape import Shape
from racing.space import Categorical, Real, Space

SHAPE = Shape.of(Space({"x": Real(0, 1), "kind": Categorical(["a", "b", "c"])}))
N = 4000


def test_better_elites_are_parents_more_often():
    assert parent_weights(4).tolist() == [0.4, 0.3, 0.2, 0.1]
    points = np.array([[0.5, 0.0], [0.5, 1.0], [0.5, 2.0]])
    model = Model(np.array([0.1, 0.0]), np.array([[0, 0, 0], [1 / 3] * 3]))
    _, parents = around(points, [model] * 3, SHAPE, N, np.random.default_rng(1))
    counts = np.bincount(parents, minlength=3)
    assert stats.chisquare(counts, N * parent_weights(3)).pvalue > 0.001


def test_numbers_come_from_a_truncated_normal():
    points = np.array([[0.1, 0.0]])
    model = Model(np.array([0.2, 0.0]), np.array([[0, 0, 0], [1.0, 0, 0]]))
    found, _ = around(points, [model], SHAPE, N, np.random.default_rng(2))
    wanted = stats.truncnorm(-0.1 / 0.2, 0.9 / 0.2, loc=0.1, scale=0.2)
    assert stats.kstest(found[:, 0], wanted.cdf).pvalue > 0.001


def test_categories_come_by_their_probabilities():
    points = np.array([[0.1, 0.0]])
    weights = np.array([0.7, 0.1, 0.2])
    model = Model(np.array([0.2, 0.0]), np.array([np.zeros(3), weights]))
    found, _ = around(points, [model], SHAPE, N, np.random.default_rng(3))
    counts = np.bincount((found[:, 1] * 3).astype(int), minlength=3)
    assert stats.chisquare(counts, N * weights).pvalue > 0.001


def test_what_the_parent_has_inactive_is_uniform():
    points = np.array([[np.nan, np.nan]])
    model = Model(np.array([0.01, 0.0]), np.array([np.zeros(3), [0.5, 0.5, 0]]))
    found, _ = around(points, [model], SHAPE, N, np.random.default_rng(4))
    assert stats.kstest(found[:, 0], "uniform").pvalue > 0.001
    assert set((found[:, 1] * 3).astype(int)) == {0, 1}


def test_without_width_the_mean_comes_back():
    mean = np.array([0.0, 0.3, 1.0])
    assert truncated_normal(mean, np.zeros(3), np.full(3, 0.7)).tolist() == mean.tolist()
    assert truncated_normal(mean, np.full(3, 1e-9), np.full(3, 0.7)) == pytest.approx(
        mean, abs=1e-6
    )
