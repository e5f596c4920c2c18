"""From a reference to a function: files, modules, and what is said when there is none."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from racing.base.errors import TargetError
from racing.evaluate.resolve import checksum, checksums, resolve, set_up


@pytest.fixture(autouse=True)
def _own_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])  # which `resolve` adds folders to


def test_a_function_in_a_file_beside_which_it_imports(tmp_path: Path) -> None:
    (tmp_path / "resolve_beside.py").write_text("X = 41\n")
    (tmp_path / "target.py").write_text("import resolve_beside as b\ndef f(): return b.X + 1\n")
    function = resolve("target.py:f", str(tmp_path))
    assert function() == 42
    assert resolve("target.py:f", str(tmp_path)) is function, "imported once"


def test_files_of_one_name_in_two_folders_are_two_modules(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "same.py").write_text(f"def f(): return {name!r}\n")
    assert [resolve("same.py:f", str(tmp_path / name))() for name in ("a", "b")] == ["a", "b"]


def test_a_function_in_a_module(tmp_path: Path) -> None:
    assert resolve("math:floor", str(tmp_path))(2.5) == 2


@pytest.mark.parametrize(
    ("reference", "text", "said"),
    [
        ("none.py:f", "", "there is no file"),
        ("t.py:solv", "def solve(): pass", "has no function 'solv'; did you mean 'solve'"),
        ("t.py:f", "import os\n1 / 0", r"cannot be imported: ZeroDivisionError at t\.py:2"),
        ("t.py:f", "def f(:", r"SyntaxError at t\.py:1"),
        ("t.py:f", "raise SystemExit(3)", "SystemExit"),
        ("no_such_module_here:f", "", "ModuleNotFoundError"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, reference: str, text: str, said: str) -> None:
    (tmp_path / "t.py").write_text(text)
    with pytest.raises(TargetError, match=said):
        resolve(reference, str(tmp_path))


def test_a_setup_is_called_once_and_again_after_a_failure() -> None:
    calls: list[int] = []

    def setup() -> None:
        calls.append(1)
        if len(calls) == 1:
            raise OSError("not yet")

    def call(function: Callable[[], None]) -> None:
        function()

    with pytest.raises(TargetError, match="failed: OSError: not yet"):
        set_up(setup, None, "", call)
    set_up(setup, None, "", call)
    set_up(setup, None, "", call)
    assert len(calls) == 2


# --- checksums ----------------------------------------------------------------------------------


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
    ask = "from tests.evaluate.test_resolve import *; print(*(checksum(f()) for f in DIFFERENT))"
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
