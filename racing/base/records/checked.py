"""A mixin for frozen dataclasses that read and check their own fields.

Records from Python and records from files go through the same reading.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from functools import cache
from typing import Any

from racing.base.records.kinds import INVALID, Errors, FieldError, FieldErrors
from racing.base.records.record import keys_of


class Checked:
    """A mixin of dataclasses: reads and checks the fields of each new record.

    Raises
    ------
    FieldErrors
        Naming every field that cannot be used, or that contradicts another.
    """

    def __post_init__(self) -> None:
        read_fields(self)

    def contradictions(self, given: dict[str, Any]) -> Iterable[FieldError]:
        """The contradictions between fields; `given` has the valid ones."""
        return ()


def read_fields(record: Any) -> dict[str, Any]:
    """Replace each field of a new record by the value that its kind reads; check contradictions.

    Raises
    ------
    FieldErrors
        Naming every field that cannot be used, or that contradicts another.
    """
    kind: Any = type(record)
    names, top = _names(kind)
    errors = Errors(top=top)
    given = {name: getattr(record, name) for name in names}
    for key in keys_of(kind):
        if not key.required and given[key.name] is key.default:
            continue
        value = key.kind.read(given[key.name], key.name, errors)
        if value is INVALID:
            del given[key.name]
        elif value is not given[key.name]:
            object.__setattr__(record, key.name, value)
            given[key.name] = value
    complete = len(given) == len(names)
    errors.found.extend(record.contradictions(given))
    if errors.found or not complete:
        raise FieldErrors(errors.found)
    return given


@cache
def _names(record: Any) -> tuple[tuple[str, ...], frozenset[str]]:
    """(the fields of a record, its keys): looked up once, as lists have records by the thousand."""
    names = tuple(field.name for field in dataclasses.fields(record))
    return names, frozenset(key.name for key in keys_of(record))
