"""Trees as text: no more brackets than needed, and quotes where they are needed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from racing.space.expressions import Text, is_bare, number_text, parse, render

NORMAL = [
    "a + b * c", "(a + b) * c", "a - (b - c)", "a - b - c", "2 ** -x", "(-x) ** 2", "-(x + 1)",
    "not (a and b) or c", "not a and b", "a in [1, 2]", "a not in [x, 'two words']",
    "min(a, b + 1) <= abs(-c)", "active(a) and a % 2 == 0", "(a or b) and c",
]  # fmt: skip


@pytest.mark.parametrize("text", NORMAL)
def test_normal_text_stays_as_it_is(text: str) -> None:
    assert render(parse(text)) == text


@pytest.mark.parametrize(
    ("long", "short"),
    [
        ("((a))", "a"),
        ("(a * b) + c", "a * b + c"),
        ("not (a)", "not a"),
        ("(a and b) or c", "a and b or c"),
    ],
)
def test_brackets_that_change_nothing_are_left_out(long: str, short: str) -> None:
    assert render(parse(long)) == short


def test_a_category_has_quotes_unless_it_is_a_word_that_names_no_parameter() -> None:
    assert render(Text("ils")) == "'ils'"
    assert render(Text("ils"), ["kind"]) == "ils"
    assert render(Text("kind"), ["kind"]) == "'kind'"
    assert render(Text("two words"), []) == "'two words'"
    assert render(Text("it's"), []) == '"it\'s"'
    assert not is_bare("not")


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_are_read_as_they_were(value: float) -> None:
    text = number_text(value)
    assert float(text) == value
    assert not text.endswith(".0") or abs(value) >= 1e16 or value == 0
