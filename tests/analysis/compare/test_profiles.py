"""Profiles: the statistics of each panel, which panels there are, their words and their data."""

from __future__ import annotations

import json

import numpy as np
import pytest

from racing.analysis.compare import as_table
from racing.analysis.compare.profiles import in_scores, profile_blocks, profiles
from racing.analysis.compare.result_table import stopped_at
from racing.answer.document import TextTable
from racing.answer.json import as_data
from racing.answer.text import text
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


def blocks(data=TIMES, cutoff=60.0, direction=None):
    table = as_runs(data, direction=direction)
    return profile_blocks(profiles(table if cutoff is None else stopped_at(table, cutoff)))


def said(*args, **how):
    return " ".join(text(blocks(*args, **how)).split())


def rows(key, **how):
    return next(b for b in blocks(**how) if isinstance(b, TextTable) and b.key == key).rows


def test_stopped_runs_are_told():
    words = said()
    assert "4 of 14 runs were stopped at the cutoff of 60" in words
    assert "a stopped run counting 10 cutoffs" in words
    assert "intervals of the bootstrap are too short" in words
    assert "All 14 runs ended before the cutoff of 100." in said(cutoff=100.0)


def test_the_numbers_of_the_tables():
    first, *_, last = rows("times")
    assert first[:4] == ("`p`", "`a`", "4", "3")
    assert first[4].startswith("151.5 [")
    assert first[5].startswith("22 [")
    assert first[6] == "2"
    assert last[:3] == ("median of each problem", "`b`", "2")
    assert rows("distributions")[0] == ("`p`", "`a`", "4", "1", "1", "2", "3", "∞")
    assert rows("performance")[0] == ("`a`", "100 %", "100 %", "100 %", "100 %", "100 %")


def test_what_is_left_out_says_why():
    one = said(TIMES["p"], cutoff=None)
    assert "No cutoff was given (cutoff=)" in one
    assert "There are no performance profiles: they compare algorithms over several" in one


def test_quantiles_of_scores_that_are_maximized():
    (a, _) = rows("distributions", data={"a": [1.0, 2, 3, 4], "b": [0.0, 1]}, cutoff=None,
                  direction="maximize")  # fmt: skip
    assert a == ("`a`", "4", "4", "4", "3", "2", "1")


def test_every_step_is_there():
    table = stopped_at(as_runs({"a": [1.0, 2, 70], "b": [4.0, 5, 6]}), 60)
    found = json.loads(json.dumps(as_data(in_scores(profiles(table)))))
    (panel,) = found["panels"]
    assert panel["distributions"][0]["values"] == [1, 2]
    assert panel["solved"][0]["times"] == [1, 2]
    assert panel["solved"][0]["solved"] == 2
    assert panel["par"][0]["value"] == 201
    assert found["cutoff"] == 60
    assert found["performance"] is None


def test_scores_in_the_direction_of_the_user():
    up = profiles(as_runs({"a": [1.0, 2], "b": [4.0, 5]}, direction="maximize"))
    (panel,) = as_data(in_scores(up))["panels"]
    assert panel["distributions"][0]["values"] == [2, 1]
    assert panel["solved"] == panel["par"] == []
