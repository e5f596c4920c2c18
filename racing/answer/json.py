"""Facts as data for JSON: a record becomes an object with the names of its fields."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cached_property
from os import PathLike
from typing import Any, TypeVar

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
