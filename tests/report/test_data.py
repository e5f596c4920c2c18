"""The data of a run: plain, complete, and in the user's direction."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from racing.base.plain import json_text
from racing.log import SQLiteLog
from racing.report import gather
from racing.report.data import changes_data, run_data, summary_data
from tests.report.kit import told_race, told_search
from tests.report.states import STATES
from tests.worlds import hard_world

LOG = Path("run.sqlite")


@pytest.mark.parametrize("state", STATES)
def test_any_state_is_json_and_begins_with_its_summary(state):
    facts = STATES[state]().facts
    data, summary = run_data(facts, LOG), summary_data(facts, LOG)
    assert list(data.items())[: len(summary)] == list(summary.items())
    assert json.loads(json_text(data))["run"] == "run.sqlite"


def test_the_parts_add_up():
    facts = gather(told_race(hard_world(9, 22, seed=4), budget=100))
    data = run_data(facts, LOG)
    assert sum(one["evaluations"] for one in data["expenses"]) == data["evaluations"]
    assert sum(one["failures"] for one in data["expenses"]) == data["failures"]
    assert data["left"]["evaluations"] + data["spent"]["decided"] == 100
    assert data["left"]["wall_time"] is None
    assert len(data["standing"]) + len(data["dropped"]) == 9
    assert data["standing"][0]["id"] == data["winner"]["id"]


def test_scores_are_in_the_user_s_direction():
    costs = hard_world(5, 8, seed=4)
    small = run_data(gather(told_race(costs)), LOG)
    large = run_data(gather(told_race(costs, direction="maximize")), LOG)
    for one, other in zip(small["standing"], large["standing"], strict=True):
        assert one["mean"] == -other["mean"] or math.isnan(one["mean"])


def test_a_search_says_what_its_winner_changes(tmp_path):
    with SQLiteLog.open(told_search(tmp_path), write=False) as log:
        facts = gather(log)
    found = changes_data(facts)
    assert found["baseline"] == "default"
    assert found["winner"] == str(facts.winner)
    assert found["parameters"]["x"] == {"from": 0.9, "to": facts.winner.values["x"]}


def test_a_race_says_the_same_of_its_default():
    facts = STATES["one survivor"]().facts
    found = changes_data(facts)
    assert (found["baseline"], found["winner"]) == ("#1", str(facts.winner))
    assert found["parameters"]["column"] == {"from": 0, "to": facts.winner.values["column"]}
    assert changes_data(STATES["not begun"]().facts) is None


def test_evaluations_are_those_that_decided():
    facts = STATES["before the first test"]().facts
    data = run_data(facts, LOG)
    assert data["evaluations"] == data["spent"]["decided"] == 12
    assert data["spent"]["under_way"] == 3
