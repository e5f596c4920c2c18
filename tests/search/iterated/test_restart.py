"""Which configurations are nearly the same."""

from __future__ import annotations

import itertools

import numpy as np

from racing.search.iterated.restart import similar
from racing.search.iterated.shape import Shape
from racing.space import Categorical, Real, Space

SHAPE = Shape.of(Space({"x": Real(0, 1), "y": Real(0, 1), "kind": Categorical(["a", "b"])}))
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
    assert similar(points, SHAPE, 1e-4).tolist() == [True, True, False, False, False]
    assert not similar(points, SHAPE, 1e-5).any()


def test_inactive_is_like_inactive_only():
    points = np.array([[0.5, NAN, 0], [0.5, NAN, 0], [0.5, 0.0, 0]])
    assert similar(points, SHAPE, 1e-4).tolist() == [True, True, False]


def test_it_is_what_comparing_all_pairs_says():
    rng = np.random.default_rng(5)
    points = np.column_stack([rng.random((60, 2)).round(1), rng.integers(0, 2, 60)])
    points[rng.random(60) < 0.3, 1] = NAN
    for threshold in (0.0, 0.05, 0.11):
        assert similar(points, SHAPE, threshold).tolist() == by_pairs(points, threshold).tolist()


def test_categories_alone():
    shape = Shape.of(Space({"kind": Categorical(["a", "b"])}))
    assert similar(np.array([[0.0], [1.0], [0.0]]), shape, 1e-4).tolist() == [True, False, True]
