"""The tutorial's figures are those of the tables that its pictures are drawn from."""

from __future__ import annotations

import csv
import math
import re
from statistics import fmean

from tests.docs.blocks import ROOT

FOLDER = ROOT / "docs" / "first-tuning"
PAGE = (ROOT / "docs" / "first-tuning.md").read_text(encoding="utf-8")
CONFIG = (ROOT / "configs" / "clasp.yaml").read_text(encoding="utf-8")


def columns(name: str) -> dict[str, list[float]]:
    """Candidate → costs; NaN where it was not evaluated."""
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    names = [key for key in rows[0] if key != "instance"]
    return {name: [float(row[name] or "nan") for row in rows] for name in names}


def evaluated(costs: list[float]) -> int:
    return sum(not math.isnan(cost) for cost in costs)


def test_the_race_is_the_one_that_the_page_tells_of() -> None:
    race = columns("race.csv")
    counts = {name: evaluated(costs) for name, costs in race.items()}
    evaluations, instances = re.search(r"(\d+) evaluations on (\d+) complete", PAGE).groups()  # type: ignore[union-attr]
    winner, mean = re.search(r"Winner: (#\d+) \(mean (\d+)", PAGE).groups()  # type: ignore[union-attr]
    assert sum(counts.values()) == int(evaluations)
    assert max(counts.values()) == counts[winner] == int(instances)
    assert f"{fmean(race[winner]):.0f}" == mean
    first = min(counts.values())
    assert f"first {'five' if first == 5 else first} formulas" in PAGE
    assert f"drops {sum(n == first for n in counts.values())} candidates" in PAGE
    assert counts["default"] == first  # "clasp's default among them"


def test_the_test_is_the_one_that_the_page_tells_of() -> None:
    test = columns("test.csv")
    winner, other = re.search(r"#8: mean (\d+) .*\ndefault: mean (\d+) ", PAGE).groups()  # type: ignore[union-attr]
    assert f"{fmean(test['winner']):.0f}" == winner
    assert f"{fmean(test['against']):.0f}" == other
    assert all(w < a for w, a in zip(test["winner"], test["against"], strict=True))
    assert (said := re.search(r"On (\d+) unseen problems, .* #8 is better on all (\d+)\.", PAGE))
    assert said.groups() == (str(len(test["winner"])),) * 2


def test_the_lines_of_the_scenario_are_those_of_the_file() -> None:
    block = re.search(r"```text\n(unit:.*?)```", PAGE, re.DOTALL)
    assert block
    said = {line.split("#")[0].strip() for line in block[1].splitlines()} - {"", "…"}
    assert said <= {line.split("  #")[0].strip() for line in CONFIG.splitlines()}
