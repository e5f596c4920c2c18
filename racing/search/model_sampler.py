"""Draws challengers by a model of all outcomes, where problems are so few that all meet them.

The model is a Gaussian process over configurations: what a new one may cost, by the ranks of all
others. Formula numbers are those of Rasmussen and Williams (2006), "Gaussian Processes for Machine
Learning".
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from racing.base.quantities import Count
from racing.base.special import ndtr, ndtri
from racing.search.sampler import LocalSampler, Proposal, Seen, State
from racing.stats.ranks import rank_rows

Floats = NDArray[np.float64]

_LEAST = 4
"""With fewer configurations there is nothing to learn from."""

_SAME = 1e-12
"""Configurations whose squared distance is at most this are one."""

_PARENTS = 5
"""Half of the pool is near one of so many: the best, each the more often the better it is."""

_WIDEST, _HALVINGS = 0.3, 5
"""Standard deviations of the normals around a parent: the widest, and how many halvings of it."""

_APART = 0.25
"""The squared distance of two categories, and what an inactive parameter adds to that of others."""

_NOISE = 1e-3
"""The expected share of noise in the variance."""

_STEPS = {"all": 1.4, "each": 1.4, "noise": 2.3}
"""How far the logarithms of the lengths, together and one by one, and of the noise are tried."""

_SPREAD = {"lengths": 1.5, "noise": 2.5}
"""Standard deviations of these logarithms before anything is seen."""


_FITTED = 16
"""The lengths and the noise are fitted anew after so many configurations."""


@dataclass(frozen=True, kw_only=True)
class ModelSampler:
    """Draws many points, and takes the one with the greatest expected improvement.

    Half of the points are uniform, half near one of the best configurations. A Gaussian process
    over all configurations decided on says what each may cost. It knows costs by their ranks alone,
    so a proposal is the same for any increasing function of the costs. Its draws take some
    milliseconds each, and the cube of `most` bounds them; that is why it serves where each
    configuration has met nearly all instances, so that there are few outcomes to learn from and
    none is an average over many.

    Attributes
    ----------
    pool
        The number of points to choose from.
    most
        The most configurations that the model is fitted to. Of more than about 100, libraries of
        linear algebra start threads, which wait for the processors that run the target.
    local
        Draws in its place as long as fewer than four configurations are decided on, and where
        no point of the pool is new and allowed.
    """

    learns: ClassVar[bool] = True

    pool: Count = 200
    most: Count = 80
    local: LocalSampler = field(default_factory=LocalSampler)

    def draw(self, state: State, choices: NDArray[np.intp], rng: np.random.Generator) -> Proposal:
        """The most promising of a pool of points; see `Sampler`."""
        seen = state.seen
        if seen is None or len(seen.costs) < _LEAST:
            return self.local.draw(state, choices, rng)
        pool = np.concatenate([rng.random((self.pool - self.pool // 2, len(choices))),
                               _near(self.pool // 2, seen, choices, rng)])  # fmt: skip
        rows, levels = seen.rows(pool), tuple(choices.tolist())
        known, parameter = features(np.concatenate([seen.points, state.pending]), levels)
        found, _ = features(rows, levels)
        model = fitted(known, parameter, seen.costs, self.most)
        promise = np.where(seen.allowed(rows), model.improvement(found), -np.inf)
        for best in np.argsort(-promise, kind="stable"):
            if promise[best] > -np.inf and squares(found[[best]], known).min() > _SAME:
                return Proposal(pool[best])
        return self.local.draw(state, choices, rng)


def _near(n: int, seen: Seen, choices: NDArray[np.intp], rng: np.random.Generator) -> Floats:
    """(n, d) points of the cube near the best configurations; half of the values are theirs."""
    best = np.argsort(seen.costs, kind="stable")[:_PARENTS]
    parents = seen.points[best[rng.integers(len(best), size=(2, n)).min(axis=0)]]
    sd = _WIDEST * 0.5 ** rng.integers(_HALVINGS, size=(n, 1))
    fresh, moved = rng.random(parents.shape), rng.random(parents.shape) < 0.5
    own = np.where(choices > 0, (parents + 0.5) / np.maximum(choices, 1), parents)
    number = np.clip(parents + sd * rng.standard_normal(parents.shape), 0.0, 1.0)
    anew = rng.random(parents.shape) < np.minimum(2 * sd, _WIDEST)
    other = np.where(choices > 0, np.where(anew, fresh, own), number)
    return np.asarray(np.where(np.isnan(parents), fresh, np.where(moved, other, own)))


# --- the model ----------------------------------------------------------------------------------


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
    scales : (f,)
        The inverses of the lengths of the parameters, for each feature.
    whitening, weights, variance
        L⁻¹ of the Cholesky decomposition K = L Lᵀ, (n, n); K⁻¹ y, (n,); the variance of the kernel.
    best
        The least of the scores that it expects of these configurations.
    """

    features: Floats
    scales: Floats
    whitening: Floats
    weights: Floats
    variance: float
    best: float

    @classmethod
    def of(cls, features: Floats, scores: Floats, scales: Floats, noise: float) -> Process:
        """Condition on these; see the attributes. The variance makes the scores most likely.

        Parameters
        ----------
        scores : (m,)
            Normal scores of the costs of the first m, lower is better. The others run, and count as
            if they had the scores that are expected of them: these have no weight (Ginsbourger, Le
            Riche and Carraro, 2010, "Kriging is well-suited to parallelize optimization").
        noise
            The variance of the noise as a share of the kernel's, above 0.
        """
        scaled, m = features * scales, len(scores)
        kernel = _matern(squares(scaled, scaled))
        noisy = kernel + noise * np.eye(len(kernel))
        whitening = np.asarray(np.linalg.inv(np.linalg.cholesky(noisy)), np.float64)
        whitened = whitening[:m, :m] @ scores
        weights = np.zeros(len(kernel))
        weights[:m] = whitening[:m, :m].T @ whitened
        variance = max(float(whitened @ whitened) / m, 1e-12)
        return cls(features, scales, whitening, weights, variance, float((kernel @ weights).min()))

    @property
    def misfit(self) -> float:
        """The negative logarithm of the likelihood (5.8), but for a constant; where none runs."""
        volume = -float(np.log(np.diag(self.whitening)).sum())
        return len(self.weights) / 2 * math.log(self.variance) + volume

    def mean(self, features: Floats) -> Floats:
        """The expected scores, (m,)."""
        return np.asarray(self.kernel(features) @ self.weights)

    def improvement(self, features: Floats) -> Floats:
        """How much better than the best each is expected to be, (m,) (Jones et al., 1998)."""
        kernel = self.kernel(features)
        explained = ((kernel @ self.whitening.T) ** 2).sum(axis=1)
        sd = np.sqrt(self.variance * np.maximum(1 - explained, 1e-12))
        z = (self.best - kernel @ self.weights) / sd
        return np.asarray(sd * (z * ndtr(z) + np.exp(-z * z / 2) / math.sqrt(2 * math.pi)))

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
    return np.asarray(ndtri((ranks - 0.5) / len(costs)))


