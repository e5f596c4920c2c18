"""Pages of the search are true: the example runs, the tables are those of the stored runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmarks.search_lab import page
from benchmarks.search_lab.__main__ import RESULTS, beside
from benchmarks.search_lab.measure import load
from benchmarks.search_live import __main__ as live
from benchmarks.search_live import glance

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
