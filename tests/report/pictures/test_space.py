"""Pictures of parameters: which come first, where values lie, and what is switched off."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import sem, t

from racing.report.forms import Line, Lines, Points, Texts
from racing.report.parameters import Scale, effects
from racing.report.pictures.configurations import configurations
from racing.report.pictures.space import effects_of_parameters, map_of_two
from tests.report.kit import marks, told


def a_run():
    rng = np.random.default_rng(1)
    values = [
        {"size": float(j), "kind": "ab"[j % 2], "noise": float(rng.random())} for j in range(12)
    ]
    return told(np.arange(12.0) + rng.normal(size=(8, 12)), rule="none", values=values)


def test_the_two_parameters_that_go_most_with_the_standing_come_first():
    found = map_of_two(a_run())
    (plot,) = found.figure.plots
    assert plot.x[0].name == "size"
    assert plot.y[0].name == plot.x[1].name
    assert {axis.name for axis in plot.x} == {axis.name for axis in plot.y}
    assert len(plot.x) == 3
    assert len(found.table.rows) == 12
    dots, *ringed = marks(found, Points)
    assert sorted(dots.x[0]) == list(range(12))
    assert [one.name for one in ringed] == ["default", "winner"]


def test_one_parameter_makes_no_map():
    assert not map_of_two(told(np.random.default_rng(1).random((8, 5)), rule="none")).figure


def test_categories_lie_around_their_level_and_other_values_where_they_are():
    kinds = Scale(ends=None, levels=(True, "b", 3))
    seats = kinds.places([1, 2, 3, 4], {1: True, 2: 3, 4: "b"})
    assert [None if seat is None else round(seat) for seat in seats] == [0, 2, None, 1]
    assert Scale(ends=(0, 9), levels=None).places([1, 2], {2: 7.5}) == (None, 7.5)


def test_two_categories_fill_their_cells():
    """Shifts of one axis say nothing of those of the other, so a cell is no diagonal line."""
    values = [{"a": "xy"[j % 2], "b": "uvw"[j % 3]} for j in range(120)]
    run = told(np.random.default_rng(1).random((6, 120)), rule="none", values=values)
    dots = marks(map_of_two(run), Points)[0]
    across, up = (np.array(of) - np.round(of) for of in (dots.x[0], dots.y[0]))
    assert abs(np.corrcoef(across, up)[0, 1]) < 0.3
    assert np.abs([across, up]).max() <= 0.3
    assert marks(map_of_two(run), Points)[0] == dots


def test_effects_have_the_mean_place_in_each_part_with_its_interval():
    run = a_run()
    found = {one.name: one for one in effects(run)}
    for name, one in found.items():
        for (_, inside), (at, mean, low, high) in zip(one.parts(), one.dependence(), strict=True):
            own = one.standing[inside]
            low_, high_ = t.interval(0.95, len(own) - 1, own.mean(), sem(own))
            assert mean == pytest.approx(own.mean())
            assert (low, high) == pytest.approx((max(low_, 0), min(high_, 1)), abs=1e-6)
            assert name != "kind" or at in (0, 1)
    drawn = effects_of_parameters(run)
    axes = [axis.name for axis in drawn.figure.plots[0].x]
    for line in marks(drawn, Line):
        (choice,) = [k for k, of in enumerate(line.x) if any(v is not None for v in of)]
        at, mean, _, _ = zip(*found[axes[choice]].dependence(), strict=True)
        assert line.x[choice] == at
        assert line.y == (mean,)


def test_every_candidate_stands_in_the_colour_of_its_fate():
    run = a_run()
    groups = [one for one in marks(effects_of_parameters(run), Points) if one.colour != "ink"]
    assert sum(len(one.y[0]) for one in groups) == 12
    assert {one.colour for one in groups} == {run.fate(id) for id in run.candidates}
    (winner,) = [one for one in groups if one.colour == "winner"]
    place = run.matrices.standing[run.matrices.column[run.winner.id]]
    assert winner.y[0] == (round(float(place), 3),)


def test_what_is_not_active_runs_below_the_axis():
    found = configurations(a_run())
    lines = [ys for one in marks(found, Lines) if one.rows for ys in one.ys]
    rows = [row for one in marks(found, Lines) for row in one.rows]
    assert sorted(rows) == list(range(12))
    assert all(0 <= at <= 1 for ys in lines for at in ys)
    values = [
        {"size": float(j), **({"limit": 4.0**j} if j % 3 else {})} for j in range(12)
    ]  # fmt: skip
    run = told(np.arange(12.0) + np.zeros((8, 12)), rule="none", values=values)
    found = configurations(run)
    below = [min(ys) for one in marks(found, Lines) if one.rows for ys in one.ys]
    assert sum(at < 0 for at in below) == 4
    (beside,) = [one for one in marks(found, Texts) if "not active" in one.texts]
    assert beside.texts.count("not active") == 1
