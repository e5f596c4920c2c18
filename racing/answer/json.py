"""Facts as data for JSON: a record becomes an object with the names of its facts; its schema."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cached_property
from os import PathLike
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from racing.base.plain import jsonable
from racing.core.candidate import Candidate

T = TypeVar("T")


class fact(cached_property[T]):
    """A fact of a record that is found when it is asked for; JSON has it as it has fields."""


def facts_in(record: type) -> list[str]:
    """The names of a record's facts: each field but those that `repr` hides, then each `fact`."""
    shown = [one.name for one in fields(record) if one.repr]
    return shown + [name for base in reversed(record.__mro__) for name, value in vars(base).items()
                    if isinstance(value, fact)]  # fmt: skip


def as_data(facts: object) -> Any:
    """Plain dictionaries, lists, numbers and text; an infinity is `inf` or `-inf`, NaN is null.

    A candidate has `id`, `name` (`#id` without one) and `values`. Arrays become lists, sets sorted
    lists, enums their values, and paths text.

    Raises
    ------
    TypeError
        If something is none of these.
    """
    match facts:
        case Candidate(id=id, values=values):
            return {"id": id, "name": str(facts), "values": as_data(values)}
        case Enum():
            return as_data(facts.value)
        case None | bool() | int() | float() | str():
            return jsonable(facts)
        case PathLike():
            return str(facts)
        case Mapping():
            return {str(as_data(key)): as_data(value) for key, value in facts.items()}
        case Set():
            return sorted(map(as_data, facts))
        case list() | tuple():
            return [as_data(one) for one in facts]
    if is_dataclass(facts) and not isinstance(facts, type):
        return {name: as_data(getattr(facts, name)) for name in facts_in(type(facts))}
    if hasattr(facts, "tolist"):  # of NumPy, which need not be loaded
        return as_data(facts.tolist())
    raise TypeError(
        f"facts must be a record, text, numbers, or lists of them; got {type(facts).__name__}"
    )


# --- the schema ------------------------------------------------------------------------------

Schema = dict[str, Any]
_PLAIN: dict[object, Schema] = {
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"anyOf": [{"type": "number"}, {"enum": ["inf", "-inf", None]}]},
    str: {"type": "string"},
    NoneType: {"type": "null"},
}
_HIDDEN = {"Race": object, "SearchBase": object}
"""Names in the types of fields that are not printed."""
_CANDIDATE: dict[str, Any] = {"id": int, "name": str, "values": dict[str, Any]}


def schema_of(record: type) -> Schema:
    """The JSON Schema (2020-12) of the data that `as_data` makes of such a record.

    An object has a property for each field, and no other. What may be anything, as the values of
    a configuration, has no type.

    Examples
    --------
    >>> from racing.answer.json import schema_of
    >>> from racing.answer.gain import Gain
    >>> schema_of(Gain)["$defs"]["Gain"]["properties"]["over"]
    {'type': 'string'}
    """
    known: dict[str, Schema] = {}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **_schema(record, known),
        "$defs": known,
    }


def _schema(of: Any, known: dict[str, Schema]) -> Schema:
    if of in _PLAIN:
        return _PLAIN[of]
    origin, inner = get_origin(of) or of, get_args(of)
    if origin is Literal:
        return {"enum": [as_data(value) for value in inner]}
    if origin in (Union, UnionType):
        return {"anyOf": [_schema(one, known) for one in inner]}
    if not isinstance(origin, type):
        return {}
    if origin is Candidate or is_dataclass(origin):
        return _object(origin, known)
    return _collection(origin, inner, known)


def _collection(origin: type, inner: tuple[Any, ...], known: dict[str, Schema]) -> Schema:
    if issubclass(origin, Enum):
        return {"enum": [as_data(one) for one in origin]}
    if issubclass(origin, os.PathLike):
        return {"type": "string"}
    if origin.__name__ == "ndarray":  # of NumPy, which need not be loaded
        return {"type": "array"}
    if issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _schema(inner[1], known)}
    return _array(inner, known) if issubclass(origin, Sequence | Set) else {}


def _array(inner: tuple[Any, ...], known: dict[str, Schema]) -> Schema:
    """A list of one type, or a tuple with a type for each place."""
    if len(inner) == 1 or inner[1:] == (...,):
        return {"type": "array", "items": _schema(inner[0], known)}
    places = [_schema(one, known) for one in inner]
    return {"type": "array", "prefixItems": places, "items": False, "minItems": len(places)}


def _object(record: Any, known: dict[str, Schema]) -> Schema:
    """A reference to the schema of a record, which is noted on first meeting."""
    name = record.__name__
    if name not in known:
        known[name] = {}  # a record may hold others of its kind
        hints = _CANDIDATE if record is Candidate else _hints(record)
        known[name] = {
            "type": "object",
            "properties": {field: _schema(hints[field], known) for field in hints},
            "required": list(hints),
            "additionalProperties": False,
        }
    return {"$ref": f"#/$defs/{name}"}


def _hints(record: type) -> dict[str, Any]:
    """The types of a record's facts."""
    hints = get_type_hints(record, localns=_HIDDEN)
    return {
        name: hints[name] if name in hints else get_type_hints(getattr(record, name).func)["return"]
        for name in facts_in(record)
    }
