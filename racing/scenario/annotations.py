"""From a field's annotation to its form."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import is_dataclass
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from racing.quantities import Quantity
from racing.scenario.forms import Form, Named, Several
from racing.scenario.leaves import Choice, Flag, FunctionName, ParameterValue, Text, TextOrList
from racing.scenario.number import Number
from racing.scenario.records import Record
from racing.space import Value


def form_of(annotation: Any) -> Form:
    """The form of an annotation; a form in `Annotated` speaks for itself."""
    if get_origin(annotation) is Annotated:
        return _annotated(*get_args(annotation))
    if get_origin(annotation) in (Union, types.UnionType):
        return _union(annotation)
    if get_origin(annotation) is Literal:
        return Choice(get_args(annotation))
    if get_origin(annotation) in (tuple, Sequence):
        return Several(form_of(get_args(annotation)[0]))
    if get_origin(annotation) is Mapping:
        return Named(form_of(get_args(annotation)[1]))
    if is_dataclass(annotation) and isinstance(annotation, type):
        return Record(annotation)
    return _SIMPLE[annotation]


_SIMPLE: dict[Any, Form] = {str: Text(), bool: Flag(), int: Number(int), float: Number(float)}


def _annotated(base: Any, *notes: Any) -> Form:
    for note in notes:
        if isinstance(note, Quantity):
            return Number(base, note)
        if hasattr(note, "read"):
            return note  # type: ignore[no-any-return]
    return form_of(base)


def _union(annotation: Any) -> Form:
    """Optional fields, values of parameters, and the few unions that scenarios need."""
    members = [member for member in get_args(annotation) if member is not type(None)]
    if len(members) == 1:
        return form_of(members[0])
    if set(members) == set(get_args(Value)):
        return ParameterValue()
    if str in members and any(get_origin(member) is Callable for member in members):
        return FunctionName()
    if set(members) == {str, tuple[str, ...]}:
        return TextOrList()
    raise TypeError(f"no form for {annotation}: give it one with Annotated")
