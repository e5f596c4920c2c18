"""Frozen dataclasses as mappings: the fields are the keys.

The annotation of a field gives the allowed values, the docstring the meaning.
"""

from __future__ import annotations

import dataclasses
import re
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, is_dataclass
from functools import cache
from numbers import Integral
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from racing.base.errors import RacingError, did_you_mean
from racing.base.quantities import Quantity
from racing.base.records.collections import Named, OneOrSeveral, Several
from racing.base.records.docstrings import attributes, summary
from racing.base.records.kinds import (
    INVALID,
    Errors,
    FieldErrors,
    KeyDoc,
    Kind,
    Schema,
    join,
    shown,
)  # fmt: skip
from racing.base.records.leaves import FLAG, FUNCTION, TEXT, VALUE, Number, choice


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
        The meaning of leaving it out, in words, if no value expresses it.
    """

    name: str
    kind: Kind
    doc: str
    required: bool
    default: Any = None
    otherwise: str = ""

    @property
    def without(self) -> str:
        """The default as in a file."""
        if self.otherwise or self.required:
            return self.otherwise or "required"
        if self.default is None or self.default == ():
            return "none"
        if is_dataclass(self.default):
            return _as_yaml(self.kind.write(self.default)) or "no limit"
        return _as_yaml(self.default)


def _as_yaml(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}: {_as_yaml(part)}" for name, part in value.items())
    return str(value).lower() if isinstance(value, bool) else str(value)


@cache
def keys_of(record: Any) -> tuple[Key, ...]:
    """The keys of a dataclass, in the order of its fields.

    A field with the metadata `key: False` is for Python only; `default` there is the meaning of
    leaving it out, in words.
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
        Pairs of a type of plain values and the key that such a value gives.
    words
        The allowed values, for messages.
    """

    keys: tuple[tuple[type, str], ...]
    words: str

    def key(self, value: object) -> str | None:
        """The key that a value gives; None if it is no short form."""
        if isinstance(value, bool):
            return None
        for kind, key in self.keys:
            if isinstance(value, kind) or (kind is int and isinstance(value, Integral)):
                return key
        return None


@dataclass(frozen=True)
class Record(Kind):
    """A mapping that becomes a dataclass; or a short form of it.

    A mapping is a short form if it lacks the key that the short form gives.
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
        """The record of a short form."""
        kind = next(key.kind for key in self.keys if key.name == name)
        trial = Errors(top=errors.top, plain=errors.plain)
        part = kind.read(value, at, trial)
        if part is not INVALID:
            errors.found.extend(trial.found)  # such as an unknown key in an item of a list
            return self._make({name: part}, at, errors)
        if isinstance(value, list | tuple | Mapping):
            errors.found.extend(trial.found)
            return INVALID
        return self.refuse(value, at, errors, kind.hint(value))

    def build(self, value: Mapping[str, Any], at: str, errors: Errors) -> Any:
        """The record of a mapping."""
        errors = errors.within_plain()
        self._unknown(value, at, errors)
        parts: dict[str, Any] = {}
        for key in self.keys:
            if key.name in value:
                parts[key.name] = key.kind.read(value[key.name], join(at, key.name), errors)
            elif key.required:
                errors.add(join(at, key.name), f"must be {key.kind.allowed}; it is missing")
                parts[key.name] = INVALID
        return self._make(parts, at, errors)

    def _unknown(self, value: Mapping[str, Any], at: str, errors: Errors) -> None:
        names = [key.name for key in self.keys]
        for name in value:
            if name in names:
                continue
            if name in self.python_only:
                message = "only Python code can give it, not a file"
            elif name in errors.top and at:
                message = f"unknown key; {name} belongs at the top level"
            else:
                hint = "" if errors.full else did_you_mean(str(name), names)
                if "did you mean" not in hint and (below := self._below(str(name))):
                    hint = f"; did you mean {join(at, below)!r}?"
                message = f"unknown key{hint}"
            errors.add(join(at, str(name)), message)

    def _below(self, name: str) -> str:
        """The path of a key of this name in one of the mappings directly below."""
        paths = (re.sub(r"\(.*?\)", "", doc.path) for doc in self.key_docs(""))
        return next((path for path in paths if re.fullmatch(rf"\w+\.{re.escape(name)}", path)), "")

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
        """The fields that only Python code can give."""
        fields = dataclasses.fields(self.record)
        return tuple(field.name for field in fields if not field.metadata.get("key", True))

    def write(self, value: Any) -> dict[str, Any]:
        """Plain data; for values that only Python can give, the type, which readers refuse."""
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
                if form.get("type", "string") in _JSON[kind]:  # a choice is of words
                    yield {**form, "not": {"required": [name]}} if kind is Mapping else form

    def key_docs(self, path: str) -> Iterator[KeyDoc]:
        seen: list[Kind] = []
        for key in self.keys:
            below = join(path, key.name)
            yield KeyDoc(below, key.kind.allowed, key.without, key.doc)
            if key.kind not in seen:  # two keys of one kind, such as instances, share a table
                yield from key.kind.key_docs(below)
            seen.append(key.kind)


_JSON: dict[Any, tuple[str, ...]] = {
    str: ("string",), list: ("array",), Mapping: ("object",), int: ("integer",), float: ("number",),
}  # fmt: skip


def _members(schema: Schema) -> list[Schema]:
    members: list[Schema] = schema.get("anyOf", [schema])
    return members


_SIMPLE: dict[Any, Kind] = {str: TEXT, bool: FLAG, int: Number(int), float: Number(float)}


def kind_of(annotation: Any) -> Kind:
    """The kind of an annotation, or the kind in `Annotated`."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _annotated(*arguments)
    if origin in (Union, types.UnionType):
        return _union([member for member in arguments if member is not type(None)])
    if origin is Literal:
        return choice(arguments)
    if origin in (tuple, Sequence):
        return Several(kind_of(arguments[0]))
    if origin is Mapping:
        return Named(kind_of(arguments[1]))
    if is_dataclass(annotation) and isinstance(annotation, type):
        return Record(annotation)
    return _SIMPLE[annotation]


def _annotated(base: Any, *notes: Any) -> Kind:
    for note in notes:
        if isinstance(note, Quantity):
            return Number(base, note)
        if isinstance(note, Kind):
            return note
    return kind_of(base)


def _union(members: list[Any]) -> Kind:
    """The kind of a union: of optional fields, and of values of parameters."""
    if len(members) == 1:
        return kind_of(members[0])
    if set(members) == {str, int, float, bool}:
        return VALUE
    if str in members and any(get_origin(member) is Callable for member in members):
        return FUNCTION
    if set(members) == {str, tuple[str, ...]}:
        return OneOrSeveral(TEXT, Several(TEXT))
    raise TypeError(f"no kind for {members}: give the field one with Annotated")
