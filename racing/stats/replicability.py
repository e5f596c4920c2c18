"""Replicability of a test, and samples of instances that are biased towards one algorithm.

Two measures over repeated experiments with the same algorithms (Demšar, 2006, section 4.1.2):
R(e), Bouckaert's chance that two experiments decide alike, and R(p), from the spread of p-values.
R(e) is low for any test whose power is near one half, so it cannot compare tests of different
power.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from racing.base.errors import InputError
from racing.base.special import log_expit
from racing.stats._checks import Floats, Ints, as_count
from racing.stats._stepwise import as_pvalues


def replicability_of_decisions(rejected: ArrayLike) -> float:
    """R(e): unbiased estimate of the chance that two experiments decide alike.

    R(e) = (p(p-1) + q(q-1)) / (n(n-1)) for p acceptances and q rejections in n experiments;
    Demšar (2006), section 4.1.2, after Bouckaert (2004). At most 1; its least value, for p = q,
    is (n/2 - 1)/(n - 1), which reaches the printed 0.5 only in the limit.

    Parameters
    ----------
    rejected : (n,) decisions, True or False (or 1 and 0), n >= 2.

    Raises
    ------
    InputError
        If there are fewer than two decisions, or values other than decisions.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import replicability_of_decisions
    >>> round(float(replicability_of_decisions(np.array([True, True, False, True]))), 4)
    0.5
    """
    decisions = np.asarray(rejected)
    if decisions.ndim != 1 or decisions.dtype.kind not in "biuf" or decisions.size < 2:
        raise InputError(f"rejected: expected at least two decisions, got {rejected!r}")
    if not np.isin(decisions, (0, 1)).all():
        raise InputError("rejected: expected True and False only; compare p-values with a level")
    return float(decisions_agree(int(np.count_nonzero(decisions)), decisions.size))


def decisions_agree(rejections: int, n: int) -> float:
    """R(e) from the number of rejections in n experiments."""
    accepted = n - rejections
    return (accepted * (accepted - 1) + rejections * (rejections - 1)) / (n * (n - 1))


def replicability_of_pvalues(pvalues: ArrayLike) -> float:
    """R(p) = 1 - 2 var(p), of at least two experiments; Demšar (2006), section 4.1.2.

    R(e) is the same formula applied to decisions. The least value is 0.5 - 0.5/(n-1).

    Raises
    ------
    InputError
        If there are fewer than two p-values, or one lies outside 0..1.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import replicability_of_pvalues
    >>> p = np.array([0.01, 0.04, 0.03])
    >>> round(float(replicability_of_pvalues(p)), 4)
    0.9995
    """
    p = as_pvalues(pvalues)
    if p.size < 2:
        raise InputError(f"pvalues: replicability needs at least two experiments, got {p.size}")
    return 1.0 - 2.0 * float(p.var(ddof=1))


def selection_probabilities(differences: ArrayLike, *, bias: float) -> Floats:
    """Chances of instances to be drawn, proportional to 1/(1 + exp(-k d)) for the bias k.

    Demšar (2006), section 4.1.1. With k = 0 all are equal; the larger k, the more the instances
    with large d are favoured. k is per unit of d: the paper's 0..20 go with accuracies in 0..1.

    Parameters
    ----------
    differences : (n,) how much better the favoured algorithm is on each instance; may be infinite.

    Returns
    -------
    (n,) probabilities that sum to 1.

    Raises
    ------
    InputError
        If `differences` are no numbers or `bias` is not finite.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import selection_probabilities
    >>> selection_probabilities(np.array([0.1, -0.2, 0.4]), bias=1).round(4).tolist()
    [0.3336, 0.286, 0.3804]
    """
    return np.exp(_log_chances(_as_differences(differences), bias))


def draw_instances(
    differences: ArrayLike,
    *,
    bias: float,
    size: int,
    repetitions: int,
    rng: np.random.Generator,
) -> Ints:
    """Biased samples of distinct instances, as rows of indices, (repetitions, size).

    Instances are drawn one after the other without replacement, with `selection_probabilities`
    renormalised over those that are left.

    Raises
    ------
    InputError
        If more instances are asked for than there are; otherwise as `selection_probabilities`.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import draw_instances
    >>> differences, rng = np.array([0.1, -0.2, 0.4]), np.random.default_rng(1)
    >>> draw_instances(differences, bias=1, size=2, repetitions=2, rng=rng).tolist()
    [[2, 0], [1, 2]]
    """
    d = _as_differences(differences)
    size, repetitions = as_count(size, name="size"), as_count(repetitions, name="repetitions")
    if size > d.size:
        raise InputError(f"size: {size} distinct instances cannot be drawn from {d.size}")
    # The largest of log-chance + Gumbel noise are a sample without replacement, in order.
    keys = _log_chances(d, bias) + rng.gumbel(size=(repetitions, d.size))
    return np.argsort(-keys, axis=1)[:, :size]


def _as_differences(differences: ArrayLike) -> Floats:
    d = np.asarray(differences)
    if d.ndim != 1 or d.size == 0 or d.dtype.kind not in "biuf" or np.isnan(d).any():
        raise InputError(f"differences: expected a vector of numbers, got {differences!r}")
    return d.astype(np.float64)


def _log_chances(d: Floats, bias: float) -> Floats:
    if not np.isfinite(bias):
        raise InputError(f"bias: expected a finite number, got {bias!r}")
    # Never -inf, so that an instance without a chance is still drawn when no other is left
    with np.errstate(over="ignore"):
        steep = np.clip(bias * d, -1e300, 1e300) if bias else np.zeros_like(d)
    log_odds = log_expit(steep)
    log_odds -= log_odds.max()
    return np.asarray(log_odds - np.log(np.exp(log_odds).sum()))
