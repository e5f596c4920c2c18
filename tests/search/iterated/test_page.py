"""docs/iterated.md is true: its examples run, and its figures are those of the stored runs."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

from benchmarks.search_lab.__main__ import RESULTS
from benchmarks.search_lab.measure import load
from benchmarks.search_lab.tables import by_landscape, difference, irace_at, mean_and_error
from racing.scenario import reads

BASE = """
target: {command: "true {parameters}"}
space: {a: {real: [0, 1]}}
instances: [i, j]
budget: 500
"""
PAGE = (Path(__file__).parents[3] / "docs" / "iterated.md").read_text(encoding="utf-8")


def test_the_example_runs_and_prints_what_it_says():
    code, printed = re.findall(r"```(?:python|text)\n(.*?)```", PAGE, re.S)
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(code, {})
    assert out.getvalue() == printed


def test_the_yaml_is_sound(tmp_path):
    (block,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.S)
    for variant in block.split("# or\n"):
        assert reads(BASE + variant, str(tmp_path / "race.yaml")).search is not None


def test_the_figures_are_those_of_the_stored_runs():
    runs = load(RESULTS / "irace.csv")
    for budget in (200, 500, 1000):
        ours = by_landscape(runs, budget)
        theirs = irace_at(budget, ours)
        cells = [mean_and_error(found) for found in (ours, theirs, difference(ours, theirs))]
        row = " | ".join(f"{mean:.3f} ({error:.3f})" for mean, error in cells)
        row = row.replace("0.", ".").replace("-", "−")
        assert f"| {budget} | {row} |" in PAGE
