"""Configurations drawn around the elites: their distribution, against the formulas."""

from __future__ import annotations

import itertools

import numpy as np
from scipy import stats

from racing.search.coding import Coding
from racing.search.iterated.newcomers import Model, Shape, parent_weights
from racing.space import Categorical, Real, Space

SHAPE = Shape.of(Coding(Space({"x": Real(0, 1), "kind": Categorical(["a", "b", "c"])})))
N = 4000


def test_better_elites_are_parents_more_often():
    assert parent_weights(4).tolist() == [0.4, 0.3, 0.2, 0.1]
    points = np.array([[0.5, 0.0], [0.5, 1.0], [0.5, 2.0]])
    model = Model(np.array([0.1, 0.0]), np.array([[0, 0, 0], [1 / 3] * 3]))
    _, parents = SHAPE.around(points, [model] * 3, N, np.random.default_rng(1))
    counts = np.bincount(parents, minlength=3)
    assert stats.chisquare(counts, N * parent_weights(3)).pvalue > 0.001


def test_numbers_come_from_a_truncated_normal():
    points = np.array([[0.1, 0.0]])
    model = Model(np.array([0.2, 0.0]), np.array([[0, 0, 0], [1.0, 0, 0]]))
    found, _ = SHAPE.around(points, [model], N, np.random.default_rng(2))
    wanted = stats.truncnorm(-0.1 / 0.2, 0.9 / 0.2, loc=0.1, scale=0.2)
    assert stats.kstest(found[:, 0], wanted.cdf).pvalue > 0.001


def test_categories_come_by_their_probabilities():
    points = np.array([[0.1, 0.0]])
    weights = np.array([0.7, 0.1, 0.2])
    model = Model(np.array([0.2, 0.0]), np.array([np.zeros(3), weights]))
    found, _ = SHAPE.around(points, [model], N, np.random.default_rng(3))
    counts = np.bincount((found[:, 1] * 3).astype(int), minlength=3)
    assert stats.chisquare(counts, N * weights).pvalue > 0.001


def test_what_the_parent_has_inactive_is_uniform():
    points = np.array([[np.nan, np.nan]])
    model = Model(np.array([0.01, 0.0]), np.array([np.zeros(3), [0.5, 0.5, 0]]))
    found, _ = SHAPE.around(points, [model], N, np.random.default_rng(4))
    assert stats.kstest(found[:, 0], "uniform").pvalue > 0.001
    assert set((found[:, 1] * 3).astype(int)) == {0, 1}


TWO_NUMBERS = Shape.of(
    Coding(Space({"x": Real(0, 1), "y": Real(0, 1), "kind": Categorical(["a", "b"])}))
)
NAN = np.nan


def by_pairs(points, threshold):
    """The definition, pair by pair."""
    found = np.zeros(len(points), dtype=bool)
    for a, b in itertools.combinations(range(len(points)), 2):
        same_activity = (np.isnan(points[a]) == np.isnan(points[b])).all()
        numbers = np.nan_to_num(np.abs(points[a, :2] - points[b, :2])).max() <= threshold
        categories = np.nan_to_num(points[a, 2]) == np.nan_to_num(points[b, 2])
        if same_activity and numbers and categories:
            found[[a, b]] = True
    return found


def test_two_are_if_no_number_differs_by_more_than_the_threshold():
    points = np.array([[0.1, 0.2, 0], [0.10009, 0.2, 0], [0.1, 0.2, 1], [0.5, NAN, 0], [0.5, 0, 0]])
    assert TWO_NUMBERS.similar(points, 1e-4).tolist() == [True, True, False, False, False]
    assert not TWO_NUMBERS.similar(points, 1e-5).any()


def test_inactive_is_like_inactive_only():
    points = np.array([[0.5, NAN, 0], [0.5, NAN, 0], [0.5, 0.0, 0]])
    assert TWO_NUMBERS.similar(points, 1e-4).tolist() == [True, True, False]


def test_it_is_what_comparing_all_pairs_says():
    rng = np.random.default_rng(5)
    points = np.column_stack([rng.random((60, 2)).round(1), rng.integers(0, 2, 60)])
    points[rng.random(60) < 0.3, 1] = NAN
    for threshold in (0.0, 0.05, 0.11):
        assert (
            TWO_NUMBERS.similar(points, threshold).tolist() == by_pairs(points, threshold).tolist()
        )


def test_categories_alone():
    shape = Shape.of(Coding(Space({"kind": Categorical(["a", "b"])})))
    assert shape.similar(np.array([[0.0], [1.0], [0.0]]), 1e-4).tolist() == [True, False, True]
