"""Importance in a report: what `racing explain` says, or why there is none."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from racing.analysis.explain.explanation import explain
from racing.base.errors import InputError
from racing.report import read_history
from racing.report.parameters import effects
from racing.report.pictures import space as module
from racing.report.pictures.space import importance
from racing.report.pictures.space import importances as picture
from tests.report.kit import told, told_search
from tests.report.states import STATES
from tests.worlds import normal_world

pytest.importorskip("sklearn", reason="forests need the extra racing[sklearn]")


@pytest.fixture(scope="module")
def log(tmp_path_factory) -> Path:
    return told_search(tmp_path_factory.mktemp("importance"), budget=150)


def test_it_is_what_explain_says(log):
    found = importance(read_history(log))
    assert found.parameters == explain(log).importance.parameters
    assert found.r2 == explain(log).importance.r2


def test_the_picture_has_the_shares_with_their_spread():
    rng = np.random.default_rng(5)
    values = [{"x": float(rng.random()), "y": float(rng.random())} for _ in range(40)]
    costs = np.array([4 * one["x"] + 0.3 * one["y"] for one in values]) + np.zeros((7, 1))
    space = {"x": {"real": [0, 1]}, "y": {"real": [0, 1]}}
    found = picture(told(costs, rule="none", values=values, scenario={"space": space}))
    assert found.figure is not None
    name, alone, spread, total, _ = found.table.rows[0]
    assert name == "x"
    assert 0.5 < alone <= total <= 1
    assert spread >= 0
    assert "not fitted to" in found.sentence


@pytest.mark.parametrize("state", ["interrupted", "one survivor"])
def test_without_a_space_or_an_end_there_is_none(state):
    found = picture(STATES[state]())
    assert not found.figure
    assert "space" in found.sentence or "over" in found.sentence


def test_without_a_model_it_is_the_share_of_each_parameter_by_itself():
    rng = np.random.default_rng(5)
    values = [{"x": float(rng.random()), "y": float(rng.random())} for _ in range(40)]
    costs = np.array([4 * one["x"] + 0.3 * one["y"] for one in values]) + np.zeros((7, 1))
    run = told(costs, rule="none", values=values)
    found = picture(run)
    assert found.figure is not None
    assert "x matters most" in found.sentence
    assert found.sentence.endswith("No model: the scenario has no space.")
    first, second = effects(run)
    assert [row[:2] for row in found.table.rows] == [
        (one.name, pytest.approx(one.association, abs=1e-3)) for one in (first, second)
    ]
    left = [
        replace(first, of=dict(pairs), standing=first.standing[kept]).association
        for group in range(10)
        for kept in [np.flatnonzero(np.arange(40) % 10 != group)]
        for pairs in [[[*first.of.items()][k] for k in kept]]
    ]
    jackknife = np.sqrt(9 / 10 * np.square(np.array(left) - np.mean(left)).sum())
    assert first.spread() == pytest.approx(jackknife)
    assert np.isnan(replace(first, of={1: 0.0}, standing=first.standing[:1]).spread())


def test_a_model_that_explains_nothing_shows_no_shares():
    values = [{"x": (j * 7 % 24) / 24} for j in range(24)]
    space = {"x": {"real": [0, 1]}}
    costs = normal_world(24, 6, seed=3, noise=30.0)
    found = picture(told(costs, rule="none", values=values, scenario={"space": space}))
    assert not found.figure
    assert "too little" in found.sentence


def test_too_many_configurations_are_left_to_the_command(log, monkeypatch):
    monkeypatch.setattr(module, "MOST", 3)
    with pytest.raises(InputError, match="racing explain"):
        importance(read_history(log))
