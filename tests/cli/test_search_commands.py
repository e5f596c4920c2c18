"""The commands, for a search: check, plan, run, show, resume, test, export."""

from __future__ import annotations

import csv
import re

import pytest
import yaml

from tests.runs_kit import write_search


@pytest.fixture
def scenario(tmp_path):
    return write_search(tmp_path, budget=90)


def test_check_says_that_it_is_a_search(racing, scenario):
    said = racing("check", scenario)
    assert said.code == 0
    assert said.out.startswith("race: a search with window 6, 25 instances, log ")
    assert "for candidate default on" in said.out
    assert racing("check", scenario, "--no-run", "--json").data["window"] == 6


def test_run_show_and_resume_tell_the_same(racing, scenario, tmp_path):
    log = tmp_path / "log.sqlite"
    ran = racing("run", scenario, "--log", log, "--quiet", "--json").data
    assert ran["finished"]
    shown = racing("show", log, "--json").data
    assert shown["winner"] == ran["winner"]
    search = shown["search"]
    assert search["phase"] == "confirmation"
    assert search["baseline"]["name"] == "default"
    assert sum(search["tried"].values()) == len(shown["expenses"])
    gain = shown["answer"]["gain"]
    assert gain["low"] <= gain["estimate"] <= gain["high"]
    assert gain["chosen"]["of"] == "choice"
    text = racing("show", log).out
    for part in ("problems", "they favour what", "Elites after", "What #", "--budget +N"):
        assert part in text
    again = racing("resume", log, "--quiet")
    assert again.code == 0
    assert "The search is over" in again.out


def test_a_search_on_one_instance_chooses_as_show_says(racing, scenario, tmp_path):
    log = tmp_path / "log.sqlite"
    ran = racing("run", scenario, "--set", "instances={list: [1]}", "--log", log, "--quiet")
    assert ran.code == 0
    assert re.search(r"^Winner: ", ran.out, re.M)
    assert racing("show", log, "--json").data["leads"] == "Winner"
    assert racing("resume", log, "--quiet").code == 0


@pytest.mark.parametrize("search", [True, "irace"])
def test_where_every_evaluation_failed_there_is_no_winner(racing, tmp_path, search):
    target = tmp_path / "fails.py"
    target.write_text("def solve(values, instance, seed): raise ValueError\n")
    path = write_search(tmp_path, target={"python": "fails.py:solve"}, search=search)
    data = yaml.safe_load(path.read_text())
    path.write_text(yaml.safe_dump({**data, "space": {"x": {"real": [0, 1]}}}))  # no default
    log = tmp_path / "log.sqlite"
    assert racing("run", path, "--log", log, "--quiet").code == 1
    for command, what in (("explain", "explained"), ("test", "tested")):
        said = racing(command, log)
        assert (said.code, said.out) == (2, "")
        assert f"the run has no winner to be {what}" in said.err


def test_a_run_that_is_over_goes_on_with_more(racing, scenario, tmp_path):
    log = tmp_path / "log.sqlite"
    before = racing("run", scenario, "--log", log, "--quiet", "--json").data
    after = racing("resume", log, "--budget", "+40", "--quiet", "--json").data
    assert before["evaluations"] < after["evaluations"] <= before["evaluations"] + 40
    for text in ("x", "+0", "1.5", "runs=3"):
        said = racing("resume", log, "--budget", text)
        assert said.code == 2, text
        assert "must be a number of evaluations such as +500" in said.err


def test_the_progress_tells_of_a_new_best(racing, scenario, tmp_path):
    said = racing("run", scenario, "--log", tmp_path / "log.sqlite")
    assert said.err.startswith("Objective: the lowest mean of ")
    assert re.search(r"^new best #\d+ \S+ \(default \S+\) · \d+/90 · ", said.err, re.MULTILINE)


