"""`racing explain` from a run to an ablation, its resumption, and its tables."""

from __future__ import annotations

import csv

import pytest
import yaml

from racing.analysis.explain.explanation import explain
from racing.base.errors import LogError
from racing.log import SQLiteLog, replay
from racing.report.history import read_history
from racing.report.pictures.space import importance
from racing.runner.loop import RunOptions
from racing.runner.run import run

pytest.importorskip("sklearn", reason="parameter importance needs the extra racing[sklearn]")

TARGET = '''
def solve(values, instance, seed):
    """x matters much, y a little, z not at all; mode c crashes."""
    if values["mode"] == "c":
        raise ValueError("no c")
    heat = values.get("heat", 0.0)
    return 10 * values["x"] + values["y"] - 4 * heat + seed % 5 + 0.1 * (seed % 7) * values["z"]
'''
SCENARIO = {
    "target": {"python": "target.py:solve"},
    "space": {
        "x": {"real": [0, 1], "default": 0.9},
        "y": {"real": [0, 1], "default": 0.9},
        "z": {"real": [0, 0.1], "default": 0.05},
        "mode": {"categorical": ["a", "b", "c"], "default": "a"},
        "heat": {"real": [0, 1], "default": 0.1, "when": "mode == b"},
    },
    "search": {"window": 6},
    "instances": {"list": [f"i{k}" for k in range(12)], "repeat": True},
    "budget": 260,
    "execution": {"engine": "in-process"},
    "seed": 4,
}


def explained(place):
    """A folder with a run that is over."""
    place.mkdir()
    (place / "target.py").write_text(TARGET)
    (place / "race.yaml").write_text(yaml.safe_dump(SCENARIO))
    run(place / "race.yaml", log=place / "log.sqlite")
    return place


@pytest.fixture
def folder(kept):
    """One for each test, and what it explains there."""
    return kept(explained)


def test_without_a_budget_it_evaluates_nothing(racing, folder):
    said = racing("explain", folder / "log.sqlite", "--json")
    assert said.code == 0
    data = said.data
    assert data["ablation"] is None
    assert not (folder / "log.explain.sqlite").exists()
    assert {one["parameter"] for one in data["changes"]} >= {"x", "mode"}
    importance = data["importance"]
    (crashing,) = [one for one in data["regions"] if one["kind"] == "failing"]
    assert importance["left_out"] == crashing["configurations"] > 0
    assert importance["configurations"] + importance["left_out"] == data["configurations"] > 20
    assert importance["r2"] <= 1
    assert {one["name"] for one in importance["parameters"]} == set(SCENARIO["space"])
    assert (crashing["name"], crashing["level"]) == ("mode", "c")
    assert crashing["failures"] == data["failures"] == crashing["evaluations"]
    text = racing("explain", folder / "log.sqlite").out
    for part in ("changes", "--budget", "How much each parameter matters", "cross-validation",
                 "evaluations failed:", "mode = c"):  # fmt: skip
        assert part in text


def test_with_a_penalty_the_forest_has_what_never_worked(tmp_path):
    (tmp_path / "target.py").write_text(TARGET)
    (tmp_path / "race.yaml").write_text(yaml.safe_dump(SCENARIO | {"on_failure": {"penalty": 40}}))
    run(tmp_path / "race.yaml", log=tmp_path / "log.sqlite")
    found = explain(tmp_path / "log.sqlite")
    assert found.failures > 0
    assert found.importance.left_out == 0
    assert found.importance.parameters[0].name == "mode"
    drawn = importance(read_history(tmp_path / "log.sqlite"))
    assert drawn == found.importance


