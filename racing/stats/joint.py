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
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from racing.base.errors import InputError
from racing.stats._checks import Floats, Ints, as_costs, as_count, as_generator, as_level, as_weight
from racing.stats._dirichlet import batches, draw_weights, first_false
from racing.stats._prefix import find_cut
from racing.stats._statements import as_pairs, dirichlet_shapes, rank_levels, sign_rows, stated
from racing.stats.ranks import rank_rows
from racing.stats.sign_posterior import Bound, indistinguishable, marginal_posteriors

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
    """Statements in order, and how many of them are true together.

    `joint_comparisons` returns it.

    `better[k]` has lower costs than `worse[k]` more often than not, with probability
    `1 - errors[k]`. Only statements with an error below `gamma` are listed, most certain first; the
    first `accepted` of them are all true with probability `joint` > 1 − `gamma`.

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
        """Whether the number of accepted statements is exact."""
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
    wins: ArrayLike | None = None,
    draws: int = 1000,
    max_draws: int = 4000,
    tolerance: float = 0.02,
    confidence: float = 0.99,
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
    costs, gamma, s = as_costs(X), _as_gamma(gamma), as_weight(s)
    draws, max_draws = as_count(draws, name="draws"), as_count(max_draws, name="max_draws")
    confidence = as_level(confidence, name="confidence")
    rng = as_generator(rng)
    family = None if pairs is None else as_pairs(pairs, costs.shape[1])
    counted = None if wins is None else _as_wins(wins, costs)
    found = stated(costs, family, directed, gamma, s, bound, counted)
    shapes = dirichlet_shapes(costs.shape[0], s, bound)
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
    costs, s = as_costs(X), as_weight(s)
    i, j = as_pairs((better, worse), costs.shape[1])
    draws = as_count(draws, name="draws")
    signs = sign_rows(rank_levels(rank_rows(costs, check=False)), i, j, bound)
    shapes = dirichlet_shapes(costs.shape[0], s, bound)
    counts = np.zeros(i.size + 1)
    for size in batches(draws, shapes.size):
        weights = draw_weights(rng, size, shapes)
        first = first_false(signs, weights, np.full(size, i.size), enough=size)
        counts += np.bincount(first, minlength=i.size + 1)
    return np.asarray(counts[:-1].cumsum() / draws)


def _as_wins(wins: ArrayLike, costs: Floats) -> Ints:
    counts, m = np.asarray(wins), costs.shape[1]
    if counts.shape != (m, m) or counts.dtype.kind not in "iu":
        raise InputError(
            f"wins: expected whole numbers of shape {(m, m)}, as sign_counts gives them; got shape "
            f"{counts.shape} of type {counts.dtype}"
        )
    return counts.astype(np.intp)


def _as_gamma(gamma: float) -> float:
    if as_level(gamma, name="gamma") >= 0.5:
        raise InputError(f"gamma: expected an error probability below 1/2, got {gamma!r}")
    return float(gamma)


def _as_tolerance(tolerance: float) -> float:
    if not (isinstance(tolerance, (int, float, np.floating)) and 0.0 <= tolerance < 1.0):
        raise InputError(f"tolerance: expected a share from 0 to less than 1, got {tolerance!r}")
    return float(tolerance)
