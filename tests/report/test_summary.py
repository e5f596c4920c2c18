"""The paragraph must say what the facts say, in every state."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from racing.analysis.unseen import holdout
from racing.base.words import better_on
from racing.log import SQLiteLog, replay
from racing.report.history import read_history
from racing.report.page import page_data
from tests.analysis.portfolio.kit import search_log
from tests.report.kit import told
from tests.report.states import ANSWERED, STATES
from tests.worlds import normal_world


def summary(run):
    """The head of the page of a run."""
    return SimpleNamespace(**page_data(run, Path("run.sqlite"))["summary"])


@pytest.mark.parametrize("state", STATES)
def test_every_state_has_a_headline_and_a_sentence(state):
    found = summary(STATES[state]())
    assert found.headline.endswith(".")
    assert found.sentences or state == "front", "whose table says all"
    assert all(text == text.strip() and "None" not in text for text in found.sentences)
    assert found.figures["Complete instances"].isdecimal()


def test_the_winner_is_named_and_the_gain_is_that_of_the_facts():
    costs = normal_world(6, 40, seed=8, noise=0.2)
    costs[:, 0] += 1
    run = told(costs)
    found = summary(run)
    assert str(run.winner) in found.headline
    gain = run.answer.gain
    assert better_on(gain.wins, gain.ties, gain.losses) in found.sentences[0]


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("not begun", "The run has not begun."),
        ("everything crashed", "Every evaluation failed"),
        ("interrupted", "is ahead so far."),
    ],
)
def test_headlines(state, words):
    assert words in summary(STATES[state]()).headline


def alike(headline: str) -> str:
    """A headline of any candidates, numbers and messages."""
    said = re.sub(r"\d+", "1", re.sub(r"#\d+|default", "#1", headline))
    return re.sub(r"failed: .*", "failed", said).rstrip(".")


def test_the_page_on_reports_has_the_headline_of_every_state_and_no_other():
    page = (Path(__file__).parents[2] / "docs" / "howto" / "report.md").read_text()
    rows = [alike(row) for row in re.findall(r"^\| \*(.*?)\* \|", page, re.MULTILINE)]
    said = {alike(made().answer.headline): state for state, made in ANSWERED.items()}
    assert {state: one for one, state in said.items() if one not in rows} == {}
    assert [row for row in rows if row not in said] == []


def test_the_head_has_what_the_winner_changes_and_how_to_use_it():
    run = STATES["one survivor"]()
    found = summary(run)
    (table,) = found.tables
    assert table["columns"] == ["parameter", ">#1", f">{run.winner}"]
    assert table["rows"] == [["column", "0", str(run.winner.values["column"])]]
    assert [one["label"] for one in found.use] == ["YAML", "JSON"]


def test_values_of_the_head_are_told_letter_by_letter():
    costs = normal_world(2, 12, seed=8, noise=0.1)
    costs[:, 0] += 1
    (table,) = summary(told(costs, values=[{"c`d`": "a"}, {"c`d`": "`b`"}])).tables
    assert table["rows"] == [["c`d`", "a", "`b`"]]


def test_a_gain_is_drawn_as_it_is_told():
    costs = normal_world(6, 40, seed=8, noise=0.2)
    costs[:, 0] += 1
    run = told(costs, rule="none")
    drawn, gain = summary(run).gain, run.answer.gain
    bar, interval, _ = drawn["figure"]["plots"][0]["marks"]
    ends = bar["x1"][0][0], interval["low"][0][0], interval["high"][0][0]
    assert ends == pytest.approx((gain.estimate, gain.low, gain.high), rel=1e-5)
    assert "of the choice" in drawn["label"]


def test_the_bar_of_a_search_for_a_team_is_the_teams(kept):
    path = kept(search_log)
    before = summary(read_history(path))
    with SQLiteLog.open(path, write=False) as log:
        search = replay(log).as_search
    gain = search.team_gain_over_default
    assert before.headline.startswith("The team: #")
    drawn = "mean gain of the team over"
    assert before.gain["label"] == f"{drawn} one run of default on {gain.where}"
    assert before.figures["Single best"] == str(search.single)
    assert "Winner" not in before.figures
    new = [f"{kind}-new-{k}" for k in range(4) for kind in ("sat", "php", "k")]
    holdout(path, new)
    after = summary(read_history(path))
    best = "the best of 2 runs of default"
    assert after.gain["label"] == f"{drawn} {best} on 12 unseen problems"
