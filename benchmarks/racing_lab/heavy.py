"""Choosing by estimated means: what it gains with heavy tails, and what it costs elsewhere.

No races: n instances that everybody sees, and then the choice by the plain mean, by the estimated
mean, and by the mean rank. Regret is in the mean cost over all instances, in per cent of the
distance between the best and the worst candidate.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.stats import rankdata

from benchmarks.racing_lab.families import DATA, Family, Half, chosen
from benchmarks.racing_lab.measure import Figure
from benchmarks.racing_lab.replay import Setting
from benchmarks.racing_lab.saved import Row, save, versions
from benchmarks.racing_lab.worlds import Floats, Matrix, Sample, Synthetic, World
from racing.core.means import estimated_costs, plain_means

LENGTHS = (8, 20, 60)
"""Instances seen."""

RACES = 60


@dataclass(frozen=True)
class OneIn:
    """A world in which any run costs a million with a chance of one in so many."""

    world: World
    runs: int

    def sample(self, rng: np.random.Generator) -> Sample:
        """The truth is that of the world without: what is added is the same for everybody."""
        one = self.world.sample(rng)
        wild = rng.random(one.costs.shape) < 1 / self.runs
        return Sample(np.where(wild, 1e6, one.costs), one.mean, one.rank, one.alike)


def families() -> list[Family]:
    """The worlds of the tables, three more matrices with 33 to 40 % timeouts, and wild costs."""
    made = [f for f in chosen() if f.kind != "paper" and f.name != "near null"]
    normal = next(f for f in made if f.name == "normal")
    assert isinstance(normal.world, Synthetic)
    return [
        *made,
        *with_timeouts(),
        Family("one in 40 costs 10⁶", "synthetic", "report", OneIn(normal.world, 40), Setting()),
    ]


def with_timeouts() -> list[Family]:
    """Three more matrices, on which a third and more of the runs time out."""
    return [
        _solvers("SAT18-EXP", "tune"),
        _solvers("SAT20-MAIN", "report"),
        _solvers("GLUHACK-2018", "report"),
    ]


def _solvers(name: str, half: Half) -> Family:
    matrix = Matrix(str(DATA / f"aslib_{name}.npz"))
    return Family(f"aslib_{name}", "matrix", half, matrix, Setting())


def main(folder: Path, *, races: int, seed: int, command: str) -> None:
    """Choose, save and print."""
    rows = [row for family in families() for row in _rows(family, races, seed)]
    about = {
        "table": "heavy",
        "command": command,
        "races": races,
        "seed": seed,
        "versions": versions(),
    }
    folder.mkdir(parents=True, exist_ok=True)
    save("heavy", about, rows, folder)


def _rows(family: Family, races: int, seed: int) -> list[Row]:
    found: dict[int, list[list[float]]] = {n: [] for n in LENGTHS}
    for state in np.random.SeedSequence(seed).generate_state(races):
        sample = family.world.sample(np.random.default_rng(int(state)))
        for n in LENGTHS:
            found[n].append(_regrets(sample.costs[:n], sample.mean))
    print(f"heavy: {family.name}", flush=True)
    return [_row(family, n, np.array(values)) for n, values in found.items()]


def _regrets(costs: Floats, truth: Floats) -> list[float]:
    """By plain mean, estimated mean, and mean rank; ties by the plain mean."""
    plain = plain_means(costs)
    estimated = plain_means(estimated_costs(costs, np.arange(costs.shape[1])))
    ranks = rankdata(costs, axis=1).mean(axis=0)
    spread = float(np.ptp(truth)) or 1.0
    return [
        100 * float(truth[np.lexsort((plain, by))[0]] - truth.min()) / spread
        for by in (plain, estimated, ranks)
    ]


def _row(family: Family, n: int, values: Floats) -> Row:
    difference = Figure.of(values[:, 1] - values[:, 0])
    return {
        "benchmark": family.name,
        "half": family.half,
        "instances": n,
        "races": len(values),
        "plain": round(float(values[:, 0].mean()), 3),
        "estimated": round(float(values[:, 1].mean()), 3),
        "rank": round(float(values[:, 2].mean()), 3),
        "difference": round(difference.mean, 3),
        "difference_se": round(difference.error, 3),
    }
