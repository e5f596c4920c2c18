"""The figures to compare with: the best that is known, and what irace 4.4 returned.

`data/best_known.csv`: for each landscape the lowest true cost found by any method, and the
default's. Those of landscapes 0–9 come from many searches of all kinds, those from 20 on from
`python -m benchmarks.search_lab best`. `data/irace_4_4.csv`: the true cost of what irace 4.4.3
(F-test, elitist, else its defaults) returned, one run for each landscape and budget.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from benchmarks.search_lab.families import REAL

DATA = Path(__file__).parent / "data"
WORST = 2.0
"""Regret is cut off here: on a few landscapes the default is nearly the best, and one bad run there
would outweigh all others."""


@dataclass(frozen=True)
class Scale:
    """True costs that regret is measured between."""

    best: float
    default: float

    def regret(self, cost: float) -> float:
        """(cost − best) / (default − best), at most `WORST`."""
        return min((cost - self.best) / (self.default - self.best), WORST)


@cache
def _scales() -> dict[tuple[str, int], Scale]:
    with (DATA / "best_known.csv").open(newline="") as file:
        return {
            (row["family"], int(row["landscape"])): Scale(
                float(row["best_known_cost"]), float(row["default_cost"])
            )
            for row in csv.DictReader(file)
        }


def scale(family: str, landscape: int) -> Scale:
    """The scale of a landscape; all of a real algorithm have the same.

    Raises
    ------
    KeyError
        If the best of this landscape is not known.
    """
    return _scales()[family, 0 if family in REAL else landscape]


@cache
def irace() -> dict[tuple[str, int, int], float]:
    """(family, landscape, budget) → regret of irace 4.4."""
    with (DATA / "irace_4_4.csv").open(newline="") as file:
        return {
            (row["family"], int(row["landscape"]), int(row["budget"])): scale(
                row["family"], int(row["landscape"])
            ).regret(float(row["cost"]))
            for row in csv.DictReader(file)
        }
