"""Facts as data for JSON."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

import numpy as np
import pytest

from racing.answer.json import as_data
from racing.core.candidate import Candidate


class Colour(Enum):
    RED = "red"


@dataclass(frozen=True)
class Inner:
    low: float
    high: float


@dataclass(frozen=True)
class Facts:
    name: str
    ends: Inner
    who: tuple[Candidate, ...]
    table: object


def test_a_record_becomes_an_object_by_the_names_of_its_fields():
    who = (Candidate(3, {"x": 0.5, "on": True}), Candidate(1, {}, name="default", parent=2))
    facts = Facts("a", Inner(-math.inf, math.nan), who, np.array([[1.5, -0.0]]))
    assert as_data(facts) == {
        "name": "a",
        "ends": {"low": "-inf", "high": None},
        "who": [
            {"id": 3, "name": "#3", "values": {"x": 0.5, "on": True}},
            {"id": 1, "name": "default", "values": {}},
        ],
        "table": [[1.5, 0.0]],
    }


def test_enums_paths_sets_and_keys_are_plain():
    facts = {Colour.RED: Path("a/b"), 2: {3, 1}, "n": np.float64("inf"), "k": np.int64(4)}
    assert as_data(facts) == {"red": str(Path("a/b")), "2": [1, 3], "n": "inf", "k": 4}


def test_anything_else_is_refused():
    with pytest.raises(TypeError, match="object: expected a record"):
        as_data({"x": object()})
