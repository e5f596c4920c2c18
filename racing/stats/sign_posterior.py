"""Posteriors from counts of wins, losses and ties: does one side win more often, are both equal?

A Dirichlet process prior of weight s puts its mass on the instances seen and on one prior atom.
The chance of winning less the chance of losing is then W − L, where (W, L, rest) is Dirichlet with
the wins, the losses and the ties as parameters, and s is added to the side on which the atom lies
(Benavoli et al., 2015, section 5.1).

- `"precise"`: the atom is a tie, so it favours neither (section 7). Its weight then drops out of
  P(W > L), which is a Beta tail (theorem 2). One win and no loss give certainty, because s has no
  effect.
- `"lower"` and `"upper"`: the least value over all priors of weight s, with the atom a loss, and
  the greatest, with the atom a win (the imprecise Dirichlet process). With s = 1 the lower bound is
  the exact one-sided sign test: w wins and no loss reach 1 − 2⁻ʷ.

Two algorithms are indistinguishable if 1/2 − ε < P(X2 > X1) < 1/2 + ε (section 7.1). With ties
there are two readings of that probability.

- `"split"`, the default: θ = P(better) + P(equal)/2, the paper's own treatment of ties (section 6).
  Then θ − 1/2 = (W − L)/2 with (W, L, T) ~ Dirichlet(w, l, t + s), where the prior atom is a tie,
  as everywhere in the paper. Ties are evidence for equality; two identical columns are
  indistinguishable.
- `"decided"`: θ = P(better | not equal) ~ Beta(w, l). Ties have no effect; two columns that differ
  on few instances remain undecided, however many ties there are.

Without ties and for s → 0 they agree.

The Bayesian sign test of two algorithms on the same instances, with a rope.

A Dirichlet process prior of weight s leaves (θ_left, θ_rope, θ_right), the chances that the next
instance favours the first, neither, or the second, with a Dirichlet posterior: the counts of the
instances, plus s at the place of the prior (Benavoli et al., 2014; 2015, section 5.1).

- With a rope, `p_left` = P(θ_left is the largest of the three), and so on. It is the integral of
  one gamma density times two gamma distribution functions: computed, not sampled.
- Without one, `p_left` = P(θ_left > θ_right), where ties favour neither: a Beta tail (2015,
  theorem 2), the same number as `sign_posterior.marginal_posteriors`.

`prior` places the weight: "rope" (a tie; without rope it has no effect), "left", "right",
or "symmetric" (s/2 left, s/2 right). `prior_bounds` gives the bounds over all priors of weight s.

Bounds of a Bayesian test over all priors of one weight: the imprecise Dirichlet process.

The prior may lie on the left, in the rope or on the right, and every prior is a mixture of these.
If the lower bound of a probability is above the required level, no prior changes the decision; if
only the upper bound is, the data are too few and the prior decides.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from racing.base.quantities import Count, HalfLevel
from racing.base.special import betainc, betaln, gammainc, gammainccinv, gammaincinv, gammaln
from racing.stats._checks import Digits, Floats, Rope, Weight, as_counts, as_generator, checked
from racing.stats._samples import Paired, differences

Bound: TypeAlias = Literal["precise", "lower", "upper"]


_LEGENDRE, _LEGENDRE_WEIGHTS = np.polynomial.legendre.leggauss(64)


@checked
def marginal_posteriors(
    wins: ArrayLike, losses: ArrayLike, *, s: Weight = 1.0, bound: Bound = "precise"
) -> Floats:
    """Posterior probability that the first side wins more often than it loses, elementwise.

    Parameters
    ----------
    wins, losses : counts of instances on which the first side is better, worse; ties are left out.
    s : weight of the prior, in instances; "precise" does not depend on it.
    bound : "precise", P(Beta(w, l) > 1/2); "lower", P(Beta(w, l + s) > 1/2); "upper",
        P(Beta(w + s, l) > 1/2).

    Returns
    -------
    Probabilities in [0, 1]. With ties only: 1/2 if precise (undecided), else 0 and 1 (the prior
    alone decides).

    Raises
    ------
    InputError
        If a count is negative or no number, s is negative, or the bound is unknown.

    Benavoli et al. (2015), theorem 2. The caveat: valid for a single pair and one look.

    Examples
    --------
    >>> from racing.stats import marginal_posteriors
    >>> marginal_posteriors(8, 2).round(4).tolist()
    0.9805
    """
    w, l_ = as_counts(wins, losses)
    return beta_tail(*beta_shapes(w, l_, s=s, bound=bound), swap=True)


@checked
def indistinguishable(
    wins: ArrayLike,
    losses: ArrayLike,
    ties: ArrayLike = 0,
    *,
    epsilon: HalfLevel = 0.05,
    s: Weight = 1.0,
    reading: Literal["split", "decided"] = "split",
) -> Floats:
    """Posterior probability that the chance of winning is within ε of 1/2, elementwise.

    Parameters
    ----------
    wins, losses, ties : counts of instances on which the first side is better, worse, equal.
    epsilon : half the width of the region of practical equality, between 0 and 1/2.
    s : weight of the prior, in instances; used by "split" only, where it counts as ties.
    reading : the meaning of ties, see the head of this module.

    Returns
    -------
    Probabilities in [0, 1]; exact for "decided", to 1e-8 by quadrature for "split". Without win and
    loss: 1 for "split", 1/2 (undecided) for "decided".

    Raises
    ------
    InputError
        If a count is negative or no number, or an option is out of its range.

    The caveat: with ε = .05, without ties and with as many wins as losses, .95 is reached from
    some 380 instances on (Benavoli et al., 2015, give ε = .05 and no threshold).

    Examples
    --------
    >>> from racing.stats import indistinguishable
    >>> indistinguishable(8, 2, 1).round(4).tolist()
    0.037
    """
    w, l_, t = as_counts(wins, losses, ties)
    if reading == "decided":
        return np.asarray(_decided(w, l_, epsilon))
    distinct, place = np.unique(
        np.stack([np.maximum(w, l_), np.minimum(w, l_), t + s], axis=-1).reshape(-1, 3),
        axis=0,
        return_inverse=True,
    )
    more, fewer, rest = distinct.T
    return np.asarray(_split(more, fewer, rest, epsilon)[place].reshape(w.shape))


@checked
def beta_shapes(w: Floats, l_: Floats, *, s: Weight, bound: Bound) -> tuple[Floats, Floats]:
    """Parameters of the Beta posterior of W / (W + L), with the prior atom where `bound` says."""
    return w + s * (bound == "upper"), l_ + s * (bound == "lower")


def beta_tail(a: Floats, b: Floats, *, swap: bool = False) -> Floats:
    """P(Beta(a, b) < 1/2), or > 1/2 if swapped, where a or b may be zero; 1/2 if both are."""
    if swap:
        a, b = b, a
    tail = betainc(np.where(a > 0, a, 1.0), np.where(b > 0, b, 1.0), 0.5)
    return np.asarray(np.where(a > 0, np.where(b > 0, tail, 0.0), np.where(b > 0, 1.0, 0.5)))


def _decided(w: Floats, l_: Floats, epsilon: ArrayLike) -> Floats:
    """P(|V − 1/2| < ε) for V ~ Beta(w, l)."""
    seen = (w > 0) & (l_ > 0)
    a, b = np.where(seen, w, 1.0), np.where(seen, l_, 1.0)
    half = np.minimum(epsilon, 0.5)
    inside = betainc(a, b, 0.5 + half) - betainc(a, b, 0.5 - half)
    return np.where(seen, inside, np.where(w + l_ > 0, 0.0, 0.5))


def _split(w: Floats, l_: Floats, rest: Floats, epsilon: float) -> Floats:
    """P(|W − L| < 2ε) for (W, L, T) ~ Dirichlet(w, l, rest), w >= l.

    The tied share T ~ Beta(rest, w + l) is independent of V = W / (W + L) ~ Beta(w, l), and
    |W − L| = (1 − T)·|2V − 1|. So P is the mean of P(|V − 1/2| < ε / (1 − T)) over T.
    """
    decided = w + l_
    p = np.where(decided > 0, 0.0, 1.0)
    untied = (decided > 0) & (rest == 0)
    p[untied] = _decided(w[untied], l_[untied], epsilon)
    tied = (decided > 0) & (rest > 0)
    w, l_, a, b = w[tied], l_[tied], rest[tied], decided[tied]
    below = betainc(b, a, 2 * epsilon)  # too many ties for the two to differ
    p[tied] = np.minimum(below + _mean_over_ties(w, l_, a, b, epsilon), 1.0)
    return p


def _mean_over_ties(w: Floats, l_: Floats, a: Floats, b: Floats, epsilon: float) -> Floats:
    """∫ P(|V − 1/2| < ε / (1 − t)) dBeta(t; a, b) over 0 < t < 1 − 2ε, for V ~ Beta(w, l).

    By Gauss-Legendre in z where t = z^k, which takes away the singularity at t = 0, on the stretch
    that holds all of the density: 9 standard deviations and an exponential tail.
    """
    w, l_, a, b = (x[:, None] for x in (w, l_, a, b))
    k = 2.0 / np.minimum(a, 1.0)
    mean, spread = a / (a + b), np.sqrt(a * b / (a + b + 1)) / (a + b)
    reach = 9 * spread + 30 / (a + b)
    low, high = (
        np.clip(t, 0.0, 1.0 - 2 * epsilon) ** (1 / k) for t in (mean - reach, mean + reach)
    )
    z = low + (high - low) * (_LEGENDRE + 1) / 2
    t = z**k
    log_density = (k * a - 1) * np.log(z) + (b - 1) * np.log1p(-t) - betaln(a, b)
    inner = _decided(w, l_, epsilon / (1 - t))
    weight = _LEGENDRE_WEIGHTS * (high - low) / 2
    return np.asarray((weight * k * np.exp(log_density) * inner).sum(axis=1))


_NODES = 256  # the integrand is smooth and dies out at both ends: the trapezoid rule is exact


_END = 1e-20  # probability that is left out at either end


_SHARE = {"left": (1, 0, 0), "rope": (0, 1, 0), "right": (0, 0, 1), "symmetric": (0.5, 0, 0.5)}


@dataclass(frozen=True, eq=False)
class DpSign:
    """Posterior of the Bayesian sign test, one entry for each pair.

    `dp_sign` and `dp_sign_counts` return it.

    `p_left`: the first is practically better more often than anything else; `p_rope`: the two are
    practically equivalent; `p_right`: the second is practically better. `left`, `inside`, `right`
    count the instances; `alpha`, (..., 3), are the parameters of the Dirichlet posterior of
    (θ_left, θ_rope, θ_right).

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import dp_sign
    >>> x, y = [3, 4, 5, 3, 6, 5, 7], [1, 2, 4, 2, 3, 5, 4]
    >>> found = dp_sign(x, y, rope=1)
    >>> [int(n) for n in (found.left, found.inside, found.right)]
    [0, 3, 4]
    >>> [round(float(p), 3) for p in (found.p_left, found.p_rope, found.p_right)]
    [0.0, 0.5, 0.5]
    >>> found.sample(1000, np.random.default_rng(1)).mean(axis=0).round(1).tolist()
    [0.0, 0.5, 0.5]
    """

    alpha: Floats
    p_left: Floats
    p_rope: Floats
    p_right: Floats
    left: Floats
    inside: Floats
    right: Floats

    @checked
    def sample(self, draws: Count, rng: np.random.Generator) -> Floats:
        """(draws, ..., 3) draws of (θ_left, θ_rope, θ_right), for a plot of the posterior."""
        shape = (draws, *self.alpha.shape)
        gammas = rng.standard_gamma(self.alpha, size=shape)
        return _shares(gammas)


@checked
def dp_sign(
    x: ArrayLike,
    y: ArrayLike,
    *,
    rope: Rope = 0.0,
    s: Weight = 1.0,
    prior: PriorPlace = "rope",
    digits: Digits | None = 9,
) -> DpSign:
    """Bayesian sign test of x against y, (n,) costs on the same instances, lower is better.

    Or of many pairs, (..., n); the probabilities are marginal, one pair at a time.

    Parameters
    ----------
    rope : differences up to this are practically equivalent; in units of cost.
    s : weight of the prior, in instances.
    prior : the place of the prior; see the head of this module.
    digits : with a rope, differences are rounded to so many significant digits of the larger cost,
        so that 0.3 − 0.2 lies in a rope of 0.1; None rounds nothing. Without a rope, costs are
        compared as given.

    A failure (+inf) is worse than any cost by more than any rope; two failures are equal.

    Raises
    ------
    InputError
        If x and y are no paired costs, or an option is out of range.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import dp_sign
    >>> x, y = np.array([3, 4, 5, 3, 6, 5, 7]), np.array([1, 2, 4, 2, 3, 5, 4])
    >>> found = dp_sign(x, y)
    >>> found.left.round(4).tolist()
    0.0
    """
    pairs = Paired.of(x, y)

    def count(a: Floats, b: Floats) -> tuple[NDArray[Any], ...]:
        d = differences(a, b, digits if rope > 0.0 else None)
        return np.count_nonzero(d > rope, axis=1), np.count_nonzero(d < -rope, axis=1)

    left, right = pairs.each(count)
    return dp_sign_counts(left, pairs.n - left - right, right, rope=rope, s=s, prior=prior)


@checked
def dp_sign_counts(
    left: ArrayLike,
    inside: ArrayLike,
    right: ArrayLike,
    *,
    rope: Rope = 0.0,
    s: Weight = 1.0,
    prior: PriorPlace = "rope",
) -> DpSign:
    """Bayesian sign test from counts of instances (arrays of one shape): the first is practically
    better on `left`, the second on `right`, neither on `inside`. Otherwise as `dp_sign`.

    Examples
    --------
    >>> from racing.stats import dp_sign_counts
    >>> found = dp_sign_counts(2, 1, 7)
    >>> found.left.round(4).tolist()
    2.0
    """
    counts = np.stack(as_counts(left, inside, right), axis=-1)
    alpha = counts + s * np.array(_SHARE[prior])
    if rope > 0.0:
        p = _most_likely(alpha)
    else:  # Benavoli et al. (2015), theorem 2: ties drop out
        a, b = alpha[..., 2], alpha[..., 0]
        p = np.stack([beta_tail(a, b), np.zeros(a.shape), beta_tail(b, a)], axis=-1)
    return DpSign(alpha, *np.moveaxis(np.concatenate([p, counts], axis=-1), -1, 0))


def _most_likely(alpha: Floats) -> Floats:
    """P(component i of Dirichlet(alpha) is the largest), (..., 3); counts repeat among pairs."""
    distinct, where = np.unique(alpha.reshape(-1, 3), axis=0, return_inverse=True)
    p = np.stack([_largest(*np.roll(distinct.T, -i, axis=0)) for i in range(3)], axis=-1)
    return _shares(p)[where.reshape(-1)].reshape(alpha.shape)


def _shares(parts: Floats) -> Floats:
    """Shares of the sum along the last axis; equal ones if the sum is 0."""
    total = parts.sum(axis=-1, keepdims=True)
    even = np.full_like(parts, 1.0 / parts.shape[-1])
    return np.asarray(np.divide(parts, total, out=even, where=total > 0.0))


def _largest(a: Floats, b: Floats, c: Floats) -> Floats:
    """P(G_a > G_b and G_a > G_c) for independent gamma variables of these shapes; 0 has none.

    ∫ f_a F_b F_c over log g. The largest of three is at least a third of their sum, which is
    Gamma(a + b + c): this bounds the integral from below where f_a reaches far down.
    """
    out = np.zeros(a.shape)
    some = a > 0.0
    a, b, c = a[some, None], b[some, None], c[some, None]
    low = np.log(np.maximum(gammaincinv(a + b + c, _END) / 3.0, gammaincinv(a, _END)))
    high = np.maximum(np.log(gammainccinv(a, _END)), low + 1e-6)
    y = low + (high - low) * np.linspace(0.0, 1.0, _NODES)
    g = np.exp(y)
    density = np.exp(a * y - g - gammaln(a))  # of log g
    inner = density * _below(b, g) * _below(c, g)
    out[some] = inner.sum(axis=-1) * (high - low)[:, 0] / (_NODES - 1)
    return out


def _below(shape: Floats, g: Floats) -> Floats:
    """P(gamma variable <= g); a shape of zero is a point at zero."""
    below = gammainc(np.where(shape > 0.0, shape, 1.0), g)
    return np.asarray(np.where(shape > 0.0, below, 1.0))


PriorPlace: TypeAlias = Literal["left", "rope", "right", "symmetric"]


@dataclass(frozen=True, eq=False)
class RopeBounds:
    """The (lowest, highest) value of each probability over all priors of one weight.

    `prior_bounds` returns it.

    The imprecise Dirichlet process: the prior may lie on the left, in the rope or on the right. If
    the lower bound of a probability is above the required level, no prior changes the decision; if
    only the upper bound is, the data are too few and the prior decides. `standard_error` is the
    largest Monte Carlo error of all of them.

    Examples
    --------
    >>> from racing.stats import dp_sign, prior_bounds
    >>> found = prior_bounds(dp_sign, [1, 2, 3, 4, 5], [2, 3, 4, 5, 6])
    >>> [round(float(one), 3) for one in found.p_left]
    [0.969, 1.0]
    """

    p_left: tuple[Floats, Floats]
    p_rope: tuple[Floats, Floats]
    p_right: tuple[Floats, Floats]
    standard_error: float = 0.0


def prior_bounds(
    test: Callable[..., Any], *samples: Any, rng: np.random.Generator | None = None, **options: Any
) -> RopeBounds:
    """The lowest and the highest results of a test over all priors of weight s.

    Parameters
    ----------
    test : `dp_sign`, `dp_signed_rank` or `dp_rank_sum`.
    samples, rng, options : its arguments but `prior`. Every place of the prior has the same draws,
        so that results differ by the prior alone.

    Notes
    -----
    Benavoli et al. (2014). Without rope these are the extremes over all priors of that weight,
    since the first side gains as the prior moves to the left. With a rope, a prior between the
    places may be slightly beyond them, except in the sign test: its extremes are at a place.

    Examples
    --------
    >>> from racing.stats import dp_sign, prior_bounds
    >>> x, y = [3, 4, 5, 3, 6, 5, 7], [1, 2, 4, 2, 3, 5, 4]
    >>> low, high = prior_bounds(dp_sign, x, y, s=1).p_right
    >>> round(float(low), 4), round(float(high), 4)
    (0.9844, 1.0)
    """
    places: tuple[PriorPlace, ...] = ("left", "rope", "right")
    streams: list[dict[str, Any]] = [{}, {}, {}]
    if rng is not None:
        streams = [{"rng": deepcopy(as_generator(rng))}, {"rng": deepcopy(rng)}, {"rng": rng}]
    found = [
        test(*samples, prior=place, **stream, **options)
        for place, stream in zip(places, streams, strict=True)
    ]
    left, inside, right = (
        (np.minimum.reduce(each), np.maximum.reduce(each))
        for each in zip(*((p.p_left, p.p_rope, p.p_right) for p in found), strict=True)
    )
    error = max(float(np.max(getattr(one, "standard_error", 0.0))) for one in found)
    return RopeBounds(left, inside, right, error)
