"""Which parameters matter: functional analysis of variance of a forest, and near a configuration.

Hutter, Hoos and Leyton-Brown, An efficient approach for assessing hyperparameter importance, ICML
2014, for each tree f of a forest: with all parameters uniform and independent,

    V = Var f(U),    V_p = Var_x E[f(U) | U_p = x],    importance of p = V_p / V.

With conditions the parameters that are active depend on each other. So U is a point that has a
value for every parameter, active or not; the configuration is what is left once inactive values are
masked. Then the U_p are independent whatever the conditions, and V_p counts an inactive value as
what it is: without effect. What is forbidden is not left out.

Where all parameters have few levels, the expectations are sums over the whole grid, and exact.
Otherwise they are means over a Sobol sequence for the other parameters, and over cells of equal
size for p. The total effect E Var[f(U) | U_−p] / V (Homma and Saltelli, 1996) adds all interactions
of p.

Near a configuration (Biedenkapp, Marben, Lindauer and Hutter, CAVE, LION 2018): the variance of f
along p with all others held, as a share of the sum over the parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from racing.base.plain import known
from racing.space import Configuration, Space
from racing.space.sampling import Sobol

Floats = NDArray[np.float64]
Tree: TypeAlias = Callable[[Floats], Floats]
"""Rows on the unit scale, (n, d) with NaN = inactive → predictions, (n,); lower is better."""

EXACT = 4096
"""Grids up to this size are summed over."""

POINTS = 256
CELLS = 16
PAIRED_POINTS = 64
PAIRED_CELLS = 8
PAIRED = 5
"""Of how many parameters, those with the largest total effects, all pairs are looked at."""


@dataclass(frozen=True, kw_only=True)
class Importance:
    """One parameter; shares are means over the trees, from 0 to 1.

    Attributes
    ----------
    name
        The parameter.
    main
        V_p / V: the share of variance that it explains alone.
    spread
        The standard deviation of that over the trees.
    total
        The share with all its interactions.
    local
        Its share of what changes near the configuration; None if none was given.
    """

    name: str
    main: float
    spread: float
    total: float
    local: float | None


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Two parameters, and the share of variance that they explain together beyond each alone."""

    names: tuple[str, str]
    share: float


def decompose(
    trees: Sequence[Tree], space: Space, *, near: Configuration | None = None, seed: int = 1,
) -> tuple[tuple[Importance, ...], tuple[Pair, ...]]:  # fmt: skip
    """Decompose the variance of the trees' predictions over the space.

    Parameters come first, those with the largest main effect first; then pairs of the most
    important.

    Parameters
    ----------
    trees
        From rows on the unit scale, NaN = inactive, to predictions.
    near
        The configuration for importance near it.
    seed
        Of the Sobol sequence.
    """
    grid = _Grid(space, seed)
    variances = grid.variances(trees)
    kept = variances > 0  # a tree that is constant says nothing
    effects = np.array([grid.effects(trees, j) for j in range(space.encoding.dimension)])
    shares, totals = np.moveaxis(effects[:, :, kept] / variances[kept], 1, 0)
    local = _local(trees, grid, near)
    found = [
        Importance(
            name=name,
            main=_mean(shares[j]),
            spread=float(shares[j].std()) if kept.any() else 0.0,
            total=_mean(totals[j]),
            local=known(float(local[j])),
        )
        for j, name in enumerate(space.encoding.names)
    ]
    order = sorted(range(len(found)), key=lambda j: -found[j].total)[:PAIRED]
    pairs = [
        Pair(
            names=(found[a].name, found[b].name),
            share=_mean(grid.interaction(trees, a, b)[kept] / variances[kept]),
        )
        for a, b in combinations(sorted(order), 2)
    ]
    parameters = sorted(found, key=lambda one: -one.main)
    return tuple(parameters), tuple(sorted(pairs, key=lambda pair: -pair.share))


def _mean(shares: Floats) -> float:
    return float(np.clip(shares, 0, 1).mean()) if len(shares) else 0.0


