"""The Bayesian rank-sum test of two independent samples, with a rope, and of k samples at once.

Each sample leaves its runs with Dirichlet weights, and so A = P(X < Y) + P(X = Y)/2 with a
posterior (Benavoli, Mangili, Ruggeri and Zaffalon, 2015). The rope is in units of A:
`p_left` = P(A > 1/2 + rope), `p_right` = P(A < 1/2 − rope). Vargha and Delaney call
|A − 1/2| < .06 negligible.

`prior` places one atom of weight s in each sample: "none" (no weight: the Bayesian bootstrap),
"left" (in favour of the first: its atom is better than everything, the second's worse), "right",
"rope" (tied with everything). `prior_bounds` gives the bounds over these. Without a prior, the
posterior is too certain below fifty runs; all priors with s = 1/4 agree less often than a test of
the same level rejects. The documentation has both.

How it is computed (`method`):

- "monte carlo": `draws` weights; all pairs of samples share them. The weights of a sample are
  summed once along its order, so that a pair costs O(n) for each draw.
- "beta": the Beta distribution with the posterior's mean and variance, which are exact. Off by
  less than .013 from 5 runs, .01 from 10, .006 from 30 (in tests/stats/test_rank_sum_moments.py).
- "auto": Monte Carlo below 30 runs in any sample.

The Bayesian Kruskal-Wallis test of k samples is of the same weights, shared by all pairs that a
sample is in. So all A_ij = P(X_i < X_j) + P(X_i = X_j)/2 and all relative effects
p_i = (1/k) Σ_j A_ij have one joint posterior. It gives two results:

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

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from racing.base.quantities import Count, Level, Quantity
from racing.base.special import betainc, betaincinv
from racing.stats._checks import Bools, Floats, Hundred, Ints, Weight, batches, checked
from racing.stats._samples import Groups, OneOrMany, Placements
from racing.stats.joint import JointStatements
from racing.stats.sign_posterior import Bound

RankSumPrior: TypeAlias = Literal["none", "left", "rope", "right"]

_NEAR = "half the width of the region around A = 1/2, from 0 to below 0.5"
RopeOfA: TypeAlias = Annotated[float, Quantity(_NEAR, low=0, high=0.5, open_high=True)]

# What a comparison with an atom of the prior counts for the first sample.
AT = {"none": 0.5, "left": 1.0, "rope": 0.5, "right": 0.0}

_AUTO = 30  # runs of each sample from which "auto" draws nothing
_CELLS = 1 << 19  # weights drawn at once


@dataclass(frozen=True, eq=False)
class DpRankSum:
    """Posterior of the Bayesian rank-sum test.

    `dp_rank_sum` returns it.

    `p_left`: the first is practically better; `p_rope`: the two are practically equivalent (0
    without rope); `p_right`: the second is practically better. `a` and `sd` are the exact posterior
    mean and standard deviation of A, and `low` and `high` hold it with probability `level` (by the
    Beta distribution). For pairs of k samples all arrays are (k, k): entry (i, j) compares i with
    j. `standard_error` is the largest Monte Carlo error of the probabilities.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import dp_rank_sum
    >>> x, y = [3, 4, 5, 3, 6, 5, 7], [1, 2, 4, 2, 3, 5, 4]
    >>> found = dp_rank_sum(x, y, rng=np.random.default_rng(1), rope=0.1)
    >>> [round(float(p), 2) for p in (found.p_left, found.p_rope, found.p_right)]
    [0.0, 0.05, 0.95]
    >>> f"A between {found.low:.2f} and {found.high:.2f}"
    'A between 0.04 and 0.45'
    """

    standard_error: float
    method: str
    draws: int
    p_left: Floats
    p_rope: Floats
    p_right: Floats
    a: Floats
    sd: Floats
    low: Floats
    high: Floats


@checked
def dp_rank_sum(
    x: OneOrMany,
    y: ArrayLike | None = None,
    *,
    rng: np.random.Generator,
    rope: RopeOfA = 0.0,
    s: Weight = 0.25,
    prior: RankSumPrior = "none",
    level: Level = 0.95,
    method: Literal["auto", "monte carlo", "beta"] = "auto",
    draws: Count = 10_000,
) -> DpRankSum:
    """Bayesian rank-sum test of x against y, vectors of costs of any lengths, lower better.

    Or, with x alone, of all pairs of a sequence of k vectors. The probabilities are marginal, one
    pair at a time; `dp_kruskal` has joint ones. A sample against itself is equivalent (1/2 to
    either side without rope).

    Parameters
    ----------
    rng
        The random stream; the same stream and costs give the same result.
    rope
        Half the width of the region around A = 1/2 that is equivalent, from 0 to below 1/2.
    s
        Weight of the prior, in runs; without effect if `prior` is "none".
    prior, method
        See the head of this module.
    level
        Probability of each interval.
    draws
        Of Monte Carlo; 10,000 leave a standard error of at most .005.

    Raises
    ------
    InputError
        If x or y is no vector of costs, or an option is out of range.

    Notes
    -----
    A failure (+inf) is worst and tied with other failures. Runs that are all equal give 1/2 to
    either side without a prior.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import dp_rank_sum
    >>> x, y = np.array([3, 4, 5, 3, 6, 5, 7]), np.array([1, 2, 4, 2, 3, 5, 4])
    >>> found = dp_rank_sum(x, y, rng=np.random.default_rng(1))
    >>> found.a.round(4).tolist()
    0.2041
    >>> samples = [[1, 2, 3, 4], [3, 4, 5, 6], [7, 8, 8, 9]]
    >>> dp_rank_sum(samples, rng=np.random.default_rng(1)).a.round(4).tolist()
    [[0.5, 0.875, 1.0], [0.125, 0.5, 1.0], [0.0, 0.0, 0.5]]
    """
    placed = Placements.of(Groups.of(x, y))
    weight = s if prior != "none" else 0.0
    mean, variance = moments(placed, weight, AT[prior])
    low, high = beta_interval(mean, variance, level)
    enough = int(placed.groups.sizes.min()) >= _AUTO
    if method == "beta" or (method == "auto" and enough):
        used, draws = "beta", 0
        left, right = (beta_above(a, variance, 0.5 + rope) for a in (mean, 1 - mean))
    else:
        used = "monte carlo"
        left, right = _counted(placed.groups, weight, AT[prior], rope, draws, rng)
    sides = _settled(placed, left, right, rope, AT[prior] if weight > 0 else 0.5)
    for matrix, value in ((mean, 0.5), (low, 0.5), (high, 0.5), (variance, 0.0)):
        np.fill_diagonal(matrix, value)
    others = np.stack(sides)[:, ~np.eye(len(mean), dtype=np.bool_)]
    spread = float(np.max(others * (1 - others), initial=0.0))
    error = math.sqrt(spread / draws) if draws else 0.0
    found = map(placed.groups.told, (*sides, mean, np.sqrt(variance), low, high))
    return DpRankSum(error, used, draws, *found)


def _counted(
    groups: Groups, weight: float, at: float, rope: float, draws: int, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """The shares of the draws beyond the rope on either side, (k, k) each."""
    above = np.triu_indices(groups.k, 1)
    counts = np.zeros((2, 2, above[0].size))  # side of the rope, order of the pair
    for block in drawn(groups, weight, draws, rng):
        a = block.a(at)
        # In a pair (j, i), the prior is on the side of j
        turned = a if at == 0.5 else block.a(1 - at)
        for order, values in enumerate((a, turned)):
            counts[order, order] += np.count_nonzero(values > 0.5 + rope, axis=1)
            counts[1 - order, order] += np.count_nonzero(values < 0.5 - rope, axis=1)
    shares = np.zeros((2, groups.k, groups.k))
    shares[:, above[0], above[1]] = counts[:, 0] / draws
    shares[:, above[1], above[0]] = counts[:, 1] / draws
    return shares[0], shares[1]


def _settled(
    placed: Placements, left: Floats, right: Floats, rope: float, share: float
) -> tuple[Floats, Floats, Floats]:
    """The three probabilities; without rope, rounding does not decide on equal runs."""
    itself = np.eye(len(left), dtype=np.bool_)
    if rope > 0.0:
        left, right = np.where(itself, 0.0, left), np.where(itself, 0.0, right)
        return left, np.maximum(1.0 - left - right, 0.0), right
    tied = placed.tied()
    left = np.where(itself, 0.5, np.where(tied, share, left))
    right = np.where(itself, 0.5, np.where(tied, 1.0 - share, right))
    return left, np.zeros_like(left), right


def moments(placed: Placements, s: float, q: float) -> tuple[Floats, Floats]:
    """Mean and variance of A_ij of all pairs, each (k, k); the diagonal has no meaning.

    A = Σ w_a v_b h_ab with h = 1, 1/2 or 0, w ~ Dir(1, …, 1, s), v ~ Dir(1, …, 1, s): each sample
    has one atom of weight s besides its runs, and h is q where one of the two is an atom. q = 0:
    the first sample's atom is worse than everything, the second's better; q = 1: the reverse;
    q = 1/2: both tie. Mean and variance have closed forms, from placements.
    """
    n = placed.groups.sizes[:, None].astype(np.float64)
    m, u, squares = n.T, placed.u(), placed.squares()
    # E[w_a w_b] = (α_a α_b + α_a·1{a = b})/(S(S + 1)): four sums of products of α and h.
    extra = s * (n + m + s)  # Σ of α_a α_b over the cells of an atom
    total = u + q * extra
    rows = squares + 2 * s * q * u + n * (s * q) ** 2 + s * (q * (m + s)) ** 2
    lost = squares.T + n**2 * m - 2 * n * u.T  # a run of j has n − placement of i against it
    columns = lost + 2 * s * q * u + m * (s * q) ** 2 + s * (q * (n + s)) ** 2
    cells = u - placed.ties() / 4 + q**2 * extra  # h² is h but for ties
    first, second = n + s, m + s
    mean = total / (first * second)
    square = (total**2 + rows + columns + cells) / (first * (first + 1) * second * (second + 1))
    return mean, np.maximum(square - mean**2, 0.0)


def beta_above(mean: Floats, variance: Floats, t: float) -> Floats:
    """P(A > t) for the Beta distribution of these moments; without variance, where the mean is."""
    a, b, some = _shapes(mean, variance)
    certain = np.where(mean == t, 0.5, mean > t)
    return np.asarray(np.where(some, betainc(b, a, 1 - t), certain))


def beta_interval(mean: Floats, variance: Floats, level: float) -> tuple[Floats, Floats]:
    """The central interval of A of that probability; the mean where there is no variance."""
    a, b, some = _shapes(mean, variance)
    tail = (1 - level) / 2
    low, high = betaincinv(a, b, tail), betaincinv(a, b, 1 - tail)
    return np.where(some, low, mean), np.where(some, high, mean)


def _shapes(mean: Floats, variance: Floats) -> tuple[Floats, Floats, Bools]:
    spread = mean * (1 - mean)
    some = (variance > 1e-14) & (spread > variance)
    weight = np.divide(spread, variance, out=np.full_like(mean, 2.0), where=some) - 1
    return np.where(some, mean * weight, 1.0), np.where(some, (1 - mean) * weight, 1.0), some


@dataclass(frozen=True, eq=False)
class Draws:
    """D draws of the sums that A is made of.

    `won`, (P, D), is Σ w_a v_b h_ab over the runs, for pairs in the order of
    `np.triu_indices(k, 1)`; `sums`, (k, D), the weights of all runs of a sample, and `atoms`,
    (k, D), that of its atom.
    """

    won: Floats
    sums: Floats
    atoms: Floats

    def a(self, q: float, atoms: Floats | None = None) -> Floats:
        """A of each pair and draw, (P, D), with h = q at the atoms (by default, those drawn)."""
        i, j = np.triu_indices(len(self.sums), 1)
        full = self.sums + (self.atoms if atoms is None else atoms)
        whole, runs = full[i] * full[j], self.sums[i] * self.sums[j]
        return np.asarray((self.won + q * (whole - runs)) / whole)

    def plain(self) -> Floats:
        """A without atoms."""
        return self.a(0.0, np.zeros_like(self.atoms))

    @classmethod
    def joined(cls, parts: Iterable[Draws]) -> Draws:
        """All draws of several blocks."""
        rows = zip(*((one.won, one.sums, one.atoms) for one in parts), strict=True)
        won, sums, atoms = (np.concatenate(row, axis=1) for row in rows)
        return cls(won, sums, atoms)


def drawn(groups: Groups, s: float, draws: int, rng: np.random.Generator) -> Iterator[Draws]:
    """Draws of all pairs, in blocks of bounded memory."""
    samples = [np.sort(x) for x in groups.split(groups.costs)]
    starts, ends = groups.starts, (groups.starts + groups.sizes).tolist()
    places = []  # for each sample: where the runs of all later samples stand in it
    for i, own in enumerate(samples[:-1]):
        later = np.concatenate(samples[i + 1 :])
        places.append((np.searchsorted(own, later, "left"), np.searchsorted(own, later, "right")))
    for size in batches(draws, groups.total, _CELLS):
        weights = rng.standard_exponential((groups.total, size))
        atom = rng.standard_gamma(s, size=(groups.k, size)) if s > 0 else np.zeros((groups.k, size))
        won = [np.empty((0, size))]
        for row, (start, end, where) in enumerate(zip(starts, ends, places, strict=False)):
            won.append(_won(weights[start:end], weights[end:], *where, starts[row + 1 :] - end))
        yield Draws(np.concatenate(won), np.add.reduceat(weights, starts), atom)


def _won(own: Floats, later: Floats, below: Ints, upto: Ints, starts: Ints) -> Floats:
    """Σ w_a v_b h_ab of one sample against each later one."""
    running = np.zeros((len(own) + 1, own.shape[1]))
    np.cumsum(own, axis=0, out=running[1:])
    ahead = running[below]  # the weight of the sample that is better than each later run
    if (below != upto).any():
        ahead = (ahead + running[upto]) / 2
    ahead *= later
    return np.asarray(np.add.reduceat(ahead, starts, axis=0))


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
