"""A Bayesian Kruskal-Wallis test of k independent samples.

Each sample leaves its runs with Dirichlet weights of its own, shared by all pairs that it is in.
So all A_ij = P(X_i < X_j) + P(X_i = X_j)/2 and all relative effects p_i = (1/k) Σ_j A_ij have one
joint posterior. It gives two results:

- *Simultaneous intervals* of all A_ij, which hold all of them with probability 1 − γ: equally many
  standard deviations around the mean on the scale of log(A/(1 − A)), under a prior that is worth
  one run of each, tied with everything. An interval without 1/2 shows a difference, whatever the
  spreads; the documentation has its level as a test.
- *Statements* A_ij > 1/2, most certain first, while all of them are true with probability above
  1 − γ (Benavoli et al., 2015, section 5.3). They give an order and are no test: the most certain
  of many pairs is certain by chance. `bound` says whether a statement must hold under every prior
  of weight s ("lower"), or without a prior ("precise").
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from racing.base.quantities import Level
from racing.stats._checks import Bools, Floats, Hundred, Ints, Weight, checked
from racing.stats._samples import Groups, Placements
from racing.stats.dp_rank_sum import Draws, drawn
from racing.stats.joint import JointStatements
from racing.stats.sign_posterior import Bound

_EDGE = 1e-9  # of A, from 0 and 1: its log-odds are finite
_ROUNDING = 1e-9  # of log-odds; a standard deviation is 0 or far above


@dataclass(frozen=True, eq=False)
class BayesianKruskal(JointStatements):
    """The joint posterior of k samples; entry (i, j) of a matrix compares i with j.

    `dp_kruskal` returns it.

    Attributes
    ----------
    effects, effects_low, effects_high
        Shape (k,): mean of p_i without a prior, and the interval that holds p_i with probability
        1 − γ, one at a time; larger is better.
    a
        Shape (k, k): mean of A_ij without a prior, Vargha and Delaney's A.
    p_better
        Shape (k, k): P(A_ij > 1/2) by `bound`; 1/2 for a sample against itself.
    low, high
        Shape (k, k): simultaneous intervals of A_ij.
    errors
        1 − `posteriors`.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import dp_kruskal
    >>> samples = [range(8), range(8), range(100, 108)]
    >>> found = dp_kruskal(samples, rng=np.random.default_rng(1))
    >>> found.any_difference, found.different[2].tolist()
    (True, [True, True, False])
    >>> list(zip(found.better.tolist(), found.worse.tolist()))[: found.accepted]
    [(0, 2), (1, 2)]
    """

    effects: Floats
    effects_low: Floats
    effects_high: Floats
    a: Floats
    p_better: Floats
    low: Floats
    high: Floats
    errors: Floats
    s: float
    bound: Bound
    sizes: Ints

    @property
    def different(self) -> Bools:
        """Shape (k, k): whether the simultaneous interval excludes 1/2."""
        return np.asarray((self.low > 0.5) | (self.high < 0.5))

    @property
    def any_difference(self) -> bool:
        """Whether any two samples differ, with probability 1 − γ."""
        return bool(self.different.any())


@checked
def dp_kruskal(
    samples: Iterable[ArrayLike],
    *,
    rng: np.random.Generator,
    gamma: Level = 0.05,
    s: Weight = 0.25,
    bound: Bound = "lower",
    draws: Hundred = 2_000,
) -> BayesianKruskal:
    """The Bayesian Kruskal-Wallis test of k vectors of costs, lower better, of any lengths.

    Parameters
    ----------
    rng
        The random stream; the same stream and costs give the same result.
    gamma
        Probability that an accepted statement is false, or that an interval misses.
    s
        Weight of the prior's atom in each sample, in runs. 0 trusts even a few runs.
    bound
        "lower" states what holds under every prior of weight s, "precise" without a prior, "upper"
        under some prior.
    draws
        Of the weights; 2000 leave a standard error of .005 where a probability is .95.

    Raises
    ------
    InputError
        If a sample is no vector of costs, or an option is out of range.

    Notes
    -----
    Below ten runs the simultaneous intervals are wide: four samples of up to seven runs do not
    differ by them even if they do not overlap.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import dp_kruskal
    >>> samples = [[1, 2, 3, 4], [3, 4, 5, 6], [7, 8, 8, 9]]
    >>> found = dp_kruskal(samples, rng=np.random.default_rng(1))
    >>> found.a.round(4).tolist()
    [[0.5, 0.875, 1.0], [0.125, 0.5, 1.0], [0.0, 0.0, 0.5]]
    """
    groups = Groups.of(samples)
    placed = Placements.of(groups)
    found = Draws.joined(drawn(groups, s, draws, rng))
    tied = found.a(0.5, rng.standard_exponential((groups.k, draws)))
    low, high = _simultaneous(tied, groups.k, gamma)
    tails = np.quantile(_relative(found.plain(), groups.k), [gamma / 2, 1 - gamma / 2], axis=1)
    false = _false(found, placed, bound)
    p_better = _better(placed, *false, bound if s > 0 else "precise")
    better, worse, errors, joint = _statements(placed.a(), *false, gamma)
    accepted = int(np.count_nonzero(joint > 1 - gamma))
    told = float(joint[accepted - 1]) if accepted else 1.0
    return BayesianKruskal(
        better, worse, 1.0 - errors, accepted, told, gamma, draws, placed.a().mean(axis=1),
        tails[0], tails[1], placed.a(), p_better, low, high, errors, s, bound, groups.sizes,
    )  # fmt: skip


def _relative(a: Floats, k: int) -> Floats:
    """p_i of each draw, (k, D), from A of the pairs, (P, D)."""
    i, j = np.triu_indices(k, 1)
    effects = np.full((k, a.shape[1]), 0.5)
    np.add.at(effects, i, a)
    np.add.at(effects, j, 1 - a)
    return effects / k


def _simultaneous(a: Floats, k: int, gamma: float) -> tuple[Floats, Floats]:
    """Intervals around the mean log-odds that hold all pairs in a share 1 − γ of the draws."""
    inside = np.clip(a, _EDGE, 1 - _EDGE)
    odds = np.log(inside / (1 - inside))
    mean, sd = odds.mean(axis=1), odds.std(axis=1)
    mean = np.where(sd > _ROUNDING, mean, np.round(mean, 6))
    away = np.abs(odds - mean[:, None])
    scaled = np.divide(away, sd[:, None], out=np.zeros_like(away), where=sd[:, None] > _ROUNDING)
    reach = sd * np.quantile(scaled.max(axis=0, initial=0.0), 1 - gamma)
    low, high = (1 / (1 + np.exp(-end)) for end in (mean - reach, mean + reach))
    return _matrix(low, 1 - high, k), _matrix(high, 1 - low, k)


def _false(draws: Draws, placed: Placements, bound: Bound) -> tuple[Bools, Bools]:
    """In which draws the statements A_ij > 1/2 and A_ij < 1/2 are false, (P, D) each."""
    behind, ahead = {"precise": (None, None), "lower": (0.0, 1.0), "upper": (1.0, 0.0)}[bound]
    forward = (draws.plain() if behind is None else draws.a(behind)) <= 0.5
    backward = (draws.plain() if ahead is None else draws.a(ahead)) >= 0.5
    tied = placed.tied()[np.triu_indices(placed.groups.k, 1)]
    forward[tied] = backward[tied] = True
    return forward, backward


def _better(placed: Placements, forward: Bools, backward: Bools, bound: Bound) -> Floats:
    """P(A_ij > 1/2); for equal runs, by the prior alone."""
    p = 1.0 - _matrix(forward.mean(axis=1), backward.mean(axis=1), placed.groups.k)
    p[placed.tied()] = {"precise": 0.5, "lower": 0.0, "upper": 1.0}[bound]
    np.fill_diagonal(p, 0.5)
    return p


def _statements(
    a: Floats, forward: Bools, backward: Bools, gamma: float
) -> tuple[Ints, Ints, Floats, Floats]:
    """Statements in the direction that the runs favour, and the chance that all up to each are
    true.

    Those that no draw makes false are in order of the distance of A from 1/2.
    """
    i, j = np.triu_indices(len(a), 1)
    ahead = a[i, j] > 0.5
    false = np.where(ahead[:, None], forward, backward)
    errors = np.where(a[i, j] == 0.5, 1.0, false.mean(axis=1))
    order = np.lexsort((-np.abs(a[i, j] - 0.5), errors))
    order = order[errors[order] < gamma]
    joint = 1.0 - np.logical_or.accumulate(false[order], axis=0).mean(axis=1)
    better, worse = np.where(ahead, i, j)[order], np.where(ahead, j, i)[order]
    return better, worse, errors[order], joint


def _matrix(above: Floats, below: Floats, k: int) -> Floats:
    """A (k, k) matrix from its upper and lower triangle, with 1/2 on the diagonal."""
    matrix, pairs = np.full((k, k), 0.5), np.triu_indices(k, 1)
    matrix[pairs], matrix.T[pairs] = above, below
    return matrix
