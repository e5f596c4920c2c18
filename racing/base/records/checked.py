"""A mixin for frozen dataclasses that read and check their own fields.

Records from Python and records from files go through the same reading.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any

from racing.base.records.kinds import INVALID, Errors, FieldError, FieldErrors
from racing.base.records.record import Record


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
