"""Profiles: the statistics of each panel, and which panels there are."""

from __future__ import annotations

import numpy as np
import pytest

from racing.analysis.compare import as_table
from racing.analysis.compare.profiles import profiles
from racing.analysis.compare.result_table import stopped_at
from racing.stats import performance_profile
from tests.analysis.compare.comparisons import TIMES, as_runs


def test_a_panel_for_each_problem_and_one_of_their_medians():
    found = profiles(stopped_at(as_runs(TIMES), 60))
    assert [panel.problem for panel in found.panels] == ["p", "q", ""]
    p, _, whole = found.panels
    assert found.whole is whole
    assert p.runs == (4, 3)
    assert whole.runs == (2, 2), "problems: their runs are not pooled"
    assert [one.solved for one in whole.solved] == [1, 2]
    assert whole.distributions[1].values.tolist() == [5, 8]
    assert (found.runs, found.stopped) == (14, 4)
    assert p.par[0].value == (1 + 2 + 3 + 600) / 4
    assert p.ert[0].value == (1 + 2 + 3 + 60) / 3
    assert p.distributions[1].shares.tolist() == pytest.approx([1 / 3, 2 / 3])


def test_performance_is_of_the_medians_and_a_stopped_median_is_a_failure():
    found = profiles(stopped_at(as_runs(TIMES), 60)).performance
    expected = performance_profile([[2, 5], [2, 8]])
    np.testing.assert_allclose(found.ratios, expected.ratios)
    late = {**TIMES, "q": {"a": [2.0, 80, 90], "b": [8.0, 8, 9]}}
    assert profiles(stopped_at(as_runs(late), 60)).performance.ratios[1, 0] == np.inf


def test_without_a_cutoff_there_are_no_times():
    found = profiles(as_runs(TIMES))
    assert found.whole.par == found.whole.ert == found.whole.solved == ()
    assert found.performance is not None


def test_an_instance_with_one_run_has_no_panel():
    found = profiles(as_table([[1.0, 2.0], [3.0, 4.0]]))
    assert [panel.problem for panel in found.panels] == [""]
    assert found.whole.runs == (2, 2)
    many = {f"p{q}": {"a": [1.0, 2], "b": [2.0, 3]} for q in range(13)}
    assert len(profiles(as_runs(many)).panels) == 1


@pytest.mark.parametrize(
    ("data", "direction", "why"),
    [
        (TIMES["p"], None, "there is one"),
        (TIMES, "maximize", "higher scores are better"),
        ({"p": {"a": [0.0, 0], "b": [1.0, 2]}, "q": TIMES["q"]}, None, "is not positive"),
    ],
)
def test_why_there_are_no_performance_profiles(data, direction, why):
    found = profiles(as_runs(data, direction=direction))
    assert found.performance is None
    assert why in found.no_performance


def test_the_same_seed_gives_the_same_intervals():
    table = stopped_at(as_runs(TIMES), 60)
    first, again = (profiles(table, seed=7).panels for _ in range(2))
    assert [panel.par for panel in first] == [panel.par for panel in again]
    assert [panel.ert for panel in first] == [panel.ert for panel in again]
