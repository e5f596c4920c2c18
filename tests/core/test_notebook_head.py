"""The head in a notebook: the answer first, and words that follow the evidence."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

from racing import Budget, Candidate, Race, Search, minimize
from racing.core.notebook_head import gain_of, head
from racing.core.view import default_of
from racing.search import PortfolioSearch
from racing.stats.effects import median_difference
from tests.core.test_notebook import told

SVG = "{http://www.w3.org/2000/svg}"


def of_two(gap, *, n=12, noise=0.1):
    costs = np.random.default_rng(1).normal([3.0, 3.0 - gap], noise, size=(n, 2))
    return told(costs, names=["default", "new"], rule="none")


def test_a_clear_gain_comes_first_with_its_interval():
    race = of_two(2.0)
    text = head(race)
    outcome = "new is better than default, as far as one can tell."
    assert text.startswith(f"<p><strong>{outcome}</strong></p>")
    own, other = race.results.costs[:, 1], race.results.costs[:, 0]
    expected = median_difference(own, other)
    found = gain_of(race, race.winner, default_of(race))
    assert (found.estimate, found.low, found.high) == pytest.approx(
        (expected.estimate, expected.low, expected.high)
    )
    assert "on which it was also chosen" in text
    assert ElementTree.fromstring(f"<div>{text}</div>").find(f"{SVG}svg") is not None


def test_an_interval_with_0_is_no_gain():
    race = of_two(0.3, noise=1.0)
    assert race.winner == default_of(race)
    assert gain_of(race, race.found, race.winner).low < 0
    assert head(race) == "<p><strong>Keep default: nothing better was shown.</strong></p>"


def test_few_instances_have_no_interval_and_no_bar():
    race = of_two(2.0, n=5)
    assert "new is better than default, as far as one can tell." in head(race)
    assert "too few" in head(race)
    assert "<svg" not in head(race)


def test_failures_of_the_default_are_told_as_such():
    race = told(np.array([[np.inf, 1.0]] * 12), names=["default", "new"], rule="none")
    assert "Failures decide" in head(race)
    assert "inf" not in head(race)


@pytest.mark.parametrize(
    ("objective", "headline", "measured"),
    [
        (
            {"minimize": "time", "subject_to": ["success >= 0.9"]},
            "slow is better than default, as far as one can tell.",
            "By time alone, slow against default on 40 instances on which it was also "
            "chosen: median gain",
        ),
        (
            {"order": ["success", "time"]},
            "slow is better than default, as far as one can tell.",
            "By success alone, slow against default on 40 instances on which it was also "
            "chosen: gain in "
            "share right 0.7",
        ),
        (
            {"front": ["time", "success"]},
            "3 candidates are on the front; the best compromise is ",
            "",
        ),
    ],
)
def test_several_metrics_are_judged_by_the_whole_objective(objective, headline, measured):
    kinds = {"default": (3.0, 3), "slow": (4.0, 10), "fast": (1.0, 2), "even": (2.0, 8)}

    def solve(values, instance, seed):
        time, times = kinds[values["kind"]]
        return {"time": time, "success": float(instance % 10 < times)}

    given = [Candidate(k, {"kind": kind}, name=kind) for k, kind in enumerate(kinds, start=1)]
    metrics = {"time": "minimize", "success": "maximize"}
    found = minimize(solve, given, range(40), rule="none", metrics=metrics, objective=objective)
    text = head(found.race)
    assert text.startswith(f"<p><strong>{headline}")
    assert measured in text
    assert ("median gain" in text) == ("subject_to" in objective)


def test_the_answer_of_a_search_for_a_team_is_the_team():
    search = PortfolioSearch(
        {"x": {"real": [0, 1], "default": 0.5}}, [0.1, 0.9] * 40, budget=600, portfolio=2
    )
    while not search.done:
        assert "better than" not in head(search)
        for one in search.ask():
            search.tell(one, abs(one.candidate.values["x"] - one.instance.problem))
    text = head(search)
    first, second = search.team
    assert text.startswith(f"<p><strong>The team: {first} and {second}.</strong></p>")
    gain = search.team_gain
    assert gain.low > 0
    assert f"The team against {search.single} on {gain.where}: mean gain" in text
    shown = [f"<td>{one.values['x']:.4g}</td>" for one in search.team]
    assert "<td>x</td>" + "".join(shown) in text


def test_a_lead_of_five_right_answers_is_not_called_better():
    costs = np.zeros((20, 2))
    costs[:5, 0] = 1.0
    text = head(told(costs, names=["default", "new"], rule="none"))
    assert "new is better than default, as far as one can tell." in text
    assert "gain in share right 0.25" in text


def test_the_changes_are_those_of_the_values():
    assert "<td>x</td><td>0</td><td>1</td>" in head(of_two(2.0))


def test_the_default_itself_and_a_race_without_a_winner():
    best = head(of_two(-2.0))
    assert best == "<p><strong>default is best: nothing better was found.</strong></p>"
    assert head(Race([{"x": 1}, {"x": 2}], range(5))) == ""


def test_a_search_tells_its_gain_on_unseen_instances():
    space = {"x": {"real": [0, 1], "default": 0.9}}
    search = Search(space, range(60), budget=Budget(evaluations=300), seed=1)
    for experiment in search:
        noise = experiment.instance.seed % 7 / 100
        search.tell(experiment, abs(experiment.candidate.values["x"] - 0.3) + noise)
    gain = gain_of(search, search.winner, default_of(search))
    assert gain.where == search.gain.where
    assert gain.low > 0
    assert f"on {search.gain.where}" in head(search)
