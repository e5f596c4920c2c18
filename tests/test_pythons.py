"""scripts.pythons finds interpreters of the named versions, and reads what pytest counts."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import pytest

from scripts.pythons import Suite, counted, interpreter, named

OWN = "{}.{}".format(*sys.version_info)
ROOT = Path(__file__).parents[1]


def fake(path: Path, version: str) -> Path:
    """A program that says it is this Python."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho {version}\n")
    path.chmod(0o755)
    return path


def test_versions_are_those_of_the_classifiers_the_oldest_first():
    lines = ["3", "3 :: Only", "3.11", "3.9", "Implementation :: CPython"]
    assert named([f"Programming Language :: Python :: {line}" for line in lines]) == ["3.9", "3.11"]


def test_this_version_is_one_that_the_project_names():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    versions = named(project["classifiers"])
    assert OWN in versions
    assert project["requires-python"] == f">={versions[0]}"


def test_an_interpreter_is_found_on_the_path_before_pyenv(tmp_path):
    found = {"PATH": str(tmp_path / "bin"), "PYENV_ROOT": str(tmp_path / "pyenv")}
    assert interpreter("3.98", found) is None
    versions = tmp_path / "pyenv" / "versions"
    for patch in ("3.98.2", "3.98.10"):
        fake(versions / patch / "bin" / "python", "3.98")
    assert interpreter("3.98", found) == versions / "3.98.10" / "bin" / "python"
    on_path = fake(tmp_path / "bin" / "python3.98", "3.98")
    assert interpreter("3.98", found) == on_path


def test_the_interpreter_at_work_counts_too(tmp_path):
    assert interpreter(OWN, {"PATH": str(tmp_path), "HOME": str(tmp_path)}) is not None


def test_a_program_that_is_another_version_or_does_not_start_is_not_taken(tmp_path):
    found = {"PATH": str(tmp_path), "HOME": str(tmp_path)}
    fake(tmp_path / "python3.98", "3.11")
    fake(tmp_path / ".pyenv" / "versions" / "3.98.9" / "bin" / "python", "").write_text("")
    assert interpreter("3.98", found) is None


@pytest.mark.parametrize(
    ("line", "counts"),
    [
        ("45 failed, 8 passed in 409.09s (0:06:49)\n", "45 failed, 8 passed"),
        ("===== 1 passed in 0.01s =====\n", "1 passed"),
        ("........ [ 97%]\n", None),
        ("it passed 3 tests in 5 seconds\n", None),
    ],
)  # fmt: skip
def test_counts_are_read_from_the_last_line(line, counts):
    assert counted(line) == counts


def test_the_summary_has_counts_and_time():
    suite = Suite(version="3.12", passed=True, counts="9 passed", seconds=425.4)
    assert str(suite) == "Python 3.12  passed: 9 passed, 7:05 minutes"
