"""Joint statements that one algorithm dominates another in several metrics.

After Benavoli et al. (2015), sections 5.3 and 6, who name several metrics as the next step of their
Bayesian race: one draw of Dirichlet weights over the instances serves all algorithms and all
metrics, so the dependence between them is kept (`racing.stats._mean_draws`). In a draw, j dominates
c if its weighted mean is better than c's in some metric and worse in none.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from racing.base.errors import InputError
from racing.stats._checks import Floats, Ints, as_count, as_generator, as_level, as_reals
from racing.stats._mean_draws import MeanDraws

_ROUNDING = 1e-12
"""Smaller differences of means are rounding errors; as a share of the largest mean."""


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
        The probability of each algorithm that no other dominates it; of those that failed least
        often, by the instances on which each ran, and 0 for the others.
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
    costs, rng = _as_costs(X), as_generator(rng)
    n, m, several = costs.shape
    level, draws = as_level(gamma, name="gamma"), as_count(draws, name="draws")
    means, noise = _moments(costs)
    equal = _as_ropes(ropes, several) + _ROUNDING * np.abs(means).max(axis=0)
    drawn = MeanDraws(costs, rng.dirichlet(np.ones(n), draws), equal)
    counts, alone = np.zeros((m, m)), np.zeros(m)
    for part in drawn.parts():
        dominates = drawn.dominates(part)
        counts += dominates.sum(axis=0)
        alone += drawn.alone(part, dominates)
    better, worse = np.nonzero(counts / draws > 1.0 - level)
    apart = (means[worse] - means[better]) / np.where(noise > 0, noise, 1.0)
    order = np.lexsort([-apart.sum(axis=1), -apart.min(axis=1), -counts[better, worse]])
    better, worse = better[order], worse[order]
    joint = _all_true(drawn, better, worse)
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


def _moments(costs: Floats) -> tuple[Floats, Floats]:
    """(m, K) means over the instances on which each ran, 0 if none, and (K,) standard deviations.

    The latter are averages over the algorithms.
    """
    ran = ~np.isnan(costs)
    means = np.where(ran, costs, 0.0).sum(axis=0) / np.maximum(ran.sum(axis=0), 1)
    squares = np.where(ran, costs - means, 0.0) ** 2
    return means, np.sqrt(squares.sum(axis=0) / np.maximum(ran.sum(axis=0) - 1, 1)).mean(axis=0)


def _all_true(drawn: MeanDraws, better: Ints, worse: Ints) -> Floats:
    """(s,) the share of draws in which the statements up to each one are all true."""
    together = np.zeros(len(better))
    for part in drawn.parts():
        held = drawn.dominates(part)[:, better, worse]
        together += np.logical_and.accumulate(held, axis=1).sum(axis=0)
    return together / len(drawn.shares)


def _as_costs(X: ArrayLike) -> Floats:
    costs = as_reals(X, "X")
    if costs.ndim != 3 or min(costs.shape, default=0) < 1 or min(costs.shape[:2]) < 2:
        raise InputError(
            "X: expected an array of two or more instances × two or more algorithms × metrics, got "
            f"the shape {costs.shape}"
        )
    failed = np.isnan(costs)
    if np.isinf(costs).any() or (failed.any(axis=2) != failed.all(axis=2)).any():
        raise InputError("X: expected finite costs; NaN in all metrics where an algorithm failed")
    if (~failed[:, :, 0]).sum(axis=0).max() < 2:
        raise InputError("X: every algorithm failed on all instances, or on all but one")
    return costs


def _as_ropes(ropes: ArrayLike | None, several: int) -> Floats:
    found = np.zeros(several) if ropes is None else as_reals(ropes, "ropes")
    if found.shape != (several,) or not (np.isfinite(found) & (found >= 0)).all():
        raise InputError(f"ropes: expected {several} numbers, 0 or more, got {ropes!r}")
    return found
