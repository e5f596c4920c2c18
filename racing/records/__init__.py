"""Records: frozen dataclasses that read and check their own fields, from Python or from a file.

kinds.py        what a field may hold: the base of all kinds, and the errors of a reading
leaves.py       text, flags, choices, numbers with their units
collections.py  lists and mappings
record.py       a dataclass as a mapping; `Checked`, the mixin that reads the fields
unions.py       one of several records, told apart by a key or by a name
annotations.py, docstrings.py
                where a field's kind and meaning come from
"""

from racing.records.kinds import INVALID, Errors, FieldError, FieldErrors, KeyDoc, Kind, Schema
from racing.records.record import Checked, Record, Short, read_fields

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
    "read_fields",
]
