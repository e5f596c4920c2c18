"""Checks the names of parameters."""

from __future__ import annotations

import re

RESERVED = ("name", "values")  # reserved words in a list of candidates
PATTERN = r"(?!\d[\d.]*([eE][+-]?\d+)?$)[\w@][\w.:@-]*"
"""A name; text that is a number is not allowed. Expressions quote some names: see `render`."""

_ALLOWED = (
    "start with a letter, a digit, _ or @, then letters, digits, _, ., -, : and @; "
    "a number is no name"
)


def name_error(name: object) -> str | None:
    """The error of a parameter's name, if any."""
    if not isinstance(name, str):
        return f"the name of a parameter must be text, not {name!r}"
    if not re.fullmatch(PATTERN, name):
        return f"{name!r:.80} cannot name a parameter: {_ALLOWED}"
    if name in RESERVED:
        return f"{name!r} cannot name a parameter: lists of candidates use it; choose another word"
    return None
