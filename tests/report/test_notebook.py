"""Small pictures in notebooks: they say what the results say, and run nothing."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from racing import Budget, Race, Search
from racing.answer.gain import gain
from racing.answer.html import html
from racing.base.errors import MissingExtra
from racing.base.words import better_on
from racing.core.candidate import Candidate
from racing.core.view import default_of
from racing.report import notebook
from racing.report.forms import Bars, Points
from racing.report.pictures.result import gain_figure

SVG = "{http://www.w3.org/2000/svg}"


def told(costs, *, names=None, direction="minimize", rule="sign"):
    """A race that is told the rows of an (instances, candidates) array."""
    count = np.shape(costs)[1]
    labels = names or [f"c{j}" for j in range(count)]
    candidates = [
        Candidate(j + 1, {"x": j}, name) for j, name in enumerate(labels)
    ]  # fmt: skip
    race = Race(candidates, range(len(costs)), rule=rule, direction=direction, first_test=5)
    sign = -1 if direction == "maximize" else 1
    for experiment in race:
        cost = costs[experiment.instance.problem][experiment.candidate.id - 1]
        race.tell(experiment, float(sign * cost))
    return race


@pytest.fixture(scope="module")
def race():
    rng = np.random.default_rng(1)
    costs = np.arange(6)[::-1] + rng.normal(0, 0.5, (30, 6))
    return told(costs)


def parts(page):
    """The pictures of some HTML: it must be well-formed."""
    return ElementTree.fromstring(f"<div>{page}</div>").findall(f".//{SVG}svg")


def sketches(view):
    """The pictures of a view as HTML."""
    return html(notebook._drawn(view))


def drawn(view):
    """The figures of a view, by what is said of them."""
    return dict(notebook._pictures(view))


def of_form(figure, form):
    return [one for one in figure.plots[0].marks if isinstance(one, form)]


def test_survivors_fall_as_the_results_say(race):
    (said, figure), _ = drawn(race).items()
    left = len(race.survivors)
    assert said == f"Survivors over instances: of 6 candidates, {left} left after " + (
        f"{race.instances_seen} instances."
    )
    (line,) = figure.plots[0].marks
    alive = (*race.results.alive.sum(axis=1), left)
    assert line.x[0][-1] == race.instances_seen
    assert [alive[int(at)] for at in line.x[0]] == list(line.y[0])
    assert {*line.y[0]} == {*alive}
    assert [svg.get("aria-label") for svg in parts(sketches(race))] == [*drawn(race)]


def test_the_winner_is_compared_with_the_default_on_what_both_ran(race):
    _, (said, figure) = drawn(race).items()
    winner, default = race.winner, default_of(race)
    columns = [race.results.candidates.index(one.id) for one in (default, winner)]
    both = race.results.costs[:, columns]
    both = both[~np.isnan(both).any(axis=1)]
    wins = int((both[:, 1] < both[:, 0]).sum())
    assert better_on(wins, 0, len(both) - wins) in said
    seen = [
        pair for one in of_form(figure, Points) for pair in zip(one.x[0], one.y[0], strict=True)
    ]
    np.testing.assert_allclose(sorted(seen), sorted(both.tolist()), rtol=1e-5)


@pytest.mark.parametrize("shift", [-2.0, 0.0, 2.0])
def test_only_a_gain_that_is_shown_has_the_colour_of_the_winner(shift):
    noise = np.random.default_rng(5).normal(0, 1, 30)
    found = gain(np.column_stack([np.zeros(30), shift + noise - noise.mean()]))
    (bar,) = (mark for mark in gain_figure(found).plots[0].marks if isinstance(mark, Bars))
    assert (bar.colour == "winner") == (found.low > 0) == (shift > 0)


def test_scores_that_are_maximized_are_better_above_the_diagonal():
    rng = np.random.default_rng(2)
    costs = np.arange(4)[::-1] + rng.normal(0, 0.5, (20, 4))
    page = sketches(told(costs, direction="maximize"))
    assert "above the diagonal" in page
    assert "below" not in page


def test_a_search_shows_what_each_configuration_has_seen():
    search = Search({"x": {"real": [0, 1]}}, range(30), budget=Budget(evaluations=150), seed=1)
    for experiment in search:
        noise = experiment.instance.seed % 7 / 100
        search.tell(experiment, abs(experiment.candidate.values["x"] - 0.3) + noise)
    (said, figure), *_ = drawn(search).items()
    count = len(search.results.candidates)
    assert f"each of {count} configurations" in said
    assert "winner" in said
    every, winner = of_form(figure, Bars)
    assert every.y1[0] == tuple((~np.isnan(search.results.costs)).sum(axis=0))
    assert winner.y1[0][0] == every.y1[0][search.results.candidates.index(search.winner.id)]
    assert search._repr_html_().count("<svg") >= 1


def test_failures_are_counted_and_at_the_edge():
    costs = np.tile([1.0, 0.5], (10, 1))
    costs[3] = [np.inf, 0.5]
    race = told(costs, rule="none")
    _, (said, figure) = drawn(race).items()
    assert said.endswith(" is better. c0 failed on 1.")
    assert {one.symbol: len(one.x[0]) for one in of_form(figure, Points)} == {
        "circle": 9, "triangle": 1,
    }  # fmt: skip


def test_states_without_anything_to_draw_have_no_pictures():
    fresh = Race([{"x": 1}, {"x": 2}], range(5))
    assert sketches(fresh) == ""
    assert "<svg" not in fresh._repr_html_()
    crashed = told(np.full((6, 3), np.inf))
    assert sketches(crashed).count("<svg") <= 1


def test_hostile_names_are_text():
    hostile = '<script>alert(1)</script>"\u202e\x1b[31m' + "y" * 10_000
    rng = np.random.default_rng(3)
    costs = np.array([3.0, 1.0]) + rng.normal(0, 0.1, (12, 2))
    page = sketches(told(costs, names=["default", hostile]))
    assert "<script" not in page
    assert "\u202e" not in page
    assert "\x1b" not in page
    assert len(page) < 30_000
    assert parts(page)


def test_large_races_stay_small():
    rng = np.random.default_rng(4)
    costs = np.array([2.0, 1.0, 1.1]) + rng.normal(0, 0.5, (3000, 3))
    page = sketches(told(costs, rule="none"))
    assert len(page) < 60_000
    assert f"Drawn: {-(-3000 // 11)}, evenly spaced." in page


def test_nothing_is_run_or_fetched_and_text_takes_the_colour_of_the_page(race):
    page = race._repr_html_()
    assert not re.search(
        r"<script|<style|<link|<img|\bon\w+=|(?<!xmlns=\")(?<!xlink=\")https?:", page
    )
    assert "currentColor" in page


def test_without_matplotlib_a_line_says_so(race, monkeypatch):
    def missing(*_):
        raise MissingExtra("drawing needs matplotlib")

    monkeypatch.setattr(notebook, "svg", missing)
    assert sketches(race) == "<p>No pictures: drawing needs matplotlib</p>"
    assert "<table" in race._repr_html_()


def test_the_ranking_has_a_column_for_each_metric():
    metrics = {"time": "minimize", "success": "maximize"}
    race = Race([{"x": 1}, {"x": 2}], range(3), rule="none", objective="rank", metrics=metrics)
    for experiment in race:
        x = experiment.candidate.values["x"]
        race.tell(experiment, {"time": 10 * x, "success": x / 4})
    page = race._repr_html_()
    assert re.findall(r"<th[^>]*>([^<]*)</th>", page)[3:6] == [
        "time", "success", "mean rank",
    ]  # fmt: skip
    assert re.search(r"<td[^>]*>10</td><td[^>]*>0.25</td>", page)
