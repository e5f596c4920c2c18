"""Posterior of "one side wins more often than it loses", from counts of wins, losses and ties.

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
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from racing.base.errors import InputError
from racing.base.special import betainc
from racing.stats._checks import Floats, one_of

Bound: TypeAlias = Literal["precise", "lower", "upper"]


def marginal_posteriors(
    wins: ArrayLike, losses: ArrayLike, *, s: float = 1.0, bound: Bound = "precise"
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


def statement_errors(
    wins: ArrayLike, losses: ArrayLike, *, s: float = 1.0, bound: Bound = "precise"
) -> Floats:
    """One minus `marginal_posteriors`, exact also where that is far below machine precision."""
    w, l_ = as_counts(wins, losses)
    return beta_tail(*beta_shapes(w, l_, s=s, bound=bound))


def beta_shapes(w: Floats, l_: Floats, *, s: float, bound: Bound) -> tuple[Floats, Floats]:
    """Parameters of the Beta posterior of W / (W + L), with the prior atom where `bound` says."""
    one_of(bound, ("precise", "lower", "upper"), name="bound")
    s = as_weight(s)
    return w + s * (bound == "upper"), l_ + s * (bound == "lower")


def beta_tail(a: Floats, b: Floats, *, swap: bool = False) -> Floats:
    """P(Beta(a, b) < 1/2), or > 1/2 if swapped, where a or b may be zero; 1/2 if both are."""
    if swap:
        a, b = b, a
    tail = betainc(np.where(a > 0, a, 1.0), np.where(b > 0, b, 1.0), 0.5)
    return np.asarray(np.where(a > 0, np.where(b > 0, tail, 0.0), np.where(b > 0, 1.0, 0.5)))


def as_weight(s: float) -> float:
    """A prior weight: a finite number from 0."""
    number = isinstance(s, (int, float, np.integer, np.floating)) and not isinstance(s, bool)
    if not number or not 0.0 <= s < np.inf:
        raise InputError(f"s: expected a prior weight, a finite number from 0, got {s!r}")
    return float(s)


def as_counts(*counts: ArrayLike) -> tuple[Floats, ...]:
    """Counts of instances as float arrays of one common shape."""
    arrays = [np.asarray(c) for c in counts]
    for array in arrays:
        if array.dtype.kind not in "iuf" or not (np.isfinite(array) & (array >= 0)).all():
            raise InputError(f"counts: expected finite numbers from 0, got {array!r}")
    try:
        return tuple(np.broadcast_arrays(*(a.astype(np.float64) for a in arrays)))
    except ValueError as error:
        shapes = ", ".join(str(a.shape) for a in arrays)
        raise InputError(f"counts: expected shapes that fit together, got {shapes}") from error
