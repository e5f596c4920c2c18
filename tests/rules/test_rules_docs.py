"""The pages of rules have a section for every rule, with its defaults, and tables as measured."""

from __future__ import annotations

import dataclasses
import json
import re

import pytest

from benchmarks.pages import DOCS
from benchmarks.racing_lab.promise import DOCUMENT, RESULT, filled
from racing.rules import RULES

PAGES = [DOCS / "rules.md", *sorted((DOCS / "rules").glob("*.md"))]
TEXT = "".join(page.read_text(encoding="utf-8") for page in PAGES)
SECTIONS = dict(re.findall(r"^## (\S+)\n(.*?)(?=^#{1,2} |\Z)", TEXT, re.DOTALL | re.MULTILINE))


def test_every_rule_has_a_section_and_a_row_and_nothing_else_has() -> None:
    assert set(SECTIONS) >= set(RULES)
    assert re.findall(r"^\| \[`([\w-]+)`\]\(", TEXT, re.MULTILINE) == list(RULES)


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


def test_the_tables_are_those_of_the_saved_results() -> None:
    page = DOCUMENT.read_text(encoding="utf-8")
    assert filled(page, json.loads(RESULT.read_text(encoding="utf-8"))) == page


def test_the_saved_races_kept_the_promise() -> None:
    found = json.loads(RESULT.read_text(encoding="utf-8"))
    for name, case in found["promise"].items():
        assert case["races"] >= 10_000
        assert case["dropped"] + 2 * case["error"] <= case["alpha"], name
