"""The workflows only call the Makefile, on each Python that pyproject.toml names."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from scripts.pythons import named
from scripts.workflows import WORKFLOWS

ROOT = WORKFLOWS.parents[1]
FILES = sorted(WORKFLOWS.glob("*.yml"))


def jobs(file: Path) -> dict[str, Any]:
    return dict(yaml.safe_load(file.read_text(encoding="utf-8"))["jobs"])


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_step_that_runs_anything_is_a_target_of_the_makefile(file: Path) -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for job in jobs(file).values():
        called = job.get("strategy", {}).get("matrix", {}).get("target", [])
        for step in job["steps"]:
            if "run" in step:
                make, *words = step["run"].replace("${{ matrix.target }}", " ".join(called)).split()
                assert make == "make"
                assert {word for word in words if "=" not in word} <= targets, step["run"]


def test_the_tests_run_on_every_python_that_is_named_on_linux_and_on_macos() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    versions = named(project["classifiers"])
    matrix = jobs(WORKFLOWS / "check.yml")["tests"]["strategy"]["matrix"]
    assert matrix["python"] == versions
    assert [name.partition("-")[0] for name in matrix["os"]] == ["ubuntu", "macos"]


def test_only_the_job_that_publishes_may_ask_the_index_for_trust() -> None:
    for file in FILES:
        assert yaml.safe_load(file.read_text())["permissions"] == {"contents": "read"}
        asking = {name for name, job in jobs(file).items() if "id-token" in str(job)}
        assert asking == ({"publish"} if file.stem == "release" else set())
