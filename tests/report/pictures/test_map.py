"""The map: the two parameters that go most with the standing, and every configuration's values."""

from __future__ import annotations

import numpy as np

from racing.report.page.data import page_data
from racing.report.pictures.map import picture
from tests.report.kit import told


def a_run(**how):
    rng = np.random.default_rng(1)
    values = [
        {"size": float(j), "kind": "ab"[j % 2], "noise": float(rng.random())} for j in range(12)
    ]
    return told(np.arange(12.0) + rng.normal(size=(8, 12)), rule="none", values=values, **how)


def test_the_two_parameters_that_go_most_with_the_standing_come_first():
    found = picture(a_run())
    assert found.data["parameters"][0]["name"] == "size"
    assert len(found.data["parameters"]) == 3
    assert len(found.table.rows) == 12


def test_one_parameter_makes_no_map():
    assert not picture(told(np.random.default_rng(1).random((8, 5)), rule="none")).chart


def test_a_page_has_its_points_once(tmp_path):
    pictures = {one["id"]: one for one in page_data(a_run(), tmp_path / "run.sqlite")["pictures"]}
    assert "points" not in pictures["map"]["data"]["parameters"][0]
    assert pictures["map"]["table"]["same"] == "configurations"
