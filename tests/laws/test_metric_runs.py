"""Runs of several metrics from end to end: file, log, resume, export, what is shown."""

from __future__ import annotations

import csv
import json
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

import racing
from racing.cli import main
from racing.core.standing import from_end_to_end
from racing.log import SQLiteLog, replay
from racing.report import read_history
from racing.report.pictures import pictures
from racing.runner.loop import RunOptions

TARGET = """
import json, sys
x, seed, form = float(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
quality, success = x + seed % 97 / 97, int(x > 0.2 or seed % 3 > 0)
if seed % 31 == 0:
    sys.exit(3)
print({
    "numbers": f"{quality} {success}",
    "names": f"success={success} quality={quality}",
    "json": json.dumps({"quality": quality, "success": success}),
}[form])
"""
METRICS = {"quality": {"unit": "km"}, "cpu": {"measure": "cpu_time"}, "success": "maximize"}
LIMIT = {"minimize": "quality", "subject_to": ["success >= 0.95"]}


def write(folder: Path, form: str, objective: Any = None, **keys: Any) -> Path:
    (folder / "solve.py").write_text(TARGET)
    scenario = {
        "target": {"command": [sys.executable, "solve.py", "{x}", "{seed}", form]},
        "metrics": METRICS,
        "candidates": [{"x": x / 10} for x in range(6)],
        "instances": list("abcdefghijklmnopqrstuvwxyz"),
        "budget": 40,
        **({"objective": objective} if objective else {}),
        **keys,
    }
    scenario = {key: part for key, part in scenario.items() if part is not None}
    path = folder / "race.yaml"
    path.write_text(yaml.safe_dump(scenario, sort_keys=False))
    return path


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    capsys.readouterr()
    assert main([*arguments]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("form", ["numbers", "names", "json"])
def test_a_run_from_a_file(form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, log = write(tmp_path, form, LIMIT), tmp_path / "runs" / "race.sqlite"
    text = shown(capsys, "check", str(file))
    assert re.search(r"The target answers: quality \S+, cpu \S+ and success 1 after", text)
    shown(capsys, "run", str(file))
    data = json.loads(shown(capsys, "show", str(log), "--json"))
    assert data["winner"]["values"] == {"x": 0.3}
    best = data["standing"][0]
    assert best["metrics"]["quality"] == best["mean"]
    assert best["metrics"]["cpu"] > 0
    assert best["limits"] == {"success >= 0.95": {"mean": 1.0, "met": True}}
    text = shown(capsys, "show", str(log))
    assert "quality (km)" in text
    assert "minimize mean of quality subject to success >= 0.95" in text
    assert "meets success >= 0.95 (mean 1) on the instances of the choice" in text

    folder = tmp_path / "out"
    shown(capsys, "export", str(log), "--to", str(folder))
    with (folder / "outcomes.csv").open() as source:
        rows = list(csv.DictReader(source))
    assert {row["cost"] for row in rows} == {row["quality"] for row in rows}
    assert {row["success"] for row in rows if row["status"] == "crashed"} <= {"-inf"}
    with (folder / "matrix-success.csv").open() as source:
        cells = {cell for row in csv.DictReader(source) for cell in list(row.values())[1:]}
    assert cells <= {"", "0.0", "1.0", "-inf"}
    assert json.loads((folder / "run.json").read_text())["outcomes"][0]["success"] in (0, 1, "-inf")


def test_the_test_says_whether_constraints_hold(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path, "names", {"minimize": "quality", "subject_to": ["success >= 0.25"]})
    shown(capsys, "run", str(file))
    log, held = tmp_path / "runs" / "race.sqlite", [f"new {i}" for i in range(9)]
    text = shown(capsys, "test", str(log), *held, "--against", "#6")
    assert "#1 meets success >= 0.25 on 9 unseen problems (mean 0.6667, 95 % interval 0.2" in text
    assert "#1: mean quality " in text
    data = json.loads(shown(capsys, "show", str(log), "--json"))["tests"][0]
    assert [one["evidence"] for one in data["gains"][0]["limits"]] == ["met"]
    assert set(data["means"][0]["metrics"]) == set(METRICS)


def test_a_front_is_shown_and_exported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path, "json", {"front": ["success", "quality"], "show": 1})
    log = tmp_path / "runs" / "race.sqlite"
    text = shown(capsys, "run", str(file))
    assert "Best compromise: #" in text
    text = shown(capsys, "show", str(log))
    assert "the front of success and quality" in text
    assert re.search(r"\d candidates are on the front; the best compromise is #\d\.", text)
    assert "Front, by success" in text
    assert "  1 of " in text
    front = json.loads(shown(capsys, "show", str(log), "--json"))["front"]
    means = [one["metrics"]["success"] for one in front["members"]]
    assert means == sorted(means, reverse=True)
    assert len(set(means)) == len(means) > 1
    with SQLiteLog.open(log, write=False) as book:
        race = replay(book)
    assert isinstance(race, racing.Race)
    assert [one["candidate"]["id"] for one in front["members"]] == [
        s.candidate.id for s in race.front
    ]
    assert [one["on_front"] for one in front["members"]] == [s.on_front for s in race.front]
    assert race.winner is not None
    assert front["best"]["id"] == race.winner.id

    drawn = {one.id: one for one in pictures(read_history(log))}["front"]
    assert drawn.table is not None
    assert [row[0] for row in drawn.table.rows if row[-1] != "dominated"] == [
        one["candidate"]["name"] for one in front["members"]
    ]
    assert [row[0] for row in drawn.table.rows if row[-1] == "best compromise"] == [
        str(race.winner)
    ]

    shown(capsys, "export", str(log), "--to", str(tmp_path / "out"))
    with (tmp_path / "out" / "front.csv").open() as source:
        rows = [row for row in csv.DictReader(source) if row["dominated"] == "false"]
    assert [int(row["candidate"]) for row in rows] == [s.candidate.id for s in race.front]
    assert [float(row["success"]) for row in rows] == means
    exported = json.loads((tmp_path / "out" / "run.json").read_text())["front"]
    assert [one["candidate"] for one in exported if not one["dominated"]] == [
        one["candidate"]["id"] for one in front["members"]
    ]


@pytest.mark.parametrize(
    ("most", "knee", "places"),
    [(9, 3, [0, 1, 2, 3, 4, 5, 6]), (3, 3, [0, 3, 6]), (3, 1, [0, 1, 6]), (1, 5, [5])],
)
def test_a_part_of_a_front_is_shown_from_end_to_end(
    most: int, knee: int, places: list[int]
) -> None:
    assert from_end_to_end(7, most, knee) == places


def test_a_limit_that_nobody_meets_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    objective = {"minimize": "quality", "subject_to": ["success >= 2"]}
    file = write(tmp_path, "names", objective)
    shown(capsys, "run", str(file))
    text = shown(capsys, "show", str(tmp_path / "runs" / "race.sqlite"))
    assert "No candidate left meets all constraints" in text
    assert "misses them by least: success >= 2 (mean 1)" in text


@pytest.mark.parametrize(
    "asked", [{"order": [{"success": 0.05}, "quality"]}, {"front": ["success", "quality"]}]
)
def test_a_run_is_resumed_and_extended(asked: dict[str, Any], tmp_path: Path) -> None:
    metrics = {"quality": {}, "success": "maximize"}
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    whole = racing.run(racing.read(write(tmp_path / "one", "names", asked, metrics=metrics)))
    scenario = racing.read(write(tmp_path / "two", "names", asked, metrics=metrics))
    seen = iter(range(15))
    stop = RunOptions(interrupted=lambda: next(seen, None) is None)
    part = racing.run(scenario, options=stop)
    assert not part.done
    rest = racing.resume(scenario.plan.log)
    assert (rest.winner, rest.verdicts) == (whole.winner, whole.verdicts)
    more = racing.resume(scenario.plan.log, budget=12)
    assert more.spent.evaluations > whole.spent.evaluations


def measured(values: dict[str, Any], instance: int, seed: int) -> dict[str, float]:
    return {"error": abs(values["x"] - 0.3) + seed % 7 / 100, "size": values["x"]}


@pytest.mark.parametrize("jobs", [1, 2])
def test_python_functions_return_mappings(jobs: int) -> None:
    candidates = [{"x": x / 10} for x in range(11)]
    found = racing.minimize(
        measured, candidates, range(20), metrics={"error": {}, "size": {}},
        objective={"minimize": "error + size"}, budget=120, jobs=jobs,
    )  # fmt: skip
    assert found.best is not None
    assert found.best["x"] <= 0.3
    assert found.scores == pytest.approx({"error": found.scores["error"], "size": found.best["x"]})


def test_a_search_has_formulas(tmp_path: Path) -> None:
    space = {"x": {"real": [0, 1], "default": 0.9}}
    options: dict[str, Any] = {
        "metrics": {"error": {}, "size": {}},
        "objective": {"minimize": "error + 2 * size"},
        "budget": 200,
    }
    found = racing.minimize(measured, space, range(20), log=tmp_path / "log.sqlite", **options)
    assert found.best is not None
    assert found.best["x"] < 0.1
    assert found.search is not None
    assert found.search.results.metrics is not None
    assert set(found.scores) == {"error", "size"}

    def summed(values: dict[str, Any], instance: int, seed: int) -> float:
        one = measured(values, instance, seed)
        return one["error"] + 2 * one["size"]

    same = racing.minimize(summed, space, range(20), budget=200)
    assert same.best == found.best
    with SQLiteLog.open(tmp_path / "log.sqlite", write=False) as log:
        assert replay(log).winner == found.winner


def test_scores_that_are_maximized() -> None:
    found = racing.minimize(
        measured, [{"x": 0.1}, {"x": 0.9}], range(9), budget=18,
        metrics={"error": {}, "size": "maximize"},
        objective={"maximize": "size"},
    )  # fmt: skip
    assert (found.best, found.direction) == ({"x": 0.9}, "maximize")
    assert found.score == pytest.approx(0.9)


def test_outcomes_are_reused_for_another_objective(tmp_path: Path) -> None:
    """The cost is what the new run asks, and nothing is evaluated again."""
    listed = {"list": list("abcdef"), "order": "listed"}
    keys: dict[str, Any] = {"instances": listed, "rule": "none", "budget": None}
    first = write(tmp_path, "names", {"minimize": "quality"}, log="one.sqlite", **keys)
    racing.run(racing.read(first))
    second = write(
        tmp_path, "names", {"maximize": "success"}, log="two.sqlite", reuse=["one.sqlite"], **keys
    )
    race = racing.run(racing.read(second))
    with SQLiteLog.open(tmp_path / "two.sqlite", write=False) as log:
        found = [one for one in log.outcomes() if not one.failed]
    assert found
    assert all(one.reused and one.cost == one.metrics[2] for one in found)
    assert race.winner is not None
    assert race.winner.values["x"] > 0.2

    other = write(tmp_path, "names", "mean", reuse=["one.sqlite"], **keys)
    other.write_text(other.read_text().replace("success: maximize", "success: minimize"))
    with pytest.raises(racing.InputError, match="another target; they differ in metrics"):
        racing.run(racing.read(other))


DEADLY = """
import os, signal
from pathlib import Path

def solve(values, instance, seed):
    counted = Path(__file__).with_name("counted")
    n = 1 + int(counted.read_text()) if counted.exists() else 1
    counted.write_text(str(n))
    if n in (4, 12, 13):
        os.kill(os.getpid(), signal.SIGKILL)
    x = values["x"]
    return {"quality": x + seed % 97 / 97, "success": float(x > 0.2 or seed % 3 > 0)}
"""


def test_after_kills_nothing_is_lost_nothing_twice_and_every_value_is_kept(tmp_path: Path) -> None:
    (tmp_path / "deadly.py").write_text(DEADLY)
    target, here = {"python": "deadly:solve"}, {"engine": "in-process"}
    file = write(tmp_path, "", LIMIT, target=target, execution=here, budget=30)
    log, whole = tmp_path / "race.sqlite", tmp_path / "whole.sqlite"
    known: list[racing.Outcome] = []
    for command, expected in (
        (["run", file, "--log", log], 3),
        (["resume", log], 10),
        (["resume", log], 10),
        (["resume", log], 30),
    ):
        ended = in_process_of_its_own(*command)
        found = outcomes(log)
        assert found[: len(known)] == known, "what was logged stays as it was"
        assert len(found) == expected
        assert ended == (0 if expected == 30 else -signal.SIGKILL)
        known = found
    assert len({one.key for one in known}) == 30
    assert all(len(one.metrics) == 3 for one in known)
    assert in_process_of_its_own("run", file, "--log", whole) == 0
    assert [told(one) for one in outcomes(whole)] == [told(one) for one in known]


def in_process_of_its_own(*arguments: str | Path) -> int:
    command = [sys.executable, "-m", "racing", *map(str, arguments), "--quiet"]
    return subprocess.run(command, check=False).returncode


def outcomes(log: Path) -> list[racing.Outcome]:
    with SQLiteLog.open(log, write=False) as kept:
        return kept.outcomes()


def told(outcome: racing.Outcome) -> tuple[Any, ...]:
    """An outcome without its processor time, which differs."""
    quality, _, success = outcome.metrics
    return outcome.key, outcome.cost, quality, success


@pytest.mark.parametrize(
    ("objective", "said"),
    [
        (LIMIT, "By quality alone. "),
        ({"order": ["success", "quality"]}, "By success alone. "),
        ({"minimize": "quality"}, ""),
    ],
)
def test_pictures_of_one_metric_say_of_which(tmp_path: Path, objective: Any, said: str) -> None:
    racing.run(write(tmp_path, "names", objective), log=tmp_path / "a.sqlite")
    sentences = {one.id: one.sentence for one in pictures(read_history(tmp_path / "a.sqlite"))}
    assert sentences["ranks"].startswith(said)
    assert ("alone" in sentences["ranks"]) == bool(said)
    assert "alone" not in sentences["survivors"]


def test_no_picture_of_a_front_is_of_one_metric(tmp_path: Path) -> None:
    front = write(tmp_path, "names", {"front": ["quality", "success"]})
    racing.run(front, log=tmp_path / "a.sqlite")
    sentences = {one.id: one.sentence for one in pictures(read_history(tmp_path / "a.sqlite"))}
    assert {"front", "survivors"} <= sentences.keys()
    assert not {"ranks", "against-default", "strips"} & sentences.keys()
    assert not [one for one in sentences.values() if "alone" in one]