def test_with_a_budget_the_path_is_raced_beside_the_run_and_gone_on_with(racing, folder, tmp_path):
    log, seen = folder / "log.sqlite", []
    interrupted = RunOptions(
        watch=lambda decider, outcome: seen.append(outcome), interrupted=lambda: len(seen) >= 20
    )
    assert explain(log, budget=150, options=interrupted) is None
    record = folder / "log.explain.sqlite"
    with SQLiteLog.open(record, write=False) as book:
        before = book.outcomes()
    assert len(before) >= 20
    assert "is not over; --budget 150 resumes it" in racing("explain", log).out
    said = racing("explain", log, "--budget", 150, "--quiet", "--csv", tmp_path, "--json")
    assert said.code == 0
    ablation = said.data["ablation"]
    with SQLiteLog.open(record, write=False) as book:
        after = book.outcomes()
        with pytest.raises(LogError, match="the log of an ablation"):
            replay(book)
    assert after[: len(before)] == before
    assert ablation["evaluations"] == len(after) <= 150
    steps = {step["parameters"][0]: step for step in ablation["steps"]}
    assert steps["x"]["gain"]["estimate"] > 4
    assert ablation["steps"][-1]["values"] == said.data["winner"]["values"]
    assert ablation["independent"]
    total = sum(step["gain"]["estimate"] for step in ablation["steps"])
    assert total == pytest.approx(ablation["total"]["estimate"])
    with (tmp_path / "ablation.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["change"] for row in rows] == [step["change"] for step in ablation["steps"]]
    assert (tmp_path / "importance.csv").exists()
    assert (tmp_path / "regions.csv").exists()


def test_what_was_made_is_shown_and_a_larger_budget_takes_it_over(racing, folder):
    log = folder / "log.sqlite"
    first = racing("explain", log, "--budget", 150, "--quiet", "--json").data["ablation"]
    text = racing("explain", log).out
    for part in ("one change after the other", "on average", "95 % interval", "known problem"):
        assert part in text
    more = racing("explain", log, "--budget", 220, "--quiet", "--json").data["ablation"]
    assert more["log"].endswith("log.explain2.sqlite")
    assert more["instances"] > first["instances"]
    assert racing("explain", log, "--json").data["ablation"] == more


def test_another_start_can_be_named(racing, folder):
    log = folder / "log.sqlite"
    assert racing("explain", log, "--budget", 150, "--quiet").code == 0
    data = racing("explain", log, "--against", "#3", "--json").data
    assert data["against"]["name"] == "#3"
    assert data["ablation"] is None, "the one there is goes from the default"
    winner = data["winner"]["name"]
    said = racing("explain", log, "--against", winner, "--budget", 50)
    assert f"Note: the winner is {winner} itself: there is no change to explain." in said.out
    said = racing("explain", log, "--against", "nobody")
    assert (said.code, "no candidate is called 'nobody'" in said.err) == (2, True)


def test_races_can_be_explained_if_they_have_a_space(racing, folder, tmp_path):
    (tmp_path / "target.py").write_text(TARGET)
    scenario = {key: value for key, value in SCENARIO.items() if key != "search"}
    scenario |= {"candidates": {"sample": 20, "default": True}, "budget": 200}
    (tmp_path / "race.yaml").write_text(yaml.safe_dump(scenario))
    log = tmp_path / "log.sqlite"
    assert racing("run", tmp_path / "race.yaml", "--log", log, "--quiet").code == 0
    data = racing("explain", log, "--json", "--budget", 60, "--quiet").data
    assert data["configurations"] == 21
    assert data["ablation"]["evaluations"] <= 60


def test_what_cannot_be_explained_is_refused(racing, folder, tmp_path):
    (tmp_path / "target.py").write_text("def solve(values, instance, seed): return values['x']")
    scenario = {
        "target": {"python": "target.py:solve"},
        "candidates": [{"x": 1}, {"x": 2}],
        "instances": list("abcdefgh"),
    }
    (tmp_path / "race.yaml").write_text(yaml.safe_dump(scenario))
    log = tmp_path / "log.sqlite"
    racing("run", tmp_path / "race.yaml", "--log", log, "--quiet")
    said = racing("explain", log)
    assert (said.code, "has no space" in said.err) == (2, True)
    said = racing("explain", folder / "log.sqlite", "--budget", 2)
    assert (said.code, "needs 4 evaluations or more" in said.err) == (2, True)
    said = racing("explain", tmp_path / "none.sqlite")
    assert said.code != 0


def test_a_target_that_has_changed_is_not_mixed_with_what_it_was(racing, folder):
    log, target = folder / "log.sqlite", folder / "target.py"
    racing("explain", log, "--budget", 150, "--quiet")
    target.write_text(TARGET + "# another one\n")
    said = racing("explain", log, "--budget", 150, "--quiet")
    assert (said.code, "changed since this ablation began" in said.err) == (2, True)
    said = racing("explain", log, "--budget", 40, "--quiet", "--json")
    assert "its outcomes are not used again" in said.data["notes"][0]
    told = said.data["ablation"]
    with SQLiteLog.open(told["log"], write=False) as book:
        both = {outcome.step for outcome in book.outcomes() if outcome.candidate in (1, 2)}
        assert book.header.scenario["ablation"]["known"] == [0]
    assert told["instances"] <= len(both), "all that it says was evaluated by the new target"


def test_the_command_that_is_recommended_runs_with_its_progress(racing, folder):
    """Without --quiet: progress asks the ablation how many evaluations are expected."""
    said = racing("explain", folder / "log.sqlite", "--budget", 60)
    assert said.code == 0
    assert "one change after the other" in said.out


def test_an_ablation_that_shows_nothing_says_how_many_instances_would(racing, folder):
    noise = "+ 1500 * __import__('random').Random(f'{seed}{values}').random()"
    (folder / "noisy.py").write_text(TARGET.replace("+ seed % 5", f"+ seed % 5 {noise}"))
    scenario = {**SCENARIO, "target": {"python": "noisy.py:solve"}}
    (folder / "noisy.yaml").write_text(yaml.safe_dump(scenario))
    log = folder / "noisy.sqlite"
    assert racing("run", folder / "noisy.yaml", "--log", log, "--quiet").code == 0
    ablation = racing("explain", log, "--budget", 40, "--quiet", "--json").data["ablation"]
    said, needed = ablation["total"], ablation["instances_needed"]
    half = (said["high"] - said["low"]) / 2
    assert said["low"] < 0 < said["high"]
    assert needed > said["pairs"]
    assert half * (said["pairs"] / needed) ** 0.5 <= abs(said["estimate"])
    text = racing("explain", log, "--budget", 40, "--quiet").out
    assert f"with differences as here about {needed} instances would tell, by `--budget" in text
