"""Joint statements that one algorithm dominates another in several metrics.

After Benavoli et al. (2015), sections 5.3 and 6, who name several metrics as the next step of their
Bayesian race: one draw of Dirichlet weights over the instances serves all algorithms and all
metrics, so the dependence between them is kept. In a draw, j dominates c if its weighted mean is
better than c's in some metric and worse in none.

Weights are those of the Bayesian bootstrap (Rubin, 1981), widened: with few instances the bootstrap
is too sure. Of n instances the variance of a mean becomes s²/n · (1 + 5/n), with the unbiased
variance s². Weights of a part of the instances are those of all, scaled to add up to 1: these are
Dirichlet weights again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import ArrayLike, NDArray

from racing.base.errors import InputError, must_be
from racing.base.quantities import Count, Level
from racing.stats._checks import Bools, Floats, Ints, as_reals, checked, misshapen
from racing.stats.joint import JointStatements

# Smaller differences of means are rounding errors; as a share of the largest mean.
_ROUNDING = 1e-12
# Smaller differences of shares are rounding errors.
_EQUAL_SHARES = 1e-12
_CAUTION = 5.0
# Comparisons in memory at a time.
_CELLS = 2**21


@dataclass(frozen=True, eq=False)
class JointDominance(JointStatements):
    """Statements "this algorithm dominates that one", and how many of them are true together.

    better[i] dominates worse[i]; equally probable statements are in order of how clear they are.

    Attributes
    ----------
    on_front : (m,)
        The probability of each algorithm that no other dominates it; of those that failed least
        often, by the instances on which each ran, and 0 for the others.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import joint_dominance
    >>> rng = np.random.default_rng(1)
    >>> X = rng.normal(size=(20, 3, 2)) + [[0, 4], [4, 0], [6, 8]]
    >>> found = joint_dominance(X, rng=rng)
    >>> found.dominated, found.on_front.round(2).tolist()
    ((2,), [1.0, 1.0, 0.0])
    """

    on_front: Floats

    @property
    def dominated(self) -> tuple[int, ...]:
        """The columns that an accepted statement calls dominated, in order of the statements."""
        return tuple(dict.fromkeys(self.worse[: self.accepted].tolist()))


@checked
def joint_dominance(
    X: ArrayLike,
    *,
    rng: np.random.Generator,
    gamma: Level = 0.05,
    ropes: ArrayLike | None = None,
    draws: Count = 1000,
) -> JointDominance:
    """As many statements "j dominates c" as are all true with probability 1 − γ.

    Parameters
    ----------
    X : (n, m, K)
        Costs on n ≥ 2 instances of m ≥ 2 algorithms in K metrics, lower is better; NaN in all
        metrics where an algorithm failed.
    rng
        The random stream; the same stream and X give the same result.
    gamma
        The probability that at least one accepted statement is false.
    ropes : (K,)
        Two means that differ by no more are equal in that metric. Default: 0.
    draws
        Of the weights; the probabilities have a standard error of √(p(1 − p)/draws).

    Raises
    ------
    InputError
        If X is no such array, or an option is out of its range.

    Notes
    -----
    In statements failures are one more metric, their share, by the same draws. The other metrics
    are compared on the instances on which both ran. With fewer than two of these nothing is said,
    unless one never ran: then failures decide.

    γ holds for one look, given the data; as a frequentist test it is no correction for the number
    of rivals. `tests/stats/test_dominance.py` measures how often a statement is false where all are
    equal, and where one ties with all others in one metric. Looking again after every instance,
    errors add up, and members of the front are lost.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import joint_dominance
    >>> rng = np.random.default_rng(1)
    >>> X = rng.normal(size=(20, 3, 2)) + [[0, 4], [4, 0], [6, 8]]
    >>> found = joint_dominance(X, rng=rng)
    >>> list(zip(found.better.tolist(), found.worse.tolist()))
    [(0, 2), (1, 2)]
    """
    costs = _as_costs(X)
    n, m, several = costs.shape
    means, noise = _moments(costs)
    wide = np.zeros(several) if ropes is None else as_reals(ropes, "ropes")
    if wide.shape != (several,) or not (np.isfinite(wide) & (wide >= 0)).all():
        raise InputError(must_be("ropes", f"{several} numbers, 0 or more", ropes))
    equal = wide + _ROUNDING * np.abs(means).max(axis=0)
    drawn = MeanDraws(costs, rng.dirichlet(np.ones(n), draws), equal)
    counts, alone = np.zeros((m, m)), np.zeros(m)
    for part in drawn.parts():
        dominates = drawn.dominates(part)
        counts += dominates.sum(axis=0)
        alone += drawn.alone(part, dominates)
    better, worse = np.nonzero(counts / draws > 1.0 - gamma)
    apart = (means[worse] - means[better]) / np.where(noise > 0, noise, 1.0)
    order = np.lexsort([-apart.sum(axis=1), -apart.min(axis=1), -counts[better, worse]])
    better, worse = better[order], worse[order]
    together = np.zeros(len(better))  # draws in which the statements up to each are all true
    for part in drawn.parts():
        held = drawn.dominates(part)[:, better, worse]
        together += np.logical_and.accumulate(held, axis=1).sum(axis=0)
    joint = together / draws
    accepted = int((joint > 1.0 - gamma).sum())
    posteriors, on_front = counts[better, worse] / draws, alone / draws
    told = float(joint[accepted - 1]) if accepted else 1.0
    return JointDominance(better, worse, posteriors, accepted, told, gamma, draws, on_front)


def _moments(costs: Floats) -> tuple[Floats, Floats]:
    """(m, K) means over the instances on which each ran, 0 if none, and (K,) standard deviations.

    The latter are averages over the algorithms.
    """
    ran = ~np.isnan(costs)
    means = np.where(ran, costs, 0.0).sum(axis=0) / np.maximum(ran.sum(axis=0), 1)
    squares = np.where(ran, costs - means, 0.0) ** 2
    return means, np.sqrt(squares.sum(axis=0) / np.maximum(ran.sum(axis=0) - 1, 1)).mean(axis=0)


def _as_costs(X: ArrayLike) -> Floats:
    costs = as_reals(X, "X")
    if costs.ndim != 3 or min(costs.shape, default=0) < 1 or min(costs.shape[:2]) < 2:
        allowed = "an array of two or more instances × two or more algorithms × metrics"
        raise misshapen(costs, "X", allowed)
    failed = np.isnan(costs)
    if np.isinf(costs).any() or (failed.any(axis=2) != failed.all(axis=2)).any():
        raise InputError("X must be finite; NaN in all metrics where an algorithm failed")
    if (~failed[:, :, 0]).sum(axis=0).max() < 2:
        raise InputError("X: every algorithm failed on all instances, or on all but one")
    return costs


@dataclass(frozen=True, eq=False)
class MeanDraws:
    """Draws of the means of m algorithms on n instances in K metrics.

    Attributes
    ----------
    costs : (n, m, K)
        Lower is better; NaN in all metrics where an algorithm failed.
    shares : (draws, n)
        Dirichlet weights.
    equal : (K,)
        Two means that differ by no more are equal.
    """

    costs: Floats
    shares: Floats
    equal: Floats

    def parts(self) -> Iterator[Floats]:
        """The draws in parts that fit into memory."""
        m = self.costs.shape[1]
        yield from np.array_split(self.shares, max(len(self.shares) * m * m // _CELLS, 1))

    def dominates(self, part: Floats) -> NDArray[np.bool_]:
        """(draws, m, m) whether the first dominates the second, failures being one more metric.

        Two are compared on the instances on which both ran. With fewer than two of these neither
        dominates, unless one never ran: then its failures decide.
        """
        # by the shares as they are: who never failed is surely no worse
        drawn = np.einsum("dn,nm->dm", part, self.failed.astype(np.float64))
        d = drawn[:, :, None] - drawn[:, None, :]
        better, worse = d < -_EQUAL_SHARES, d > _EQUAL_SHARES
        every = np.arange(len(part))
        for (ran, these), (also, those) in combinations_with_replacement(self._patterns, 2):
            both = ran & also
            at, back = np.ix_(every, these, those), np.ix_(every, those, these)
            if both.sum() >= 2:
                first = self._means(part, both, these)
                second = first if these is those else self._means(part, both, those)
                less, more = self._compared(first, second)
                better[at] |= less
                worse[at] |= more
                if these is not those:
                    better[back] |= more.transpose(0, 2, 1)
                    worse[back] |= less.transpose(0, 2, 1)
            elif ran.any() and also.any():
                worse[at] = worse[back] = True
        return np.asarray(better & ~worse)

    def alone(self, part: Floats, dominates: NDArray[np.bool_]) -> Ints:
        """(m,) in how many draws no other dominates it.

        Of those that failed least often, by the instances on which each ran; 0 for the others.
        """
        if not self.failed.any():
            return np.asarray((~dominates.any(axis=1)).sum(axis=0))
        least = self.failed.sum(axis=0) == self.failed.sum(axis=0).min()
        means = np.zeros((len(part), *self.costs.shape[1:]))
        for ran, these in self._patterns:
            if least[these].all():
                means[:, these] = self._means(part, ran, these)
        better, worse = self._compared(means[:, least], means[:, least])
        found = np.zeros(len(least), dtype=np.intp)
        found[least] = (~(better & ~worse).any(axis=1)).sum(axis=0)
        return found

    @cached_property
    def failed(self) -> Bools:
        """(n, m) who failed where."""
        return np.asarray(np.isnan(self.costs).any(axis=2))

    @cached_property
    def _patterns(self) -> list[tuple[Bools, Ints]]:
        """(instances, algorithms): the algorithms that ran on the same instances."""
        failed, which = np.unique(self.failed, axis=1, return_inverse=True)
        own = which.ravel()
        return [(~column, np.flatnonzero(own == at)) for at, column in enumerate(failed.T)]

    def _means(self, part: Floats, rows: Bools, columns: Ints) -> Floats:
        """(draws, columns, K) means over some of the instances."""
        weights, costs = widened(part, rows), self.costs[np.ix_(rows, columns)]
        # not a dot product of BLAS, whose last digits depend on the processor
        return np.asarray(np.einsum("dn,nmk->dmk", weights, costs))

    def _compared(self, first: Floats, second: Floats) -> tuple[Bools, Bools]:
        """(draws, p, q) whether the first is better in some metric, and worse in some."""
        better = np.zeros((len(first), first.shape[1], second.shape[1]), dtype=bool)
        worse = np.zeros_like(better)
        for metric, tolerance in enumerate(self.equal):
            d = first[:, :, None, metric] - second[:, None, :, metric]
            better |= d < -tolerance
            worse |= d > tolerance
        return better, worse


def widened(shares: Floats, rows: Bools) -> Floats:
    """(draws, r) weights of two instances or more around 1/r; some may be below 0.

    Parameters
    ----------
    shares : (draws, n)
        Dirichlet weights of all instances.
    rows : (n,)
        Which instances count.
    """
    r = int(rows.sum())
    own = shares if rows.all() else shares[:, rows] / shares[:, rows].sum(axis=1, keepdims=True)
    wider = np.sqrt((r + 1) / (r - 1) * (1 + _CAUTION / r))
    return np.asarray(1 / r + wider * (own - 1 / r))
