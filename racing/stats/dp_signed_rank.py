"""The Bayesian signed-rank test of two algorithms on the same instances, with a rope.

A Dirichlet process prior of weight s leaves the instances with Dirichlet weights. For two
independent gains Z, Z' of the first over the second, the posterior is that of
θ_left = P(Z + Z' > 2·rope), θ_right = P(Z + Z' < −2·rope) and θ_rope, the rest (Benavoli et al.,
2014). With a rope `p_left` = P(θ_left is the largest of the three), and so on; without one
`p_left` = P(θ_left > θ_right), where a sum of zero favours neither.

`prior` places the weight: "rope" (an instance without difference), "left" or "right" (a difference
larger than any), "symmetric" (s/2 each). `prior_bounds` gives the bounds over these.

How it is computed (`method`):

- "monte carlo": only a part is drawn and the rest integrated (see `_walsh`), N log N for the
  sorting and N per draw. The standard error is in the result; the stream is an argument.
- "normal": moments; for n beyond a few thousand its error is below that of the draws.
- "auto": Monte Carlo up to n = 5000.
- without rope, and with differences of one size or one sign: always a closed form.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from racing.stats._checks import (
    Bools,
    Digits,
    Floats,
    Rope,
    Several,
    Weight,
    checked,
)
from racing.stats._paired import Paired, differences
from racing.stats._walsh import (
    Atoms,
    closed_form,
    conditional,
    expected_quadratics,
    normal_approximation,
    quadratics,
)
from racing.stats.prior_bounds import PriorPlace

RankMethod: TypeAlias = Literal["auto", "monte carlo", "normal"]


_AUTO = 5000  # instances up to which "auto" draws


_FLAT = 1e-12  # a control variate that varies less is only rounding


_CELLS = 1 << 18  # weights drawn at once


@dataclass(frozen=True, eq=False)
class DpSignedRank:
    """Posterior of the Bayesian signed-rank test, one entry for each pair.

    `dp_signed_rank` returns it.

    `p_left`: the first is practically better; `p_rope`: the two are practically equivalent;
    `p_right`: the second is practically better. `standard_error` is the largest Monte Carlo error
    of the three; 0 where `exact` (a closed form) or `method` is "normal".

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