def fitted(known: Floats, parameter: NDArray[np.intp], costs: Floats, most: int) -> Process:
    """The process for these configurations, with the lengths and the noise that fit them.

    From `_FITTED` on they are fitted anew after as many more, to the first of them.

    Parameters
    ----------
    known, parameter : (n, f), (f,)
        See `features`. Those beyond the costs run.
    costs : (m,)
        Of the first m.
    most
        Of more configurations the better half of so many, and as many spread over the others.
    """
    m = len(costs)
    first = _spread(costs[: max(m - m % _FITTED, min(m, _FITTED))], most)
    at = _fit(known[first].tobytes(), normal_scores(costs[first]).tobytes(), tuple(parameter))
    keep = _spread(costs, most)
    rows = known[np.append(keep, np.arange(m, len(known)))]
    scales = np.exp(at[:-1] / 2)[parameter]
    return Process.of(rows, normal_scores(costs[keep]), scales, math.exp(at[-1]))


@lru_cache(maxsize=2)
def _fit(known: bytes, scores: bytes, parameter: tuple[int, ...]) -> Floats:
    """The logarithms of the lengths and of the noise, (d + 1,), that fit: one step for each.

    Lengths are by the inverses of their squares.
    """
    y, of, d = np.frombuffer(scores), np.array(parameter), max(parameter) + 1
    rows = np.frombuffer(known).reshape(len(y), len(of))
    usual = np.append(np.full(d, math.log(4 / math.sqrt(d))), math.log(_NOISE))
    wide = np.append(np.full(d, _SPREAD["lengths"]), _SPREAD["noise"])

    def misfit(at: Floats) -> float:
        found = Process.of(rows, y, np.exp(at[:-1] / 2)[of], math.exp(at[-1]))
        return found.misfit + float((((at - usual) / wide) ** 2).sum()) / 2

    at, least = usual, misfit(usual)
    for step in _steps(d):
        for moved in (at + step, at - step):
            found = misfit(moved)
            if found < least:
                at, least = moved, found
                break
    return at


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
