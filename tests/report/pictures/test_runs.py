"""Every run as a picture: order, medians with intervals, and failures."""

from __future__ import annotations

import numpy as np

import racing
from racing.report.pictures.runs import every_run
from racing.stats import median_difference


def rows(data, **options):
    return every_run(racing.compare(data, paired=False, **options)).data["panels"][0]["rows"]


def test_the_best_comes_first_with_its_median_and_interval():
    x, y = np.arange(12.0), np.arange(12.0) + 3
    first, second = rows({"y": y, "x": x})
    assert (first["name"], second["name"]) == ("x", "y")
    middle = median_difference(np.zeros(12), x, estimator="median")
    assert [first[k] for k in ("median", "low", "high")] == [5.5, middle.low, middle.high]
    assert first["scores"] == x.tolist()


def test_higher_scores_keep_their_direction():
    first, _ = rows({"x": np.arange(12.0), "y": np.arange(12.0) + 3}, direction="maximize")
    assert first["name"] == "y"
    assert first["low"] < first["median"] == 8.5 < first["high"]


def test_failures_are_counted_and_not_drawn():
    _, late = rows({"x": [1.0, 2, 3], "y": [np.inf, np.inf, 9]})
    assert (late["failed"], late["runs"], late["scores"], late["median"]) == (2, 3, [9], "inf")
    _, never = rows({"x": [1.0, 2, 3], "y": [np.inf] * 3})
    assert never["scores"] == []
