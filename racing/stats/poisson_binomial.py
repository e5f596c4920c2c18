"""The distribution of the number of data sets that the first wins, each with its own probability.

The number of successes of independent coins with biases p_1..p_q has the Poisson-binomial
distribution; its probabilities are the coefficients of Π (1 − p_i + p_i z), which are multiplied
out here, factor by factor. All terms are positive, so no digits are lost, even in the tails (a
Fourier transform loses them there). Corani and Benavoli (2015, section 3.1) draw 100,000 samples
instead.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from racing.base.errors import InputError
from racing.stats._checks import Floats, as_reals


@dataclass(frozen=True, eq=False)
class PoissonBinomialTest:
    """The first against the second over q data sets: L are wins, R losses, the rest neither.

    `poisson_binomial_test` returns it.

    `p_win` = P(L > R), the first is (practically) better on more data sets than the second;
    `p_tie` = P(L = R); `p_loss` = P(L < R). Without rope L > R is L > q/2.
    `majority` = P(more than half of the data sets go left, in the rope, right); the rest to 1 is
    the probability that no side has more than half. `lead[..., q + k]` = P(L − R = k) for k from −q
    to q. `expected` = E[L − R]. All but `q` have the leading shape of the probabilities given (0-d
    for one comparison).

    Examples
    --------
    >>> from racing.stats import poisson_binomial_test
    >>> found = poisson_binomial_test([0.1, 0.2, 0.1], [0.8, 0.7, 0.9])
    >>> [round(float(p), 3) for p in (found.p_win, found.p_tie, found.p_loss)]
    [0.047, 0.042, 0.911]
    >>> round(float(found.expected), 2), found.lead.round(3).tolist()
    (-2.0, [0.504, 0.135, 0.272, 0.042, 0.042, 0.003, 0.002])
    """

    p_win: Floats
    p_tie: Floats
    p_loss: Floats
    majority: tuple[Floats, Floats, Floats]
    expected: Floats
    lead: Floats
    q: int


def poisson_binomial_pmf(p: ArrayLike) -> Floats:
    """P(X = k), k = 0..q, of the number of successes among q coins with biases p.

    Parameters
    ----------
    p : (..., q) probabilities, q >= 1.

    Returns
    -------
    (..., q + 1) probabilities, exact to rounding.

    Raises
    ------
    InputError
        If p is empty, or an entry is no probability.

    Corani and Benavoli (2015), eq. 10.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import poisson_binomial_pmf
    >>> poisson_binomial_pmf(np.array([0.1, 0.5, 0.9])).round(4).tolist()
    [0.045, 0.455, 0.455, 0.045]
    """
    biases = _as_probabilities(p, "p")
    return _product(np.stack([1.0 - biases, biases], axis=-1))


def poisson_binomial_cdf(p: ArrayLike) -> Floats:
    """P(X ≤ k), k = 0..q. Arguments and errors as in `poisson_binomial_pmf`.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import poisson_binomial_cdf
    >>> poisson_binomial_cdf(np.array([0.1, 0.5, 0.9])).round(4).tolist()
    [0.045, 0.5, 0.955, 1.0]
    """
    return np.asarray(np.minimum(np.cumsum(poisson_binomial_pmf(p), axis=-1), 1.0))


def poisson_binomial_sf(p: ArrayLike) -> Floats:
    """P(X > k), k = 0..q, exact in the upper tail too. Otherwise as `poisson_binomial_pmf`.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import poisson_binomial_sf
    >>> poisson_binomial_sf(np.array([0.1, 0.5, 0.9])).round(4).tolist()
    [0.955, 0.5, 0.045, 0.0]
    """
    pmf = poisson_binomial_pmf(p)
    tail = np.cumsum(pmf[..., :0:-1], axis=-1)[..., ::-1]
    sf = np.concatenate([tail, np.zeros_like(pmf[..., :1])], axis=-1)
    return np.asarray(np.minimum(sf, 1.0))


def poisson_binomial_test(
    p_left: ArrayLike, p_right: ArrayLike | None = None
) -> PoissonBinomialTest:
    """Test whether the first is better on more data sets than the second.

    Parameters
    ----------
    p_left : (..., q) probability, per data set, that the first is (practically) better, as in
        `correlated_t(...).p_left`.
    p_right : the same for the second; what is left to 1 is the rope's. By default 1 − p_left.

    Raises
    ------
    InputError
        If these are no probabilities of one shape, or add up to more than 1.

    Corani and Benavoli (2015), section 3.1: the first is significantly better if
    P(X > q/2) > 1 − α. For even q the tie is reported apart. The caveat: it speaks of these data
    sets, not of the population that they come from.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import poisson_binomial_test
    >>> found = poisson_binomial_test(np.array([0.1, 0.2, 0.1]), np.array([0.8, 0.7, 0.9]))
    >>> found.p_win.round(4).tolist()
    0.047
    """
    left = _as_probabilities(p_left, "p_left")
    right = 1.0 - left if p_right is None else _as_probabilities(p_right, "p_right")
    if left.shape != right.shape:
        raise InputError(
            f"p_left and p_right must be of one shape; got {left.shape} and {right.shape}"
        )
    rope = 1.0 - left - right
    if rope.min() < -1e-9:
        raise InputError(f"p_left + p_right must be at most 1; got {(left + right).max()}")
    rope = np.zeros_like(left) if p_right is None else np.maximum(rope, 0.0)
    q = left.shape[-1]
    # P(L − R = k), k = −q..q: coefficients of Π (right/z + rope + left·z), shifted by q
    lead = _product(np.stack([right, rope, left], axis=-1))
    won, tied, lost = _sum(lead[..., :q:-1]), np.minimum(lead[..., q], 1.0), _sum(lead[..., :q])
    majority = (_majority(left, q), _majority(rope, q), _majority(right, q))
    expected = np.asarray((left - right).sum(axis=-1))
    return PoissonBinomialTest(won, tied, lost, majority, expected, lead, q)


def _majority(p: Floats, q: int) -> Floats:
    if not p.any():
        return np.zeros(p.shape[:-1])
    return _sum(poisson_binomial_pmf(p)[..., : q // 2 : -1])


def _sum(terms: Floats) -> Floats:
    return np.asarray(np.minimum(terms.sum(axis=-1), 1.0))


def _product(factors: Floats) -> Floats:
    """Multiply q polynomials of shape (..., q, degree + 1) into (..., q · degree + 1).

    One factor after the other, over all leading axes at once.
    """
    *shape, count, width = factors.shape
    product = np.zeros((*shape, count * (width - 1) + 1))
    product[..., 0] = 1.0
    size = 1
    for i in range(count):
        old = product[..., :size].copy()
        product[..., :size] = 0.0
        size += width - 1
        for j in range(width):
            product[..., j : j + old.shape[-1]] += factors[..., i, j, None] * old
    return product


def _as_probabilities(p: ArrayLike, name: str) -> Floats:
    array = as_reals(p, name)
    if array.ndim == 0 or array.size == 0:
        raise InputError(f"{name} must be one or more probabilities; got shape {array.shape}")
    if not ((array >= 0) & (array <= 1)).all():  # False for NaN as well
        bad = array[~((array >= 0) & (array <= 1))].flat[0]
        raise InputError(f"{name} must be probabilities from 0 to 1; got {bad}")
    return array
