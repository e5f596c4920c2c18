"""The command `racing test`."""

from __future__ import annotations

from tests.runs_kit import calls, write_scenario

HELD_OUT = [f"held-out-{k}" for k in range(12)]


def test_test_says_how_sure_the_difference_is(racing, log):
    said = racing("test", log, *HELD_OUT, "--against", "#8")
    assert said.code == 0
    assert said.out.startswith("#1 is better than #8 on unseen problems.\n")
    assert "On 12 unseen problems, #1 is better than #8 by " in said.out
    assert "95 % interval" in said.out
    assert "#1 is better on all 12.\n" in said.out
    assert "\n#1: mean " in said.out
    assert "Objective" not in said.err, "what the run was asked for is not what a test is asked for"


def test_test_as_json(racing, log):
    data = racing("test", log, *HELD_OUT, "--against", "#8", "--json").data
    (gain,) = data["tested"]["gains"]
    assert len(data["tested"]["instances"]) == len(data["tested"]["costs"]) == 12
    assert gain["of"] == "unseen"
    assert gain["low"] < gain["estimate"] < gain["high"]
    assert gain["wins"] + gain["ties"] + gain["losses"] == 12
    assert gain["test"] == "wilcoxon"
    assert 0 < gain["p"] < 0.01


def test_a_default_that_wins_is_an_answer(racing, log, tmp_path):
    before = len(calls(tmp_path))
    said = racing("test", log, *HELD_OUT)
    assert said.code == 0
    assert "The winner is #1 itself, with which others are compared: nothing better" in said.out
    data = racing("test", log, *HELD_OUT, "--json").data
    assert data["tested"] is None
    assert len(calls(tmp_path)) == before
    said = racing("test", log, *HELD_OUT, "--against", "#1")
    assert said.code == 2, "whoever names it is told to name another"


def test_too_few_instances_for_an_interval_are_said_to_be(racing, log):
    said = racing("test", log, "held-out", "--against", "#8")
    assert "it cannot be said whether #1 is better than #8" in said.out
    assert "6 problems or more can decide" in said.out


def test_scores_are_shown_in_the_users_direction(racing, tmp_path):
    scenario, log = write_scenario(tmp_path, noise=0.3, direction="maximize"), tmp_path / "l.sqlite"
    said = racing("run", scenario, "--log", log)
    assert "Best so far: #8 (mean 1.0" in said.out or "Best so far: #8 (mean 0.9" in said.out
    data = racing("test", log, *HELD_OUT, "--against", "#1", "--json").data
    winner, against = data["tested"]["means"]
    assert winner["mean"] > against["mean"] > 0
    assert data["tested"]["gains"][0]["estimate"] > 0
