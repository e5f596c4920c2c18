"""Reads plain YAML scalars.

By YAML 1.2. A scalar with another meaning in YAML 1.1, which most tools still use, is refused as
ambiguous. Dates stay text.
"""

from __future__ import annotations

import math
import re

Scalar = str | int | float | bool | None

_INTEGER = re.compile(r"[-+]?[0-9]+")
_HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_SPECIAL = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True,
    "false": False, "False": False, "FALSE": False,
    ".nan": math.nan, ".NaN": math.nan, ".NAN": math.nan,
    **{sign + inf: math.inf for sign in ("", "+") for inf in (".inf", ".Inf", ".INF")},
    **{"-" + inf: -math.inf for inf in (".inf", ".Inf", ".INF")},
}  # fmt: skip
_TRUE = {"yes", "on"}  # YAML 1.1 has y too, but its readers read it as text
_FALSE = {"no", "off"}
_SWITCHES = _TRUE | _FALSE
_NUMERIC = frozenset("+-.0123456789")  # how numbers begin
_LEADING_ZERO = re.compile(r"[-+]?0[0-9_]+")
_BINARY = re.compile(r"[-+]?0b[01_]+")
_OCTAL = re.compile(r"0o[0-7]+")
_UNDERSCORES = re.compile(r"[-+]?(0x[0-9a-fA-F_]+|[0-9][0-9_]*(\.[0-9_]*)?)([eE][-+]?[0-9]+)?")
_SIXTIES = re.compile(r"[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?")
_LONGEST_NUMBER = 400  # digits: more than any finite double needs


class Trap(Exception):
    """A scalar that two versions of YAML read differently; the message has the fix."""


def resolve(text: str) -> Scalar:
    """The value of a plain scalar.

    Raises
    ------
    Trap
        If YAML 1.1 and YAML 1.2 disagree about it.
    """
    if len(text) > _LONGEST_NUMBER:
        return text
    if text in _SPECIAL:
        return _SPECIAL[text]
    if text[0] not in _NUMERIC and text.lower() not in _SWITCHES:
        return text
    if instead := _trap(text):
        raise Trap(f'{text} means different things to different YAML readers; write "{text}" in '
                   f"quotes for text, or {instead}")  # fmt: skip
    if _INTEGER.fullmatch(text):
        return int(text)
    if _HEXADECIMAL.fullmatch(text):
        return int(text, 16)
    if _FLOAT.fullmatch(text):
        return float(text)
    return text


def _trap(text: str) -> str | None:
    """The fix for an ambiguous scalar."""
    if text.lower() in _TRUE:
        return "true"
    if text.lower() in _FALSE:
        return "false"
    if _LEADING_ZERO.fullmatch(text):
        return str(int(text.replace("_", "")))
    if _OCTAL.fullmatch(text):
        return str(int(text[2:], 8))
    if _BINARY.fullmatch(text):
        return str(int(text.replace("_", ""), 2))
    if "_" in text and _UNDERSCORES.fullmatch(text):
        return text.replace("_", "")
    if _SIXTIES.fullmatch(text):
        return "a time such as 90s or 1h30m"
    return None
