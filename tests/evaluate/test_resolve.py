"""From a reference to a function: files, modules, and what is said when there is none."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from racing.base.errors import TargetError
from racing.evaluate.resolve import resolve, set_up


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
