"""The table of README and docs/others.md: every target that was measured, good and bad."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from benchmarks.search_live.measure import Run
from benchmarks.search_live.tables import (
    TITLES,
    Cell,
    by_cell,
    by_default,
    figure,
    gains,
    means,
    pairs,
)

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "README.md", ROOT / "docs" / "others.md"
ROWS = {
    ("highs", 300): "HiGHS, log₁₀ of LP iterations, 300 evaluations",
    ("cp-sat", 300): "CP-SAT on job shops, log₁₀ of work, 300",
    ("clasp-3sat", 500): "clasp on random 3-SAT, log₁₀ of conflicts, 500",
    ("clasp-clique", 500): "clasp on cliques, log₁₀ of conflicts, 500",
    ("hgs", 500): "HGS-CVRP, % of the length, 500",
    ("scipy", 500): "differential evolution, log₁₀ of the error, 500",
}
COLUMNS = ("racing", "irace", "smac", "optuna")
LONG = 2000
"""The budget that only irace was run with too."""
MARK = "†"
"""Of rows in which not every outcome was kept: errors are over seeds alone."""
WORK = ("hgs", 500)
"""Where the work of each search itself is taken from."""


def lines(runs: Sequence[Run]) -> list[str]:
    """Gains over the default with errors, worse winners, pairs, and time of the search itself."""
    cells, defaults = by_cell(runs), by_default(runs)
    rows = [["gain over the default on unseen instances", *(TITLES[one] for one in COLUMNS)]]
    rows.append(["---"] * len(rows[0]))
    tables: dict[str, list[np.ndarray]] = {one: [] for one in COLUMNS}
    for key, title in ROWS.items():
        done = {one: _done(cells[key][one]) for one in COLUMNS}
        common = not all(run.outcomes for one in done.values() for run in one)
        rows.append([f"{title}{MARK * common}"])
        for one in COLUMNS:
            if not done[one]:
                rows[-1].append("refuses" if cells[key][one] else "–")
                continue
            tables[one].append(gains(done[one], defaults.get(key[0]), common=common))
            rows[-1].append(figure(tables[one][-1]))
    rows.append(["winners that are worse than the default", *map(_worse, tables.values())])
    old = "in which racing, before it set problems aside, is better"
    rows.append([f"pairs with {LONG} evaluations {old}", "", _ahead(cells), "–", "–"])
    work = [_work(_done(cells[WORK][one])) for one in COLUMNS]
    rows.append(["processor time of the search itself for an evaluation, ms", *work])
    return [f"| {' | '.join(row)} |" for row in rows]


def _done(runs: Sequence[Run]) -> list[Run]:
    return [run for run in runs if not run.refused]


def _worse(tables: Sequence[np.ndarray]) -> str:
    """How many of all winners are worse than the default on average."""
    winners = [mean for table in tables for mean in table.mean(axis=1)]
    return f"{sum(mean < 0 for mean in winners)} of {len(winners)}"


def _ahead(cells: Mapping[tuple[str, int], Cell]) -> str:
    """In how many pairs racing is ahead of irace with the long budget."""
    long = [cell for (_, budget), cell in cells.items() if budget == LONG]
    both = [means(pair) for cell in long for pair in pairs(cell, "irace")]
    return f"{sum(ours < theirs for ours, theirs in both)} of {len(both)}"


def _work(runs: Sequence[Run]) -> str:
    each = [1000 * run.processor / run.evaluations for run in runs]
    return f"{np.mean(each):.1f}" if each else "–"


def put(text: str, table: Sequence[str]) -> str:
    """A page with these rows in place of those from the same first to the same last title."""
    first, last = (re.escape(table[place].split(" | ")[0]) for place in (0, -1))
    rows = "\n".join(table)
    return re.sub(rf"^{first} \|.*?^{last} \|[^\n]*", lambda _: rows, text, flags=re.M | re.S)
