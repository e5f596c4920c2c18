"""docs/security.md is true: what runs a target's code, and what only reads."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from racing.cli import main

SCENARIO = """
target: {python: "target.py:solve"}
candidates: {list: [{x: 1}, {x: 2}]}
instances: [a, b, c, d, e, f, g, h, i]
budget: 4
race: {first_test: 2}
rule: none
execution: {engine: in-process}
log: run.sqlite
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A scenario whose target leaves a mark as soon as it is imported."""
    code = "open(MARK, 'a').close()\ndef solve(values, instance, seed):\n    return values['x']\n"
    mark = f"MARK = {str(tmp_path / 'mark')!r}\n"
    (tmp_path / "target.py").write_text(mark + code, encoding="utf-8")
    (tmp_path / "race.yaml").write_text(SCENARIO, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ran(folder: Path, *arguments: str) -> bool:
    """Whether a command runs code of the target."""
    (folder / "mark").unlink(missing_ok=True)
    main(list(arguments))
    return (folder / "mark").exists()


def test_what_runs_code_and_what_reads(folder: Path):
    assert not ran(folder, "check", "--no-run", "race.yaml")
    command = [sys.executable, "-m", "racing", "run", "race.yaml"]  # its own: nothing is cached
    subprocess.run(command, check=True, capture_output=True)
    assert not ran(folder, "show", "run.sqlite")
    assert not ran(folder, "export", "run.sqlite", "--to", "out")
    assert not ran(folder, "compare", "run.sqlite")
    assert ran(folder, "resume", "run.sqlite", "--budget", "+2")
    kept = json.loads((folder / "out" / "run.json").read_text(encoding="utf-8"))
    assert "target.py:solve" in json.dumps(kept)
