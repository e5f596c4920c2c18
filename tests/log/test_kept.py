"""Logs of earlier releases are read as they were: shown, exported and reported."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from racing.cli import main
from tests.log.keep import KEPT, KINDS, facts, printed

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


def test_a_report_is_written(log: Path, tmp_path: Path) -> None:
    assert main(["report", str(log), "--output", str(tmp_path / "page.html")]) == 0
    assert (tmp_path / "page.html").stat().st_size > 100_000
