"""Text → words → tree: precedence, names, places of errors; and every error is a clear one."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from racing.base.errors import ExpressionError
from racing.space.expressions import (
    Active,
    And,
    Arithmetic,
    Call,
    Compare,
    Member,
    Name,
    Negative,
    Not,
    Number,
    Or,
    Text,
    Truth,
    parse,
    render,
)  # fmt: skip
from racing.space.expressions.parse import DEEPEST, LONGEST, tokens

A, B, C = Name("a"), Name("b"), Name("c")


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("a == ils", Compare("==", A, Name("ils"))),
        ("a == 'two words'", Compare("==", A, Text("two words"))),
        ("a in [x, 'y', 3]", Member(A, (Name("x"), Text("y"), Number(3)))),
        ("a not in (x)", Not(Member(A, (Name("x"),)))),
        ("a or b and not c", Or((A, And((B, Not(C)))))),
        ("not a == b", Not(Compare("==", A, B))),
        ("1 <= a < 5", And((Compare("<=", Number(1), A), Compare("<", A, Number(5))))),
        ("a + b * c", Arithmetic("+", A, Arithmetic("*", B, C))),
        ("a - b - c", Arithmetic("-", Arithmetic("-", A, B), C)),
        ("-a ** 2", Negative(Arithmetic("**", A, Number(2)))),
        ("a ** b ** c", Arithmetic("**", A, Arithmetic("**", B, C))),
        ("2 ** -1", Arithmetic("**", Number(2), Number(-1))),
        ("(a + b) // 2 % c",
         Arithmetic("%", Arithmetic("//", Arithmetic("+", A, B), Number(2)), C)),
        ("min(a, 2.5, 1e3)", Call("min", (A, Number(2.5), Number(1000.0)))),
        ("active(a) and true", And((Active("a"), Truth(True)))),
        ("+a", A),
        (".5", Number(0.5)),
    ],
)  # fmt: skip
def test_it_reads_as_python_does(text: str, tree: object) -> None:
    assert parse(text) == tree


def test_names_with_dashes_and_leading_digits_are_known_ones() -> None:
    known = ["min-pert", "2-opt", "a.b", "1e5x"]
    assert parse("min-pert > a.b", known) == Compare(">", Name("min-pert"), Name("a.b"))
    assert parse("min-pert-1 > 0", known).left == Arithmetic("-", Name("min-pert"), Number(1))  # type: ignore[attr-defined]
    assert parse("min - pert", known) == Arithmetic("-", Name("min"), Name("pert"))
    assert parse("x == 2-opt", known) == Compare("==", Name("x"), Name("2-opt"))
    assert parse("x in [1e5x]", known) == Member(Name("x"), (Name("1e5x"),))


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", 1, "the expression is empty"),
        ("   ", 4, "the expression is empty"),
        ("a = 1", 3, "unknown operator =; write =="),
        ("a && b", 3, "unknown operator &&; write and"),
        ("a | b", 3, "unknown operator |; write or"),
        ("!a", 1, "unknown operator !; write not"),
        ("a %in% b", 3, "unknown operator %in%; write in"),
        ("a ^ 2 > 1", 3, "unknown operator ^; write **"),
        ("a ≤ 2", 3, "unknown operator ≤; write <="),
        ("a == 'x", 6, "a quote is left open"),
        ("a # b", 3, "unexpected character '#'"),
        ("a b", 3, 'unexpected "b"'),
        ("a ==", 5, "this must be a name, a number or a bracket; got the end"),
        ("(a > 1", 7, "this must be ) or an operator; got the end"),
        ("a > 1)", 6, 'unexpected ")"'),
        ("a in x", 6, 'after in must be a list such as [a, b]; got "x"'),
        ("a in []", 7, "the list is empty"),
        ("a == [x]", 6, "a list may only stand after in"),
        ("mni(a, b) > 1", 1, "unknown function 'mni'; did you mean 'min'?"),
        ("min(a) > 1", 1, "min must have at least 2 arguments; got 1"),
        ("sqrt(a, b) > 1", 1, "sqrt must have 1 argument; got 2"),
        ("active(3)", 8, 'active must be of a parameter\'s name; got "3"'),
        ("a > 1e999", 5, "the number is too large"),
        ("a == 2opt", 6, "'2opt' is neither a number nor a name; quote it"),
        ("and a", 1, 'this must be a name, a number or a bracket; got "and"'),
        ("a and\n  or b", 3, 'this must be a name, a number or a bracket; got "or"'),
        ("(" * (DEEPEST + 1), DEEPEST + 1, f"more than {DEEPEST} levels"),
        ("1" + "+1" * 200, 202, "more than 100 arithmetic operators"),
        ("a" * 10_001, 1, "an expression must be at most 10000 characters"),
    ],
)
def test_faults_have_their_place(text: str, column: int, message: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        parse(text)
    assert message in caught.value.reason
    assert caught.value.column == column


def test_a_fault_on_a_later_line_counts_from_there() -> None:
    with pytest.raises(ExpressionError) as caught:
        parse("a > 1 and\n  b = 2")
    assert (caught.value.line, caught.value.column) == (2, 5)


WORDS = st.sampled_from(
    ["a", "b", "and", "or", "not", "in", "(", ")", "[", "]", ",", "==", "<", "-", "**", "//", "1",
     "2.5", "'x'", "min", "active", "true", "%", "=", "2a", "\n", "a-b"]
)  # fmt: skip


@given(st.one_of(st.text(max_size=60), st.lists(WORDS, max_size=25).map(" ".join)))
@example("not " * 500)
@example("-" * 500)
@example("a**" * 300 + "a")
@example("((((a" * 200)
@example("a and " * 1500 + "a")
def test_whatever_is_written_is_read_or_refused_clearly(text: str) -> None:
    try:
        tree = parse(text, ["a-b"])
    except ExpressionError as error:
        offset = error.offset
    else:
        assert parse(render(tree), ["a-b"]) == tree
        return
    assert 0 <= offset <= len(text)


def test_an_expression_is_text() -> None:
    with pytest.raises(ExpressionError, match="an expression must be text; got 3"):
        parse(3)  # type: ignore[arg-type]


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
