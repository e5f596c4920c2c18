"""What a header says of a race or a search, and what is made of it again."""

from __future__ import annotations

from typing import Any

import pytest

import racing
from racing import Race
from racing.core.failures import OnFailure
from racing.log import Header, MemoryLog, Recorder, SQLiteLog, header_of, replay
from racing.log.headers import asked, goal_as_data, goal_in
from racing.search import IteratedSettings, PortfolioSearch, Settings
from tests.runs_kit import write_scenario

METRICS: dict[str, Any] = {"time": "minimize", "success": {"direction": "maximize", "unit": "%"}}


def race(objective: Any) -> Race:
    return Race([{"x": 1}, {"x": 2}], range(9), metrics=METRICS, objective=objective, budget=18)


@pytest.mark.parametrize(
    ("objective", "words"),
    [
        ("mean", "minimize mean of time"),
        ({"maximize": "success / time"}, "maximize rank of success / time"),
        (
            {"minimize": "time", "subject_to": ["success >= 0.9", "time <= 5"]},
            "minimize mean of time subject to success >= 0.9 and time <= 5",
        ),
        (
            {"order": [{"success": 0.01}, "time"]},
            "order by success (within 0.01 of the best), then time",
        ),
    ],
)
def test_a_header_has_what_is_asked(objective: Any, words: str) -> None:
    one = race(objective)
    header = header_of(one)
    assert asked(header) == words
    again = Race([{"x": 1}, {"x": 2}], range(9), budget=18, **goal_in(header))
    assert (again.goal, again.objective) == (one.goal, one.objective)


def test_one_cost_is_as_ever() -> None:
    alone = Race([{"x": 1}, {"x": 2}], range(9))
    assert goal_as_data(alone).keys() == {"on_failure"}
    assert goal_in(header_of(alone)) == {"objective": "rank", "on_failure": OnFailure()}
    earlier = Header(name="race", seed=1, direction="minimize", objective="mean")
    assert goal_in(earlier)["on_failure"] == OnFailure(policy="worst")
    assert asked(Header(name="race", seed=1, direction="maximize", objective="mean")) == (
        "maximize mean"
    )


# --- a race that leaves everything to its rule is replayed as it was: first look, merged equals ---


SPACE = {"x": {"real": [0, 1], "default": 0.9}}


@pytest.mark.parametrize("budget", [60, 120, {"instances": 12}])
def test_what_is_replayed_is_what_the_race_came_to(tmp_path, budget):
    scenario = write_scenario(tmp_path, rule="auto", budget=budget, candidates=8)
    log = tmp_path / "log.sqlite"
    race = racing.run(scenario, log=log)
    with SQLiteLog.open(log, write=False) as book:
        again = replay(book)
    assert again.stopped == race.stopped
    assert again.winner == race.winner
    assert again.spent == race.spent
    assert list(again.verdicts) == list(race.verdicts)
    assert again.instances_seen == race.instances_seen


@pytest.mark.parametrize(
    "search",
    [
        racing.Search(SPACE, range(20), budget=150, settings=Settings(confirm=0.1)),
        racing.IteratedRacing(SPACE, range(20), budget=200, settings=IteratedSettings(mu=7)),
        PortfolioSearch(SPACE, range(20), budget=600, portfolio=2),
    ],
    ids=lambda one: type(one).__name__,
)
def test_a_search_of_ones_own_is_replayed_as_what_it_was(search):
    log = MemoryLog(header_of(search))
    recorder = Recorder(search, log)
    while not search.done:
        for one in recorder.ask(4):
            recorder.tell(one.outcome(one.candidate.values["x"] + one.instance.seed % 7 / 10))
    recorder.finish()
    again = replay(log)
    assert type(again) is type(search)
    assert (again.spent, again.winner) == (search.spent, search.winner)
    assert list(again.verdicts) == list(search.verdicts)
    assert log.header.scenario == header_of(again).scenario


def test_equals_that_were_merged_are_merged_once(tmp_path):
    twins = [{"x": 0.25}, {"x": 0.5}, {"x": 0.5 + 1e-12}, {"x": 0.75}, {"x": 1.0}]
    scenario = write_scenario(
        tmp_path, rule="sign", noise=0.0, instances=30, budget=150, candidates=1
    )
    text = scenario.read_text().replace("list:\n  - x: 0.0\n", f"list: {twins}\n")
    scenario.write_text(text)
    log = tmp_path / "log.sqlite"
    race = racing.run(scenario, log=log)
    with SQLiteLog.open(log, write=False) as book:
        again = replay(book)
    assert list(again.verdicts) == list(race.verdicts)
    assert again.winner == race.winner
