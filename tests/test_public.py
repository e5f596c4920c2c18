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
    "CallbackError",
    "Candidate",
    "Entrant",
    "Experiment",
    "ExpressionError",
    "FormatError",
    "InputError",
    "Instance",
    "Instances",
    "IteratedRacing",
    "LogBusy",
    "LogDamaged",
    "LogError",
    "LogVersionError",
    "Metric",
    "MissingExtra",
    "NothingToTest",
    "Outcome",
    "Race",
    "RaceError",
    "RacingError",
    "Result",
    "Results",
    "Retry",
    "RunOptions",
    "SamplingError",
    "Scenario",
    "ScenarioError",
    "Search",
    "SpaceError",
    "Standing",
    "Status",
    "Stop",
    "TableError",
    "TargetError",
    "TargetFailed",
    "__version__",
    "by_family",
    "compare",
    "compare_metrics",
    "embed",
    "errors",
    "holdout",
    "maximize",
    "minimize",
    "portfolio",
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


@pytest.mark.parametrize("name", ["compare", "holdout", "run"])
def test_a_function_stays_one_whatever_modules_are_imported(name):
    code = (
        "import racing, racing.analysis.compare, racing.analysis.unseen, racing.runner.run\n"
        f"print(callable(racing.{name}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "True\n", done.stderr


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="No racing attribute rase"):
        racing.rase  # noqa: B018


def loaded_by(code: str) -> set[str]:
    """The modules that a fresh interpreter has imported after running this."""
    code += "\nimport sys\nprint('LOADED', *sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(out.stdout.rpartition("LOADED")[2].split())


def test_importing_racing_imports_nothing_heavy():
    assert not loaded_by("import racing").intersection(HEAVY)


@pytest.mark.parametrize("arguments", [["--help"], ["--version"]])
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


SCENARIO = """
target: {command: "sh -c 'echo 1' sh {parameters}"}
space: {x: {real: [0, 1]}}
candidates: {sample: 20}
instances: [a, b, c, d, e, f, g, h, i, j]
budget: 100
"""


@pytest.mark.parametrize("arguments", [["schema"], ["check", "--no-run", "race.yaml"]])
def test_small_commands_import_neither_scipy_nor_a_search(tmp_path, monkeypatch, arguments):
    (tmp_path / "race.yaml").write_text(SCENARIO, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    loaded = loaded_by(f"import racing.cli; racing.cli.main({arguments!r})")
    assert not loaded.intersection({*HEAVY, "racing.search.search"} - {"numpy", "yaml", "sqlite3"})


@pytest.mark.parametrize("command", ["show", "export"])
def test_commands_that_read_a_log_load_neither_scenarios_nor_targets(command):
    loaded = loaded_by(f"from racing.cli import build_parser; build_parser({command!r})")
    assert not loaded.intersection({"racing.scenario", "racing.evaluate.function"})
