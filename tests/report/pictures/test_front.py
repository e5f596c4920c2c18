"""The picture of a front: a point for each candidate, intervals of its members."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from racing.core.fronts import front, hypervolume
from racing.report.forms import Intervals, Line, Points
from racing.report.pictures.front import Placed, front_figure, so_far, standings
from racing.report.pictures.front import front as picture
from tests.report.kit import marks, told
from tests.report.states import STATES
from tests.worlds import normal_world


def test_every_candidate_has_its_means_and_members_of_the_front_their_intervals() -> None:
    run = STATES["front"]()
    found = picture(run)
    assert found is not None
    (plot,) = found.figure.plots
    names = (plot.y[0].name, plot.x[0].name)
    assert names == ("time, lower is better", "success, higher is better")
    results, points = run.race.results, standings(run)
    on_front = {one.candidate.id for one in run.front.members}
    assert 1 < len(on_front) < len(points) == len(results.candidates)
    for one in points:
        column = results.candidates.index(one.id)
        times = results.of("time").costs[:, column]
        right = -results.of("success").costs[:, column]
        assert one.means == pytest.approx([np.nanmean(times), np.nanmean(right)], rel=1e-5)
        assert (one.halves is not None) == (one.id in on_front)
        if one.halves is not None:
            known = right[~np.isnan(right)]
            width = stats.t.interval(0.95, len(known) - 1, scale=stats.sem(known))[1]
            assert one.halves[1] == pytest.approx(width, rel=1e-5)
    drawn = {
        place for mark in marks(found, Points) for place in zip(mark.y[0], mark.x[0], strict=True)
    }
    assert drawn == {one.means for one in points}


def test_a_logarithmic_axis_where_scales_differ_has_no_interval_below_0() -> None:
    points = [
        Placed(id=k, name=f"#{k}", means=(10.0**k, 5.0 - k), halves=(2.0, 0.1), kind="front")
        for k in range(4)
    ]
    (plot,) = front_figure([("time", "minimize"), ("success", "minimize")], points).plots
    assert (plot.x[0].kind, plot.y[0].kind) == ("linear", "log")
    upright = next(one for one in plot.marks if isinstance(one, Intervals) and one.along == "y")
    assert sorted(upright.low[0], key=lambda low: low or 0) == [None, 8.0, 98.0, 998.0]
    step = next(one for one in plot.marks if isinstance(one, Line))
    assert list(step.x[0]) == sorted(step.x[0])


def test_of_three_metrics_any_two_can_be_chosen_and_no_steps_are_drawn() -> None:
    metrics = [(name, "minimize") for name in "abc"]
    points = [Placed(id=1, name="#1", means=(1.0, 2.0, 3.0), halves=(None,) * 3, kind="best")]
    (plot,) = front_figure(metrics, points).plots
    assert [axis.name[0] for axis in plot.x] == ["b", "c", "a"]
    assert [axis.name[0] for axis in plot.y] == ["a", "b", "c"]
    dots = next(one for one in plot.marks if isinstance(one, Points))
    assert (dots.x, dots.y) == (((2.0,), (3.0,), (1.0,)), ((1.0,), (2.0,), (3.0,)))
    assert not [one for one in plot.marks if isinstance(one, Line)]


def test_a_race_for_one_cost_has_no_front() -> None:
    assert picture(told(normal_world(4, 6, seed=1))).absent


def test_the_front_so_far_is_measured_by_all_that_is_known_now() -> None:
    run = STATES["front"]()
    found = so_far(run)
    assert found is not None
    results = run.race.results
    costs = np.stack([results.of(name).costs for name in ("time", "success")], axis=2)
    final = np.nanmean(costs, axis=0)
    rows = found.table.rows
    assert [row[4] for row in rows] == sorted({row[4] for row in rows})
    assert rows[-1][3] == 1
    for evaluations, _, members, share, n in rows:
        alive = np.flatnonzero(~np.isnan(costs[:n, :, 0]).any(axis=0))
        on_front = alive[front(costs[:n, alive].mean(axis=0), np.zeros(2))]
        assert members == f"{len(on_front)} on the front"
        assert evaluations >= len(alive) * n
        last = [results.candidates.index(one.candidate.id) for one in run.front.members]
        volumes = [hypervolume(final[part], final.max(axis=0)) for part in (on_front, last)]
        assert share == pytest.approx(volumes[0] / volumes[1], rel=1e-5)
    (line,) = marks(found, Line)
    assert list(line.y[0]) == [*(row[3] for row in rows), rows[-1][3]]
    assert found.figure.plots[0].y[0].name == "share of the volume of the front now"


def test_only_a_race_for_a_front_has_one_so_far() -> None:
    assert so_far(told(normal_world(4, 6, seed=1))).absent
