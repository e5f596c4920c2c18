"""Forms: the ends of axes, and JSON that a page can hold."""

from __future__ import annotations

import json

import numpy as np
import pytest

from racing.report.forms import (
    Axis,
    Bars,
    Intervals,
    Line,
    Lines,
    Plot,
    Points,
    Rule,
    Shared,
    at_least,
)


def ends(*marks, **how):
    plot = Plot(marks=marks, **how).settled()
    return plot.x[0].ends, plot.y[0].ends


def test_a_single_tiny_value_makes_no_axis_logarithmic():
    assert not at_least([0.001, *np.linspace(1, 10, 9)], 200)
    assert at_least([0.001, 0.002, *np.linspace(1, 10, 9)], 200)
    assert at_least([0.01, 10, None], 200)
    assert not at_least([0, *np.geomspace(1, 1e6, 9)], 200)
    assert not at_least([], 200)


def test_an_axis_has_room_beyond_its_marks_but_not_beyond_0():
    x, y = ends(Points(x=((1.0, 11.0, None),), y=((0.0, None, -5.0),)))
    assert x == pytest.approx((0.6, 11.4))
    assert y == pytest.approx((-5.2, 0.0))


def test_all_marks_count_and_rules_too():
    x, y = ends(
        Line(x=((2.0, 3.0),), y=((4.0, 5.0),), low=((1.0, 2.0),), high=((9.0, None),)),
        Intervals(at=((7.0,),), low=((-8.0,),), high=((None,),)),
        Bars(x0=(0.0,), x1=(20.0,), y0=(3.0,), y1=(12.0,)),
        Lines(x=(1.0, 2.0), ys=((-3.0, None),)),
        rules=(Rule(x=-10.0),),
    )
    assert x == pytest.approx((-11.2, 21.2))
    assert y == pytest.approx((-3.6, 12.6))


def test_each_choice_of_an_axis_has_its_own_ends():
    mark = Points(x=((1.0, 2.0), (100.0, 300.0)), y=((1.0, 2.0),))
    plot = Plot(x=(Axis(name="a"), Axis(name="b", kind="log")), marks=(mark,)).settled()
    assert plot.x[0].ends == pytest.approx((0.96, 2.04))
    low, high = plot.x[1].ends
    assert low < 100 < 300 < high < 320


def test_what_was_given_stays_and_nothing_has_ends_as_well():
    assert ends(x=(Axis(ends=(5.0, 1.0)),), y=(Axis(kind="category", levels=("a", "b")),)) == (
        (5.0, 1.0), (-0.5, 1.5),
    )  # fmt: skip
    assert ends(x=(Axis(kind="log"),)) == ((1.0, 10.0), (0.0, 1.0))
    one, zero = ends(Points(x=((3.0,),), y=((0.0,),)))
    assert one[0] < 3 < one[1]
    assert zero == (0.0, 1.0)


def test_json_has_no_defaults_and_equal_columns_once():
    shared, long = Shared(), tuple(map(float, range(9)))
    first = shared.plain(Points(x=(long,), y=(long,), name="a"))
    second = shared.plain(Line(x=(long,), y=(1.23456789,), tip={"a": (float("inf"),)}))
    assert first == {"form": "Points", "name": "a", "x": [{"$": 0}], "y": [{"$": 0}]}
    assert second == {"form": "Line", "x": [{"$": 0}], "y": [[1.23457]], "tip": [["a", ["inf"]]]}
    assert shared.columns == [list(long)]
    json.dumps([first, second, shared.columns], allow_nan=False)
