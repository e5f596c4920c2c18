"""Logs of earlier releases are read as they were: shown, exported and reported."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import racing
from racing.cli import main
from racing.log import SQLiteLog, replay
from tests.log.keep import KEPT, KINDS, facts, printed
from tests.runs_kit import interrupted_after, write_scenario, write_search

LOGS = sorted(KEPT.glob("*.sqlite"))


@pytest.fixture(params=LOGS, ids=[log.stem for log in LOGS])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of the log."""
    return Path(shutil.copy(request.param, tmp_path))


def test_there_is_a_log_of_every_kind() -> None:
    assert {log.stem.partition("-")[2] for log in LOGS} >= set(KINDS)


def test_the_same_is_said_of_the_run(log: Path) -> None:
    said: dict[str, Any] = json.loads((KEPT / f"{log.stem}.json").read_text())
    assert said["finished"]
    assert facts(log, printed) == said


def test_every_outcome_is_exported(log: Path, tmp_path: Path) -> None:
    assert main(["export", str(log), "--to", str(tmp_path / "tables")]) == 0
    said = json.loads((KEPT / f"{log.stem}.json").read_text())
    outcomes = (tmp_path / "tables" / "outcomes.csv").read_text().splitlines()
    assert len(outcomes) > said["evaluations"]


@pytest.mark.parametrize("kind", ["race", "search", "irace"])
@pytest.mark.parametrize("finished", [False, True])
def test_a_log_from_before_costs_had_a_limit_goes_on(
    kind: str, finished: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its verdicts were reached by costs that are failures now."""
    asked: dict[str, Any] = {"objective": "mean", "rule": "auto", "budget": 150}
    if kind == "race":
        scenario = write_scenario(tmp_path, **asked)
    else:
        scheme = (
            {"scheme": "irace"} if kind == "irace" else {"window": 6, "check_seed": False}
        )  # as then
        scenario = write_search(tmp_path, **asked, search=scheme)
    with (tmp_path / "target.py").open("a") as file:
        file.write("usual = solve\ndef solve(*told):\n    worst = told[0]['x'] > 0.6\n")
        file.write("    return 1e120 if worst else usual(*told)\n")
    log, most = tmp_path / "log.sqlite", 40 if kind == "race" else 90
    with monkeypatch.context() as earlier:
        for place in ("base.quantities", "core.experiment", "log.rows"):
            earlier.setattr(f"racing.{place}.MOST_COST", 1e300)
        racing.run(scenario, log=log, options=interrupted_after(10**6 if finished else most))
    with SQLiteLog.open(log, write=False) as book:
        before = len(book.outcomes())
        assert sum(one.failed for one in book.outcomes()) > 5
        assert book.verdicts()
    for command in ("show", "report", "export", "resume", "show", "export", "report"):
        assert main([command, str(log)]) == 0, command
    with SQLiteLog.open(log, write=False) as book:
        assert book.finished is not None
        assert (len(book.outcomes()) > before) is not finished
        best = replay(book).winner
    assert best is not None
    assert best.values["x"] <= 0.6


def test_a_report_is_written(log: Path, tmp_path: Path) -> None:
    assert main(["report", str(log), "--output", str(tmp_path / "page.html")]) == 0
    assert (tmp_path / "page.html").stat().st_size > 50_000
