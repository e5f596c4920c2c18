"""A run as typed facts: complete, and in the user's direction."""

from __future__ import annotations

import json
import math
from types import SimpleNamespace

import pytest

from racing.answer.head import Message
from racing.answer.json import as_data
from racing.base.errors import InputError
from racing.base.plain import json_text
from racing.base.quantities import RISK
from racing.log import SQLiteLog
from racing.report import gather
from racing.report.run_document import shown, too_late
from racing.report.run_tables import differing, plain
from tests.report.kit import changed, told, told_race, told_search
from tests.report.states import STATES
from tests.worlds import hard_world


@pytest.mark.parametrize("state", STATES)
def test_any_state_is_json(state):
    told = as_data(STATES[state]())
    assert json.loads(json_text(told))["name"] == STATES[state]().name


def test_the_parts_add_up():
    told = gather(told_race(hard_world(9, 22, seed=4), budget=100))
    assert sum(one.evaluations for one in told.expenses) == told.evaluations
    assert sum(one.failures for one in told.expenses) == told.failures
    assert told.left == {"evaluations": 100 - told.spent.decided}
    assert len(told.standing) + len(told.dropped) == 9
    assert told.standing[0].candidate == told.winner


def test_scores_are_in_the_user_s_direction():
    costs = hard_world(5, 8, seed=4)
    small = gather(told_race(costs))
    large = gather(told_race(costs, direction="maximize"))
    for one, other in zip(small.standing, large.standing, strict=True):
        assert one.mean == -other.mean or math.isnan(one.mean)


def test_a_search_says_what_its_winner_changes(tmp_path):
    with SQLiteLog.open(told_search(tmp_path), write=False) as log:
        told = gather(log)
    assert str(told.against) == "default"
    changed = {one.parameter: (one.against, one.winner) for one in told.changes}
    assert changed["x"] == (0.9, told.winner.values["x"])


def test_a_race_says_the_same_of_its_default():
    told = STATES["one survivor"]()
    assert told.against is not None
    assert told.changes
    assert all(one.against != one.winner for one in told.changes)


def test_what_decides_over_a_default_is_told():
    told = gather(told_race(hard_world(9, 22, seed=4), budget=100))
    assert told.found is not None
    assert told.risk == RISK


def test_what_differs_or_is_missing_somewhere():
    found = differing([{"a": 1, "b": 2, "c": 3}, {"a": 1, "b": 9}, {"a": 1, "b": 2, "c": 3}])
    assert found == {"b", "c"}
    assert plain({"a": 1, "b": 2}, found) == "b=2"
    assert differing([{"a": 1}]) is None
    assert plain({"a": 1, "c": 0.123456}, None) == "a=1 c=0.1235"


@pytest.mark.parametrize(("wasted", "left", "said"), [(0, 2.0, ""), (3, 2.0, "3.0s"), (3, 0.0, "")])
def test_target_time_that_is_not_charged_is_told(wasted: int, left: float, said: str) -> None:
    told = SimpleNamespace(
        header=SimpleNamespace(scenario={"budget": {"target_time": 8.0}}),
        left={"target_time": left}, spent=SimpleNamespace(wasted=wasted), target_seconds=9.0,
    )  # fmt: skip
    assert too_late(told).startswith(f" ({said} of it too late" if said else "")
    assert bool(too_late(told)) == bool(said)


def test_the_most_frequent_messages_are_shown_and_the_rest_are_counted():
    messages = tuple(Message(message=f"no {k}", times=9 - k, last_line="") for k in range(6))
    told = changed(STATES["failed"](), messages=messages)
    assert "and 1 other message: see `racing export`" in str(shown(told))
    assert "no 4" in str(shown(told))
    assert "no 5" not in str(shown(told))


def test_of_a_space_that_cannot_be_read_the_first_errors_are_said():
    space = {f"x{k}": {"real": [2, 1]} for k in range(9)}
    with pytest.raises(InputError, match=r"; … and 6 more errors$"):
        _ = told(hard_world(5, 8, seed=4), scenario={"space": space}).space
