"""A Gaussian process over configurations: what a new one may cost, by the ranks of all others.

Formula numbers are those of Rasmussen and Williams (2006), "Gaussian Processes for Machine
Learning".
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

from racing.search.state import Seen
from racing.stats.ranks import rank_rows

Floats = NDArray[np.float64]

_APART = 0.25
"""The squared distance of two categories, and what an inactive parameter adds to that of others."""

_NOISE = 1e-3
"""The expected share of noise in the variance."""

_STEPS = {"all": 1.4, "each": 1.4, "noise": 2.3}
"""How far the logarithms of the lengths, together and one by one, and of the noise are tried."""

_SPREAD = {"lengths": 1.5, "noise": 2.5}
"""Standard deviations of these logarithms before anything is seen."""

_STANDARD = NormalDist()
_below = np.vectorize(_STANDARD.cdf, otypes=[np.float64])
_quantile = np.vectorize(_STANDARD.inv_cdf, otypes=[np.float64])


def features(points: Floats, choices: Sequence[int]) -> tuple[Floats, NDArray[np.intp]]:
    """What the kernel measures distances in: (n, f) numbers, and the parameter of each, (f,).

    A number is itself, a category one number for each level; a parameter that may be inactive has
    one more, so that two configurations without it are alike in it.

    Parameters
    ----------
    points : (n, d)
        Rows of the unit scale, NaN = inactive.
    choices : (d,)
        The number of levels of a categorical parameter, 0 for a number.
    """
    found, of = [], []
    for place, (column, levels) in enumerate(zip(points.T, choices, strict=True)):
        if levels:
            own = math.sqrt(_APART / 2) * (column[:, None] == np.arange(levels))
        else:
            own = np.where(np.isnan(column), 0.5, column)[:, None]
        absent = math.sqrt(_APART) * np.isnan(column)[:, None]
        found += [own, absent]
        of += [place] * (own.shape[1] + 1)
    return np.concatenate(found, axis=1), np.array(of)


def squares(a: Floats, b: Floats) -> Floats:
    """(n, m) squared distances of two lists of features."""
    apart = (a**2).sum(axis=1)[:, None] + (b**2).sum(axis=1) - 2 * a @ b.T
    return np.asarray(np.maximum(apart, 0.0))


@dataclass(frozen=True, eq=False)
class Process:
    """A Gaussian process with a Matérn kernel (4.17), conditioned on configurations.

    Attributes
    ----------
    features : (n, f)
        Of the configurations; see `features`.
    scores : (n,)
        Normal scores of their costs, lower is better.
    scales : (f,)
        The inverses of the lengths of the parameters, for each feature.
    noise
        The variance of the noise as a share of the kernel's.
    root, weights, variance
        L of the Cholesky decomposition K = L Lᵀ, (n, n); K⁻¹ y, (n,); the variance of the kernel.
    """

    features: Floats
    scores: Floats
    scales: Floats
    noise: float
    root: Floats
    weights: Floats
    variance: float

    @classmethod
    def of(cls, features: Floats, scores: Floats, scales: Floats, noise: float) -> Process:
        """Condition on these; see the attributes. The variance makes the scores most likely.

        Raises
        ------
        numpy.linalg.LinAlgError
            If configurations are too close for this little noise.
        """
        scaled = features * scales
        kernel = _matern(squares(scaled, scaled))
        root = np.asarray(np.linalg.cholesky(kernel + noise * np.eye(len(scores))), np.float64)
        whitened = np.linalg.solve(root, scores)
        return cls(
            features, scores, scales, noise, root,
            weights=np.linalg.solve(root.T, whitened),
            variance=max(float(whitened @ whitened) / len(scores), 1e-12),
        )  # fmt: skip

    @property
    def misfit(self) -> float:
        """The negative logarithm of the likelihood (5.8), but for a constant."""
        volume = float(np.log(np.diag(self.root)).sum())
        return len(self.scores) / 2 * math.log(self.variance) + volume

    def mean(self, features: Floats) -> Floats:
        """The expected scores, (m,)."""
        return np.asarray(self.kernel(features) @ self.weights)

    def given(self, pending: Floats) -> Process:
        """The process as if configurations that run had the scores that it expects of them.

        Ginsbourger, Le Riche and Carraro (2010), "Kriging is well-suited to parallelize
        optimization": the kriging believer.
        """
        if not len(pending):
            return self
        scores = np.concatenate([self.scores, self.mean(pending)])
        rows = np.concatenate([self.features, pending])
        return replace(Process.of(rows, scores, self.scales, self.noise), variance=self.variance)

    def improvement(self, features: Floats) -> Floats:
        """How much better than the best each is expected to be, (m,) (Jones et al., 1998)."""
        kernel = self.kernel(features)
        explained = (np.linalg.solve(self.root, kernel.T) ** 2).sum(axis=0)
        sd = np.sqrt(self.variance * np.maximum(1 - explained, 1e-12))
        best = float(self.mean(self.features).min())
        z = (best - kernel @ self.weights) / sd
        return np.asarray(sd * (z * _below(z) + np.exp(-z * z / 2) / math.sqrt(2 * math.pi)))

    def kernel(self, features: Floats) -> Floats:
        """(m, n) the kernel between these and those that it is conditioned on."""
        return _matern(squares(features * self.scales, self.features * self.scales))


def _matern(apart: Floats) -> Floats:
    """The kernel (4.17) with ν = 5/2, by squared distances."""
    r = np.sqrt(5 * apart)
    return np.asarray((1 + r + r * r / 3) * np.exp(-r))


def normal_scores(costs: ArrayLike) -> Floats:
    """Quantiles of the normal at the ranks of costs, (n,), lower is better; +inf is the worst."""
    costs = np.asarray(costs, dtype=float)
    ranks = rank_rows(costs[None], check=False)[0]
    return np.asarray(_quantile((ranks - 0.5) / len(costs)))


@lru_cache(maxsize=2)  # challengers that are drawn one after the other often have seen the same
def fitted(seen: Seen, choices: tuple[int, ...], most: int) -> Process:
    """The process whose lengths and noise fit what a search has seen: one step for each.

    Lengths are by the inverses of their squares.

    Parameters
    ----------
    most
        Of more configurations the better half of so many, and as many spread over the others.
    """
    keep = _spread(seen.costs, most)
    scores, d = normal_scores(seen.costs[keep]), len(choices)
    rows, parameter = features(seen.points[keep], choices)
    usual = np.append(np.full(d, math.log(4 / math.sqrt(d))), math.log(_NOISE))
    wide = np.append(np.full(d, _SPREAD["lengths"]), _SPREAD["noise"])

    def fit(at: Floats) -> tuple[float, Process | None]:
        try:
            found = Process.of(rows, scores, np.exp(at[:-1] / 2)[parameter], math.exp(at[-1]))
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
