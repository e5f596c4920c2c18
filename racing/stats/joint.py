"""Joint multiple comparisons: as many statements "this one is better than that one" as can all be
believed together.

Benavoli et al. (2015), section 5.3, after Gelman and Tuerlinckx (2000). Each pair is stated in the
direction that the data favour. The statements are sorted by their own posterior probability and
accepted from the top while the probability that **all** of them are true stays above 1 − γ. The
joint probability knows how statements hang together, so this takes fewer statements than
uncorrected tests and more than Bonferroni.

Where the paper leaves room:

- Equal posteriors are common (they depend on wins and losses only). They are sorted by the
  difference of the two mean ranks, the larger first, and if that is equal too by a number that
  stands for the differences of ranks on each instance: arbitrary, but the same under any order of
  the columns. Statements equal even in that are true together, and accepted together.
- A pair that is won as often as it is lost makes no statement (its posterior is 1/2).
- Ties: Σ weight·(won − lost) > 0, so the prior atom, a tie of all, drops out.

How it is found. The marginals are exact. The joint error of a prefix lies between its largest
marginal error and the sum of them (equal rows of signs counted once), which settles most of the
order; Monte Carlo decides the rest. Instead of drawing from the posterior and waiting for an error,
a statement is drawn in proportion to its error, then weights that make it false, and the draw
counts if no earlier statement is false (Karp and Luby, 1983). The chance of that is the joint error
divided by the summed errors, so the counts are binomial, with exact intervals, and need 5 to 20
times fewer draws. Where the summed errors exceed 1 plain draws are better, and used.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from racing.errors import InputError
from racing.stats._checks import Floats, Ints, as_costs, as_count, as_level
from racing.stats._dirichlet import Signs, draw_weights, first_false
from racing.stats._prefix import Statements, find_cut, odd_numbers
from racing.stats.indistinguishable import indistinguishable
from racing.stats.ranks import rank_rows
from racing.stats.sign import sign_counts
from racing.stats.sign_posterior import (
    Bound,
    as_weight,
    beta_shapes,
    beta_tail,
    marginal_posteriors,
)

__all__ = [
    "JointComparisons",
    "indistinguishable",
    "joint_comparisons",
    "joint_errors",
    "marginal_posteriors",
]

Pairs: TypeAlias = tuple[ArrayLike, ArrayLike]


@dataclass(frozen=True, eq=False)
class JointComparisons:
    """Statements in order, and how many of them can be believed together.

    `better[k]` has lower costs than `worse[k]` more often than not, with probability
    `1 - errors[k]`. Only statements with an error below `gamma` are listed, most certain first; the
    first `accepted` of them are all true with probability `joint` > 1 − `gamma`.

    `joint` and `accepted` are estimates from `draws` draws; the true number lies in
    `accepted_range` with probability `confidence` or more (over the draws). Without draws the
    number is exact and `joint` is a lower bound. `joint` errs by at most `gamma`/200 to the low
    side besides the noise of the draws.
    """

    better: Ints
    worse: Ints
    errors: Floats
    accepted: int
    accepted_range: tuple[int, int]
    joint: float
    draws: int
    gamma: float
    s: float
    bound: Bound
    confidence: float

    @property
    def certain(self) -> bool:
        """Whether more draws could not change the number of accepted statements."""
        return self.accepted_range[0] == self.accepted_range[1]

    @property
    def posteriors(self) -> Floats:
        """The marginal posterior probability of each statement."""
        return 1.0 - self.errors


def joint_comparisons(
    X: ArrayLike,
    *,
    rng: np.random.Generator,
    gamma: float = 0.05,
    s: float = 1.0,
    bound: Bound = "precise",
    pairs: Pairs | None = None,
    directed: bool = False,
    draws: int = 1000,
    max_draws: int = 4000,
    tolerance: float = 0.01,
    confidence: float = 0.99,
) -> JointComparisons:
    """As many ordered statements about columns of `X` as are all true with probability 1 − γ.

    Parameters
    ----------
    X : (n, m) costs, lower is better; +inf is a failure: worst, and tied with other failures.
    rng : the random stream; the same stream and the same X give the same answer.
    gamma : probability, below 1/2, that at least one accepted statement is false.
    s : weight of the prior, in instances; without effect if `bound` is "precise".
    bound : "precise" is the paper's prior, under which a single instance is believed outright;
        "lower" accepts only what every prior of weight s would (all of it placed against every
        statement), so that five straight wins are needed for .95 at s = 1; "upper" what some would.
    pairs : (i, j), two (K,) arrays of columns: the family of pairs to speak about, for instance a
        leader and all others; each pair once. All pairs by default.
    directed : the pairs are (better, worse) as given; a pair that the data favour the other way
        makes no statement. Otherwise the data choose.
    draws, max_draws : size of the first round, and of all rounds together; each round has twice the
        draws of the last, and none is made once the number is known.
    tolerance : how closely that is, as a share of the number accepted; 0 draws until it is certain
        or `max_draws` are spent. With thousands of statements each adds some 1e-5 to the error,
        and certainty is out of reach.
    confidence : of `accepted_range`.

    Raises
    ------
    InputError
        If X is no table of costs, or an option is out of its range.

    The caveat: γ holds for one look at the data. Looked at after every instance, errors add up.
    """
    costs, gamma, s = as_costs(X), _as_gamma(gamma), as_weight(s)
    draws, max_draws = as_count(draws, name="draws"), as_count(max_draws, name="max_draws")
    confidence = as_level(confidence, name="confidence")
    if not isinstance(rng, np.random.Generator):
        raise InputError(f"rng: expected a numpy.random.Generator, got {rng!r}")
    family = None if pairs is None else _as_pairs(pairs, costs.shape[1])
    found = _stated(costs, family, directed, gamma, s, bound)
    shapes = _shapes(costs.shape[0], s, bound)
    cut = find_cut(
        found.sorted, shapes, gamma=gamma, rng=rng, draws=draws, max_draws=max_draws,
        tolerance=_as_tolerance(tolerance), miss=1.0 - confidence,
    )  # fmt: skip
    return JointComparisons(
        found.better, found.worse, found.sorted.errors, cut.accepted, (cut.low, cut.high),
        1.0 - cut.error, cut.draws, gamma, s, bound, confidence,
    )  # fmt: skip


def joint_errors(
    X: ArrayLike,
    better: ArrayLike,
    worse: ArrayLike,
    *,
    rng: np.random.Generator,
    s: float = 1.0,
    bound: Bound = "precise",
    draws: int = 10_000,
) -> Floats:
    """P(at least one of the first k statements is false), k = 1..K, by plain Monte Carlo.

    The last column of Benavoli et al. (2015), Table 1, for statements of one's own, in any order.

    Parameters
    ----------
    X : (n, m) costs, lower is better.
    better, worse : (K,) columns; statement k says that better[k] has lower costs than worse[k] more
        often than not.
    Other options and errors as in `joint_comparisons`; the standard error is √(p(1−p)/draws).
    """
    costs, s = as_costs(X), as_weight(s)
    i, j = _as_pairs((better, worse), costs.shape[1])
    draws = as_count(draws, name="draws")
    signs = _signs(_levels(rank_rows(costs, check=False)), i, j, bound)
    weights = draw_weights(rng, draws, _shapes(costs.shape[0], s, bound))
    first = first_false(signs, weights, np.full(draws, i.size), enough=draws)
    counts = np.bincount(first, minlength=i.size + 1)[: i.size]
    return np.asarray(counts.cumsum() / draws)


@dataclass(frozen=True, eq=False)
class _Stated:
    """Who is said to be better than whom, in order, with what the search needs to know."""

    better: Ints
    worse: Ints
    sorted: Statements


def _stated(
    costs: Floats,
    pairs: tuple[Ints, Ints] | None,
    directed: bool,
    gamma: float,
    s: float,
    bound: Bound,
) -> _Stated:
    """The statements with a marginal error below gamma, most certain first."""
    i, j, wins, losses = (
        _all_pairs(costs) if pairs is None else _some_pairs(costs, *pairs, directed)
    )
    table, level = _error_levels(wins, losses, s, bound)
    kept = np.flatnonzero((table[level] < gamma) & (wins > losses))
    ranks = rank_rows(costs, check=False)
    score = _scores(ranks)
    kept = kept[np.argsort(score[i[kept]] - score[j[kept]])]
    kept = kept[np.argsort(level[kept], kind="stable")]
    better, worse, levels = i[kept], j[kept], _levels(ranks)
    a, b = beta_shapes(wins[kept].astype(float), losses[kept].astype(float), s=s, bound=bound)

    def signs(start: int, stop: int) -> Signs:
        return _signs(levels, better[start:stop], worse[start:stop], bound)

    return _Stated(better, worse, Statements(a, b, table[level[kept]], signs))


def _all_pairs(costs: Floats) -> tuple[Ints, Ints, Ints, Ints]:
    """Each pair with a winner, as (winner, loser, its wins, its losses)."""
    wins = sign_counts(costs)
    i, j = np.nonzero(wins > wins.T)
    return i, j, wins[i, j], wins[j, i]


def _some_pairs(costs: Floats, i: Ints, j: Ints, directed: bool) -> tuple[Ints, Ints, Ints, Ints]:
    """The same for given pairs, which may keep their direction."""
    columns = np.ascontiguousarray(costs.T)
    wins = np.count_nonzero(columns[i] < columns[j], axis=1)
    losses = np.count_nonzero(columns[i] > columns[j], axis=1)
    if directed:
        return i, j, wins, losses
    back = losses > wins
    return (
        np.where(back, j, i),
        np.where(back, i, j),
        np.where(back, losses, wins),
        np.where(back, wins, losses),
    )


def _error_levels(
    wins: Ints, losses: Ints, s: float, bound: Bound
) -> tuple[Floats, NDArray[np.unsignedinteger]]:
    """The distinct marginal errors in order, and where each pair is among them.

    Half a million pairs have only a few distinct counts, and small integers sort in linear time.
    """
    width = int(losses.max(initial=0)) + 1
    seen, place = _unique(wins * width + losses)
    a, b = beta_shapes(*(x.astype(float) for x in np.divmod(seen, width)), s=s, bound=bound)
    table, level = np.unique(beta_tail(a, b), return_inverse=True)
    return table, level.astype(np.min_scalar_type(table.size))[place]


def _unique(codes: Ints) -> tuple[Ints, Ints]:
    """`np.unique` with the inverse, in linear time where the codes are small."""
    size = int(codes.max(initial=0)) + 1
    if size > 4 * codes.size + 10**5:
        return np.unique(codes, return_inverse=True)
    present = np.bincount(codes, minlength=size) > 0
    return np.flatnonzero(present), (present.cumsum() - 1)[codes]


def _scores(ranks: Floats) -> NDArray[np.int64]:
    """A whole number for each column; the difference of two is led by that of their rank sums, and
    below 2³² by an arbitrary number that stands for the differences on each instance."""
    twice = (2 * ranks).astype(np.int64)
    codes = (odd_numbers(len(ranks)) @ twice) >> 32
    scores: NDArray[np.int64] = (twice.sum(axis=0) << 34) + codes
    return scores


def _levels(ranks: Floats) -> NDArray[np.float32]:
    """Ranks with a row per column of X; halves to 2²³ are exact."""
    return np.ascontiguousarray(ranks.T, dtype=np.float32)


def _signs(levels: NDArray[np.float32], better: Ints, worse: Ints, bound: Bound) -> Signs:
    """A row of signs for each statement; the last place is the prior atom, unless it is a tie."""
    rows: Signs = np.sign(levels[worse] - levels[better]).astype(np.int8)
    if bound == "precise":
        return rows
    atom = np.full((len(rows), 1), -1 if bound == "lower" else 1, dtype=np.int8)
    return np.concatenate([rows, atom], axis=1)


def _shapes(n: int, s: float, bound: Bound) -> Floats:
    """Dirichlet parameters: (1, ..., 1), and s for the atom where it takes a side."""
    return np.ones(n) if bound == "precise" else np.append(np.ones(n), s)


def _as_pairs(pairs: Pairs, m: int) -> tuple[Ints, Ints]:
    i, j = (np.asarray(side) for side in pairs)
    whole = i.size == 0 or (i.dtype.kind in "iu" and j.dtype.kind in "iu")
    if i.ndim != 1 or i.shape != j.shape or not whole:
        raise InputError("pairs: expected two vectors of column indices, equally long")
    if i.size and (min(i.min(), j.min()) < 0 or max(i.max(), j.max()) >= m):
        raise InputError(f"pairs: expected columns from 0 to {m - 1}, got {i!r} and {j!r}")
    if (i == j).any():
        raise InputError(f"pairs: a column cannot be compared with itself: {i[i == j][0]}")
    return i.astype(np.intp), j.astype(np.intp)


def _as_gamma(gamma: float) -> float:
    if as_level(gamma, name="gamma") >= 0.5:
        raise InputError(f"gamma: expected an error probability below 1/2, got {gamma!r}")
    return float(gamma)


def _as_tolerance(tolerance: float) -> float:
    if not (isinstance(tolerance, (int, float, np.floating)) and 0.0 <= tolerance < 1.0):
        raise InputError(f"tolerance: expected a share from 0 to less than 1, got {tolerance!r}")
    return float(tolerance)
