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
    (package := tmp_path / "package_of_target").mkdir()
    (package / "inner.py").write_text("def f(): return 2\n")
    assert resolve("math:floor", str(tmp_path))(2.5) == 2
    assert resolve("package_of_target.inner:f", str(tmp_path))() == 2


def test_a_file_that_ends_the_process_cannot_be_imported(tmp_path: Path) -> None:
    (tmp_path / "t.py").write_text("raise SystemExit(3)")
    with pytest.raises(TargetError, match=r"cannot be imported: SystemExit at t\.py:1: 3"):
        resolve("t.py:f", str(tmp_path))


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
