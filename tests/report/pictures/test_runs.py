"""Unpaired runs as pictures: every run, and profiles as steps."""

from __future__ import annotations

import json

import numpy as np
import pytest

import racing
from racing.analysis.compare.profiles import profiles
from racing.analysis.compare.result_table import stopped_at
from racing.base.errors import InputError
from racing.report.forms import Line, Points, Shared
from racing.report.page.data import plain_picture
from racing.report.pictures.runs import (
    distributions,
    every_run,
    performance,
    profile_pictures,
    solved,
)
from racing.stats import median_difference
from tests.analysis.compare.comparisons import as_runs
from tests.report.kit import marks

# --- every run as a picture: order, medians with intervals, and failures ----------------------


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


# --- profiles as pictures: steps that rise, end where nothing is known, and are not too many --

TIMES = {
    "p": {"a": [1.0, 2, 3, 70], "b": [4.0, 5, 60]},
    "q": {"a": [2.0, 2, 80, 90], "b": [8.0, 8, 900]},
}
FOUND = profiles(stopped_at(as_runs(TIMES), 60))


def test_all_three_are_fit_for_a_page():
    pictures = profile_pictures(FOUND)
    assert [one.id for one in pictures] == ["distributions", "solved", "performance"]
    for one in pictures:
        json.dumps(plain_picture(one, Shared()), allow_nan=False)
        for plot in one.figure.plots:
            for line in plot.marks:
                assert list(line.y[0]) == sorted(line.y[0])
                assert len(line.y[0]) <= 402


def test_the_curves_end_at_the_cutoff_and_below_one_where_runs_were_stopped():
    a, *_ = marks(solved(FOUND), Line)
    assert list(zip(a.x[0], a.y[0], strict=True)) == [
        (1, 0), (1, 0.25), (2, 0.5), (3, 0.75), (60, 0.75),
    ]  # fmt: skip
    assert len(a.low[0]) == len(a.x[0])
    assert "5 of 14 runs were stopped" in solved(FOUND).sentence


def test_times_that_lie_far_apart_have_a_logarithmic_axis():
    far = profiles(as_runs({"a": [1.0, 500], "b": [2.0, 3]}))
    (plot,) = distributions(far).figure.plots
    assert plot.x[0].kind == "log"
    assert [line.x[0][-1] for line in plot.marks] == [500, 500]
    near = distributions(profiles(as_runs({"a": [0.0, 500], "b": [2.0, 3]})))
    assert near.figure.plots[0].x[0].kind == "linear"


def test_many_runs_are_thinned_and_keep_their_ends():
    rng = np.random.default_rng(0)
    many = profiles(as_runs({"a": rng.random(5_000), "b": rng.random(10)}))
    line, *_ = marks(distributions(many), Line)
    assert len(line.y[0]) <= 402
    assert line.y[0][-1] == 1


def test_what_is_not_there_is_refused_with_the_reason():
    one = profiles(as_runs(TIMES["p"]))
    with pytest.raises(InputError, match="cutoff="):
        solved(one)
    with pytest.raises(InputError, match=r"no performance profiles: .* there is one"):
        performance(one)
    assert [each.id for each in profile_pictures(one)] == ["distributions"]
