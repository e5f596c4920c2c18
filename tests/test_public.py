"""The public names, and what importing costs."""

from __future__ import annotations

import subprocess
import sys

import pytest

import racing

HEAVY = (
    "numpy", "scipy", "pandas", "matplotlib", "sklearn", "joblib", "rich", "yaml", "sqlite3",
    "optuna", "IPython",
)  # fmt: skip

NAMES = {
    "Budget",
    "Candidate",
    "Entrant",
    "RunOptions",
    "Experiment",
    "Instance",
    "Instances",
    "IteratedRacing",
    "Outcome",
    "Race",
    "RacingError",
    "Result",
    "Results",
    "Scenario",
    "Search",
    "Standing",
    "Status",
    "Stop",
    "__version__",
    "compare",
    "embed",
    "errors",
    "holdout",
    "maximize",
    "minimize",
    "read",
    "resume",
    "rules",
    "run",
    "space",
    "stats",
}


def test_the_public_names_are_these():
    assert set(racing.__all__) == NAMES
    assert sorted(racing.__all__) == racing.__all__
    assert set(dir(racing)) == NAMES


@pytest.mark.parametrize("name", sorted(NAMES))
def test_every_public_name_resolves_and_is_documented(name):
    thing = getattr(racing, name)
    assert name == "__version__" or thing.__doc__


def test_a_function_that_is_called_like_its_module_is_the_function():
    code = "import racing.holdout; from racing import holdout; print(callable(holdout))"
    for first in ("", "import racing; racing.holdout; racing.holdout; "):
        done = subprocess.run([sys.executable, "-c", first + code], capture_output=True, text=True)
        assert done.stdout == "True\n", done.stderr


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'rase'"):
        racing.rase  # noqa: B018


def loaded_by(code: str) -> set[str]:
    """The modules that a fresh interpreter has imported after running this."""
    code += "\nimport sys\nprint('LOADED', *sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(out.stdout.rpartition("LOADED")[2].split())


def test_importing_racing_imports_nothing_heavy():
    assert not loaded_by("import racing").intersection(HEAVY)


@pytest.mark.parametrize("arguments", [["--help"], ["run", "--help"], ["--version"]])
def test_help_imports_nothing_heavy(arguments):
    code = f"""
import racing.cli
try:
    racing.cli.main({arguments!r})
except SystemExit:
    pass
"""
    assert not loaded_by(code).intersection(HEAVY)


@pytest.mark.parametrize("room", ["racing.rules", "racing.stats", "racing.race"])
def test_the_library_imports_no_more_than_it_needs(room):
    loaded = loaded_by(f"import {room}")
    assert loaded.intersection(HEAVY) <= {"numpy", "scipy"}
    assert "scipy.stats" not in loaded
