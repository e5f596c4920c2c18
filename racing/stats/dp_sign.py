"""The Bayesian sign test of two algorithms on the same instances, with a rope.

A Dirichlet process prior of weight s leaves (θ_left, θ_rope, θ_right), the chances that the next
instance favours the first, neither, or the second, with a Dirichlet posterior: the counts of the
instances, plus s at the place of the prior (Benavoli et al., 2014; 2015, section 5.1).

- With a rope, `p_left` = P(θ_left is the largest of the three), and so on. It is the integral of
  one gamma density times two gamma distribution functions: computed, not sampled.
- Without one, `p_left` = P(θ_left > θ_right), where ties favour neither: a Beta tail (2015,
  theorem 2), the same number as `sign_posterior.marginal_posteriors`.

`prior` places the weight: "rope" (a tie; without rope it has no effect), "left", "right",
or "symmetric" (s/2 left, s/2 right). `prior_bounds` gives the bounds over all priors of weight s.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from racing.base.quantities import Count
from racing.base.special import gammainc, gammainccinv, gammaincinv, gammaln
from racing.stats._checks import (
    Digits,
    Floats,
    Rope,
    Weight,
    as_counts,
    checked,
)
from racing.stats._paired import Paired, differences
from racing.stats.prior_bounds import PriorPlace
from racing.stats.sign_posterior import beta_tail

_NODES = 256  # the integrand is smooth and dies out at both ends: the trapezoid rule is exact


_END = 1e-20  # probability that is left out at either end


_SHARE = {
    "left": (1.0, 0.0, 0.0),
    "rope": (0.0, 1.0, 0.0),
    "right": (0.0, 0.0, 1.0),
    "symmetric": (0.5, 0.0, 0.5),
}


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
    p = _most_likely(alpha) if rope > 0.0 else _two_sides(alpha)
    return DpSign(alpha, *np.moveaxis(np.concatenate([p, counts], axis=-1), -1, 0))


def _two_sides(alpha: Floats) -> Floats:
    """Benavoli et al. (2015), theorem 2: ties drop out."""
    left, right = alpha[..., 0], alpha[..., 2]
    p_left, p_right = beta_tail(right, left), beta_tail(left, right)
    return np.stack([p_left, np.zeros_like(p_left), p_right], axis=-1)


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
