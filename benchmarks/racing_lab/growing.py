"""Looks at growing distances against a look after each instance, at the same budget.

The worlds, budgets and rules are those of the table `budgets`. Differences are paired: the same
sample is raced with both kinds of looks.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed

from benchmarks.racing_lab.answers import GROWTH
from benchmarks.racing_lab.budgets import (
    BUDGETS,
    DIVIDING,
    TESTING,
    VARIANTS,
    Found,
    families,
    one_race,
)
from benchmarks.racing_lab.families import Family
from benchmarks.racing_lab.measure import Figure
from benchmarks.racing_lab.saved import Row, load, save, versions

RACES = 40
RULES = [name for name in (*DIVIDING, *TESTING) if name not in VARIANTS]


def main(
    folder: Path,
    *,
    races: int,
    jobs: int,
    seed: int,
    command: str,
    case: str = "",
    only: Collection[str] | None = None,
    small: bool = False,
) -> None:
    """Race, and save after each case; arguments are as those of the table by budget."""
    rows: list[Row] = []
    for family in families():
        for objective in ("rank", "mean"):
            if case not in f"{family.name} · {objective} · {family.half}":
                continue
            seeds = np.random.SeedSequence(seed).generate_state(races)
            given = {"only": only or RULES, "candidates": 12 if small else None}
            found = [
                list(
                    Parallel(n_jobs=jobs)(
                        delayed(one_race)(family.world, objective, int(s), each=each, **given)
                        for s in seeds
                    )
                )
                for each in (None, GROWTH)
            ]
            rows += _rows(family, objective, *found)
            folder.mkdir(parents=True, exist_ok=True)
            about = {"table": "growing", "command": command, "races": races, "seed": seed}
            save("growing", about | {"versions": versions()}, rows, folder)
            print(f"growing: {family.name} · {objective}", flush=True)


def _rows(family: Family, objective: str, each: list[Found], growing: list[Found]) -> Iterator[Row]:
    """One row a rule and budget: growing looks less a look each."""
    for name, budget in each[0]:
        both = zip(growing, each, strict=True)
        pairs = [(after[name, budget][0], before[name, budget][0]) for after, before in both]
        difference = Figure.of(np.array([after - before for after, before in pairs]))
        yield {
            "benchmark": family.name,
            "half": family.half,
            "objective": objective,
            "budget": budget,
            "rule": name,
            "races": len(pairs),
            "regret": float(np.mean([before for _, before in pairs])),
            "difference": float(difference.mean),
            "difference_se": float(difference.error),
        }


def averaged(folder: Path, rule: str, budget: float) -> tuple[float, float]:
    """The difference in normalised regret over all cells, in %, and its standard error."""
    rows = load("growing", folder).rows
    cells = [row for row in rows if (row["rule"], row["budget"]) == (rule, budget)]
    errors = np.array([row["difference_se"] for row in cells])
    mean = 100 * float(np.mean([row["difference"] for row in cells]))
    return mean, 100 * float(np.sqrt((errors**2).sum()) / len(cells))


def table(folder: Path) -> str:
    """The differences, a row a rule and a column a budget."""
    head = "|  | " + " | ".join(f"{budget:g}" for budget in BUDGETS) + " |"
    lines = [head, "| --- |" + " ---: |" * len(BUDGETS)]
    for rule in RULES:
        cells = (averaged(folder, rule, budget) for budget in BUDGETS)
        lines.append(f"| {rule} | " + " | ".join(f"{m:+.2f} ± {e:.2f}" for m, e in cells) + " |")
    return "\n".join(lines)
