"""Text and data made plain, for terminals and JSON."""

from __future__ import annotations

import json
import math
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from racing.answer.document import table
from racing.base.plain import harmless, json_text, jsonable, printable
from racing.base.words import number
from racing.cli.console import say, tell

NASTY = "\x1b]0;title\x07 \x9b2J \u202eturned \x00 end"


def test_control_characters_become_escapes():
    assert printable("plain ✓ ä\tb\nc") == "plain ✓ ä\tb\nc"
    assert printable(NASTY) == "\\x1b]0;title\\x07 \\x9b2J \\u202eturned \\x00 end"


@given(st.text(st.characters()))
def test_no_control_character_is_left(text):
    left = {char for char in printable(text) if unicodedata.category(char) in ("Cc", "Cs")}
    assert left <= {"\t", "\n"}


def test_what_is_said_and_tabulated_is_printable(capsys):
    say(NASTY)
    tell([table("nasty", NASTY, (NASTY,), [(NASTY,)])])
    assert not set(capsys.readouterr().out) & {"\x1b", "\x07", "\x9b", "\u202e", "\0"}


def test_infinities_are_text_and_nan_is_null():
    data = {"a": math.inf, "b": [-math.inf, math.nan, -0.0, 1.5], "c": ("x", None, True)}
    assert jsonable(data) == {"a": "inf", "b": ["-inf", None, 0.0, 1.5], "c": ["x", None, True]}
    assert math.copysign(1, json.loads(json_text(data))["b"][2]) == 1


@given(st.dictionaries(st.text(), st.text() | st.integers() | st.floats() | st.booleans()))
def test_json_is_strict_and_printable(data):
    def refuse(constant):
        raise AssertionError(constant)

    text = json_text(data)
    assert json.loads(text, parse_constant=refuse) == jsonable(data)
    assert printable(text) == text


def test_no_number_is_minus_zero():
    assert number(-0.0) == "0"
    assert number(math.nan) == "–"


@pytest.mark.parametrize(
    ("cell", "written"),
    [("=1+1", "'=1+1"), ("-1 +A1", "'-1 +A1"), ("-1 [2, A1]", "'-1 [2, A1]"), ("@f", "'@f"),
     ("-2.5", "-2.5"), ("-0.1 [-∞, 0.2]", "-0.1 [-∞, 0.2]"), ("a-b", "a-b"), ("", "")],
)  # fmt: skip
def test_no_spreadsheet_computes_text(cell: str, written: str) -> None:
    assert harmless(cell) == written
