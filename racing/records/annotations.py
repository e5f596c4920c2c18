"""From a field's annotation to its kind."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import is_dataclass
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from racing.quantities import Quantity
from racing.records.collections import Named, OneOrSeveral, Several
from racing.records.kinds import Kind
from racing.records.leaves import FLAG, FUNCTION, TEXT, VALUE, Number, choice

_SIMPLE: dict[Any, Kind] = {str: TEXT, bool: FLAG, int: Number(int), float: Number(float)}


def kind_of(annotation: Any) -> Kind:
    """The kind of an annotation; a kind in `Annotated` speaks for itself."""
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
        from racing.records.record import Record

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
    """Optional fields, values of parameters, and the few unions that records need."""
    if len(members) == 1:
        return kind_of(members[0])
    if set(members) == {str, int, float, bool}:
        return VALUE
    if str in members and any(get_origin(member) is Callable for member in members):
        return FUNCTION
    if set(members) == {str, tuple[str, ...]}:
        return OneOrSeveral(TEXT, Several(TEXT))
    raise TypeError(f"no kind for {members}: give the field one with Annotated")
