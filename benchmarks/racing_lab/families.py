"""The named worlds, in two halves: parameters are chosen on one, and figures reported on the other.

A world of the paper is raced in steps of five instances, the others instance by instance.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from benchmarks.racing_lab.replay import Setting
from benchmarks.racing_lab.worlds import Floats, Matrix, Normal, Synthetic, World

DATA = Path(__file__).parent.parent / "data"
Half = Literal["tune", "report"]
ROUNDS = 300
"""The paper's M, read as rounds."""
OBSERVATIONS = 5
"""New observations of a candidate in each round."""


@dataclass(frozen=True)
class Family:
    """A world, how races over it are run, and which half it belongs to."""

    name: str
    kind: Literal["paper", "matrix", "synthetic"]
    half: Half
    world: World
    setting: Setting


def _paper(q: int, rho: float, half: Half) -> Family:
    world = Normal(q, rho, ROUNDS * OBSERVATIONS)
    steps = Setting(objective="mean", first_test=OBSERVATIONS, each_test=OBSERVATIONS)
    return Family(f"paper q={q} ρ={rho:g}", "paper", half, world, steps)


def _matrix(name: str, half: Half, *, rows: int | None = None, sub: int | None = None) -> Family:
    return Family(name, "matrix", half, Matrix(str(DATA / f"{name}.npz"), sub, rows), Setting())


def _normal(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
    return rng.standard_normal(shape)


def _heavy(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
    return np.asarray(rng.standard_t(2.5, shape) / np.sqrt(5))


def _skewed(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
    return rng.exponential(size=shape) - 1


def _spread(rng: np.random.Generator, q: int) -> Floats:
    return rng.uniform(0, 1, q)


def _near(rng: np.random.Generator, q: int) -> Floats:
    """All alike but for one that is a little ahead."""
    means = np.zeros(q)
    means[rng.integers(q)] = -0.1
    return means


def _sparse(rng: np.random.Generator, q: int) -> Floats:
    """A few good ones among many alike."""
    means = np.ones(q)
    means[rng.permutation(q)[:3]] = rng.uniform(0, 0.4, 3)
    return means


def _clusters(rng: np.random.Generator, q: int) -> Floats:
    return rng.choice([0.0, 0.4, 0.8], q) + 0.05 * rng.standard_normal(q)


def _synthetic(name: str, half: Half, world: Synthetic) -> Family:
    return Family(name, "synthetic", half, world, Setting())


def _cut(costs: Floats) -> Floats:
    """A third time out, and cost ten times the cutoff."""
    times = np.exp(costs)
    return np.where(times > np.exp(1.5), 10 * np.exp(1.5), times)


FAMILIES = (
    _paper(30, 1, "tune"),
    _paper(50, 1, "report"),
    _paper(100, 1, "tune"),
    _paper(100, 0.5, "report"),
    _paper(100, 0.1, "tune"),
    _paper(200, 0.1, "report"),
    _matrix("aslib_OPENML-WEKA-2017", "report"),
    _matrix("aslib_QBF-2016", "tune", rows=200),
    _matrix("aslib_IPC2018", "report"),
    _matrix("aslib_ASP-POTASSCO", "tune", rows=200),
    _matrix("aslib_MAXSAT19-UCMS", "report"),
    _matrix("tsp", "tune", sub=60),
    _matrix("clasp", "report", sub=60),
    _synthetic("normal", "tune", Synthetic(40, 100, _spread, _normal)),
    _synthetic("heavy tails", "report", Synthetic(40, 100, _spread, _heavy)),
    _synthetic("skewed", "tune", Synthetic(40, 100, _spread, _skewed)),
    _synthetic("near null", "report", Synthetic(40, 100, _near, _normal)),
    _synthetic("sparse", "tune", Synthetic(60, 100, _sparse, _normal)),
    _synthetic("clusters", "report", Synthetic(60, 100, _clusters, _normal)),
    _synthetic("ties", "tune", Synthetic(40, 100, _spread, _normal, change=np.round)),
    _synthetic("units", "tune", Synthetic(40, 100, _spread, _normal, units=4.0)),
    _synthetic("timeouts", "report", Synthetic(40, 100, _spread, _normal, change=_cut)),
)


def chosen(*, kind: str | None = None, half: str | None = None) -> list[Family]:
    """The families of a kind and a half, in order."""
    return [
        family for family in FAMILIES if kind in (None, family.kind) and half in (None, family.half)
    ]
