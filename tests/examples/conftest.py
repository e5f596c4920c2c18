"""The examples are no part of the installed package: they are imported from the project's root."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import racing
from racing.scenario import CandidateSource, Execution, InstanceSource

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

ShortRun = Callable[..., racing.Race]


@pytest.fixture
def short_run(tmp_path: Path) -> ShortRun:
    """Run a scenario of configs/ with four candidates on five instances, in this process."""

    def run(name: str, glob: str | None = None) -> racing.Race:
        scenario = racing.read(ROOT / "configs" / f"{name}.yaml")
        short = replace(
            scenario,
            candidates=CandidateSource(default=True, sample=3),
            instances=InstanceSource(glob=glob) if glob else scenario.instances,
            budget=racing.Budget(instances=5),
            execution=Execution(jobs=1, backend="sequential"),
        )
        return racing.run(short, log=tmp_path / "short.sqlite")

    return run
