"""The tables of runs are what their command makes: form, seeds, and runs of clasp made again."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest

from examples.compare import runs

FOLDER = Path(runs.__file__).parent


def rows(name):
    with (FOLDER / f"{name}_runs.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize(
    ("name", "problems", "algorithms"),
    [("hgs", runs.HGS_PROBLEMS, runs.HGS), ("clasp", runs.CLASP_PROBLEMS, runs.CLASP)],
)
def test_every_run_has_a_seed_of_its_own(name, problems, algorithms):
    found = rows(name)
    assert list(found[0]) == ["problem", "algorithm", "seed", "score"]
    assert [int(row["seed"]) for row in found] == list(range(1, len(found) + 1))
    counts = Counter((row["problem"], row["algorithm"]) for row in found)
    assert len(counts) == problems * len(algorithms)
    assert set(counts.values()) == {runs.RUNS}


def test_no_run_of_clasp_reaches_the_limit_and_has_a_score():
    scores = [float(row["score"]) for row in rows("clasp")]
    assert max(score for score in scores if score < float("inf")) < runs.LIMIT
    assert scores.count(float("inf")) == 32


def test_the_first_run_of_clasp_comes_out_the_same():
    pytest.importorskip("clingo", reason="clasp needs the extra racing[examples]")
    pytest.importorskip("cnfgen", reason="the formulas need the extra racing[examples]")
    first = next(runs.clasps())
    assert [str(cell) for cell in first] == list(rows("clasp")[0].values())
