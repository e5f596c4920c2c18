"""The Bayesian signed-rank test of two algorithms on the same instances, with a rope.

A Dirichlet process prior of weight s leaves the instances with Dirichlet weights. For two
independent gains Z, Z' of the first over the second, the posterior is that of
θ_left = P(Z + Z' > 2·rope), θ_right = P(Z + Z' < −2·rope) and θ_rope, the rest (Benavoli et al.,
2014). With a rope `p_left` = P(θ_left is the largest of the three), and so on; without one
`p_left` = P(θ_left > θ_right), where a sum of zero favours neither.

`prior` places the weight: "rope" (an instance without difference), "left" or "right" (a difference
larger than any), "symmetric" (s/2 each). `dp_signed_rank_bounds` gives the bounds over these.

How it is computed (`method`):

- "monte carlo": only a part is drawn and the rest integrated (see `_walsh`), N log N for the
  sorting and N per draw. The standard error is in the result; the stream is an argument.
- "normal": moments; for n beyond a few thousand its error is below that of the draws.
- "auto": Monte Carlo up to n = 5000.
- without rope, and with differences of one size or one sign: always a closed form.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from racing.stats._checks import Bools, Floats, as_costs, as_pair
from racing.stats._rope import PriorPlace, RopeBounds, as_digits, as_generator, bounds_over
from racing.stats._signed_ranks import rounded_differences
from racing.stats._walsh import quadratics
from racing.stats._walsh_draws import (
    RankMethod,
    RankOptions,
    rank_atoms,
    rank_posteriors,
    rank_weights,
)


@dataclass(frozen=True, eq=False)
class DpSignedRank:
    """Posterior of the Bayesian signed-rank test.

    `dp_signed_rank` and `dp_signed_rank_pairs` return it.

    `p_left`: the first is practically better; `p_rope`: the two are practically equivalent;
    `p_right`: the second is practically better. For pairs of m columns all arrays are (m, m):
    entry (i, j) compares column i with column j, and `p_right` is `p_left.T`.
    `standard_error` is the largest Monte Carlo error of the three; 0 where `exact` (a closed form)
    or `method` is "normal".

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import dp_signed_rank
    >>> x, y = [3, 4, 5, 3, 6, 5, 7], [1, 2, 4, 2, 3, 5, 4]
    >>> found = dp_signed_rank(x, y, rng=np.random.default_rng(1), rope=1)
    >>> [round(float(p), 2) for p in (found.p_left, found.p_rope, found.p_right)]
    [0.0, 0.2, 0.8]
    >>> found.method, found.draws
    ('monte carlo', 2000)
    """

    p_left: Floats
    p_rope: Floats
    p_right: Floats
    standard_error: Floats
    exact: Bools
    method: str
    draws: int
    n: int
    rope: float
    s: float
    prior: PriorPlace


def dp_signed_rank(
    x: ArrayLike,
    y: ArrayLike,
    *,
    rng: np.random.Generator,
    rope: float = 0.0,
    s: float = 0.5,
    prior: PriorPlace = "rope",
    method: RankMethod = "auto",
    draws: int = 2000,
    digits: int | None = 9,
) -> DpSignedRank:
    """Bayesian signed-rank test of x against y, (n,) costs on the same instances, lower is better.

    Parameters
    ----------
    rng : the random stream; the same stream and costs give the same result.
    rope : differences up to this are practically equivalent; in units of cost.
    s : weight of the prior, in instances.
    prior, method : see the head of this module.
    draws : of Monte Carlo; 2000 leave a standard error below .001 for most data, and at most .011,
        that of counting (with a rope, where all differences have one sign).
    digits : differences are rounded to so many significant digits of the larger of the two costs,
        so that 0.3 − 0.2 and 0.2 − 0.1 tie; None rounds nothing.

    A failure (+inf) is worse than any cost by more than any difference; two failures are equal.

    Raises
    ------
    InputError
        If x and y are no paired costs, or an option is out of range.

    The caveat: costs of different instances must be commensurable, as in Wilcoxon's test.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import dp_signed_rank
    >>> x, y = np.array([3, 4, 5, 3, 6, 5, 7]), np.array([1, 2, 4, 2, 3, 5, 4])
    >>> found = dp_signed_rank(x, y, rng=np.random.default_rng(1))
    >>> round(float(found.p_left), 4)
    0.0
    """
    options = RankOptions.of(rope, s, prior, method, draws)
    first, second = as_pair(x, y)
    gains = rounded_differences(first[None], second[None], as_digits(digits))
    left, right, error, exact = (each[0] for each in rank_posteriors(gains, options, rng))
    inside = _rest(left, right, options.rope)
    return _result(left, inside, right, error, exact, options, first.size)


def dp_signed_rank_pairs(
    X: ArrayLike,
    *,
    rng: np.random.Generator,
    rope: float = 0.0,
    s: float = 0.5,
    prior: PriorPlace = "rope",
    method: RankMethod = "auto",
    draws: int = 2000,
    digits: int | None = 9,
) -> DpSignedRank:
    """Bayesian signed-rank tests of all pairs of columns of X, (n, m) costs.

    All pairs share the same draws. Options and errors as in `dp_signed_rank`; the probabilities are
    marginal, one pair at a time. A column against itself is equivalent (1/2 without rope).

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import dp_signed_rank_pairs
    >>> X = np.array([[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]])
    >>> found = dp_signed_rank_pairs(X, rng=np.random.default_rng(1))
    >>> found.p_left.round(4).tolist()
    [[0.5, 0.0, 0.0], [1.0, 0.5, 0.979], [1.0, 0.021, 0.5]]
    """
    options = RankOptions.of(rope, s, prior, method, draws)
    costs = as_costs(X)
    n, m = costs.shape
    i, j = np.triu_indices(m, 1)
    columns = np.ascontiguousarray(costs.T)
    gains = rounded_differences(columns[i], columns[j], as_digits(digits))
    left, right, error, exact = rank_posteriors(gains, options, rng)
    p_left = np.full((m, m), 0.5 if options.rope == 0.0 else 0.0)
    p_left[i, j], p_left[j, i] = left, right
    errors, exacts = np.zeros((m, m)), np.ones((m, m), dtype=bool)
    errors[i, j] = errors[j, i] = error
    exacts[i, j] = exacts[j, i] = exact
    inside = _rest(p_left, p_left.T, options.rope)
    return _result(p_left, inside, p_left.T, errors, exacts, options, n)


def dp_signed_rank_bounds(
    x: ArrayLike,
    y: ArrayLike,
    *,
    rng: np.random.Generator,
    rope: float = 0.0,
    s: float = 0.5,
    method: RankMethod = "auto",
    draws: int = 2000,
    digits: int | None = 9,
) -> RopeBounds:
    """The lowest and the highest results over the priors of weight s on the left, in the rope and
    on the right (imprecise Dirichlet process). Arguments and errors as in `dp_signed_rank`.

    Without rope these are the extremes over all priors of that weight, since θ_left − θ_right
    grows with the place of the prior. With a rope, a prior between these places may be slightly
    beyond them.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import dp_signed_rank_bounds
    >>> x, y = np.array([3, 4, 5, 3, 6, 5, 7]), np.array([1, 2, 4, 2, 3, 5, 4])
    >>> found = dp_signed_rank_bounds(x, y, rng=np.random.default_rng(1))
    >>> round(float(found.s), 4)
    0.5
    """
    return _bounds(
        lambda prior, stream: dp_signed_rank(
            x, y, rng=stream, rope=rope, s=s, prior=prior, method=method, draws=draws, digits=digits
        ),
        rng,
    )


def dp_signed_rank_pairs_bounds(
    X: ArrayLike,
    *,
    rng: np.random.Generator,
    rope: float = 0.0,
    s: float = 0.5,
    method: RankMethod = "auto",
    draws: int = 2000,
    digits: int | None = 9,
) -> RopeBounds:
    """`dp_signed_rank_bounds` of all pairs of columns of X, (n, m) costs: (m, m) lows and highs.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import dp_signed_rank_pairs_bounds
    >>> X = np.array([[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]])
    >>> found = dp_signed_rank_pairs_bounds(X, rng=np.random.default_rng(1))
    >>> round(float(found.s), 4)
    0.5
    """
    return _bounds(
        lambda prior, stream: dp_signed_rank_pairs(
            X, rng=stream, rope=rope, s=s, prior=prior, method=method, draws=draws, digits=digits
        ),
        rng,
    )


def dp_signed_rank_sample(
    x: ArrayLike,
    y: ArrayLike,
    *,
    rng: np.random.Generator,
    draws: int = 2000,
    rope: float = 0.0,
    s: float = 0.5,
    prior: PriorPlace = "rope",
    digits: int | None = 9,
) -> Floats:
    """(draws, 3) draws of (θ_left, θ_rope, θ_right), for a plot of the posterior.

    Arguments and errors as in `dp_signed_rank`. Without rope, sums of zero are in the middle.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import dp_signed_rank_sample
    >>> x, y = np.array([3, 4, 5, 3, 6, 5, 7]), np.array([1, 2, 4, 2, 3, 5, 4])
    >>> dp_signed_rank_sample(x, y, rng=np.random.default_rng(1), draws=3).round(4).tolist()
    [[0.0, 0.0045, 0.9955], [0.0, 0.209, 0.791], [0.0, 0.0056, 0.9944]]
    """
    options = RankOptions.of(rope, s, prior, "monte carlo", draws)
    first, second = as_pair(x, y)
    gains = rounded_differences(first[None], second[None], as_digits(digits))[0]
    atoms = rank_atoms(gains, options)
    parts = []
    for weights in rank_weights(gains.size, options, rng):
        a, b, c, d = quadratics(atoms, weights)
        top = weights[atoms.order[atoms.start :]].sum(axis=0)
        v = top / weights.sum(axis=0)
        left = v * v * a + 2 * v * (1 - v) * b
        right = (1 - v) ** 2 * c + 2 * v * (1 - v) * d
        parts.append(np.stack([left, np.maximum(1 - left - right, 0.0), right], axis=1))
    return np.concatenate(parts)


def _result(
    left: Floats,
    inside: Floats,
    right: Floats,
    error: Floats,
    exact: Bools,
    options: RankOptions,
    n: int,
) -> DpSignedRank:
    drawn = options.draws_for(n)
    method = "closed form" if exact.all() else "monte carlo" if drawn else "normal"
    return DpSignedRank(
        left, inside, right, error, exact, method, 0 if exact.all() else drawn, n,
        options.rope, options.s, options.prior,
    )  # fmt: skip


def _rest(left: Floats, right: Floats, rope: float) -> Floats:
    return np.asarray(np.maximum(1.0 - left - right, 0.0) if rope > 0.0 else 0.0 * left)


def _bounds(
    at: Callable[[PriorPlace, np.random.Generator], DpSignedRank], rng: np.random.Generator
) -> RopeBounds:
    """All places of the prior share the same draws, so that they differ by the prior alone."""
    rng = as_generator(rng)
    found = [at("left", deepcopy(rng)), at("rope", deepcopy(rng)), at("right", rng)]
    posteriors = [(p.p_left, p.p_rope, p.p_right) for p in found]
    return bounds_over(posteriors, found[0].s, found[0].rope)
