"""Facts as data for JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any, Literal

import jsonschema
import numpy as np
import pytest

from racing.answer.json import as_data, schema_of
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
    with pytest.raises(TypeError, match="got object"):
        as_data({"x": object()})


@dataclass(frozen=True)
class Everything:
    chosen: Literal["a", "b"] | None
    colour: Colour
    file: Path
    pair: tuple[str, float]
    left: Mapping[str, float]
    seen: frozenset[int]
    costs: np.ndarray
    told: Facts
    free: Any
    again: Everything | None = None


EVERYTHING = Everything(
    chosen="a", colour=Colour.RED, file=Path("a/b"), pair=("x", math.inf), left={"usd": math.nan},
    seen=frozenset({3, 1}), costs=np.eye(2), free={"any": ["thing"]},
    told=Facts("a", Inner(0, 1), (Candidate(3, {"x": 0.5}),), None),
)  # fmt: skip
WRONG = {
    "chosen": "c", "colour": "blue", "file": 1, "pair": ["x"], "left": {"usd": "much"},
    "seen": [1.5], "costs": 2.0, "told": {}, "again": 1, "more": 1,
}  # fmt: skip


def test_the_schema_is_that_of_the_data():
    schema = schema_of(Everything)
    jsonschema.Draft202012Validator.check_schema(schema)
    for facts in (EVERYTHING, replace(EVERYTHING, chosen=None, again=EVERYTHING)):
        jsonschema.validate(as_data(facts), schema)


@pytest.mark.parametrize("field", WRONG)
def test_the_schema_refuses_other_data(field):
    data = as_data(EVERYTHING) | {field: WRONG[field]}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(data, schema_of(Everything))
