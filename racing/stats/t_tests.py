"""Tests of a mean difference: the paired t-test, those of correlated folds, and over data sets.

The paired t-test, on absolute or relative differences.

Demšar (2006), section 3.1.2, names its weaknesses: differences must be commensurable across
instances, close to normal for fewer than about 30 of them, and free of outliers. Relative
differences, d = (y - x) / ((x + y)/2), fix only the first of these.

The correlated t-test of two algorithms on one data set, by cross-validation.

The n differences of cross-validation share their training data, so they are correlated. The
correlation cannot be estimated from them (Corani and Benavoli, 2015, theorem 1: its maximum
likelihood estimate is always 0), so it is set: ρ = n_test / n_total, which is 1/k for k folds,
whatever the number of runs (Nadeau and Bengio, 2003).

`correlated_t` gives the posterior of the mean difference, under any normal-gamma prior;
`correlated_t_test` the frequentist test. Under the matching prior, the default, the posterior
probability that the first is better is one minus the one-sided p-value.

The formulas are for differences d = first − second cost, so negative means the first is better:

    μ | ν ~ N(μ0, k0/ν),  ν ~ Gamma(a, rate b),  d | μ, ν ~ N(μ, M/ν),  M = (1 − ρ)I + ρ

The misprint: in the proof of theorem 2 the last three terms of b̃ have the opposite signs
(as printed, b̃ can be negative). Here they are as the lines before it give them.

The distribution of the number of data sets that the first wins, each with its own probability.

The number of successes of independent coins with biases p_1..p_q has the Poisson-binomial
distribution; its probabilities are the coefficients of Π (1 − p_i + p_i z), which are multiplied
out here, factor by factor. All terms are positive, so no digits are lost, even in the tails (a
Fourier transform loses them there). Corani and Benavoli (2015, section 3.1) draw 100,000 samples
instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from racing.base.errors import InputError, must_be
from racing.base.quantities import Level
from racing.base.special import stdtr, stdtrit
from racing.stats._checks import Alternative, Bools, Floats, Rope, as_shares, checked
from racing.stats._samples import Paired, over, p_value

Difference: TypeAlias = Literal["absolute", "relative"]


_NOISE = 1e-12  # relative to the costs; the largest rounding error of a difference


_LARGEST = 4e307


@dataclass(frozen=True, eq=False)
class PairedT:
    """Paired t-tests of first samples against second ones, one entry for each pair.

    `paired_t` returns it. The lower cost wins.

    Differences are second minus first, so positive where the first is better. `effect` is the
    mean difference in standard deviations of the differences (Cohen's d for paired samples).
    [`low`, `high`] is the confidence interval of the mean difference.

    Examples
    --------
    >>> from racing.stats import paired_t
    >>> x, y = [3, 4, 5, 3, 6, 5, 7], [1, 2, 4, 2, 3, 5, 4]
    >>> found = paired_t(x, y)
    >>> f"{found.mean:.2f}, between {found.low:.2f} and {found.high:.2f}"
    '-1.71, between -2.74 and -0.69'
    >>> f"t({found.df}) = {found.t:.2f}, d = {found.effect:.2f}"
    't(6) = -4.08, d = -1.54'
    """

    mean: Floats
    stderr: Floats
    t: Floats
    pvalue: Floats
    df: int
    level: float
    low: Floats
    high: Floats

    @property
    def effect(self) -> Floats:
        return np.asarray(self.t / np.sqrt(self.df + 1))[()]


@checked
def paired_t(
    x: ArrayLike,
    y: ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    difference: Difference = "absolute",
    level: Level = 0.95,
) -> PairedT:
    """Paired t-test of x against y, (n,) finite costs on the same n >= 2 instances.

    Or of many pairs, (..., n); the p-values are not corrected for their number.

    If the differences have no variance, the sign of their mean decides (t = ±inf, p = 0 or 1);
    without any difference, t = 0 and p = 1.

    Parameters
    ----------
    alternative : "better": x has the lower mean cost; "worse": the higher.
    difference : "absolute" (y - x) or "relative" to the mean size of the two costs.
    level : confidence of the two-sided interval.

    Raises
    ------
    InputError
        If n < 2, a cost is infinite, or differences are relative and costs have both signs.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import paired_t
    >>> x, y = np.array([3, 4, 5, 3, 6, 5, 7]), np.array([1, 2, 4, 2, 3, 5, 4])
    >>> found = paired_t(x, y)
    >>> round(float(found.pvalue), 4)
    0.0065
    """
    pairs = Paired.of(x, y, means_for="the t-test")
    _check_costs(pairs, difference, least=2)
    mean, sd = pairs.each(lambda a, b: _moments(a, b, difference, ddof=1))
    df, stderr = pairs.n - 1, sd / np.sqrt(pairs.n)
    t = over(mean, stderr)
    p = p_value(t, lambda t: stdtr(df, t), alternative)
    reach = stdtrit(df, 0.5 + level / 2) * stderr
    return PairedT(mean, stderr, t, p, df, level, mean - reach, mean + reach)


def _check_costs(pairs: Paired, difference: Difference, least: int) -> None:
    low = min(pairs.x.min(initial=0.0), pairs.y.min(initial=0.0))
    high = max(pairs.x.max(initial=0.0), pairs.y.max(initial=0.0))
    if max(-low, high) > _LARGEST:
        raise InputError(
            f"costs must be small enough to subtract, at most {_LARGEST}; rescale them"
        )
    if pairs.n < least:
        raise InputError("instances must be two or more for the t-test; got 1, without a variance")
    if difference == "relative" and low < 0 < high:
        raise InputError(
            f"costs must be of one sign for difference='relative'; got some from {low} to {high}; "
            "use difference='absolute'"
        )


def _moments(a: Floats, b: Floats, difference: Difference, *, ddof: int) -> tuple[Floats, Floats]:
    """Mean and deviation of the differences b - a of each row, free of rounding noise."""
    size = np.abs(a) / 2 + np.abs(b) / 2
    d = b - a
    d[np.abs(d) <= _NOISE * size] = 0.0
    if difference == "relative":  # Demsar (2006), section 3.1.2; 0 against 0 is no difference
        d = np.divide(d, size, out=np.zeros_like(d), where=size > 0)
        size = np.ones_like(size)
    exponent = np.frexp(np.abs(d).max(axis=1))[1]  # of two: nothing is rounded, nor overflows
    scaled = np.ldexp(d, -exponent[:, None])
    mean, sd = np.ldexp([scaled.mean(axis=1), scaled.std(axis=1, ddof=ddof)], exponent)
    sd[sd <= _NOISE * size.max(axis=1)] = 0.0
    mean[~d.any(axis=1)] = 0.0
    return mean, sd


@dataclass(frozen=True)
class NormalGamma:
    """A prior of mean and precision of the differences (first − second cost).

    `correlated_t` takes it.

    `k0` multiplies the variance of the mean's prior, so a large one is vague and inf is flat; `b`
    is a rate, in squared units of cost. An improper prior is allowed where the posterior is proper.

    Examples
    --------
    >>> from racing.stats import NormalGamma, correlated_t
    >>> prior = NormalGamma(mean=0, k0=1, a=2, b=2)
    >>> x, y = [3, 4, 5, 3, 6, 5, 7], [1, 2, 4, 2, 3, 5, 4]
    >>> found = correlated_t(x, y, rho=0.1, prior=prior)
    >>> round(float(found.mean), 2), found.df
    (1.4, 11.0)
    """

    mean: float = 0.0
    k0: float = np.inf
    a: float = -0.5
    b: float = 0.0

    def __post_init__(self) -> None:
        fine = np.isfinite([self.mean, self.a, self.b]).all() and self.k0 > 0 and self.b >= 0
        if not fine:
            raise InputError(
                f"prior must be a finite mean, a and b >= 0, and k0 > 0 (inf is flat); got {self}"
            )


MATCHING = NormalGamma()  # Corani and Benavoli (2015), corollary 1


@dataclass(frozen=True, eq=False)
class CorrelatedT:
    """Posterior of the mean difference μ = first − second cost: St(df, mean, scale²).

    `correlated_t` returns it.

    `p_left` = P(μ < −rope), the first is practically better; `p_rope` = P(|μ| ≤ rope), they are
    practically equivalent; `p_right` = P(μ > rope), the second is practically better. Arrays with
    one entry per comparison (0-d for a single one). `degenerate` marks comparisons whose
    differences are all the same, so μ counts as known: its side of the rope has probability 1;
    without any difference and without rope, each side has 1/2.

    Examples
    --------
    >>> from racing.stats import correlated_t
    >>> x, y = [3, 4, 5, 3, 6, 5, 7], [1, 2, 4, 2, 3, 5, 4]
    >>> found = correlated_t(x, y, rho=0.1, rope=0.5)
    >>> [round(float(p), 3) for p in (found.p_left, found.p_rope, found.p_right)]
    [0.004, 0.033, 0.963]
    """

    mean: Floats
    scale: Floats
    df: float
    p_left: Floats
    p_rope: Floats
    p_right: Floats
    degenerate: Bools


@dataclass(frozen=True, eq=False)
class CorrelatedTTest:
    """Frequentist correlated t-test; arrays with one entry per comparison (0-d for a single one).

    `correlated_t_test` returns it.

    `mean` is the mean of first − second cost, `statistic` that mean over `standard_error`:
    ∓inf where all differences are the same and not zero, 0 where all are zero.

    Examples
    --------
    >>> from racing.stats import correlated_t_test
    >>> x, y = [3, 4, 5, 3, 6, 5, 7], [1, 2, 4, 2, 3, 5, 4]
    >>> found = correlated_t_test(x, y, rho=0.1)
    >>> f"mean {found.mean:.2f}, standard error {found.standard_error:.2f}"
    'mean 1.71, standard error 0.56'
    >>> f"t({found.df}) = {found.statistic:.2f}"
    't(6) = 3.06'
    """

    statistic: Floats
    pvalue: Floats
    mean: Floats
    standard_error: Floats
    df: int


@checked
def correlated_t(
    x: ArrayLike, y: ArrayLike, *, rho: ArrayLike, rope: Rope = 0.0, prior: NormalGamma = MATCHING
) -> CorrelatedT:
    """Bayesian correlated t-test of x against y.

    Parameters
    ----------
    x, y : costs (lower is better) on the same n folds, (n,), or many comparisons at once, (..., n).
        Means are taken, so failures (+inf) are refused.
    rho : correlation of two differences, n_test / n_total: 1/k for k-fold cross-validation. One
        number, or one per comparison. 0 is the t-test of independent differences.
    rope : differences up to this are practically equivalent; in units of cost.
    prior : of the mean difference and its precision.

    Raises
    ------
    InputError
        If the costs are not finite numbers of one shape, an option is out of range, or the prior
        leaves the posterior improper (the matching one needs n >= 2).

    Corani and Benavoli (2015), theorem 2. The caveat: it speaks of this data set only, and takes
    no account of test sets that overlap between runs.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import correlated_t
    >>> x, y = np.array([3, 4, 5, 3, 6, 5, 7]), np.array([1, 2, 4, 2, 3, 5, 4])
    >>> found = correlated_t(x, y, rho=0.1)
    >>> found.mean.round(4).tolist()
    1.7143
    """
    centre, root_squares, n = _of_folds(x, y, least=1)
    rho = _as_rho(rho, centre.shape)
    df = 2.0 * prior.a + n  # 2ã
    if not df > 0.0:
        raise InputError(f"prior: n + 2a, the degrees of freedom, must be above 0; got {df}")
    mean, scale = _location(centre, root_squares, rho, n, prior)
    left, right = _tails(mean, scale, df, rope)
    inside = np.zeros_like(left) if rope == 0.0 else np.maximum(0.0, 1.0 - left - right)
    return CorrelatedT(mean, scale, df, left, inside, right, scale == 0.0)


@checked
def correlated_t_test(
    x: ArrayLike, y: ArrayLike, *, rho: ArrayLike, alternative: Alternative = "two-sided"
) -> CorrelatedTTest:
    """Frequentist correlated (corrected) t-test of x against y. Nadeau and Bengio (2003).

    Parameters
    ----------
    x, y, rho : as in `correlated_t`; n >= 2.
    alternative : "better": x has the lower mean cost; "worse": the higher.

    Returns
    -------
    p-values; where all differences are zero 1 (two-sided) or 1/2.

    Raises
    ------
    InputError
        As `correlated_t`, or if the alternative is unknown.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import correlated_t_test
    >>> x, y = np.array([3, 4, 5, 3, 6, 5, 7]), np.array([1, 2, 4, 2, 3, 5, 4])
    >>> found = correlated_t_test(x, y, rho=0.1)
    >>> found.pvalue.round(4).tolist()
    0.0223
    """
    mean, root_squares, n = _of_folds(x, y, least=2)
    rho = _as_rho(rho, mean.shape)
    sd = root_squares / np.sqrt(n - 1.0)
    error = sd * np.sqrt(1.0 / n + rho / (1.0 - rho))  # Corani and Benavoli (2015), eq. 1
    t = over(mean, error)
    p = p_value(-t, lambda t: stdtr(n - 1, t), alternative)
    return CorrelatedTTest(t, p, mean, error, n - 1)


def _location(
    mean: Floats, root_squares: Floats, rho: Floats, n: int, prior: NormalGamma
) -> tuple[Floats, Floats]:
    """Mean and scale of the Student posterior of μ. Corani and Benavoli (2015), eq. 17."""
    w = n / (1.0 + (n - 1) * rho)  # Hᵀ M⁻¹ H, eq. 11
    pull = 1.0 / prior.k0
    # sqrt(2b̃): the fit, the prior's rate, and the distance of the data from the prior's mean
    spread = np.hypot(np.sqrt(2.0 * prior.b), root_squares / np.sqrt(1.0 - rho))
    spread = np.hypot(spread, np.abs(mean - prior.mean) * np.sqrt(w * pull / (w + pull)))
    scale = spread / np.sqrt((2.0 * prior.a + n) * (w + pull))
    return np.asarray((w * mean + pull * prior.mean) / (w + pull)), np.asarray(scale)


def _tails(mean: Floats, scale: Floats, df: float, rope: float) -> tuple[Floats, Floats]:
    left = stdtr(df, -over(mean + rope, scale))
    right = stdtr(df, over(mean - rope, scale))
    known = (scale == 0.0) & (rope > 0.0)  # a known mean on the edge of the rope is inside
    return np.where(known, 1.0 * (mean < -rope), left), np.where(known, 1.0 * (mean > rope), right)


def _of_folds(x: ArrayLike, y: ArrayLike, least: int) -> tuple[Floats, Floats, int]:
    """Mean of first − second, the root of the sum of squared deviations, and n >= `least`."""
    pairs = Paired.of(x, y, means_for="the correlated t-test")
    _check_costs(pairs, "absolute", least)
    mean, sd = pairs.each(lambda a, b: _moments(b, a, "absolute", ddof=0))
    return mean, sd * np.sqrt(pairs.n), pairs.n


def _as_rho(rho: ArrayLike, shape: tuple[int, ...]) -> Floats:
    array = np.asarray(rho)
    if array.dtype.kind not in "iuf" or not ((array >= 0.0) & (array < 1.0)).all():
        raise InputError(
            must_be("rho", "n_test / n_total, from 0 to below 1 (1/k for k folds)", rho)
        )
    try:
        return np.broadcast_to(array.astype(np.float64), shape)
    except ValueError as error:
        raise InputError(
            f"rho must be one number, or one per comparison {shape}; got shape {array.shape}"
        ) from error


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
    biases = as_shares(p, "p")
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
    left = as_shares(p_left, "p_left")
    right = 1.0 - left if p_right is None else as_shares(p_right, "p_right")
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
