"""scripts.lowest turns lower bounds into exact versions, and refuses what has none."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from scripts.lowest import lowest

ROOT = Path(__file__).parents[1]


def test_a_lower_bound_becomes_an_exact_version():
    assert lowest(["numpy>=1.26", "pandas >= 2.1, <4", "ruff>=0.6", "numpy>=1.26"]) == [
        "numpy==1.26", "pandas==2.1",
    ]  # fmt: skip


@pytest.mark.parametrize("requirements", [["numpy"], ["numpy~=1.26"], ["a>=1", "a>=2"]])
def test_what_has_no_single_lower_bound_is_refused(requirements):
    with pytest.raises(ValueError, match="lower bound"):
        lowest(requirements)


def test_every_dependency_of_the_project_has_one():
    done = subprocess.run(
        [sys.executable, "-m", "scripts.lowest"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    names = {line.partition("==")[0] for line in done.stdout.split()}
    assert names >= {"numpy", "scipy", "joblib"}
    assert names >= {"optuna", "distributed", "ConfigSpace", "scikit-learn", "matplotlib", "pandas"}
    assert not names & {"sphinx", "ruff", "baycomp"}
