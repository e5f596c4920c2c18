"""Trees: what is below a node, which are equal; and functions, which are those of Python."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from racing.space.expressions import FUNCTIONS, Name, Number, names, parse

TREE = parse("min(a, 2) > b and c in [x, y]")


def test_a_walk_meets_every_node_once_from_left_to_right() -> None:
    assert next(TREE.walk()) is TREE
    found = [node.name for node in TREE.walk() if isinstance(node, Name)]
    assert found == ["a", "b", "c", "x", "y"]
    assert sum(isinstance(node, Number) for node in TREE.walk()) == 1


def test_children_are_those_directly_below() -> None:
    left, right = TREE.children()
    assert left.at < right.at
    assert {*names(left), *names(right)} == set(names(TREE))


def test_the_place_in_the_text_does_not_count_for_equality() -> None:
    assert parse("a  >  1") == parse("a>1")
    assert parse("a > 1") != parse("a > 2")
    assert hash(parse("a > 1")) == hash(parse("(a > 1)"))


numbers = st.floats(-1e6, 1e6)
PYTHON = {
    "abs": abs, "round": round, "floor": math.floor, "ceil": math.ceil, "trunc": math.trunc,
    "sqrt": math.sqrt, "exp": math.exp, "log": math.log, "log2": math.log2, "log10": math.log10,
}  # fmt: skip


@pytest.mark.parametrize("name", PYTHON)
@given(x=numbers)
def test_each_is_that_of_python_or_unknown(name: str, x: float) -> None:
    with np.errstate(all="ignore"):
        value = float(FUNCTIONS[name].compute(np.float64(x)))
    try:
        assert value == pytest.approx(PYTHON[name](x), rel=1e-12)  # type: ignore[operator]
    except (ValueError, OverflowError):
        assert not math.isfinite(value)


@given(xs=st.lists(numbers, min_size=2, max_size=5))
def test_min_and_max_take_two_or_more(xs: list[float]) -> None:
    assert FUNCTIONS["min"].compute(*xs) == min(xs)
    assert FUNCTIONS["max"].compute(*xs) == max(xs)
    assert FUNCTIONS["min"].error(1) == "must have at least 2 arguments"
    assert FUNCTIONS["abs"].error(2) == "must have 1 argument"
    assert FUNCTIONS["max"].error(9) is None


@pytest.mark.parametrize(
    "name", [name for name, f in FUNCTIONS.items() if f.most == 1 and f.rising]
)
@given(ends=st.tuples(numbers, numbers))
def test_rising_functions_never_fall(name: str, ends: tuple[float, float]) -> None:
    low, high = sorted(ends)
    with np.errstate(all="ignore"):
        first, second = (FUNCTIONS[name].compute(np.float64(x)) for x in (low, high))
    assert not first > second
