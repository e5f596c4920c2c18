"""What it costs to leave equals in the race: `auto` with and without merging them.

Every candidate has a twin with the same costs, as where a parameter has no effect. Both races of a
sample have the same budget.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from joblib import Parallel, delayed

from benchmarks.racing_lab import budgets
from benchmarks.racing_lab.contenders import DEFAULT
from benchmarks.racing_lab.measure import Figure
from benchmarks.racing_lab.saved import Row, save, versions
from racing.core.objective import Objective
from racing.rules import Auto

RACES = 200


class Keeping(Auto):
    """`auto` that judges twins like all others."""

    merges_equals = True


def main(
    folder: Path, *, races: int, jobs: int, seed: int, command: str, small: bool, **_: object
) -> None:
    """Race, save and print."""
    (family,) = (one for one in budgets.families() if one.name == "doubles")
    seeds = np.random.SeedSequence(seed).generate_state(races)
    rows: list[Row] = []
    for objective in ("rank", "mean"):
        both = Parallel(n_jobs=jobs)(
            delayed(_race)(family.world, objective, int(s), 12 if small else None) for s in seeds
        )
        rows += [_row(objective, b, np.array([one[b] for one in both])) for b in budgets.BUDGETS]
        print(f"merging: {objective}", flush=True)
    about = {
        "table": "merging", "command": command, "races": races, "seed": seed,
        "versions": versions(),
    }  # fmt: skip
    folder.mkdir(parents=True, exist_ok=True)
    save("merging", about, rows, folder)


def _race(
    world: budgets.World, objective: Objective, seed: int, candidates: int | None
) -> dict[float, list[float]]:
    """Budget → normalised regret and share of the spending on twins, merged and not."""
    rules = {DEFAULT: Auto(), "kept": Keeping()}
    found = budgets.one_race(
        world, objective, seed, dividing=rules, only=("kept",), candidates=candidates
    )
    return {
        budget: [100 * found[name, budget][fact] for name in rules for fact in (0, 2)]
        for budget in budgets.BUDGETS
    }


def _row(objective: str, budget: float, values: np.ndarray) -> Row:
    """Of (races, 4) values."""
    regret, on_twins, _, on_twins_kept = values.mean(axis=0).round(3).tolist()
    difference = Figure.of(values[:, 2] - values[:, 0])
    return {
        "objective": objective,
        "budget": budget,
        "regret": regret,
        "difference": round(difference.mean, 3),
        "difference_se": round(difference.error, 3),
        "on_twins": on_twins,
        "on_twins_kept": on_twins_kept,
    }
