"""Frozen dataclasses as mappings: the fields are the keys, the annotations say what is allowed."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass
from functools import cache
from typing import Any, cast, get_type_hints

from racing.errors import InputError, RacingError, did_you_mean
from racing.scenario.docstrings import attributes, summary
from racing.scenario.forms import Form, Schema, refuse
from racing.scenario.nodes import BAD, Faults, Node

Fault = tuple[str, str]
"""(dotted key, what is wrong)"""
Check = Callable[..., Iterator[Fault]]
"""A check across fields; its parameters are the names of the fields that it needs."""


class Contradictions(InputError):
    """Fields that do not go together; `faults` has each with its key."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(f"{key}: {text}" if key else text for key, text in self.faults))


def contradictions(checks: Iterable[Check], given: Mapping[str, Any]) -> Iterator[Fault]:
    """What the checks find, among those whose fields are all given."""
    for check in checks:
        needs = inspect.signature(check).parameters
        if needs.keys() <= given.keys():
            yield from check(**{name: given[name] for name in needs})


@dataclass(frozen=True)
class Key:
    """One key of a record.

    Attributes
    ----------
    name, form, doc
        What it is called, what it allows, what it means.
    required
        Whether it has no default.
    default
        The value without it, if it is not required.
    otherwise
        What a file that leaves it out means, where that depends on the file.
    """

    name: str
    form: Form
    doc: str
    required: bool
    default: Any = None
    otherwise: str = ""


@cache
def keys_of(record: Any) -> tuple[Key, ...]:
    """The keys of a dataclass, in the order of its fields."""
    from racing.scenario.annotations import form_of  # which needs `Record` in turn

    docs, hints = attributes(record), get_type_hints(record, include_extras=True)
    return tuple(
        Key(
            field.name,
            form_of(hints[field.name]),
            docs.get(field.name, ""),
            *_default(field),
            otherwise=field.metadata.get("default", ""),
        )
        for field in dataclasses.fields(record)
        if field.metadata.get("key", True)
    )


@dataclass(frozen=True)
class Record:
    """A mapping that becomes a frozen dataclass.

    Fields whose metadata says `key: False` belong to Python alone. A class may have `CHECKS`,
    checks across its fields, which are also made when some other field cannot be read.
    """

    record: type[Any]

    @property
    def allowed(self) -> str:
        return f"a mapping with {', '.join(key.name for key in self.keys)}"

    @property
    def in_python(self) -> str:
        """What Python code gives, for messages; forms without this say what a file may hold."""
        return f"{_article(self.record.__name__)} ({', '.join(key.name for key in self.keys)})"

    @property
    def keys(self) -> tuple[Key, ...]:
        """The keys, in the order of the fields."""
        return keys_of(cast(Hashable, self.record))

    def read(self, node: Node, faults: Faults) -> Any:
        if not isinstance(node.value, dict):
            return refuse(self, node, faults)
        return self.build(node, self.parts(node, faults), faults)

    def parts(self, node: Node, faults: Faults) -> dict[str, Any]:
        """The value of every key, defaults filled in; `BAD` where there is a fault."""
        assert isinstance(node.value, dict)
        names = [key.name for key in self.keys]
        for name, part in node.value.items():
            if name in self._python_only:
                faults.add(part, "only Python code can give it; no file can hold an object")
            elif name not in names:
                top = f"; {name} stands at the top level" if name in faults.top else ""
                faults.add(part, f"unknown key{top or did_you_mean(name, names)}")
        parts = {}
        for key in self.keys:
            if part := node.value.get(key.name):  # type: ignore[assignment]
                parts[key.name] = key.form.read(part, faults)
            elif key.required:
                faults.add(node, f"missing; it must be {key.form.allowed}",
                           key=node.child(key.name))  # fmt: skip
                parts[key.name] = BAD
            else:
                parts[key.name] = key.default
        return parts

    def build(self, node: Node, parts: dict[str, Any], faults: Faults) -> Any:
        """The record, if its parts can be used and go together."""
        if any(part is BAD for part in parts.values()):
            given = {name: part for name, part in parts.items() if part is not BAD}
            found = contradictions(getattr(self.record, "CHECKS", ()), given)
            self._note(node, found, faults)
            return BAD
        try:
            return self.record(**parts)
        except Contradictions as error:
            self._note(node, error.faults, faults)
        except RacingError as error:
            faults.add(node, str(error))
        return BAD

    def _note(self, node: Node, found: Iterable[Fault], faults: Faults) -> None:
        """Note faults at the lines of their keys, or of the nearest key above that is there."""
        places: dict[str, Node] = {}
        for path, message in found:
            places = places or {part.key: part for part in node.below()}
            key = above = node.child(path) if path else node.key
            while above not in places:
                above = above[: max(above.rfind("."), above.rfind("["), 0)]
            faults.add(places[above], message, key=key)

    @property
    def _python_only(self) -> tuple[str, ...]:
        fields = dataclasses.fields(self.record)
        return tuple(field.name for field in fields if not field.metadata.get("key", True))

    def write(self, value: Any) -> Any:
        """Plain data; what only Python code can give is told by its type, which no reader takes."""
        objects = {name: getattr(value, name) for name in self._python_only}
        parts = {key.name: (key, getattr(value, key.name)) for key in self.keys}
        written = {name: key.form.write(part) for name, (key, part) in parts.items()
                   if part is not None}  # fmt: skip
        lost = {name: str(type(part)) for name, part in objects.items() if part is not None}
        return {**written, **lost}

    def admits(self, value: object) -> bool:
        return isinstance(value, self.record)

    def faults(self, value: Any) -> Iterator[Fault]:
        """What is wrong with the fields of a value that Python code built."""
        for key in self.keys:
            part = getattr(value, key.name)
            if not (key.form.admits(part) or (part is None and key.default is None)):
                allowed = getattr(key.form, "in_python", key.form.allowed)
                yield key.name, f"must be {allowed}; got {part!r:.80}"

    def schema(self) -> Schema:
        return {
            "type": "object",
            "description": summary(self.record),
            "properties": {
                key.name: {**key.form.schema(), "description": key.doc} for key in self.keys
            },
            "required": [key.name for key in self.keys if key.required],
            "additionalProperties": False,
        }


def verify(record: Any) -> None:
    """Check a record that Python code built, as the reader checks a file.

    Raises
    ------
    InputError
        Naming every field that cannot be used, or that contradicts another.
    """
    form = Record(type(record))
    found = list(form.faults(record))
    wrong = {key for key, _ in found}
    given = {
        field.name: getattr(record, field.name)
        for field in dataclasses.fields(record)
        if field.name not in wrong
    }
    found += contradictions(getattr(record, "CHECKS", ()), given)
    if found:
        raise Contradictions(found)


def _article(name: str) -> str:
    return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"


def _default(field: dataclasses.Field[Any]) -> tuple[bool, Any]:
    """(required, default)"""
    if field.default is not MISSING:
        return False, field.default
    if field.default_factory is not MISSING:
        return False, field.default_factory()
    return True, None