def test_a_run_can_start_from_an_earlier_one(racing, scenario, tmp_path):
    old, new = tmp_path / "old.sqlite", tmp_path / "new.sqlite"
    winner = racing("run", scenario, "--log", old, "--quiet", "--json").data["winner"]
    said = racing("run", scenario, "--log", new, "--quiet", "--from", old)
    assert said.code == 0
    assert "configurations only, their outcomes are not used" in said.err
    data = racing("export", new, "--json").data
    candidates = next(file for file in data["files"] if file.endswith("candidates.csv"))
    with open(candidates, newline="") as file:
        first = next(csv.DictReader(file))
    assert float(first["x"]) == winner["values"]["x"]


def test_instances_held_back_are_met_at_the_end_and_by_test_without_arguments(racing, tmp_path):
    held = {"list": [f"t{k}" for k in range(7)]}
    scenario = write_search(tmp_path, budget=90, test_instances=held)
    log = tmp_path / "log.sqlite"
    said = racing("run", scenario, "--log", log, "--quiet")
    assert "On 7 unseen problems" in said.out
    assert racing("test", log, "--quiet").out in said.out
    assert said.out.count("Next: ") == 1
    assert said.out.index("On 7 unseen problems") < said.out.index("Next: ")
    before = [one.read_bytes() for one in (log, log.with_suffix(".test.sqlite"))]
    again = racing("resume", log, "--quiet")
    assert again.out.count("On 7 unseen problems") == 1
    assert "testing the result" not in again.err
    assert [one.read_bytes() for one in (log, log.with_suffix(".test.sqlite"))] == before
    shown = racing("show", log.with_suffix(".test.sqlite")).out
    assert "This is the log of a test; the same `racing test` again tells its result." in shown
    assert "Undecided" not in shown
    assert "overstated" not in shown
    assert "Next: `racing export" in shown
    extended = racing("resume", log, "--budget", "+60", "--quiet", "--json").data
    assert len(extended["test"]["tested"]["instances"]) == 7
    assert extended["test"]["tested"]["others"][0]["values"] == {"x": 0.9}


def test_the_commands_know_iterated_racing(racing, tmp_path):
    scenario = write_search(tmp_path, search="irace", budget=100)
    said = racing("check", scenario)
    assert "race: iterated racing, 25 instances" in said.out
    planned = racing("plan", scenario)
    assert "iteration" in planned.out
    assert "window" not in planned.out
    log = tmp_path / "log.sqlite"
    assert racing("run", scenario, "--log", log).code == 0
    shown = racing("show", log)
    assert "iterations." in shown.out
    data = racing("show", log, "--json").data["search"]
    assert data["window"] is None
    assert data["iterations"] >= 2


FLATTERING = """
def cost(values, instance, seed):
    number = int(instance[1:])
    if values["x"] == 0.9:
        return 1.05 if number < 3 else 0.0
    return 1.0 - 0.01 * values["x"] + 0.001 * (number % 3)
"""
DEFAULT_WINS = """
seed: 3
target: {python: flattering.py:cost}
space: {x: {real: [0, 1], default: 0.9}}
search: {window: 4}
instances: {list: [INSTANCES], order: listed}
budget: 150
execution: {engine: in-process}
"""


def test_a_default_that_wins_back_is_told_with_what_was_found(racing, tmp_path):
    names = ", ".join(f"i{number}" for number in range(60))
    (tmp_path / "flattering.py").write_text(FLATTERING, encoding="utf-8")
    scenario, log = tmp_path / "race.yaml", tmp_path / "log.sqlite"
    scenario.write_text(DEFAULT_WINS.replace("INSTANCES", names), encoding="utf-8")
    ran = racing("run", scenario, "--log", log, "--quiet", "--json").data
    assert ran["winner"]["name"] == "default"
    shown = racing("show", log, "--json").data
    found = shown["found"]["name"]
    assert found != "default"
    assert shown["answer"]["gain"]["high"] < 0
    text = racing("show", log).out
    assert f"{found} is worse than default by" in text
    assert f"By all outcomes, {found} is worse than default with probability 1;" in text
    assert "Keep default: nothing better was shown." in text
    assert racing("resume", log, "--quiet").code == 0
