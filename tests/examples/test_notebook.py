"""The notebook runs as Jupyter runs it, and shows tables, progress and plots.

WRITE_DOCS=1 pytest tests/examples/test_notebook.py     writes the outputs into the notebook
"""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
NOTEBOOK = ROOT / "examples" / "embed" / "race.ipynb"

# In a process of its own: what a kernel and its client warn of is not this project's.
EXECUTE = """
import sys, nbformat
from nbclient import NotebookClient
notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, timeout=120, kernel_name="python3", record_timing=False).execute()
nbformat.write(notebook, sys.argv[2])
"""


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """The code cells, with what they show."""
    target = tmp_path_factory.mktemp("notebook") / "race.ipynb"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", EXECUTE, NOTEBOOK, target],
        cwd=ROOT, env=environment, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    if os.environ.get("WRITE_DOCS"):
        NOTEBOOK.write_text(target.read_text(encoding="utf-8"), encoding="utf-8")
    return code_cells(target)


def code_cells(path: Path) -> list[dict[str, Any]]:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]


def shown(cell: dict[str, Any], kind: str) -> list[str]:
    """Everything of a kind that a cell shows."""
    found = [output.get("data", {}).get(kind) for output in cell["outputs"]]
    return ["".join(one) for one in found if one is not None]


def test_the_outputs_in_the_notebook_are_of_the_kinds_that_it_shows(executed) -> None:
    for cell, kept in zip(executed, code_cells(NOTEBOOK), strict=True):
        kinds = [sorted(output.get("data", [output["output_type"]])) for output in cell["outputs"]]
        known = [sorted(output.get("data", [output["output_type"]])) for output in kept["outputs"]]
        assert kinds == known, "WRITE_DOCS=1 writes them anew"


def test_a_result_is_a_table_below_the_progress_of_its_run(executed) -> None:
    progress, result = shown(executed[1], "text/html")
    assert "left" in progress
    assert "evaluations" in progress
    assert "the first evaluations" not in progress
    assert "<table>" in result
    assert "Not dropped, best first" in result
    assert "Survivors over instances" in result
    assert result.startswith("<p><strong>"), "the answer first"
    assert result.count("<svg") == 2


def test_a_verdict_and_a_frame_are_tables(executed) -> None:
    assert "<table" in shown(executed[2], "text/html")[0]
    assert "gain" in shown(executed[5], "text/html")[0]


def test_the_plots_are_drawn(executed) -> None:
    for cell in (executed[3], executed[4]):
        [picture] = shown(cell, "image/png")
        assert base64.b64decode(picture).startswith(b"\x89PNG")


def test_the_winner_is_good_on_other_series(executed) -> None:
    text = "".join(executed[6]["outputs"][0]["text"])
    assert float(text.rpartition(" ")[2]) < 1.5
