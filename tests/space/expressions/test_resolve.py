"""Names are looked up and types checked; each error names the place and what to write."""

from __future__ import annotations

import pytest

from racing.base.errors import ExpressionError
from racing.space.expressions import Name, Text, condition, is_numeric, parse, quantity
from tests.space.expressions.trees import PARAMETERS


def test_a_word_is_a_parameter_or_else_a_category() -> None:
    tree = condition(parse("kind == ils"), PARAMETERS)
    assert list(tree.children()) == [Name("kind"), Text("ils")]


def test_numbers_are_reals_integers_and_ordinals_of_numbers() -> None:
    numeric = {name for name, parameter in PARAMETERS.items() if is_numeric(parameter)}
    assert numeric == {"x", "n", "size"}
    assert quantity(parse("2 * size + n"), PARAMETERS) == parse("2 * size + n")


@pytest.mark.parametrize(
    "text", ["fast", "not fast", "fast == true", "effort < high", "kind in [ils, aco]", "active(x)"]
)
def test_these_are_conditions(text: str) -> None:
    assert condition(parse(text), PARAMETERS)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("kind == ilss", "did you mean 'ils'"),
        ("kind < aco", "no order"),
        ("x", "got a number; compare it"),
        ("kind", "got a category; compare it"),
        ("unknown > 1", "unknown name 'unknown'"),
        ("kind == 1", "cannot be compared with a number"),
        ("fast > 1", "cannot be compared"),
        ("effort == kind", "no value in common"),
        ("active(y)", "unknown name 'y'"),
        ("kind + 1 > 2", "kind must be a number; got a category"),
    ],
)
def test_what_does_not_fit_is_refused(text: str, said: str) -> None:
    with pytest.raises(ExpressionError, match=said):
        condition(parse(text), PARAMETERS, text)


def test_a_quantity_is_a_number() -> None:
    with pytest.raises(ExpressionError, match="this must be a number; got a condition"):
        quantity(parse("x > 1"), PARAMETERS)
