"""A race that leaves everything to its rule is replayed as it was: first look, merged equals."""

import pytest

import racing
from racing.log import SQLiteLog, replay
from tests.runs_kit import write_scenario


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
