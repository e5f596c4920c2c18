"""Wrong command lines, and the version."""

from __future__ import annotations

import platform
from importlib.metadata import version

import pytest

from racing import __version__
from racing.base import errors
from racing.cli import about, exits, main
from racing.evaluate.engines import ENGINES


@pytest.mark.parametrize("arguments", [[], ["nonsense"], ["run"], ["run", "x", "--nonsense"]])
def test_a_wrong_command_line_is_exit_2(racing, arguments):
    said = racing(*arguments)
    assert said.code == 2
    assert said.out == ""
    assert "usage: racing" in said.err


def test_who_names_no_command_is_told_how_to_begin(racing):
    assert "name a command, such as init to begin; see racing --help" in racing().err


def test_instances_of_a_test_may_be_left_out(racing):
    assert "required: RUN\n" in racing("test").err


@pytest.mark.parametrize("option", [["--browser"], ["--port", "8000"]])
def test_options_of_the_live_page_are_refused_without_it(racing, option):
    said = racing("watch", "log.sqlite", *option)
    assert said.code == 2
    assert f"{option[0]}: is for --web; give both" in said.err


def test_version(racing):
    said = racing("--version")
    assert (said.code, said.out) == (0, f"racing {__version__}\n")


# --- `racing --version --verbose` says what a report of an error needs ---


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
    lines = about.text().splitlines()
    assert "no-such not installed (extra plot)" in lines


# --- exit codes of errors: test_cli_docs.py compares them with docs/cli.md ---


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (errors.InputError, exits.BAD_INPUT),
        (errors.ScenarioError, exits.BAD_INPUT),
        (errors.TableError, exits.BAD_INPUT),
        (errors.TargetError, exits.TARGET_FAILED),
        (errors.TargetFailed, exits.TARGET_FAILED),
        (errors.LogError, exits.LOG_TROUBLE),
        (errors.LogBusy, exits.LOG_TROUBLE),
        (errors.LogDamaged, exits.LOG_TROUBLE),
        (errors.RaceError, exits.BAD_INPUT),
        (errors.MissingExtra, exits.BAD_INPUT),
    ],
)
def test_every_kind_of_error_has_its_code(kind, code):
    assert exits.of(kind.__new__(kind)) == code
