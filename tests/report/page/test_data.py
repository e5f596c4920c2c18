"""The head of a page says what the facts say, in every state, and has what can be used."""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from racing.analysis.unseen import holdout
from racing.analysis.use import command_line
from racing.base.words import better_on
from racing.log import SQLiteLog, replay
from racing.report import read_history
from racing.report.page import page_data
from racing.report.page.data import use_forms, use_title
from racing.runner.run import run
from tests.analysis.portfolio.kit import search_log
from tests.report.kit import changed, told
from tests.report.states import ANSWERED, STATES
from tests.runs_kit import write_scenario
from tests.worlds import normal_world

# --- the paragraph must say what the facts say, in every state --------------------------------


def summary(run):
    """The head of the page of a run."""
    return SimpleNamespace(**page_data(run, Path("run.sqlite"))["summary"])


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
    page = (Path(__file__).parents[3] / "docs" / "howto" / "report.md").read_text()
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


# --- the winner's configuration as text that can be used --------------------------------------


def test_yaml_and_json_are_the_whole_configuration():
    facts = STATES["one survivor"]()
    forms = {one.label: one.text for one in use_forms(facts)}
    assert list(forms) == ["YAML", "JSON"]
    assert yaml.safe_load(forms["YAML"]) == facts.winner.values
    assert json.loads(forms["JSON"]) == facts.winner.values


def test_a_program_has_a_command_line(tmp_path):
    log = tmp_path / "log.sqlite"
    run(write_scenario(tmp_path, command=True, instances=6), log=log)
    facts = read_history(log)
    line = use_forms(facts)[0]
    assert line.label == "Command line"
    values = [f"--x={facts.winner.values['x']}"]
    assert shlex.split(line.text) == [sys.executable, "command.py", "INSTANCE", "SEED", *values]


def test_a_function_or_a_log_of_unknown_kind_has_none():
    winner = STATES["one survivor"]().winner
    assert command_line({}, winner) == ""
    assert command_line({"target": {"command": "{unknown}"}}, winner) == ""


def test_without_a_winner_there_is_nothing_to_use():
    assert use_forms(STATES["not begun"]()) == ()


def test_a_team_has_the_configurations_of_its_members(tmp_path):
    log = tmp_path / "log.sqlite"
    race = run(write_scenario(tmp_path, command=True, instances=6), log=log)
    team = race.candidates[:2]
    search = SimpleNamespace(portfolio=2, team=team)
    facts = changed(read_history(log), race=SimpleNamespace(as_search=search), winner=race.winner)
    lines, text, data = (one.text for one in use_forms(facts))
    assert [one.split()[-1] for one in lines.splitlines()] == ["--x=0.0", "--x=0.125"]
    by_name = {str(one): dict(one.values) for one in team}
    assert yaml.safe_load(text) == json.loads(data) == by_name
    assert use_title(facts) == "The configurations of the team"
    assert use_title(STATES["one survivor"]()).startswith("The configuration of #")
    assert use_title(STATES["not begun"]()) == ""
