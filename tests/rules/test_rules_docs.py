"""docs/rules.md has a section for every rule, with its defaults; its tables are those measured."""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path

import pytest

from benchmarks.racing_lab.promise import RESULT, TABLES
from racing.rules import RULES

PAGE = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (\S+)\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE))


def test_every_rule_has_a_section_and_a_row_and_nothing_else_has() -> None:
    assert set(SECTIONS) >= set(RULES)
    assert re.findall(r"^\| `([\w-]+)` \| [a-z]", PAGE, re.MULTILINE) == list(RULES)


@pytest.mark.parametrize("name", RULES)
def test_a_section_tells_the_defaults(name: str) -> None:
    for field in dataclasses.fields(RULES[name]):  # type: ignore[arg-type]
        value = field.default
        plain = (
            "none"
            if value is None
            else str(value).lower()
            if isinstance(value, bool)
            else str(value)
        )
        assert f"`{field.name}: {plain}`" in SECTIONS[name]


@pytest.mark.parametrize("table", TABLES)
def test_its_tables_are_those_of_the_saved_results(table: str) -> None:
    found = json.loads(RESULT.read_text(encoding="utf-8"))
    assert f"<!-- table: {table} -->\n{TABLES[table](found)}\n<!-- end -->" in PAGE


def test_the_saved_races_kept_the_promise() -> None:
    found = json.loads(RESULT.read_text(encoding="utf-8"))
    for name, case in found["promise"].items():
        assert case["races"] >= 10_000
        assert case["dropped"] + 2 * case["error"] <= case["alpha"], name
