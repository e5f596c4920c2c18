"""Strips: the advantage of each finalist over their median, by instance."""

from __future__ import annotations

import numpy as np
import pytest

from racing.report.pictures.strips import picture
from tests.report.kit import told


def test_advantages_and_medians_are_those_of_the_costs():
    costs = np.random.default_rng(2).normal(size=(9, 3))
    run = told(costs, rule="none")
    data = picture(run).data
    middle = np.median(costs, axis=1)
    met = [int(run.race.instance(step).name) for step in data["steps"]]
    for strip in data["strips"]:
        own = costs[met, strip["id"] - 1]
        assert strip["ahead"] == pytest.approx((middle[met] - own).tolist(), rel=1e-3, abs=1e-4)
        assert strip["medians"][1] == pytest.approx(np.median(own), rel=1e-3)


def test_scores_to_be_large_are_ahead_where_they_are_large():
    run = told(-np.random.default_rng(2).normal(size=(9, 3)), rule="none", direction="maximize")
    for strip in picture(run).data["strips"]:
        scores = np.array(strip["scores"])
        assert np.corrcoef(scores, strip["ahead"])[0, 1] > 0


def test_failures_are_told_apart_also_where_most_fail():
    costs = np.random.default_rng(2).normal(size=(9, 4))
    costs[:3, 1:] = np.inf
    strips = {one["id"]: one for one in picture(told(costs, rule="none")).data["strips"]}
    assert strips[2]["ahead"].count("-inf") == 3
    assert strips[1]["ahead"].count("inf") == 3, "the only one that did not fail"


def test_few_shared_instances_are_too_few():
    found = picture(told(np.random.default_rng(2).normal(size=(4, 3)), rule="none"))
    assert not found.chart
    assert "five instances" in found.sentence


def test_right_or_wrong_is_no_strip():
    costs = (np.random.default_rng(2).random((20, 3)) < 0.4).astype(float)
    assert "two values" in picture(told(costs, rule="none")).sentence
