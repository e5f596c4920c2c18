"""The words of an expression: their kinds and places, dashes in names, and habits of others."""

from __future__ import annotations

import pytest

from racing.base.errors import ExpressionError
from racing.space.expressions.parse import LONGEST, tokens


def test_words_have_a_kind_and_a_place() -> None:
    found = [(token.kind, token.text, token.at) for token in tokens("n>=1.5e-3 and 'a b'")]
    assert found == [
        ("word", "n", 0), ("sign", ">=", 1), ("number", "1.5e-3", 3), ("word", "and", 10),
        ("text", "a b", 14), ("end", "", 19),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "known", "words"),
    [
        ("a-b", (), ["a", "-", "b"]),
        ("a-b", ("a-b",), ["a-b"]),
        ("a - b", ("a-b",), ["a", "-", "b"]),
        ("a-b-c", ("a-b",), ["a-b", "-", "c"]),
        ("2opt == x", ("2opt",), ["2opt", "==", "x"]),
    ],
)
def test_known_names_with_dashes_and_leading_digits_are_one_word(
    text: str, known: tuple[str, ...], words: list[str]
) -> None:
    assert [token.text for token in tokens(text, known)][:-1] == words


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a && b", "write and"), ("a = 1", "write =="), ("a ^ 2", r"write \*\*"),
        ("2opt", "neither a number nor a name"), ("a == 'b", "quote is left open"),
        ("a ? b", "unexpected character"), ("a" * (LONGEST + 1), "at most 10000 characters"),
    ],
)  # fmt: skip
def test_what_is_no_word_is_refused(text: str, said: str) -> None:
    with pytest.raises(ExpressionError, match=said):
        tokens(text)
