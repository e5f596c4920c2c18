"""What a scenario refuses of a rule's parameters, Python refuses in the same words."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

import pytest

from racing.base.errors import InputError, ScenarioError
from racing.rules import RULES, name_of
from racing.rules.auto import Auto
from racing.scenario import reads

WRONG = [5.5e300, -1, "much", [1], True]


@pytest.mark.parametrize("name", sorted(RULES))
def test_a_rule_refuses_what_its_fields_do_not_allow(name: str) -> None:
    for field in fields(RULES[name]):  # type: ignore[arg-type]
        for value in WRONG:
            in_file = told_in_a_file({"name": name, field.name: value})
            in_python = told_in_python(name, {field.name: value})
            assert in_python == in_file, (field.name, value)
        assert told_in_python(name, {field.name: "much"}).startswith(f"{field.name} must be ")
        assert told_in_python(name, {field.name: field.default}) == ""


class Own(Auto):
    """A rule of a user's."""


def test_a_rule_has_the_name_that_scenarios_know_it_by() -> None:
    assert {name_of(rule()): name for name, rule in RULES.items()} == {name: name for name in RULES}
    assert name_of(None) is None
    assert name_of(Own()) is None
    assert name_of(type("Auto", (Auto,), {})()) is None


def told_in_a_file(rule: dict[str, Any]) -> str:
    data = {
        "target": {"python": "a.py:f"},
        "candidates": [{"a": 1}, {"a": 2}],
        "instances": list("abcde"),
        "budget": 100,
        "rule": rule,
    }
    try:
        reads(json.dumps(data), "race.yaml")
    except ScenarioError as error:
        return "\n".join(error.errors).removeprefix("race.yaml:1: rule.")
    return ""


def told_in_python(name: str, options: dict[str, Any]) -> str:
    try:
        RULES[name](**options)
    except InputError as error:
        return str(error)
    return ""
