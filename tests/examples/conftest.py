"""The examples are no part of the installed package: they are imported from the project's root."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

import racing

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

SHORT = {
    "folder": str(ROOT),
    "candidates": {"default": True, "sample": 3},
    "budget": {"instances": 3},
    "race": {"first_test": 2},
    "execution": {"jobs": 1, "engine": "in-process"},
}


@pytest.fixture(scope="session")
def short() -> Callable[..., racing.Scenario]:
    """A scenario of configs/ with four candidates on three instances, in this process."""

    def scenario(name: str, **changes: object) -> racing.Scenario:
        data = yaml.safe_load((ROOT / "configs" / f"{name}.yaml").read_text())
        return racing.Scenario.from_dict(data | SHORT | changes)

    return scenario
