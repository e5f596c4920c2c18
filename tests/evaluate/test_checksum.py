"""Checksums of functions: equal for the same ones in every process, and no others."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from racing.evaluate.checksum import checksums, contents


def checksum(value: object) -> str:
    return contents({"": value})[""]


class Solver:
    def __init__(self, **attributes: Any) -> None:
        vars(self).update(attributes)

    def solve(self, values: Any, instance: Any, seed: int) -> float:
        return 1.0


def holding(value: Any, other: Any = None) -> Callable[..., Any]:
    return lambda values, instance, seed: (value, other)


DIFFERENT: list[Callable[[], Any]] = [
    lambda: lambda values: 1,
    lambda: lambda values: 2,
    lambda: lambda values, other=1: 1,
    lambda: lambda values, other=2: 1,
    lambda: lambda values, *, other=2: 1,
    lambda: lambda values: values in {"a", "b", "c"},
    lambda: lambda values: values in {"a", "b", "d"},
    lambda: lambda values: lambda: 1,
    lambda: lambda values: lambda: 2,
    lambda: lambda values: values.one,
    lambda: lambda values: values.other,
    lambda: functools.partial(min, 1),
    lambda: functools.partial(min, 2),
    lambda: functools.partial(min, key=len),
    lambda: functools.cache(lambda values: 3),
    lambda: functools.cache(lambda values: 4),
    lambda: Solver(a=1).solve,
    lambda: Solver(a=2).solve,
    lambda: Solver(b=1).solve,
    lambda: np.random.default_rng(1).random,
    lambda: np.random.default_rng(2).random,
    lambda: max,
    *(
        lambda held=held: holding(*held)  # type: ignore[misc]
        for held in [
            (1,), (1.0,), (True,), ("1",), (b"1",), (None,), ([1],), ((1,),), ({1},), ({1: 2},),
            ({"a", "b"},), (frozenset("ab"),), ({"a": {"b"}},), (Solver(a=1),), (Solver(a=2),),
            (np.arange(3),), (np.arange(3.0),), (np.arange(4.0),), (np.array(["a", None]),),
            (pd.DataFrame({"a": [1, 2]}),), (pd.DataFrame({"a": [1, 3]}),),
            (pd.Series(["x", "y"]),), (threading.Lock(),), (holding(1),), (holding(2),), (max,),
            (np,), (Solver,), (Path("a"),), (Path("b"),), (1, 2), (2, 1),
        ]
    ),
]  # fmt: skip


def test_different_values_have_different_checksums_and_equal_ones_the_same() -> None:
    once = [checksum(make()) for make in DIFFERENT]
    assert all(once)
    assert len({*once}) == len(once)
    assert once == [checksum(make()) for make in DIFFERENT]


@pytest.mark.parametrize("seed", ["1", "2"])
def test_a_checksum_is_the_same_in_every_process(seed: str) -> None:
    ask = "from tests.evaluate.test_checksum import *; print(*(checksum(f()) for f in DIFFERENT))"
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    told = subprocess.run([sys.executable, "-c", ask], env=environment, capture_output=True)
    assert told.stdout.decode().split() == [checksum(make()) for make in DIFFERENT]


def test_the_values_that_a_function_holds_have_names() -> None:
    solver = Solver(a=1, b=[holding(1)])
    solver.own = solver.solve  # type: ignore[attr-defined]
    assert {*checksums(solver.solve)} == {"", "self.a", "self.b", "self.own"}
    assert {*checksums(holding(holding(1), Solver(a=1)))} == {"", "value.value", "value.other",
                                                              "other.a"}  # fmt: skip
    assert {*checksums(functools.partial(holding(1), seed=2))} == {
        "", "value", "other", "arguments", "seed"
    }  # fmt: skip
    mended = holding(1)
    mended.__closure__[0].cell_contents = mended  # type: ignore[index]
    assert {*checksums(mended)} == {"", "value"}


@pytest.mark.parametrize(
    "of", [str, Path, lambda at: [f"{at}/a", 1], lambda at: lambda: at, lambda at: {at: at}]
)
def test_a_name_that_tempfile_draws_does_not_matter(of: Callable[[str], Any]) -> None:
    drawn = [f"{tempfile.gettempdir()}/tmp{name}" for name in ("a1b2c3d4", "zz_y8x7w")]
    others = [f"{tempfile.gettempdir()}/data{number}" for number in (1, 2)]
    assert len({checksum(of(one)) for one in drawn}) == 1
    assert len({checksum(of(one)) for one in others}) == 2
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory(prefix="a-") as other:
        assert len({checksum(of(f"{at}/x.csv")) for at in (one, other)}) == 1


def test_the_place_of_a_function_in_its_file_does_not_matter() -> None:
    text, found = "def f(x, y={1}):\n    return [z for z in x if z in y]\n", []
    for lines, file in ((0, "a.py"), (7, "b.py")):
        names: dict[str, Any] = {}
        exec(compile("\n" * lines + text, file, "exec"), names)
        found.append(checksum(names["f"]))
    assert found[0] == found[1]


def test_a_class_that_is_in_no_file_counts_by_what_it_has() -> None:
    def solver(cost: float) -> Any:
        class Local:
            @staticmethod
            def cost() -> float:
                return cost

            def __call__(self, *_: object) -> float:
                return self.cost()

        return Local()

    assert checksum(solver(1)) == checksum(solver(1)) != checksum(solver(2))


def test_what_cannot_be_taken_apart_has_no_checksum() -> None:
    nested: list[Any] = []
    for _ in range(100_000):
        nested = [nested]
    assert checksum(nested) == ""
    assert checksums(holding(nested)) == {}
