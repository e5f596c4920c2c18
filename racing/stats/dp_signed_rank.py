"""The probability that one side has most pairs of weighted atoms; used by `dp_signed_rank`.

Atoms z_1..z_N (gains of the first over the second, and the prior's atoms) have Dirichlet weights w.
θ_left = Σ w_i w_j [z_i + z_j > 2·rope] and θ_right = Σ w_i w_j [z_i + z_j < −2·rope].

Sorting the atoms turns the double sums into running sums, N steps per draw. Only a part of the
randomness is drawn. Let V be the weight of the atoms z >= 0. Given how V and 1 − V are divided
within (drawn), both θ are quadratic in V,

    θ_left = V² a + 2V(1 − V) b,    θ_right = (1 − V)² c + 2V(1 − V) d,

and V is a Beta variable, independent of the division. So the probability, given the division, that
one side is the largest is a difference of Beta distribution functions at the roots (Rao and
Blackwell). The remaining noise depends on a, b, c, d nearly linearly, and their means are known, so
they are control variates. One draw is then worth dozens to hundreds of counts.

The Bayesian signed-rank test of two algorithms on the same instances, with a rope.

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

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from racing.base.special import betainc, ndtr
from racing.stats._checks import Bools, Digits, Floats, Ints, Rope, Several, Weight, blocks, checked
from racing.stats._samples import Paired, differences
from racing.stats.sign_posterior import PriorPlace, beta_tail

_EPS = float(np.finfo(np.float64).eps)
_NODES = np.linspace(-9.0, 9.0, 2001)  # standard deviations, for the normal approximation


@dataclass(frozen=True, eq=False)
class Atoms:
    """One comparison: sorted atoms `z`, (N,), their places before sorting (`order`), their weights.

    The atoms from `start` on are not negative. z_i + z_j is above the rope for j >= `above[i]`, and
    below it for j < `below[i]`.
    """

    z: Floats
    order: Ints
    weights: Floats
    above: Ints
    below: Ints
    start: int
    rope: float

    @classmethod
    def of(cls, z: Floats, weights: Floats, rope: float) -> Atoms:
        order = np.argsort(z, kind="stable")
        z = z[order]
        # sums that differ by float noise only are equal; opposite infinities cancel
        noise = (
            4.0
            * float(np.finfo(np.float64).eps)
            * np.where(np.isfinite(z), np.maximum(np.abs(z), 2.0 * rope), 0.0)
        )
        with np.errstate(over="ignore"):  # any edge beyond the data is the same as infinity
            above = np.searchsorted(z, 2.0 * rope - z + noise, side="right")
            below = np.searchsorted(z, -2.0 * rope - z - noise, side="left")
        start = int(np.searchsorted(z, 0.0))
        return cls(z, order, weights[order], above, below, start, rope)


def closed_form(atoms: Atoms) -> float | None:
    """P(θ_left > θ_right) where it is a Beta tail; None elsewhere. For a rope of zero.

    If all differences have one size, θ_left − θ_right = (W₊ − W₋)(1 + W₀), so sizes do not matter;
    if all have one sign, or there are none, the result is certain, or 1/2.
    """
    used = (atoms.z != 0.0) & (atoms.weights > 0.0)
    size = np.abs(atoms.z[used])
    won = float(atoms.weights[used & (atoms.z > 0.0)].sum())
    lost = float(atoms.weights[used & (atoms.z < 0.0)].sum())
    if won > 0.0 and lost > 0.0 and size.min() < size.max():
        return None
    return float(beta_tail(np.array(lost), np.array(won)))


def conditional(atoms: Atoms, parts: Floats) -> tuple[Floats, Floats]:
    """p_left and p_right given the divisions, (D,) each, from their `quadratics`."""
    a, b, c, d = parts
    top = float(atoms.weights[atoms.start :].sum())
    bottom = float(atoms.weights[: atoms.start].sum())
    middle = _crossing(a, b, c, d)
    if atoms.rope == 0.0:
        right = _beta_cdf(top, bottom, middle)
        return 1.0 - right, right
    # left is the largest if θ_left > θ_right and 2θ_left + θ_right > 1
    left, right = np.array([a - 2 * b, 2 * b, 0 * a]), np.array([c - 2 * d, 2 * d - 2 * c, c])
    one = np.array([0.0, 0.0, 1.0])[:, None]
    return (
        _chance(2 * left + right - one, middle, np.ones_like(a), top, bottom),
        _chance(left + 2 * right - one, np.zeros_like(a), middle, top, bottom),
    )


def quadratics(atoms: Atoms, weights: Floats) -> Floats:
    """a, b, c, d of the head of this module, (4, D), from unsorted gamma variates (N, D)."""
    e, start = weights[atoms.order], atoms.start
    running = np.zeros((len(e) + 1, e.shape[1]))
    np.cumsum(e, axis=0, out=running[1:])
    down, both = running[start], running[-1]
    up = both - down
    above, below = atoms.above[start:], atoms.below[:start]
    a = up * up - _dot(e[start:], running, above, start, up=True)
    b = up * down - _dot(e[start:], running, above, start, up=False)
    c = _dot(e[:start], running, below, start, up=False)
    d = _dot(e[:start], running, below, start, up=True)
    squares = np.stack([up * up, up * down, down * down, up * down])
    parts = np.maximum(np.stack([a, b, c, d]), 0.0)
    return np.asarray(np.divide(parts, squares, out=np.zeros_like(parts), where=squares > 0.0))


def _dot(e: Floats, running: Floats, reach: Ints, start: int, *, up: bool) -> Floats:
    """Σ e_i × the weight of the atoms before `reach[i]`: of those from `start` on, or before it."""
    if up:
        some = np.flatnonzero(reach > start)
        return np.asarray(np.einsum("id,id->d", e[some], running[reach[some]] - running[start]))
    whole = reach >= start
    part = np.einsum("id,id->d", e[~whole], running[reach[~whole]])
    return np.asarray(part + e[whole].sum(axis=0) * running[start])


def expected_quadratics(atoms: Atoms) -> Floats:
    """The exact means of `quadratics`, (4,): they make its draws control variates."""
    w, start = atoms.weights, atoms.start
    a, b, c, d = quadratics(replace(atoms, order=np.arange(w.size)), w[:, None])[:, 0]
    up, down = float(w[start:].sum()), float(w[:start].sum())
    own = np.arange(w.size)
    twice_up = float(w[start:] @ (atoms.above <= own)[start:])
    twice_down = float(w[:start] @ (atoms.below > own)[:start])
    # E[u_i u_j] = (α_i α_j + [i = j] α_i) / (α(α + 1)) for Dirichlet shares u
    a = (a * up * up + twice_up) / (up * (up + 1.0)) if up > 0.0 else 0.0
    c = (c * down * down + twice_down) / (down * (down + 1.0)) if down > 0.0 else 0.0
    return np.array([a, b, c, d])


def _crossing(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """V where θ_left = θ_right: the one root in [0, 1], since their difference grows with V."""
    # because c >= d and a >= b: the atoms of the other group add less
    square, linear = a - 2 * b - c + 2 * d, 2 * (b - d + c)
    denominator = linear + np.sqrt(np.maximum(linear * linear + 4 * square * c, 0.0))
    root = np.divide(2 * c, denominator, out=np.full_like(c, 0.5), where=denominator > 0.0)
    return np.clip(np.where((c == 0.0) & (a > 0.0), 0.0, root), 0.0, 1.0)


def _chance(quadratic: Floats, low: Floats, high: Floats, top: float, bottom: float) -> Floats:
    """P(low < V < high and quadratic(V) > 0): pieces between the roots, by their middles."""
    ends = np.clip(np.stack([low, *_roots(quadratic), high]), low, high)
    ends.sort(axis=0)
    middles = (ends[1:] + ends[:-1]) / 2
    positive = (quadratic[0] * middles + quadratic[1]) * middles + quadratic[2] > 0.0
    mass = np.diff(_beta_cdf(top, bottom, ends), axis=0)
    return np.asarray((mass * positive).sum(axis=0))


def _roots(quadratic: Floats) -> tuple[Floats, Floats]:
    """Real roots, without cancellation; −1 (outside of every interval) where there is none."""
    square, linear, constant = quadratic
    inside = linear * linear - 4 * square * constant
    q = -(linear + np.copysign(np.sqrt(np.maximum(inside, 0.0)), linear)) / 2
    none = np.full_like(q, -1.0)
    with np.errstate(over="ignore"):
        first = np.divide(q, square, out=none.copy(), where=(inside >= 0.0) & (square != 0.0))
        second = np.divide(constant, q, out=none.copy(), where=(inside >= 0.0) & (q != 0.0))
    return first, second


def _beta_cdf(a: float, b: float, v: Floats) -> Floats:
    """P(Beta(a, b) <= v), where no weight on a side leaves V at 0 or 1."""
    if b == 0.0:
        return np.asarray(v >= 1.0, dtype=np.float64)
    if a == 0.0:
        return np.asarray(v > 0.0, dtype=np.float64)
    return np.asarray(betainc(a, b, v))


def normal_approximation(atoms: Atoms) -> tuple[float, float]:
    """p_left and p_right if (θ_left, θ_right) is taken as normal: exact means, and the variance of
    the linear part (Hájek's projection). N log N steps, however many atoms."""
    w = atoms.weights
    total, own = float(w.sum()), np.arange(w.size)
    running = np.concatenate([[0.0], np.cumsum(w)])
    rows = np.stack([total - running[atoms.above], running[atoms.below]]) / total
    twice = np.stack([atoms.above <= own, atoms.below > own])  # the atom with itself
    means = (total * (rows @ w) + twice @ w) / (total * (total + 1.0))
    centred = rows - (rows @ w)[:, None] / total
    covariance = 4.0 * (centred * w) @ centred.T / (total * (total + 1.0))
    left, right = means.tolist()
    if atoms.rope == 0.0:
        variance = covariance[0, 0] + covariance[1, 1] - 2.0 * covariance[0, 1]
        p = float(ndtr((left - right) / np.sqrt(variance))) if variance > 0.0 else 0.5
        return p, 1.0 - p
    # integrate over θ_left; θ_right given it is normal again
    sd = np.sqrt(max(covariance[0, 0], 1e-300))
    slope = covariance[0, 1] / sd
    rest = np.sqrt(max(covariance[1, 1] - slope * slope, 1e-18))
    theta, given = left + sd * _NODES, right + slope * _NODES
    density = np.exp(-_NODES * _NODES / 2)
    density /= density.sum()
    to_left = ndtr((theta - given) / rest) - ndtr((1 - 2 * theta - given) / rest)
    to_right = ndtr((given - np.maximum(theta, (1 - theta) / 2)) / rest)
    return float(density @ np.maximum(to_left, 0.0)), float(density @ to_right)


RankMethod: TypeAlias = Literal["auto", "monte carlo", "normal"]


_AUTO = 5000  # instances up to which "auto" draws


_FLAT = 1e-12  # a control variate that varies less is only rounding


_INF = np.inf
# Where the two atoms of the prior lie.
_PLACES = {"left": (_INF, 0.0), "rope": (0.0, 0.0), "right": (-_INF, 0.0),
           "symmetric": (_INF, -_INF)}  # fmt: skip
# The share of each in the weight of the prior.
_MASSES = {place: np.array([0.5, 0.5] if place == "symmetric" else [1.0, 0.0]) for place in _PLACES}


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
    pairs, masses = Paired.of(x, y), s * _MASSES[prior]
    draws = 0 if method == "normal" or (method == "auto" and pairs.n > _AUTO) else draws
    gains = differences(pairs.x, pairs.y, digits)
    atoms = [_with_prior(gain, masses, prior, rope) for gain in gains]
    found = _posteriors(atoms, _weights(pairs.n, masses, draws, rng), draws)
    left, right, error, exact = map(pairs.shaped, found)
    inside = np.maximum(1.0 - left - right, 0.0) if rope > 0.0 else 0.0 * left
    drawn = 0 if exact.all() else draws
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
    pairs, masses, parts = Paired.of(x, y), s * _MASSES[prior], []
    (gains,) = differences(pairs.x, pairs.y, digits)
    atoms = _with_prior(gains, masses, prior, rope)
    for weights in _weights(pairs.n, masses, draws, rng):
        a, b, c, d = quadratics(atoms, weights)
        top = weights[atoms.order[atoms.start :]].sum(axis=0)
        v = top / weights.sum(axis=0)
        left = v * v * a + 2 * v * (1 - v) * b
        right = (1 - v) ** 2 * c + 2 * v * (1 - v) * d
        parts.append(np.stack([left, np.maximum(1 - left - right, 0.0), right], axis=1))
    return np.concatenate(parts)


def _posteriors(
    pairs: Sequence[Atoms], weights: Iterable[Floats], draws: int
) -> tuple[Floats, Floats, Floats, Bools]:
    """p_left, p_right, standard error and whether they are exact, for each pair.

    From `draws` weights of the instances; 0 of them are for the normal approximation.
    """
    left, right, error = (np.zeros(len(pairs)) for _ in range(3))
    exact = np.zeros(len(pairs), dtype=bool)
    drawn: dict[int, Atoms] = {}
    for row, atoms in enumerate(pairs):
        known = closed_form(atoms) if atoms.rope == 0.0 else None
        if known is not None:
            left[row], right[row], exact[row] = known, 1.0 - known, True
        elif draws == 0:
            left[row], right[row] = normal_approximation(atoms)
        else:
            drawn[row] = atoms
    moments = np.zeros((len(drawn), 7, 7))
    for block in weights if drawn else ():
        for k, one in enumerate(drawn.values()):
            parts = quadratics(one, block)
            sides = conditional(one, parts)
            centred = parts - expected_quadratics(one)[:, None]
            rows = np.stack([np.ones_like(sides[0]), *sides, *centred])
            moments[k] += rows @ rows.T
    for row, own in zip(drawn, moments / max(draws, 1), strict=True):
        means, error[row] = _controlled(own, draws)
        left[row], right[row] = np.clip(means, 0.0, 1.0)
    return left, right, error, exact


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


def _with_prior(gains: Floats, masses: Floats, prior: PriorPlace, rope: float) -> Atoms:
    """The instances with weight 1 each, then two atoms for the prior."""
    weights = np.concatenate([np.ones(gains.size), masses])
    return Atoms.of(np.concatenate([gains, _PLACES[prior]]), weights, rope)


def _weights(n: int, masses: Floats, draws: int, rng: np.random.Generator) -> Iterator[Floats]:
    """Gamma variates for n instances and the two atoms of the prior, (n + 2, D) at a time."""
    for part in blocks(draws, n + 2):
        size = part.stop - part.start
        weights = np.empty((n + 2, size))
        rng.standard_exponential(out=weights[:n])
        weights[n:] = rng.standard_gamma(masses[:, None], size=(2, size))
        yield weights
