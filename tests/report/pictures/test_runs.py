"""Every run as a picture: order, medians with intervals, and failures."""

from __future__ import annotations

import numpy as np

import racing
from racing.report.forms import Points
from racing.report.pictures.runs import every_run
from racing.stats import median_difference
from tests.report.kit import marks


def drawn(data, **options):
    return every_run(racing.compare(data, paired=False, **options))


def rows(data, **options):
    return [row[1:] for row in drawn(data, **options).table.rows]


def test_the_best_comes_first_with_its_median_and_interval():
    x, y = np.arange(12.0), np.arange(12.0) + 3
    first, second = rows({"y": y, "x": x})
    assert (first[0], second[0]) == ("x", "y")
    middle = median_difference(np.zeros(12), x, estimator="median")
    assert first[3:] == (5.5, middle.low, middle.high)
    dots, ticks = marks(drawn({"y": y, "x": x}), Points)
    assert [at for at, row in zip(dots.x[0], dots.y[0], strict=True) if row < 0.5] == x.tolist()
    assert ticks.x[0] == (5.5, 8.5)


def test_higher_scores_keep_their_direction():
    first, _ = rows({"x": np.arange(12.0), "y": np.arange(12.0) + 3}, direction="maximize")
    assert first[0] == "y"
    assert first[4] < first[3] == 8.5 < first[5]


def test_failures_are_counted_and_not_drawn():
    _, late = rows({"x": [1.0, 2, 3], "y": [np.inf, np.inf, 9]})
    assert late[1:4] == (3, 2, "inf")
    found = drawn({"x": [1.0, 2, 3], "y": [np.inf] * 3})
    dots, ticks = marks(found, Points)
    assert len(dots.x[0]) == 3
    assert ticks.x[0] == (2, None)
    assert found.figure.plots[0].y[0].levels == ("x (3)", "y (3, 3 failed)")
