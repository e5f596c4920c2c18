"""What differential evolution minimises: classic test functions, shifted and rotated."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

KINDS = ("sphere", "rosenbrock", "rastrigin", "ackley", "griewank")
BOUND = 5.0


class Function:
    """A function of a number: its kind, dimension, optimum and rotation are drawn from it."""

    def __init__(self, number: int) -> None:
        rng = np.random.default_rng([29, number])
        self.kind = KINDS[int(rng.integers(len(KINDS)))]
        self.dimension = int(rng.integers(4, 9))
        self._optimum = rng.uniform(-0.8, 0.8, self.dimension) * BOUND
        turned, _ = np.linalg.qr(rng.normal(size=(self.dimension, self.dimension)))
        self._rotation = turned * np.exp(rng.uniform(-0.5, 0.5, self.dimension))

    def __call__(self, x: Floats) -> Floats:
        """(n,) values at the columns of (d, n) points; the least is 0."""
        z = self._rotation @ (np.atleast_2d(x.T).T - self._optimum[:, None])
        return _VALUE[self.kind](z)


@cache
def function(number: int) -> Function:
    """A function by its number."""
    return Function(number)


def _rosenbrock(z: Floats) -> Floats:
    z = z + 1
    return np.asarray((100 * (z[1:] - z[:-1] ** 2) ** 2 + (1 - z[:-1]) ** 2).sum(axis=0))


def _rastrigin(z: Floats) -> Floats:
    return np.asarray((z**2 - 10 * np.cos(2 * np.pi * z) + 10).sum(axis=0))


def _ackley(z: Floats) -> Floats:
    near = -20 * np.exp(-0.2 * np.sqrt((z**2).mean(axis=0)))
    return np.asarray(near - np.exp(np.cos(2 * np.pi * z).mean(axis=0)) + 20 + math.e)


def _griewank(z: Floats) -> Floats:
    z = 10 * z
    root = np.sqrt(np.arange(1, len(z) + 1))[:, None]
    return np.asarray((z**2).sum(axis=0) / 4000 - np.cos(z / root).prod(axis=0) + 1)


_VALUE = {
    "sphere": lambda z: np.asarray((z**2).sum(axis=0)),
    "rosenbrock": _rosenbrock,
    "rastrigin": _rastrigin,
    "ackley": _ackley,
    "griewank": _griewank,
}
