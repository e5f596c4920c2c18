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
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from racing.base.quantities import HalfLevel
from racing.base.special import betainc, betaln
from racing.stats._checks import Floats, Weight, as_counts, checked

Bound: TypeAlias = Literal["precise", "lower", "upper"]


TieReading: TypeAlias = Literal["split", "decided"]


_NODES, _NODE_WEIGHTS = np.polynomial.legendre.leggauss(64)


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
    reading: TieReading = "split",
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
    z = low + (high - low) * (_NODES + 1) / 2
    t = z**k
    log_density = (k * a - 1) * np.log(z) + (b - 1) * np.log1p(-t) - betaln(a, b)
    inner = _decided(w, l_, epsilon / (1 - t))
    weight = _NODE_WEIGHTS * (high - low) / 2
    return np.asarray((weight * k * np.exp(log_density) * inner).sum(axis=1))
