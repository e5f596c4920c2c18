"""Values of expressions: against Python's own, three-valued logic, arrays against single rows."""

from __future__ import annotations

import ast
import math
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from racing.space.expressions import (
    Node,
    Not,
    condition,
    holds,
    number,
    parse,
    quantity,
    render,
)  # fmt: skip
from tests.space.expressions.trees import CONDITIONS, NUMBERS, PARAMETERS, ROWS, column

FUNCTIONS = {
    "min": min, "max": max, "abs": abs, "round": round, "floor": math.floor, "ceil": math.ceil,
    "trunc": math.trunc, "sqrt": math.sqrt, "log": math.log, "exp": math.exp,
    "active": lambda value: True, "true": True, "false": False,
}  # fmt: skip


def by_python(text: str, row: dict[str, Any]) -> Any:
    """The value that Python itself gives the text; None where it has none."""
    order = {"low": 0, "mid": 1, "high": 2}
    names = {**FUNCTIONS, **row, "effort": order[row["effort"]]}
    text = re.sub(r"(?<![\w.])(\d+)(?![\w.])", r"\1.0", text)  # whole numbers grow without end
    for word, place in order.items():
        text = text.replace(f"'{word}'", str(place))
    try:
        value = eval(
            compile(ast.parse(text, mode="eval"), "x", "eval"), {"__builtins__": {}}, names
        )
    except (ZeroDivisionError, ValueError, OverflowError, TypeError):  # or complex numbers
        return None
    return None if isinstance(value, complex) else value


def columns(rows: list[dict[str, Any]]) -> dict[str, Any]:
    return {name: np.array([column(name, row[name]) for row in rows]) for name in PARAMETERS}


@settings(max_examples=150)
@given(NUMBERS, ROWS)
def test_numbers_are_those_of_python(tree: Node, row: dict[str, Any]) -> None:
    expected = by_python(render(tree), row)
    if expected is None or not abs(expected) < 1e300:
        return
    compute = number(quantity(tree, PARAMETERS), PARAMETERS)
    with np.errstate(all="ignore"):
        [value] = np.broadcast_to(compute(columns([row])), 1)
    if "**" in render(tree) and np.isnan(value):
        return  # a power that is complex in Python
    assert value == pytest.approx(float(expected), rel=1e-9, abs=1e-9)


@settings(max_examples=150)
@given(CONDITIONS, ROWS)
def test_conditions_are_those_of_python(tree: Node, row: dict[str, Any]) -> None:
    expected = by_python(render(tree), row)
    if expected is None:
        return
    resolved = condition(tree, PARAMETERS)
    with np.errstate(all="ignore"):
        [true] = np.broadcast_to(holds(resolved, PARAMETERS)(columns([row])), 1)
        [false] = np.broadcast_to(holds(Not(resolved), PARAMETERS)(columns([row])), 1)
    if true or false:  # neither where a part has no value
        assert (true, false) == (bool(expected), not expected)


@given(CONDITIONS, st.lists(ROWS, min_size=1, max_size=4), st.data())
def test_rows_do_not_touch_each_other(tree: Node, rows: list[Any], data: st.DataObject) -> None:
    """An array gives what single rows give, as floats too; true and false never meet."""
    whole = columns(rows)
    for name in data.draw(st.sets(st.sampled_from(list(PARAMETERS)))):
        whole[name][data.draw(st.integers(0, len(rows) - 1))] = np.nan
    resolved = condition(tree, PARAMETERS)
    yes, no = holds(resolved, PARAMETERS), holds(Not(resolved), PARAMETERS)
    with np.errstate(all="ignore"):
        true, false = (np.broadcast_to(f(whole), len(rows)) for f in (yes, no))
        assert not np.any(true & false)
        for i in range(len(rows)):
            one = {name: float(values[i]) for name, values in whole.items()}
            assert bool(yes(one)) == bool(true[i])
            assert bool(no(one)) == bool(false[i])


@given(CONDITIONS)
def test_rendering_and_reading_gives_the_same_tree(tree: Node) -> None:
    assert condition(parse(render(tree)), PARAMETERS) == condition(tree, PARAMETERS)
    bare = render(tree, PARAMETERS)
    assert condition(parse(bare), PARAMETERS) == condition(tree, PARAMETERS)


@pytest.mark.parametrize(
    ("text", "true", "false"),
    [
        ("x > 0", False, False),
        ("not x > 0", False, False),
        ("x != 0", False, False),
        ("x > 0 or n == 3", True, False),
        ("x > 0 and n == 3", False, False),
        ("x > 0 and n == 4", False, True),
        ("x > 0 or n == 4", False, False),
        ("kind == ils", False, False),
        ("kind != ils", False, False),
        ("kind not in [ils, aco]", False, False),
        ("fast", False, False),
        ("not fast", False, False),
        ("active(x)", False, True),
        ("not active(x)", True, False),
        ("active(n) and n == 3", True, False),
        ("log(n - 9) > 0", False, False),
        ("0 / (n - 3) == 0", False, False),
        ("(x > 0) == (n == 3)", False, False),
        ("(n > 1) == (n == 3)", True, False),
        ("size * 2 == 8", True, False),
        ("effort >= mid", True, False),
        ("low < effort", True, False),
        ("effort in [low, high]", False, True),
    ],
)
def test_what_is_unknown_is_neither_true_nor_false(text: str, true: bool, false: bool) -> None:
    """As in R and SQL; here x, kind and fast are inactive, n = 3, size = 4, effort = mid."""
    here = {"x": np.nan, "kind": np.nan, "fast": np.nan, "n": 3.0, "size": 2.0, "effort": 1.0}
    tree = condition(parse(text), PARAMETERS)
    with np.errstate(all="ignore"):
        assert bool(holds(tree, PARAMETERS)(here)) is true
        assert bool(holds(Not(tree), PARAMETERS)(here)) is false


def test_categories_with_common_values_compare_by_value() -> None:
    from racing.space import Categorical

    two = {"a": Categorical(["x", "y", "z"]), "b": Categorical(["z", "x", "w"])}
    tree = condition(parse("a == b"), two)
    grid = {"a": np.repeat([0.0, 1.0, 2.0], 3), "b": np.tile([0.0, 1.0, 2.0], 3)}
    assert holds(tree, two)(grid).tolist() == [0, 1, 0, 0, 0, 0, 1, 0, 0]
    assert holds(Not(tree), two)(grid).tolist() == [1, 0, 1, 1, 1, 1, 0, 1, 1]
