"""Joint statements that one algorithm dominates another in several metrics.

After Benavoli et al. (2015), sections 5.3 and 6, who name several metrics as the next step of their
Bayesian race: one draw of Dirichlet weights over the instances serves all algorithms and all
metrics, so the dependence between them is kept (the Bayesian bootstrap, Rubin 1981). In a draw, j
dominates c if its weighted mean is better than c's in some metric and worse in none.

With few instances the bootstrap is too sure. Its deviations from the means are widened so that
their variance is s²/n · (1 + 5/n), with the unbiased variance s².
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from racing.base.errors import InputError
from racing.stats._checks import Floats, Ints, as_count, as_level, as_reals
from racing.stats._rope import as_generator

_CAUTION = 5.0
_ROUNDING = 1e-12
"""Smaller differences of means are rounding errors; as a share of the largest mean."""
_CELLS = 2**21
"""Comparisons in memory at a time."""


@dataclass(frozen=True, eq=False)
class JointDominance:
    """Statements "this algorithm dominates that one", and how many of them are true together.

    Attributes
    ----------
    better, worse : (s,)
        Columns: better[i] dominates worse[i]. Only statements with a probability above 1 − γ are
        listed, the most probable first, and equally probable ones by how clear they are.
    posteriors : (s,)
        The probability of each statement.
    accepted
        So many, from the first on, are all true with the probability `joint`, above 1 − γ.
    joint
        1 if none is accepted.
    on_front : (m,)
        The probability of each algorithm that no other dominates it.
    gamma, draws
        As given.

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

    better: Ints
    worse: Ints
    posteriors: Floats
    accepted: int
    joint: float
    on_front: Floats
    gamma: float
    draws: int

    @property
    def dominated(self) -> tuple[int, ...]:
        """The columns that an accepted statement calls dominated, in order of the statements."""
        return tuple(dict.fromkeys(self.worse[: self.accepted].tolist()))


def joint_dominance(
    X: ArrayLike,
    *,
    rng: np.random.Generator,
    gamma: float = 0.05,
    ropes: ArrayLike | None = None,
    draws: int = 1000,
) -> JointDominance:
    """As many statements "j dominates c" as are all true with probability 1 − γ.

    Parameters
    ----------
    X : (n, m, K)
        Costs on n ≥ 2 instances of m ≥ 2 algorithms in K metrics, lower is better, all finite.
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
    costs, rng = _as_costs(X), as_generator(rng)
    n, m, several = costs.shape
    level, draws = as_level(gamma, name="gamma"), as_count(draws, name="draws")
    equal = _as_ropes(ropes, several) + _ROUNDING * np.abs(costs.mean(axis=0)).max(axis=0)
    weights = _weights(rng, draws, n)
    counts, alone = np.zeros((m, m)), np.zeros(m)
    for dominates in _drawn(costs, weights, equal):
        counts += dominates.sum(axis=0)
        alone += (~dominates.any(axis=1)).sum(axis=0)
    better, worse = np.nonzero(counts / draws > 1.0 - level)
    means, noise = costs.mean(axis=0), costs.std(axis=0, ddof=1).mean(axis=0)
    apart = (means[worse] - means[better]) / np.where(noise > 0, noise, 1.0)
    order = np.lexsort([-apart.sum(axis=1), -apart.min(axis=1), -counts[better, worse]])
    better, worse = better[order], worse[order]
    joint = _all_true(costs, weights, equal, better, worse)
    accepted = int((joint > 1.0 - level).sum())
    return JointDominance(
        better=better,
        worse=worse,
        posteriors=counts[better, worse] / draws,
        accepted=accepted,
        joint=float(joint[accepted - 1]) if accepted else 1.0,
        on_front=alone / draws,
        gamma=level,
        draws=draws,
    )


def _weights(rng: np.random.Generator, draws: int, n: int) -> Floats:
    """(draws, n) weights around 1/n, widened for few instances; some may be below 0."""
    wider = np.sqrt((n + 1) / (n - 1) * (1 + _CAUTION / n))
    return np.asarray(1 / n + wider * (rng.dirichlet(np.ones(n), draws) - 1 / n))


def _drawn(costs: Floats, weights: Floats, equal: Floats) -> Iterator[NDArray[np.bool_]]:
    """Yield (part of the draws, m, m) whether the first dominates the second."""
    m = costs.shape[1]
    for part in np.array_split(weights, max(len(weights) * m * m // _CELLS, 1)):
        # not a dot product of BLAS, whose last digits depend on the processor
        means = np.einsum("dn,nmk->dmk", part, costs)
        better = np.zeros((len(part), m, m), dtype=bool)
        worse = np.zeros_like(better)
        for metric, tolerance in enumerate(equal):
            d = means[:, :, None, metric] - means[:, None, :, metric]
            better |= d < -tolerance
            worse |= d > tolerance
        yield better & ~worse


def _all_true(costs: Floats, weights: Floats, equal: Floats, better: Ints, worse: Ints) -> Floats:
    """(s,) the share of draws in which the statements up to each one are all true."""
    together = np.zeros(len(better))
    for dominates in _drawn(costs, weights, equal):
        together += np.logical_and.accumulate(dominates[:, better, worse], axis=1).sum(axis=0)
    return together / len(weights)


def _as_costs(X: ArrayLike) -> Floats:
    costs = as_reals(X, "X")
    if costs.ndim != 3 or min(costs.shape, default=0) < 1 or min(costs.shape[:2]) < 2:
        raise InputError(
            "X: expected an array of two or more instances × two or more algorithms × metrics, got "
            f"the shape {costs.shape}"
        )
    if not np.isfinite(costs).all():
        raise InputError("X: expected finite costs; replace failures by the worst cost that counts")
    return costs


def _as_ropes(ropes: ArrayLike | None, several: int) -> Floats:
    found = np.zeros(several) if ropes is None else as_reals(ropes, "ropes")
    if found.shape != (several,) or not (np.isfinite(found) & (found >= 0)).all():
        raise InputError(f"ropes: expected {several} numbers, 0 or more, got {ropes!r}")
    return found
