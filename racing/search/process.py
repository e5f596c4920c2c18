"""A Gaussian process over configurations: what a new one may cost, by the ranks of all others.

Formula numbers are those of Rasmussen and Williams (2006), "Gaussian Processes for Machine
Learning".
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

from racing.search.state import Seen
from racing.stats.ranks import rank_rows

Floats = NDArray[np.float64]

_APART = 0.25
"""The squared distance of two categories, and of an active parameter from an inactive one."""

_NOISE = 1e-3
"""The expected share of noise in the variance."""

_STEPS = {"all": 1.4, "each": 1.4, "noise": 2.3}
"""How far the logarithms of the lengths, together and one by one, and of the noise are tried."""

_SPREAD = {"lengths": 1.5, "noise": 2.5}
"""Standard deviations of these logarithms before anything is seen."""

_STANDARD = NormalDist()
_below = np.vectorize(_STANDARD.cdf, otypes=[np.float64])
_quantile = np.vectorize(_STANDARD.inv_cdf, otypes=[np.float64])


@dataclass(frozen=True, eq=False)
class Process:
    """A Gaussian process with a Matérn kernel (4.17), conditioned on configurations.

    Attributes
    ----------
    points : (n, d)
        Rows of the unit scale, NaN = inactive.
    scores : (n,)
        Normal scores of their costs, lower is better.
    choices : (d,)
        The number of levels of a categorical parameter, 0 for a number.
    scales : (d,)
        The inverse squares of the lengths of the parameters.
    noise
        The variance of the noise as a share of the kernel's.
    root, weights, variance
        L of the Cholesky decomposition K = L Lᵀ, (n, n); K⁻¹ y, (n,); the variance of the kernel.
    """

    points: Floats
    scores: Floats
    choices: NDArray[np.intp]
    scales: Floats
    noise: float
    root: Floats
    weights: Floats
    variance: float

    @classmethod
    def of(
        cls, points: Floats, scores: Floats, choices: NDArray[np.intp], scales: Floats, noise: float
    ) -> Process:
        """Condition on these points; see the attributes.

        The variance is the one that makes the scores most likely.

        Raises
        ------
        numpy.linalg.LinAlgError
            If the points are too close for this little noise.
        """
        kernel = _matern(_apart(points, points, choices) @ scales)
        root = np.asarray(np.linalg.cholesky(kernel + noise * np.eye(len(points))), np.float64)
        whitened = np.linalg.solve(root, scores)
        return cls(
            points, scores, choices, scales, noise, root,
            weights=np.linalg.solve(root.T, whitened),
            variance=max(float(whitened @ whitened) / len(points), 1e-12),
        )  # fmt: skip

    @property
    def misfit(self) -> float:
        """The negative logarithm of the likelihood (5.8), but for a constant."""
        volume = float(np.log(np.diag(self.root)).sum())
        return len(self.points) / 2 * math.log(self.variance) + volume

    def mean(self, points: Floats) -> Floats:
        """The expected scores of points, (m,)."""
        return np.asarray(self._kernel(points) @ self.weights)

    def given(self, pending: Floats) -> Process:
        """The process as if points that are being run had the scores that it expects of them.

        Ginsbourger, Le Riche and Carraro (2010), "Kriging is well-suited to parallelize
        optimization": the kriging believer.
        """
        if not len(pending):
            return self
        points = np.concatenate([self.points, pending])
        scores = np.concatenate([self.scores, self.mean(pending)])
        more = Process.of(points, scores, self.choices, self.scales, self.noise)
        return replace(more, variance=self.variance)

    def improvement(self, points: Floats) -> Floats:
        """How much better than the best each point is expected to be, (m,) (Jones et al., 1998)."""
        kernel = self._kernel(points)
        explained = (np.linalg.solve(self.root, kernel.T) ** 2).sum(axis=0)
        sd = np.sqrt(self.variance * np.maximum(1 - explained, 1e-12))
        best = float(self.mean(self.points).min())
        z = (best - kernel @ self.weights) / sd
        return np.asarray(sd * (z * _below(z) + np.exp(-z * z / 2) / math.sqrt(2 * math.pi)))

    def _kernel(self, points: Floats) -> Floats:
        return _matern(_apart(points, self.points, self.choices) @ self.scales)


def _matern(squares: Floats) -> Floats:
    """The kernel (4.17) with ν = 5/2, by squared distances."""
    r = np.sqrt(5 * squares)
    return np.asarray((1 + r + r * r / 3) * np.exp(-r))


def _apart(a: Floats, b: Floats, choices: NDArray[np.intp]) -> Floats:
    """(n, m, d) squared distances of n and m points, by parameter."""
    x, y = a[:, None], b[None]
    squares = (x - y) ** 2
    squares = np.where(choices > 0, np.minimum(squares, _APART), squares)
    gone, also = np.isnan(x), np.isnan(y)
    return np.where(gone & also, 0.0, np.where(gone | also, _APART, squares))


def normal_scores(costs: ArrayLike) -> Floats:
    """Quantiles of the normal at the ranks of costs, (n,), lower is better; +inf is the worst."""
    costs = np.asarray(costs, dtype=float)
    ranks = rank_rows(costs[None], check=False)[0]
    return np.asarray(_quantile((ranks - 0.5) / len(costs)))


@lru_cache(maxsize=2)  # challengers that are drawn one after the other often have seen the same
def fitted(seen: Seen, choices: tuple[int, ...], most: int) -> Process:
    """The process whose lengths and noise fit what a search has seen: one step for each.

    Parameters
    ----------
    most
        Of more configurations the better half of so many, and as many spread over the others.
    """
    keep = _spread(seen.costs, most)
    points, scores = seen.points[keep], normal_scores(seen.costs[keep])
    levels, d = np.array(choices), seen.points.shape[1]
    usual = np.append(np.full(d, math.log(4 / math.sqrt(max(d, 1)))), math.log(_NOISE))
    wide = np.append(np.full(d, _SPREAD["lengths"]), _SPREAD["noise"])

    def fit(at: Floats) -> tuple[float, Process | None]:
        try:
            found = Process.of(points, scores, levels, np.exp(at[:-1]), math.exp(at[-1]))
        except np.linalg.LinAlgError:
            return math.inf, None
        return found.misfit + float((((at - usual) / wide) ** 2).sum()) / 2, found

    at, (misfit, best) = usual, fit(usual)
    for step in _steps(d):
        for moved in (at + step, at - step):
            found = fit(moved)
            if found[0] < misfit:
                at, (misfit, best) = moved, found
                break
    assert best is not None
    return best


def _steps(d: int) -> Iterator[Floats]:
    """The directions of the fit, (d + 1,): all lengths together, each, the noise."""
    yield np.append(np.full(d, _STEPS["all"]), 0.0)
    yield from _STEPS["each"] * np.eye(d, d + 1)
    yield _STEPS["noise"] * np.eye(d + 1)[d]


def _spread(costs: Floats, most: int) -> NDArray[np.intp]:
    """Places of at most so many costs: the lower half of them, and as many of the others."""
    order = np.argsort(costs, kind="stable")
    if len(order) <= most:
        return np.arange(len(order))
    low = most // 2
    others = np.linspace(low, len(order) - 1, most - low).round().astype(np.intp)
    return np.sort(order[np.concatenate([np.arange(low), others])])
