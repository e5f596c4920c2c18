"""Every table's command runs at small size, and the documents say what the saved files say."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from benchmarks.racing_lab import saved, tables
from benchmarks.racing_lab.__main__ import RACED, main
from benchmarks.racing_lab.documents import CHOOSING, DOCUMENT, filled
from benchmarks.racing_lab.dominance import verdicts

FAST = ["--small", "--races", "1", "--jobs", "1", "--out"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of every table at small size."""
    folder = tmp_path_factory.mktemp("results")
    for table in (*RACED, "speed", "dominance"):
        assert main([table, *FAST, str(folder)]) == 0
    assert main(["budgets", "--case", "doubles · rank · report", *FAST, str(folder)]) == 0
    assert main(["answers", "--case", "10 candidates · report", *FAST, str(folder)]) == 0
    assert main(["heavy", *FAST, str(folder)]) == 0
    assert main(["merging", *FAST, str(folder)]) == 0
    assert main(["again", "--rules", "auto", *FAST, str(folder)]) == 0
    return folder


@pytest.mark.parametrize("table", [*RACED, "speed", "dominance"])
def test_a_small_table_has_all_its_files(folder: Path, table: str):
    content = json.loads((folder / f"{table}.json").read_text("utf-8"))
    assert content["about"]["command"].startswith(f"python -m benchmarks.racing_lab {table}")
    assert content["about"]["versions"]["numpy"] == np.__version__
    assert len(content["rows"]) > 0
    for row in content["rows"]:
        if table in RACED:
            assert row["evaluations"] > 0
            assert row["regret"] >= 0
            assert row["place"] >= 0


@pytest.mark.parametrize("name", tables.TABLES)
def test_a_table_can_be_written_from_small_files(folder: Path, name: str):
    text = tables.TABLES[name](folder)
    widths = {line.count("|") for line in text.splitlines()}
    assert len(widths) == 1, "all lines of a table have as many cells"


def test_figures_are_drawn_from_small_files(folder: Path):
    assert main(["figures", "--out", str(folder)]) == 0
    assert (folder / "frontier.png").stat().st_size > 10_000


def test_racing_some_rules_again_keeps_the_others(folder: Path):
    before = saved.load("synthetic", folder)
    assert main(["synthetic", "--rules", "auto", *FAST, str(folder)]) == 0
    after = saved.load("synthetic", folder)
    assert [row["rule"] for row in after.rows] == [row["rule"] for row in before.rows]
    for old, new in zip(before.rows, after.rows, strict=True):
        assert {k: v for k, v in new.items() if "seconds" not in k} == {
            k: v for k, v in old.items() if "seconds" not in k
        }
    for case, values in before.races.items():
        np.testing.assert_array_equal(values, after.races[case])


def test_the_document_says_what_the_files_say():
    for page in (DOCUMENT, CHOOSING):
        text = page.read_text(encoding="utf-8")
        assert filled(text) == text, "python -m benchmarks.racing_lab docs writes the tables anew"


def test_verdicts_on_differences_that_can_be_seen_through():
    def row(case: str, rule: str, evaluations: float, regret: float) -> dict:
        """Differences to the default, with standard errors of 1."""
        sign = {True: 1, False: -1}
        return {
            "case": case,
            "rule": rule,
            "evaluations": evaluations,
            "regret": regret,
            "fewer_evaluations": 0 if abs(evaluations) <= 2 else sign[evaluations < 0],
            "lower_regret": 0 if abs(regret) <= 2 else sign[regret < 0],
        }

    found = verdicts(
        [
            row("a", "sign", 5, 5),
            row("a", "mean-ranks", -5, -5),
            row("a", "bayes", -5, 5),
            row("b", "sign", 5, 1),
            row("b", "mean-ranks", 1, 1),
            row("b", "bayes", 1, 3),
            row("b", "wilcoxon", -1, -3),
        ]
    )
    assert found["benchmarks"] == 2
    assert found["better than the default in both, by two standard errors"] == ["a: mean-ranks"]
    assert found["better in both by less than that"] == ["b: wilcoxon"]
    assert found["the default is better in both than sign"] == 2
    assert found["the default is better in both than sign, each by two standard errors"] == 1
    assert found["the default is better in both than mean-ranks"] == 1
    assert found["the default is better in both than all three"] == 1


def test_the_print_is_the_papers():
    """Benavoli et al. (2015), Table 2: its first and last setting."""
    printed = tables.printed()
    assert printed["bayes, *printed*"][0] == "0.63 / 0.70"
    assert printed["sign, *printed*"][-1] == "0.51 / 0.63"
    assert printed["mean-ranks, *printed*"][2] == "0.70 / 2.05"
    assert printed["alike, *printed*"] == [".9", "1.7", "4.5", "3.1", "2.4", "2.7"]


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "–"), (0.0, "0"), (1234.5, "1234"), (0.01234, "0.0123"), (12.3, "12.3")],
)
def test_numbers(value: float | None, text: str):
    assert tables.number(value) == text


def test_every_figure_of_the_summary_stands_in_the_page_below_it() -> None:
    page = DOCUMENT.read_text(encoding="utf-8")
    summary, below = page.partition("## Summary\n")[2].split("## How it is measured\n")
    figure = r"(?<![\w.])[+]?\d*\.?\d+(?![\w.]?\d)"
    found = re.findall(figure, summary)
    assert len(found) > 20
    assert set(found) <= set(re.findall(figure, below))
