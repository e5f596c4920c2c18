"""Frozen dataclasses that read and check their own fields, from Python or from a file.

kinds.py        the base of all kinds of values, and the errors of a reading
leaves.py       text, flags, choices, numbers with their units
collections.py  lists and mappings
record.py       a dataclass as a mapping, with the kind of each of its fields
checked.py      `Checked`, the mixin that reads the fields of a new record
unions.py       one of several records, chosen by a key or by a name
docstrings.py   the texts of fields in the docstring of a record
"""

from racing.base.records.checked import Checked, read_fields
from racing.base.records.kinds import (
    INVALID,
    Errors,
    FieldError,
    FieldErrors,
    KeyDoc,
    Kind,
    Schema,
    argument,
)  # fmt: skip
from racing.base.records.record import Record, Short

__all__ = [
    "INVALID",
    "Checked",
    "Errors",
    "FieldError",
    "FieldErrors",
    "KeyDoc",
    "Kind",
    "Record",
    "Schema",
    "Short",
    "argument",
    "read_fields",
]
