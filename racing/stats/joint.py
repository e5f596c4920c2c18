"""Joint comparisons: the most statements "i is better than j" that are all true together.

Benavoli et al. (2015), section 5.3, after Gelman and Tuerlinckx (2000). Each pair is stated in the
direction that the data favour. The statements are sorted by their own posterior probability and
accepted from the top while the probability that **all** of them are true stays above 1 − γ. The
joint probability includes the dependence of the statements, so this accepts fewer statements than
uncorrected tests and more than Bonferroni.

Choices that the paper leaves open:

- Equal posteriors are common (they depend on wins and losses only). They are sorted by the
  difference of the two mean ranks, the larger first, and if that is equal too by an arbitrary
  number made of the differences of ranks on each instance, which is the same under any order of the
  columns. Statements with the same number are true together, and accepted together.
- A pair that is won as often as it is lost makes no statement (its posterior is 1/2).
- Ties: Σ weight·(won − lost) > 0, so the prior atom, a tie of all, drops out.

Computation. The marginals are exact. The joint error of a prefix lies between its largest
marginal error and the sum of them (equal rows of signs counted once), which decides most of the
order; Monte Carlo decides the rest. A statement is drawn in proportion to its error, then weights
that make it false, and the draw counts if no earlier statement is false (Karp and Luby, 1983). The
chance of that is the joint error divided by the summed errors, so the counts are binomial, with
exact intervals, and need 5 to 20 times fewer draws than plain Monte Carlo. Where the summed errors
exceed 1 plain draws are better, and used.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from racing.base.errors import InputError, must_be
from racing.base.quantities import Count, HalfLevel, Level, Quantity
from racing.stats import _prefix
from racing.stats._checks import Floats, Ints, Weight, as_costs, batches, blocks, checked
from racing.stats._prefix import Signs, Statements, draw_weights, find_cut, first_false, odd_numbers
from racing.stats.ranks import rank_rows
from racing.stats.sign import sign_counts
from racing.stats.sign_posterior import Bound, beta_shapes, beta_tail

_CELLS = 2**22  # costs copied at once to count the wins of given pairs
Part: TypeAlias = Annotated[
    float, Quantity("a share from 0 to less than 1", low=0, high=1, open_high=True)
]
Pairs: TypeAlias = tuple[ArrayLike, ArrayLike]


@dataclass(frozen=True, eq=False)
class JointStatements:
    """Statements "this algorithm is better than that one", and how many are true together.

    Attributes
    ----------
    better, worse : (s,)
        Algorithms: better[k] is better than worse[k]. Only statements with a probability above
        1 − γ are listed, most certain first.
    posteriors : (s,)
        The marginal posterior probability of each statement.
    accepted, joint
        The first `accepted` statements are all true with probability `joint` > 1 − γ; it is 1 if
        none is accepted.
    gamma, draws
        The level, and the draws of the weights.
    """

    better: Ints
    worse: Ints
    posteriors: Floats
    accepted: int
    joint: float
    gamma: float
    draws: int

    @property
    def believed(self) -> list[tuple[int, int, float]]:
        """The accepted statements: better, worse, and its posterior probability."""
        each = (one[: self.accepted].tolist() for one in (self.better, self.worse, self.posteriors))
        return list(zip(*each, strict=True))


@dataclass(frozen=True, eq=False)
class JointComparisons(JointStatements):
    """Statements in order, and how many of them are true together.

    `joint_comparisons` returns it.

    `better[k]` has lower costs than `worse[k]` more often than not, with probability
    `posteriors[k]` = 1 − `errors[k]`. Only statements with an error below `gamma` are listed, most
    certain first; the first `accepted` of them are all true with probability `joint` > 1 − `gamma`.

    `joint` and `accepted` are estimates from `draws` draws; the true number lies in
    `accepted_range` with probability `confidence` or more (over the draws). Without draws the
    number is exact and `joint` is a lower bound. `joint` errs by at most `gamma`/200 to the low
    side besides the noise of the draws.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import joint_comparisons
    >>> X = [[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]]
    >>> found = joint_comparisons(X, rng=np.random.default_rng(1))
    >>> list(zip(found.better.tolist(), found.worse.tolist(), found.posteriors.round(3).tolist()))
    [(1, 0, 1.0), (2, 0, 1.0), (1, 2, 0.969)]
    >>> found.accepted, found.certain
    (3, True)
    """

    errors: Floats
    accepted_range: tuple[int, int]
    s: float
    bound: Bound
    confidence: float

    @property
    def certain(self) -> bool:
        """Whether the number of accepted statements is exact."""
        return self.accepted_range[0] == self.accepted_range[1]


@checked
def joint_comparisons(
    X: ArrayLike,
    *,
    rng: np.random.Generator,
    gamma: HalfLevel = 0.05,
    s: Weight = 1.0,
    bound: Bound = "precise",
    pairs: Pairs | None = None,
    directed: bool = False,
    wins: ArrayLike | None = None,
    draws: Count = 1000,
    max_draws: Count = 4000,
    tolerance: Part = 0.02,
    confidence: Level = 0.99,
) -> JointComparisons:
    """As many ordered statements about columns of `X` as are all true with probability 1 − γ.

    Parameters
    ----------
    X : (n, m) costs, lower is better; +inf is a failure: worst, and tied with other failures.
    rng : the random stream; the same stream and X give the same result.
    gamma : probability, below 1/2, that at least one accepted statement is false.
    s : weight of the prior, in instances; without effect if `bound` is "precise".
    bound : "precise" is the paper's prior, under which a single instance is certain; "lower"
        accepts only what every prior of weight s accepts (all of it placed against every
        statement), so that .95 at s = 1 needs five wins without a loss; "upper" what some prior
        accepts.
    pairs : (i, j), two (K,) arrays of columns: the family of pairs, for instance a leader and all
        others; each pair once. All pairs by default.
    directed : the pairs are (better, worse) as given; a pair that the data favour the other way
        makes no statement. Otherwise the data choose.
    wins : (m, m) counts of `sign_counts(X)`, if they are known already; used for all pairs only.
    draws, max_draws : size of the first round, and of all rounds together; each round has twice the
        draws of the last, and none is made once the number is known.
    tolerance : how closely that is, as a share of the number accepted; 0 draws until it is certain
        or `max_draws` are spent. With thousands of statements, each adds some 1e-5 to the error,
        and certainty would take too long.
    confidence : of `accepted_range`.

    Raises
    ------
    InputError
        If X is no table of costs, or an option is out of its range.

    The caveat: γ holds for one look at the data. With a look after every instance, errors add up.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import joint_comparisons
    >>> X = np.array([[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]])
    >>> found = joint_comparisons(X, rng=np.random.default_rng(1))
    >>> found.better.tolist()
    [1, 2, 1]
    """
    costs = as_costs(X)
    family = None if pairs is None else as_pairs(pairs, costs.shape[1])
    counted = None if wins is None else _as_wins(wins, costs)
    better, worse, statements = stated(costs, family, directed, gamma, s, bound, counted)
    shapes = dirichlet_shapes(costs.shape[0], s, bound)
    cut = find_cut(
        statements, shapes, gamma=gamma, rng=rng, draws=draws, max_draws=max_draws,
        tolerance=tolerance,
        miss=1.0 - confidence,
    )  # fmt: skip
    errors = statements.errors
    return JointComparisons(
        better, worse, 1.0 - errors, cut.accepted, 1.0 - cut.error, gamma, cut.draws, errors,
        (cut.low, cut.high), s, bound, confidence,
    )  # fmt: skip


@checked
def joint_errors(
    X: ArrayLike,
    better: ArrayLike,
    worse: ArrayLike,
    *,
    rng: np.random.Generator,
    s: Weight = 1.0,
    bound: Bound = "precise",
    draws: Count = 10_000,
) -> Floats:
    """P(at least one of the first k statements is false), k = 1..K, by plain Monte Carlo.

    The last column of Benavoli et al. (2015), Table 1, for statements of one's own, in any order.

    Parameters
    ----------
    X : (n, m) costs, lower is better.
    better, worse : (K,) columns; statement k says that better[k] has lower costs than worse[k] more
        often than not.

    Notes
    -----
    Other options and errors are as in `joint_comparisons`; the standard error is √(p(1−p)/draws).

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import joint_errors
    >>> X = np.array([[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]])
    >>> joint_errors(X, [1], [0], rng=np.random.default_rng(1)).round(4).tolist()
    [0.0]
    """
    costs = as_costs(X)
    i, j = as_pairs((better, worse), costs.shape[1])
    signs = sign_rows(rank_levels(rank_rows(costs, check=False)), i, j, bound)
    shapes = dirichlet_shapes(costs.shape[0], s, bound)
    counts = np.zeros(i.size + 1)
    for size in batches(draws, shapes.size, _prefix.CELLS):
        weights = draw_weights(rng, size, shapes)
        first = first_false(signs, weights, np.full(size, i.size), enough=size)
        counts += np.bincount(first, minlength=i.size + 1)
    return np.asarray(counts[:-1].cumsum() / draws)


def _as_wins(wins: ArrayLike, costs: Floats) -> Ints:
    counts, m = np.asarray(wins), costs.shape[1]
    if counts.shape != (m, m) or counts.dtype.kind not in "iu":
        allowed = f"whole numbers of shape {(m, m)}, as sign_counts gives them"
        raise InputError(f"wins must be {allowed}; got {counts.dtype} of shape {counts.shape}")
    return counts.astype(np.intp)


def stated(
    costs: Floats,
    pairs: tuple[Ints, Ints] | None,
    directed: bool,
    gamma: float,
    s: float,
    bound: Bound,
    counted: Ints | None = None,
) -> tuple[Ints, Ints, Statements]:
    """The statements with a marginal error below gamma, most certain first.

    Which columns are better, and than which, with what `_prefix` needs. `counted` are the (m, m)
    wins, if they are known already.
    """
    if pairs is None:
        counts = sign_counts(costs) if counted is None else counted
        i, j = np.nonzero(counts > counts.T)
        wins, losses = counts[i, j], counts[j, i]
    else:
        i, j, wins, losses = _some_pairs(costs, *pairs, directed)
    table, level = _error_levels(wins, losses, s, bound)
    kept = np.flatnonzero((table[level] < gamma) & (wins > losses))
    ranks = rank_rows(costs, check=False)
    score = _scores(ranks)
    kept = kept[np.argsort(score[i[kept]] - score[j[kept]])]
    kept = kept[np.argsort(level[kept], kind="stable")]
    better, worse, levels = i[kept], j[kept], rank_levels(ranks)
    a, b = beta_shapes(wins[kept].astype(float), losses[kept].astype(float), s=s, bound=bound)

    def signs(start: int, stop: int) -> Signs:
        return sign_rows(levels, better[start:stop], worse[start:stop], bound)

    return better, worse, Statements(a, b, table[level[kept]], signs)


def _some_pairs(costs: Floats, i: Ints, j: Ints, directed: bool) -> tuple[Ints, Ints, Ints, Ints]:
    """The same for given pairs, which may keep their direction."""
    columns = np.ascontiguousarray(costs.T)
    wins, losses = np.empty_like(i), np.empty_like(i)
    for part in blocks(i.size, columns.shape[1], _CELLS):
        first, second = columns[i[part]], columns[j[part]]
        wins[part] = np.count_nonzero(first < second, axis=1)
        losses[part] = np.count_nonzero(first > second, axis=1)
    back = np.zeros(i.size, dtype=np.bool_) if directed else losses > wins
    i, j = np.where(back, (j, i), (i, j))
    wins, losses = np.where(back, (losses, wins), (wins, losses))
    return i, j, wins, losses


def _error_levels(
    wins: Ints, losses: Ints, s: float, bound: Bound
) -> tuple[Floats, NDArray[np.unsignedinteger]]:
    """The distinct marginal errors in order, and where each pair is among them.

    Half a million pairs have only a few distinct counts, and small integers sort in linear time.
    """
    width = int(losses.max(initial=0)) + 1
    seen, place = unique_codes(wins * width + losses)
    a, b = beta_shapes(*(x.astype(float) for x in np.divmod(seen, width)), s=s, bound=bound)
    table, level = np.unique(beta_tail(a, b), return_inverse=True)
    return table, level.astype(np.min_scalar_type(table.size))[place]


def _scores(ranks: Floats) -> NDArray[np.int64]:
    """A whole number for each column. The difference of two orders statements by rank sums, and
    then (below 2³²) by an arbitrary number made of the differences on each instance."""
    twice = (2 * ranks).astype(np.int64)
    codes = (odd_numbers(len(ranks)) @ twice) >> 32
    return np.asarray((twice.sum(axis=0) << 34) + codes)


def rank_levels(ranks: Floats) -> NDArray[np.float32]:
    """Ranks with a row per column of X; halves to 2²³ are exact."""
    return np.ascontiguousarray(ranks.T, dtype=np.float32)


def sign_rows(levels: NDArray[np.float32], better: Ints, worse: Ints, bound: Bound) -> Signs:
    """A row of signs for each statement; the last place is the prior atom, unless it is a tie."""
    rows: Signs = np.sign(levels[worse] - levels[better]).astype(np.int8)
    if bound == "precise":
        return rows
    atom = np.full((len(rows), 1), -1 if bound == "lower" else 1, dtype=np.int8)
    return np.concatenate([rows, atom], axis=1)


def dirichlet_shapes(n: int, s: float, bound: Bound) -> Floats:
    """Dirichlet parameters: (1, ..., 1), and s for the atom where it takes a side."""
    return np.ones(n) if bound == "precise" else np.append(np.ones(n), s)


def as_pairs(pairs: tuple[ArrayLike, ArrayLike], m: int) -> tuple[Ints, Ints]:
    i, j = (np.asarray(side) for side in pairs)
    whole = i.size == 0 or (i.dtype.kind in "iu" and j.dtype.kind in "iu")
    if i.ndim != 1 or i.shape != j.shape or not whole:
        raise InputError("pairs must be two vectors of columns, equally long")
    if i.size and (min(i.min(), j.min()) < 0 or max(i.max(), j.max()) >= m):
        raise InputError(must_be("pairs", f"columns from 0 to {m - 1}", (i, j)))
    if (i == j).any():
        raise InputError(f"pairs: a column cannot be compared with itself: {i[i == j][0]}")
    return i.astype(np.intp), j.astype(np.intp)


def unique_codes(codes: Ints) -> tuple[Ints, Ints]:
    """`np.unique` of a vector with the inverse, in linear time where the codes are small."""
    size = int(codes.max(initial=0)) + 1
    if size > 4 * codes.size + 10**5:
        return np.unique(codes, return_inverse=True)
    present = np.bincount(codes, minlength=size) > 0
    return np.flatnonzero(present), (present.cumsum() - 1)[codes]
