"""What a scenario can hold: a JSON Schema for editors, and a list of all keys for the docs.

Both come from the forms that the reader uses, so they allow what it allows. Contradictions
between keys are found by the reader alone.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any, NamedTuple

from racing.scenario.candidates import Entry
from racing.scenario.docstrings import attributes
from racing.scenario.forms import Form
from racing.scenario.instances import Problem
from racing.scenario.records import Key, Record
from racing.scenario.scenario import Scenario
from racing.scenario.shapes import BudgetShape, OneOf, RuleShape, rules
from racing.scenario.space_shape import _DOMAIN, KINDS, options


class Entrance(NamedTuple):
    """One key of a scenario.

    Attributes
    ----------
    path
        From the top, such as `budget.wall_time`. `<name>` stands for a name of your own, `[]` for
        an item of a list, `target(command)` for the mapping with that key, and `rule(sign)` for
        the one that chooses that rule.
    allowed, default, doc
        What may stand there, what holds without it (`required` if there must be something), and
        what it means.
    """

    path: str
    allowed: str
    default: str
    doc: str


def json_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a scenario file."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "racing scenario",
        **Record(Scenario).schema(),
    }


def reference() -> list[Entrance]:
    """Every key that a scenario file can have, in order."""
    return list(_record("", Record(Scenario)))


def _record(path: str, form: Record) -> Iterator[Entrance]:
    for key in form.keys:
        below = f"{path}.{key.name}" if path else key.name
        yield Entrance(below, key.form.allowed, _default(key), key.doc)
        yield from _inside(below, key.form)


def _inside(path: str, form: Form) -> Iterator[Entrance]:
    """The keys within what a key holds."""
    if isinstance(form, Record):
        yield from _record(path, form)
    elif isinstance(form, BudgetShape):
        yield from _record(path, form.form)
    elif isinstance(form, OneOf):
        for name, one in form.forms.items():
            yield from _record(f"{path}({name})", one)
    elif isinstance(form, RuleShape):
        for name, rule in rules().items():
            yield from _record(f"{path}({name})", Record(rule))
    elif path == "space":
        yield from _space("space.<name>")
    elif path in _LISTS:
        yield from _record(f"{path}[]", Record(_LISTS[path]))


_LISTS: dict[str, type[Any]] = {"candidates.list": Entry, "instances.list": Problem}


def _space(path: str) -> Iterator[Entrance]:
    for kind, (_, domain) in _DOMAIN.items():
        yield Entrance(f"{path}.{kind}", domain, "one of the kinds is required", _KINDS[kind])
    for kind, record in KINDS.items():
        docs = attributes(record)
        for name, form in options(kind).items():
            allowed = "a value of the domain" if name == "default" else form.allowed
            off = {"log": "false", "switch": "--<name>="}.get(name, "none")
            yield Entrance(f"{path}({kind}).{name}", allowed, off, docs[name])


_KINDS = {
    "real": "A number from a closed interval.",
    "integer": "A whole number from a closed interval; both ends are allowed.",
    "categorical": "One of some values: text, numbers, true or false.",
}


def _default(key: Key) -> str:
    """The default as a file would have it."""
    if key.otherwise:
        return key.otherwise
    if key.required:
        return "required"
    if key.default is None or key.default == ():
        return "none"
    if dataclasses.is_dataclass(key.default):
        return _as_yaml(key.form.write(key.default)) or "no limit"
    return _as_yaml(key.default)


def _as_yaml(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}: {_as_yaml(part)}" for name, part in value.items())
    return str(value).lower() if isinstance(value, bool) else str(value)
