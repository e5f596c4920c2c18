"""Frozen dataclasses that read their own fields: the fields are the keys of a mapping.

The annotation of a field says what it may hold, the docstring what it means. A record that Python
code builds and one that a file describes go through the same reading.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass
from functools import cache
from typing import Any, get_type_hints

from racing.errors import RacingError, did_you_mean
from racing.records.annotations import kind_of
from racing.records.docstrings import attributes, summary
from racing.records.kinds import (
    INVALID,
    Errors,
    FieldError,
    FieldErrors,
    KeyDoc,
    Kind,
    Schema,
    join,
    shown,
)  # fmt: skip


class Checked:
    """A dataclass whose fields are read when it is built; a mixin.

    Raises
    ------
    FieldErrors
        Naming every field that cannot be used, or that contradicts another.
    """

    def __post_init__(self) -> None:
        read_fields(self)

    def contradictions(self, given: dict[str, Any]) -> Iterable[FieldError]:
        """What fields contradict each other; `given` has those that can be used."""
        return ()


def read_fields(record: Any) -> dict[str, Any]:
    """Replace each field of a new record by what its kind reads, and look for contradictions.

    Raises
    ------
    FieldErrors
        Naming every field that cannot be used, or that contradicts another.
    """
    keys = Record(type(record)).keys
    errors = Errors(top=frozenset(key.name for key in keys))
    given = {field.name: getattr(record, field.name) for field in dataclasses.fields(record)}
    for key in keys:
        if not key.required and given[key.name] is key.default:
            continue
        value = key.kind.read(given[key.name], key.name, errors)
        if value is INVALID:
            del given[key.name]
        elif value is not given[key.name]:
            object.__setattr__(record, key.name, value)
            given[key.name] = value
    complete = len(given) == len(dataclasses.fields(record))
    errors.include("", record.contradictions(given))
    if errors.found or not complete:
        raise FieldErrors(errors.found)
    return given


@dataclass(frozen=True)
class Key:
    """One key of a record.

    Attributes
    ----------
    name, kind, doc
        What it is called, what it may hold, what it means.
    required
        Whether it has no default.
    default
        The value without it, if it is not required.
    otherwise
        What a file that leaves it out means, in words, where no value says it.
    """

    name: str
    kind: Kind
    doc: str
    required: bool
    default: Any = None
    otherwise: str = ""

    @property
    def without(self) -> str:
        """The default as a file would have it."""
        if self.otherwise or self.required:
            return self.otherwise or "required"
        if self.default is None or self.default == ():
            return "none"
        if dataclasses.is_dataclass(self.default):
            return _as_yaml(self.kind.write(self.default)) or "no limit"
        return _as_yaml(self.default)


def _as_yaml(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}: {_as_yaml(part)}" for name, part in value.items())
    return str(value).lower() if isinstance(value, bool) else str(value)


@cache
def keys_of(record: Any) -> tuple[Key, ...]:
    """The keys of a dataclass, in the order of its fields.

    A field whose metadata says `key: False` belongs to Python alone; `default` there says in words
    what leaving it out means.
    """
    docs, hints = attributes(record), get_type_hints(record, include_extras=True)
    return tuple(
        Key(
            field.name,
            kind_of(hints[field.name]),
            docs.get(field.name, ""),
            *_default(field),
            otherwise=field.metadata.get("default", ""),
        )
        for field in dataclasses.fields(record)
        if field.metadata.get("key", True)
    )


def _default(field: dataclasses.Field[Any]) -> tuple[bool, Any]:
    """(required, default)"""
    if field.default is not MISSING:
        return False, field.default
    if field.default_factory is not MISSING:
        return False, field.default_factory()
    return True, None


@dataclass(frozen=True)
class Short:
    """A shorter way to write a record: the value of one key alone.

    Attributes
    ----------
    keys
        Pairs of a type of plain values and the key that such a value stands for.
    words
        What may stand there, for messages.
    """

    keys: tuple[tuple[type, str], ...]
    words: str

    def key(self, value: object) -> str | None:
        """The key that a value stands for; None if it is no short form."""
        if isinstance(value, bool):
            return None
        return next((key for kind, key in self.keys if isinstance(value, kind)), None)


@dataclass(frozen=True)
class Record(Kind):
    """A mapping that becomes a dataclass; or a short form of it.

    A short form that is a mapping itself is told by the absence of the key that it stands for.
    """

    record: type[Any]
    short: Short | None = None

    @property
    def keys(self) -> tuple[Key, ...]:
        """The keys, in the order of the fields."""
        return keys_of(self.record)  # type: ignore[arg-type]

    @property
    def allowed(self) -> str:  # type: ignore[override]
        full = f"a mapping with {', '.join(key.name for key in self.keys)}"
        return f"{self.short.words}, or {full}" if self.short else full

    def read(self, value: Any, at: str, errors: Errors) -> Any:
        if value is INVALID or isinstance(value, self.record):
            return value
        key = self.short.key(value) if self.short else None
        if key and not (isinstance(value, Mapping) and key in value):
            return self._unfold(key, value, at, errors)
        if isinstance(value, Mapping):
            return self.build(value, at, errors)
        words_alone = self.short is not None and self.short.keys[0][0] is str
        plain = words_alone and isinstance(value, bool | int | float)
        hint = f'write "{shown(value)}" in quotes if it is text' if plain else ""
        return self.refuse(value, at, errors, hint)

    def _unfold(self, name: str, value: Any, at: str, errors: Errors) -> Any:
        """The record that a short form stands for."""
        kind = next(key.kind for key in self.keys if key.name == name)
        trial = Errors(top=errors.top, plain=errors.plain)
        part = kind.read(value, at, trial)
        if part is not INVALID:
            errors.include("", trial.found)  # such as an unknown key in an item of a list
            return self._make({name: part}, at, errors)
        if isinstance(value, list | tuple | Mapping):
            errors.include("", trial.found)
            return INVALID
        return self.refuse(value, at, errors)

    def build(self, value: Mapping[str, Any], at: str, errors: Errors) -> Any:
        """The record that a mapping describes."""
        errors = errors.within_plain()
        self._unknown(value, at, errors)
        parts: dict[str, Any] = {}
        for key in self.keys:
            if key.name in value:
                parts[key.name] = key.kind.read(value[key.name], join(at, key.name), errors)
            elif key.required:
                errors.add(join(at, key.name), f"missing; it must be {key.kind.allowed}")
                parts[key.name] = INVALID
        return self._make(parts, at, errors)

    def _unknown(self, value: Mapping[str, Any], at: str, errors: Errors) -> None:
        names = [key.name for key in self.keys]
        for name in value:
            if name in names:
                continue
            if name in self.python_only:
                message = "only Python code can give it; no file can hold an object"
            elif name in errors.top and at:
                message = f"unknown key; {name} stands at the top level"
            else:
                message = f"unknown key{did_you_mean(str(name), names)}"
            errors.add(join(at, str(name)), message)

    def _make(self, parts: dict[str, Any], at: str, errors: Errors) -> Any:
        try:
            return self.record(**parts)
        except FieldErrors as error:
            errors.include(at, error.errors)
        except RacingError as error:
            errors.add(at, str(error))
        return INVALID

    @property
    def python_only(self) -> tuple[str, ...]:
        """The fields that no file can give."""
        fields = dataclasses.fields(self.record)
        return tuple(field.name for field in fields if not field.metadata.get("key", True))

    def write(self, value: Any) -> dict[str, Any]:
        """Plain data; what only Python code can give is told by its type, which no reader takes."""
        parts = {key.name: (key, getattr(value, key.name)) for key in self.keys}
        objects = {name: getattr(value, name) for name in self.python_only}
        return {
            **{
                name: key.kind.write(part)
                for name, (key, part) in parts.items()
                if part is not None and not (part == () and getattr(key.kind, "least", 0))
            },
            **{name: str(type(part)) for name, part in objects.items() if part is not None},
        }

    def schema(self) -> Schema:
        full = {
            "type": "object",
            "description": summary(self.record),
            "properties": {
                key.name: {**key.kind.schema(), "description": key.doc} for key in self.keys
            },
            "required": [key.name for key in self.keys if key.required],
            "additionalProperties": False,
        }
        return {"anyOf": [*self._short_schemas(), full]} if self.short else full

    def _short_schemas(self) -> Iterator[Schema]:
        assert self.short is not None
        kinds = {key.name: key.kind for key in self.keys}
        for kind, name in self.short.keys:
            for form in _members(kinds[name].schema()):
                if form["type"] in _JSON[kind]:
                    yield {**form, "not": {"required": [name]}} if kind is Mapping else form

    def key_docs(self, path: str) -> Iterator[KeyDoc]:
        told: list[Kind] = []
        for key in self.keys:
            below = join(path, key.name)
            yield KeyDoc(below, key.kind.allowed, key.without, key.doc)
            if key.kind not in told:  # two keys of one kind, such as instances, have one table
                yield from key.kind.key_docs(below)
            told.append(key.kind)


_JSON: dict[Any, tuple[str, ...]] = {
    str: ("string",), list: ("array",), Mapping: ("object",), int: ("integer",), float: ("number",),
}  # fmt: skip


def _members(schema: Schema) -> list[Schema]:
    members: list[Schema] = schema.get("anyOf", [schema])
    return members
