"""`racing --version --verbose` says what a report of an error needs."""

from __future__ import annotations

import platform
from importlib.metadata import version

from racing import __version__
from racing.cli import about, main
from racing.evaluate.engines import ENGINES


def test_one_line_without_verbose() -> None:
    assert about.text() == f"racing {__version__}"


def test_platform_libraries_and_engines(capsys) -> None:
    assert main(["--version", "--verbose"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == [f"racing {__version__}", f"Python {platform.python_version()} (CPython)"]
    assert f"numpy {version('numpy')}" in lines
    assert f"optuna {version('optuna')} (extra optuna)" in lines
    assert lines[-1] == f"engines: {', '.join(ENGINES)}"
    assert not any(line.startswith(("pytest", "ruff", "clingo")) for line in lines)


def test_a_library_that_is_missing_is_named(monkeypatch) -> None:
    monkeypatch.setattr(about, "requires", lambda _: ["numpy", "no-such >=2; extra == 'plot'"])
    lines = about.text(verbose=True).splitlines()
    assert "no-such not installed (extra plot)" in lines