@checked
def dp_signed_rank(
    x: ArrayLike,
    y: ArrayLike,
    *,
    rng: np.random.Generator,
    rope: Rope = 0.0,
    s: Weight = 0.5,
    prior: PriorPlace = "rope",
    method: RankMethod = "auto",
    draws: Several = 2000,
    digits: Digits | None = 9,
) -> DpSignedRank:
    """Bayesian signed-rank test of x against y, (n,) costs on the same instances, lower is better.

    Or of many pairs, (..., n), from the same draws; the probabilities are marginal, one pair at a
    time.

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
    options = _Options.of(rope, s, prior, method, draws)
    pairs = Paired.of(x, y)
    gains = differences(pairs.x, pairs.y, digits)
    left, right, error, exact = map(pairs.shaped, _posteriors(gains, options, rng))
    inside = np.maximum(1.0 - left - right, 0.0) if options.rope > 0.0 else 0.0 * left
    drawn = 0 if exact.all() else options.draws_for(pairs.n)
    used = "closed form" if exact.all() else "monte carlo" if drawn else "normal"
    return DpSignedRank(left, inside, right, error, exact, used, drawn)


@checked
def dp_signed_rank_sample(
    x: ArrayLike,
    y: ArrayLike,
    *,
    rng: np.random.Generator,
    draws: Several = 2000,
    rope: Rope = 0.0,
    s: Weight = 0.5,
    prior: PriorPlace = "rope",
    digits: Digits | None = 9,
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
    options = _Options.of(rope, s, prior, "monte carlo", draws)
    pairs = Paired.of(x, y)
    (gains,) = differences(pairs.x, pairs.y, digits)
    atoms = _atoms(gains, options)
    parts = []
    for weights in _weights(gains.size, options, rng):
        a, b, c, d = quadratics(atoms, weights)
        top = weights[atoms.order[atoms.start :]].sum(axis=0)
        v = top / weights.sum(axis=0)
        left = v * v * a + 2 * v * (1 - v) * b
        right = (1 - v) ** 2 * c + 2 * v * (1 - v) * d
        parts.append(np.stack([left, np.maximum(1 - left - right, 0.0), right], axis=1))
    return np.concatenate(parts)


@dataclass(frozen=True)
class _Options:
    """Checked options of a signed-rank posterior."""

    rope: float
    s: float
    prior: PriorPlace
    method: RankMethod
    draws: int

    @classmethod
    def of(
        cls, rope: float, s: float, prior: PriorPlace, method: RankMethod, draws: int
    ) -> _Options:
        return cls(rope, s, prior, method, draws)

    def draws_for(self, n: int) -> int:
        """The number of draws for n instances; 0 for the normal approximation."""
        normal = self.method == "normal" or (self.method == "auto" and n > _AUTO)
        return 0 if normal else self.draws


def _posteriors(
    gains: Floats, options: _Options, rng: np.random.Generator
) -> tuple[Floats, Floats, Floats, Bools]:
    """p_left, p_right, standard error and whether they are exact, for each row of (P, n) gains."""
    left, right, error = (np.zeros(len(gains)) for _ in range(3))
    exact = np.zeros(len(gains), dtype=bool)
    drawn: list[tuple[int, Atoms]] = []
    for row, gain in enumerate(gains):
        atoms = _atoms(gain, options)
        known = closed_form(atoms) if options.rope == 0.0 else None
        if known is not None:
            left[row], right[row], exact[row] = known, 1.0 - known, True
        elif options.draws_for(gain.size) == 0:
            left[row], right[row] = normal_approximation(atoms)
        else:
            drawn.append((row, atoms))
    if drawn:
        rows = [row for row, _ in drawn]
        left[rows], right[rows], error[rows] = _estimate(
            [atoms for _, atoms in drawn], gains.shape[1], options, rng
        )
    return left, right, error, exact


def _estimate(
    atoms: list[Atoms], n: int, options: _Options, rng: np.random.Generator
) -> tuple[Floats, Floats, Floats]:
    """Means over the draws, and the largest of their standard errors, per comparison."""
    moments = np.zeros((len(atoms), 7, 7))
    for weights in _weights(n, options, rng):
        for k, one in enumerate(atoms):
            parts = quadratics(one, weights)
            left, right = conditional(one, parts)
            centred = parts - expected_quadratics(one)[:, None]
            rows = np.stack([np.ones_like(left), left, right, *centred])
            moments[k] += rows @ rows.T
    moments /= options.draws
    means, errors = zip(*(_controlled(m, options.draws) for m in moments), strict=True)
    left, right = np.clip(np.stack(means), 0.0, 1.0).T
    return left, right, np.array(errors)


def _controlled(moments: Floats, draws: int) -> tuple[Floats, float]:
    """Means of (p_left, p_right) corrected by four control variates of mean zero, and the error.

    `moments` are the averages of the products of (1, p_left, p_right, controls).
    """
    mean = moments[0, 1:]
    covariance = moments[1:, 1:] - np.outer(mean, mean)
    values, vectors = np.linalg.eigh(covariance[2:, 2:])
    along = np.divide(1.0, values, out=np.zeros(4), where=values > _FLAT)
    slopes = covariance[:2, 2:] @ (vectors * along) @ vectors.T
    rest = covariance[:2, :2] - slopes @ covariance[2:, :2]
    variances = np.array([rest[0, 0], rest[1, 1], rest.sum()])  # the last is that of p_rope
    error = float(np.sqrt(max(variances.max(), 0.0) / (draws - 1)))
    return mean[:2] - slopes @ mean[2:], error


def _atoms(gains: Floats, options: _Options) -> Atoms:
    """The instances with weight 1 each, then two atoms for the prior."""
    s = options.s
    place, share = {
        "left": ([np.inf, 0.0], [s, 0.0]),
        "rope": ([0.0, 0.0], [s, 0.0]),
        "right": ([-np.inf, 0.0], [s, 0.0]),
        "symmetric": ([np.inf, -np.inf], [s / 2, s / 2]),
    }[options.prior]
    weights = np.concatenate([np.ones(gains.size), share])
    return Atoms.of(np.concatenate([gains, place]), weights, options.rope)


def _weights(n: int, options: _Options, rng: np.random.Generator) -> Iterator[Floats]:
    """Gamma variates for n instances and the two atoms of the prior, (n + 2, D) at a time."""
    share = _atoms(np.zeros(0), options)
    prior = np.empty(2)
    prior[share.order] = share.weights
    step = max(1, _CELLS // (n + 2))
    for start in range(0, options.draws, step):
        size = min(step, options.draws - start)
        weights = np.empty((n + 2, size))
        rng.standard_exponential(out=weights[:n])
        weights[n:] = rng.standard_gamma(prior[:, None], size=(2, size))
        yield weights
