"""The JSON Schema of what `--json` prints, from the types of the records that it is made of."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence, Set
from dataclasses import is_dataclass
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from racing.answer.json import as_data, facts_in
from racing.core.candidate import Candidate

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
    >>> from racing.answer.json_schema import schema_of
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
    if issubclass(origin, np.ndarray):
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
