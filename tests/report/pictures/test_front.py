"""The picture of a front: a point for each candidate, intervals of its members."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from racing.core.fronts import front, hypervolume
from racing.report.figures.charts import figure_of
from racing.report.pictures.front import picture, so_far
from tests.report.kit import told
from tests.report.states import STATES
from tests.worlds import normal_world


def test_every_candidate_has_its_means_and_members_of_the_front_their_intervals() -> None:
    run = STATES["front"]()
    found = picture(run)
    assert found is not None
    assert found.chart == "front"
    assert [(one["name"], one["direction"]) for one in found.data["metrics"]] == [
        ("time", "minimize"), ("success", "maximize"),
    ]  # fmt: skip
    results = run.race.results
    on_front = {one.candidate.id for one in run.race.front}
    assert 1 < len(on_front) < len(found.data["points"]) == len(results.candidates)
    for id, means, halves in found.data["points"]:
        column = results.candidates.index(id)
        times = results.of("time").costs[:, column]
        right = -results.of("success").costs[:, column]
        assert means == pytest.approx([np.nanmean(times), np.nanmean(right)], rel=1e-5)
        assert (halves is not None) == (id in on_front)
        if halves is not None:
            known = right[~np.isnan(right)]
            width = stats.t.interval(0.95, len(known) - 1, scale=stats.sem(known))[1]
            assert halves[1] == pytest.approx(width, rel=1e-5)


def test_a_figure_has_the_steps_and_a_logarithmic_axis_where_scales_differ() -> None:
    run = STATES["front"]()
    found = picture(run)
    assert found is not None
    (axes,) = figure_of(found, run).axes[:1]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("success", "time")
    assert axes.get_yscale() == "linear"
    for point in found.data["points"]:
        point[1][0] **= 6
    assert figure_of(found, run).axes[0].get_yscale() == "log"


def test_a_race_for_one_cost_has_no_front() -> None:
    assert picture(told(normal_world(4, 6, seed=1))) is None


def test_the_front_so_far_is_measured_by_all_that_is_known_now() -> None:
    run = STATES["front"]()
    found = so_far(run)
    assert found is not None
    results = run.race.results
    costs = np.stack([results.of(name).costs for name in ("time", "success")], axis=2)
    final = np.nanmean(costs, axis=0)
    rows = found.data["rows"]
    assert [row[5] for row in rows] == sorted({row[5] for row in rows})
    assert rows[-1][4] == 1
    for evaluations, _, members, _, share, n in rows:
        alive = np.flatnonzero(~np.isnan(costs[:n, :, 0]).any(axis=0))
        on_front = alive[front(costs[:n, alive].mean(axis=0), np.zeros(2))]
        assert members == f"{len(on_front)} on the front"
        assert evaluations >= len(alive) * n
        last = [results.candidates.index(one.candidate.id) for one in run.race.front]
        volumes = [hypervolume(final[part], final.max(axis=0)) for part in (on_front, last)]
        assert share == pytest.approx(volumes[0] / volumes[1], rel=1e-5)
    assert found.chart == "incumbent"
    (axes,) = figure_of(found, run).axes[:1]
    assert axes.get_ylabel() == "share of the volume of the front now"


def test_only_a_race_for_a_front_has_one_so_far() -> None:
    assert so_far(told(normal_world(4, 6, seed=1))) is None
