"""Pages of the search are true: the example runs, the tables are those of the stored runs."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

from benchmarks.search_lab import page
from benchmarks.search_lab.__main__ import RESULTS, beside
from benchmarks.search_lab.measure import load
from benchmarks.search_lab.tables import by_landscape, difference, irace_at, mean_and_error
from benchmarks.search_live import __main__ as live
from benchmarks.search_live import glance
from racing.scenario import reads

PAGE = Path(__file__).parents[2] / "docs" / "continuous-search.md"


def test_the_example_runs():
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    names: dict[str, object] = {}
    exec(code, names)
    search = names["search"]
    assert search.winner.values["kind"] == "random"
    assert abs(search.winner.values["noise"] - 0.05) < 0.02


def test_the_tables_are_those_of_the_stored_runs():
    assert page.written(load(RESULTS / "runs.csv"), beside()) == page.PAGE.read_text("utf-8")
    assert live.written() == live.PAGE.read_text("utf-8")


@pytest.mark.parametrize("file", glance.PAGES, ids=lambda file: file.stem)
def test_the_table_at_a_glance_is_that_of_the_stored_runs(file):
    text = file.read_text(encoding="utf-8")
    assert "| gain over the default on unseen instances | racing |" in text
    assert live.at_a_glance(file) == text


def test_a_table_is_put_between_its_marks_and_no_other():
    text = "a\n<!-- x:one -->\nold\n<!-- end -->\nb\n<!-- x:two -->\nold\n<!-- end -->\n"
    put = page.put(text, "x", {"two": ["new"]})
    assert put == text[: text.index("<!-- x:two")] + "<!-- x:two -->\n\nnew\n\n<!-- end -->\n"
    assert page.put(put, "x", {"two": ["new"]}) == put


def test_a_table_without_a_place_on_its_page_is_refused():
    for text in ("a\n", "<!-- x:two -->\nold\n", "<!-- x:one -->\nold\n<!-- end -->\n"):
        with pytest.raises(ValueError, match="<!-- x:two -->"):
            page.put(text, "x", {"two": ["new"]})


BASE = """
target: {command: "true {parameters}"}
space: {a: {real: [0, 1]}}
instances: [i, j]
budget: 500
"""
ITERATED = (Path(__file__).parents[2] / "docs" / "iterated.md").read_text(encoding="utf-8")


def test_the_example_of_iterated_racing_prints_what_it_says():
    code, printed = re.findall(r"```(?:python|text)\n(.*?)```", ITERATED, re.S)
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(code, {})
    assert out.getvalue() == printed


def test_the_yaml_of_iterated_racing_is_sound(tmp_path):
    (block,) = re.findall(r"```yaml\n(.*?)```", ITERATED, re.S)
    for variant in block.split("# or\n"):
        assert reads(BASE + variant, str(tmp_path / "race.yaml")).search is not None


def test_the_figures_of_iterated_racing_are_those_of_the_stored_runs():
    runs = load(RESULTS / "irace.csv")
    for budget in (200, 500, 1000):
        ours = by_landscape(runs, budget)
        theirs = irace_at(budget, ours)
        cells = [mean_and_error(found) for found in (ours, theirs, difference(ours, theirs))]
        row = " | ".join(f"{mean:.3f} ({error:.3f})" for mean, error in cells)
        row = row.replace("0.", ".").replace("-", "−")
        assert f"| {budget} | {row} |" in ITERATED
