"""A run as typed facts: complete, and in the user's direction."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import racing
from racing.analysis.unseen import holdout
from racing.answer.gain import Gain, gain
from racing.answer.head import Message
from racing.answer.json import as_data
from racing.answer.tested import sentences
from racing.base.errors import InputError
from racing.base.quantities import RISK
from racing.log import SQLiteLog
from racing.log.headers import units_in
from racing.report import gather
from racing.report.page.data import use_forms, use_title
from racing.report.run_document import shown, too_late, unseen_report
from racing.report.run_tables import differing, plain
from tests.analysis.portfolio.kit import search_log
from tests.report.kit import changed, on_unseen, told, told_race, told_search
from tests.report.states import STATES
from tests.worlds import hard_world


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
    assert plain({"a": 0.123456, "b": 3, "c": "x", "d": True}) == "a=0.1235 b=3 c=x d=true"


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


def units(data):
    """The unit of each gain in plain data."""
    parts = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    own = [data["unit"]] if isinstance(data, dict) and data.get("by_cost") else []
    return own + [unit for part in parts for unit in units(part)]


def test_every_gain_of_a_run_has_the_unit_of_its_costs(tmp_path):
    source = {"list": [f"{kind}/{k}" for k in range(8) for kind in "ab"], "family": "folder"}
    log = told_search(tmp_path, unit="s", source=source, budget=300)
    new = [f"{kind}/new-{k}" for k in range(4) for kind in "ab"]
    found = holdout(log, new)
    with SQLiteLog.open(log, write=False) as book:
        told = gather(book)
    assert told.search.gain
    confirmed = " ".join(changed(told, tests=()).answer.sentences)
    assert re.search(r"of the choice, the gain was [\d.]+ s;", confirmed)
    assert len(told.families.rows) == 2
    assert set(units(as_data(told))) == {"s"}
    assert set(units(as_data(found))) == {"s"}
    assert " s on average" in str(found)
    assert set(units(as_data(unseen_report(log, found)))) == {"s"}
    assert set(units(as_data(racing.by_family(log)))) == {"s"}


def test_the_gains_of_a_team_have_the_unit_of_its_costs(kept):
    with SQLiteLog.open(kept(search_log), write=False) as book:
        told = gather(book)
    told = changed(
        told, header=replace(told.header, scenario={**told.header.scenario, "unit": "s"})
    )
    assert told.search.team.over_default
    assert set(units(as_data(told))) == {"s"}
    assert " s on average" in " ".join(told.answer.sentences)


@pytest.mark.parametrize(
    ("objective", "units"),
    [
        ("mean", {"": "conflicts", "time": "s", "right": ""}),
        ({"front": ["time", "right"]}, {"time": "s", "right": ""}),
        ({"minimize": "time", "subject_to": ["right > 1"]},
         {"": "s", "time": "s", "right": "conflicts"}),
        ({"minimize": "2 * time"}, {"": "conflicts", "time": "s", "right": "conflicts"}),
    ],
)  # fmt: skip
def test_a_gain_in_a_metric_has_the_unit_of_the_metric(objective, units):
    metrics = {"time": {"unit": "s"}, "right": {"direction": "maximize"}}
    asked = {"metrics": metrics, "objective": objective, "unit": "conflicts"}
    assert units_in(asked) == units
    one = Gain(metric="time", chosen=Gain()).in_units(units)
    assert (one.unit, one.chosen.unit) == ("s", units.get("", ""))


def test_a_team_beside_one_run_of_another_has_the_unit_too():
    again, once = (gain(np.array([[1.0, 2.5]] * 8), mean=True, unit="s", over=x) for x in "ab")
    said = " ".join(sentences(SimpleNamespace(kind="team", gains=(again,), once=(once,))))
    assert said.endswith(" Beside one run it is 1.5 s better.")


@pytest.mark.parametrize(
    ("messages", "headline"),
    [
        ((), "The run has not begun."),
        ((Message(message="crashed", times=1, last_line="oops"),), "No candidate is ahead yet."),
    ],
)
def test_a_run_that_its_first_failure_stopped_has_begun(messages, headline):
    run = told(hard_world(3, 4, seed=1), stop_after=0, finish=False)
    assert changed(run, messages=messages).answer.headline == headline


@pytest.mark.parametrize("gain", [1.0, -1.0])
def test_what_a_test_shows_to_be_better_than_a_kept_default_is_what_changes(gain):
    run = told(hard_world(3, 4, seed=1), values=[{"x": 1}, {"x": 2}, {"x": 3}], rule="none")
    kept, found = run.winner, next(one for one in run.race.candidates if one != run.winner)
    costs = np.column_stack([np.zeros(9), gain + np.arange(9) / 99])
    run = changed(run, tests=(on_unseen(found, kept, costs),))
    assert run.next.startswith(f"use the configuration of {found}" if gain > 0 else "keep")
    own = [(one.against, one.winner) for one in run.changes]
    assert own == ([(kept.values["x"], found.values["x"])] if gain > 0 else [])
    used = found if gain > 0 else kept
    assert f"x: {used.values['x']}" in use_forms(run)[0].text
    assert use_title(run) == f"The configuration of {used}"
    assert (f"What `{found}` changes" in str(shown(run))) == (gain > 0)