def _local(trees: Sequence[Tree], grid: _Grid, near: Configuration | None) -> Floats:
    """(d,) shares of the variance along each parameter through a configuration."""
    d = grid.space.encoding.dimension
    if near is None:
        return np.full(d, np.nan)
    here = grid.through(near)
    along = np.array([
        np.mean([f.var() for f in grid.tables(trees, here, {j: grid.values[j]})])
        for j in range(d)
    ])  # fmt: skip
    return along / along.sum() if along.sum() > 0 else np.zeros(d)


class _Grid:
    """Points with a value for every parameter, and the trees' predictions of them once masked.

    Attributes
    ----------
    values
        Of each column, the middles of its cells, all equally likely.
    """

    def __init__(self, space: Space, seed: int) -> None:
        self.space, self._seed = space, seed
        encoding = space.encoding
        self.values = [_cells(kind, levels, CELLS) for kind, levels in
                       zip(encoding.kinds, encoding.levels, strict=True)]  # fmt: skip
        discrete = all(encoding.levels)
        size = np.prod([float(len(values)) for values in self.values])
        self.exact = bool(discrete and size <= EXACT)
        self._rng = np.random.default_rng(0)  # for `activate`, which draws nothing here

    @cached_property
    def points(self) -> Floats:
        """(n, d) the whole grid, or a Sobol sequence."""
        if self.exact:
            mesh = np.meshgrid(*self.values, indexing="ij")
            return np.stack([axis.ravel() for axis in mesh], axis=1)
        points = Sobol(len(self.values), np.random.default_rng(self._seed)).take(POINTS)
        for j, (kind, count) in enumerate(
            zip(self.space.encoding.kinds, self.space.encoding.levels, strict=True)
        ):
            if kind == "category":
                points[:, j] = np.floor(points[:, j] * count)
        return np.asarray(points)

    def tables(
        self, trees: Sequence[Tree], points: Floats, values: Mapping[int, Floats]
    ) -> Iterator[Floats]:
        """(n, g, h, …) of each tree, with all values of each column combined at every point."""
        mesh = np.meshgrid(*values.values(), indexing="ij")
        rows = np.repeat(points, mesh[0].size, axis=0)
        for column, own in zip(values, mesh, strict=True):
            rows[:, column] = np.tile(own.ravel(), len(points))
        rows = self.space.encoding.activate(rows, self._rng)  # inactive = NaN
        return (tree(rows).reshape(len(points), *mesh[0].shape) for tree in trees)

    def variances(self, trees: Sequence[Tree]) -> Floats:
        """(trees,) of the predictions."""
        rows = self.space.encoding.activate(self.points, self._rng)
        return np.array([tree(rows).var() for tree in trees])

    def effects(self, trees: Sequence[Tree], column: int) -> tuple[Floats, Floats]:
        """(trees,) main and total effect of a parameter, as variances."""
        found = list(self.tables(trees, self.points, {column: self.values[column]}))
        main = np.array([f.mean(axis=0).var() for f in found])
        return main, np.array([f.var(axis=1).mean() for f in found])

    def interaction(self, trees: Sequence[Tree], one: int, other: int) -> Floats:
        """(trees,) variance that two parameters explain together beyond each alone."""
        points = self.points if self.exact else self.points[:PAIRED_POINTS]
        values = {one: self._few(one), other: self._few(other)}
        found = self.tables(trees, points, values)
        return np.array([_beyond(f.mean(axis=0)) for f in found])

    def _few(self, column: int) -> Floats:
        encoding = self.space.encoding
        return _cells(encoding.kinds[column], encoding.levels[column], PAIRED_CELLS)

    def through(self, values: Configuration) -> Floats:
        """(1, d) a configuration with values for its inactive parameters: defaults where known."""
        space = self.space
        point = space.encode([values])
        if not space.without_default():
            point = np.where(np.isnan(point), space.encode([space.default()]), point)
        middles = np.array([found[len(found) // 2] for found in self.values])
        return np.where(np.isnan(point), middles, point)


def _beyond(table: Floats) -> float:
    """The variance of a two-way table that its margins do not explain."""
    rest = table - table.mean(axis=0) - table.mean(axis=1, keepdims=True) + table.mean()
    return float((rest**2).mean())


def _cells(kind: str, levels: int, most: int) -> Floats:
    """The middles of a column's cells on the unit scale; for a category the indices."""
    if kind == "category":
        return np.arange(levels, dtype=float)
    count = levels or most
    return (np.arange(count) + 0.5) / count
