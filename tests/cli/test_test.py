"""The command `racing test`."""

from __future__ import annotations

from racing.log import SQLiteLog
from tests.runs_kit import calls, write_scenario

HELD_OUT = [f"held-out-{k}" for k in range(12)]


def test_test_says_how_sure_the_difference_is(racing, log):
    said = racing("test", log, *HELD_OUT, "--against", "#8")
    assert said.code == 0
    assert "On 12 instances that the race has not seen, #1 has a mean of " in said.out
    assert "95 % interval" in said.out
    assert "better on 12, equal on 0, worse on 0" in said.out
    assert "#1 is better on held-out instances." in said.out


def test_test_as_json(racing, log):
    data = racing("test", log, *HELD_OUT, "--against", "#8", "--json").data
    assert data["instances"] == len(data["costs"]) == 12
    assert data["improvement_low"] < data["improvement"] < data["improvement_high"]
    assert data["wins"] + data["ties"] + data["losses"] == 12
    assert 0 < data["wilcoxon_p"] < 0.01


def test_a_default_that_wins_is_an_answer(racing, log, tmp_path):
    before = len(calls(tmp_path))
    said = racing("test", log, *HELD_OUT)
    assert said.code == 0
    assert "The winner is #1 itself, the default or the first candidate: nothing better" in said.out
    data = racing("test", log, *HELD_OUT, "--json").data
    assert data["winner"] == data["against"]
    assert data["instances"] == 0
    assert len(calls(tmp_path)) == before
    said = racing("test", log, *HELD_OUT, "--against", "#1")
    assert said.code == 2, "whoever names it is told to name another"


def test_too_few_instances_for_an_interval_are_said_to_be(racing, log):
    said = racing("test", log, "held-out", "--against", "#8")
    assert "too few instances for a 95 % interval" in said.out
    assert "do not tell the two apart" in said.out


def test_scores_are_shown_in_the_users_direction(racing, tmp_path):
    scenario, log = write_scenario(tmp_path, noise=0.3, direction="maximize"), tmp_path / "l.sqlite"
    said = racing("run", scenario, "--log", log)
    assert "Best so far: #8 (mean 1.0" in said.out or "Best so far: #8 (mean 0.9" in said.out
    data = racing("test", log, *HELD_OUT, "--against", "#1", "--json").data
    assert data["mean_winner"] > data["mean_against"] > 0
    assert data["improvement"] > 0


def test_instances_of_the_race_are_refused(racing, log):
    with SQLiteLog.open(log, write=False) as book:
        met = book.instances()[0].name
    said = racing("test", log, met, "--against", "#8")
    assert said.code == 2
    assert f"the race has met {met}" in said.err
