"""Adjusted p-values for several hypotheses at once, from a plain vector of p-values.

The same functions serve "against a control" and "all pairs": give the p-values of those pairs. An
adjusted p-value is the smallest level at which the procedure rejects that hypothesis.

    controls            under any dependence           needs independence or PRDS (Simes)
    family-wise error   bonferroni, holm               sidak, hochberg, hommel, finner, li, rom
    false discoveries                                  benjamini-hochberg
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from racing.base.special import xlog1py
from racing.stats._checks import Floats, one_of
from racing.stats._stepwise import as_pvalues, in_order, running_minimum
from racing.stats.rom import rom


def adjust(p: ArrayLike, method: str) -> Floats:
    """Adjusted p-values, in the order given.

    Parameters
    ----------
    p
        p-values of shape (h,); may be empty.
    method
        A key of `METHODS`.

    Raises
    ------
    InputError
        If `method` is unknown or `p` is no vector of numbers from 0 to 1.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import adjust
    >>> p = np.array([0.01, 0.04, 0.03])
    >>> adjust(p, "holm").round(4).tolist()
    [0.03, 0.06, 0.06]
    """
    return METHODS[one_of(method, tuple(METHODS), name="method")](p)


def none(p: ArrayLike) -> Floats:
    """The p-values unchanged: no correction."""
    return as_pvalues(p).copy()


def bonferroni(p: ArrayLike) -> Floats:
    """h·p: family-wise, single step, any dependence.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import bonferroni
    >>> p = np.array([0.01, 0.04, 0.03])
    >>> bonferroni(p).round(4).tolist()
    [0.03, 0.12, 0.09]
    """
    values = as_pvalues(p)
    return np.minimum(values.size * values, 1.0)


def sidak(p: ArrayLike) -> Floats:
    """1 − (1 − p)^h: family-wise, single step, exact for independent p-values.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import sidak
    >>> p = np.array([0.01, 0.04, 0.03])
    >>> sidak(p).round(4).tolist()
    [0.0297, 0.1153, 0.0873]
    """
    values = as_pvalues(p)
    adjusted: Floats = -np.expm1(xlog1py(values.size, -values))
    return np.maximum(adjusted, values)  # equal for h = 1, up to rounding


def holm(p: ArrayLike) -> Floats:
    """Holm (1979), step-down: family-wise, any dependence; never worse than Bonferroni.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import holm
    >>> p = np.array([0.01, 0.04, 0.03])
    >>> holm(p).round(4).tolist()
    [0.03, 0.06, 0.06]
    """
    # Garcia and Herrera (2008), section 3: max{(h − j + 1) p_j : j <= i}
    return in_order(p, lambda ascending, left: np.maximum.accumulate(left * ascending))


def hochberg(p: ArrayLike) -> Floats:
    """Hochberg (1988), step-up: family-wise under Simes' inequality.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import hochberg
    >>> p = np.array([0.01, 0.04, 0.03])
    >>> hochberg(p).round(4).tolist()
    [0.03, 0.04, 0.04]
    """
    # min{(h − j + 1) p_j : j >= i}; Garcia and Herrera (2008) misprint the min as a max.
    return in_order(p, lambda ascending, left: running_minimum(left * ascending))


def benjamini_hochberg(p: ArrayLike) -> Floats:
    """Benjamini and Hochberg (1995), step-up: false discovery rate under independence or PRDS.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import benjamini_hochberg
    >>> p = np.array([0.01, 0.04, 0.03])
    >>> benjamini_hochberg(p).round(4).tolist()
    [0.03, 0.04, 0.04]
    """

    def step_up(ascending: Floats, left: Floats) -> Floats:
        h = ascending.size
        return running_minimum(h / (h + 1 - left) * ascending)

    return in_order(p, step_up)


def finner(p: ArrayLike) -> Floats:
    """Finner (1993), step-down: family-wise error for independent p-values.

    The i-th smallest of h p-values becomes max over j ≤ i of 1 − (1 − p_j)^(h/j).

    Parameters
    ----------
    p
        p-values of shape (h,); may be empty.

    Returns
    -------
    Adjusted p-values in the order given.

    Raises
    ------
    InputError
        If `p` is no vector of numbers from 0 to 1.

    Finner (1993), On a monotonicity problem in step-down multiple test procedures, JASA 88;
    adjusted as in García et al. (2010), section 4.2. The caveat: p-values of pairs that share an
    algorithm are not independent; Holm's procedure needs no such assumption.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import finner
    >>> p = np.array([0.01, 0.04, 0.03])
    >>> finner(p).round(4).tolist()
    [0.0297, 0.0447, 0.0447]
    """
    return in_order(p, _finner)


def _finner(ascending: Floats, left: Floats) -> Floats:
    h = ascending.size
    place = h + 1 - left
    # exact for tiny p: 1 − (1 − p)^(h/j) = −expm1((h/j)·log1p(−p))
    return np.asarray(np.maximum.accumulate(-np.expm1(xlog1py(h / place, -ascending))))


def li(p: ArrayLike) -> Floats:
    """Li (2008), two steps: family-wise error for independent p-values.

    All hypotheses are rejected if the largest p-value p_h is at most α; else those with
    p_i ≤ α(1 − p_h)/(1 − α). So the adjusted p-value is p_i/(p_i + 1 − p_h).

    Parameters
    ----------
    p
        p-values of shape (h,); may be empty.

    Returns
    -------
    Adjusted p-values in the order given. If the largest p-value is 1, all but zeros are 1.

    Raises
    ------
    InputError
        If `p` is no vector of numbers from 0 to 1.

    Li (2008), A two-step rejection procedure for testing multiple hypotheses, J. Statist. Plann.
    Inference 138; adjusted as in García et al. (2010), section 4.2. The caveat: the largest p-value
    decides for all, so one pair of equals costs every other comparison its power.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import li
    >>> p = np.array([0.01, 0.04, 0.03])
    >>> li(p).round(4).tolist()
    [0.0103, 0.04, 0.0303]
    """
    return in_order(p, _li)


def _li(ascending: Floats, left: Floats) -> Floats:
    room = ascending + (1.0 - ascending[-1])
    adjusted: Floats = np.divide(ascending, room, out=np.zeros_like(ascending), where=room > 0)
    return adjusted


def hommel(p: ArrayLike) -> Floats:
    """Hommel (1988): closed testing with Simes' tests; never worse than Hochberg. O(h log h).

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import hommel
    >>> p = np.array([0.01, 0.04, 0.03])
    >>> hommel(p).round(4).tolist()
    [0.03, 0.04, 0.04]
    """
    return in_order(p, _hommel)


def _hommel(ascending: Floats, left: Floats) -> Floats:
    """max_j min(j·p_i, a_j), where a_j is Simes' p-value of the j largest.

    The worst intersection of size j that holds hypothesis i is i and the largest others. `left` is
    h, h − 1, .., 1. Replacing a_j by the largest a_l, l >= j, changes no maximum and lets the
    crossing of the rising j·p_i with the falling a_j be found by bisection.
    """
    h = ascending.size
    sizes = left[::-1]
    simes = _simes_of_largest(ascending)
    falling = np.append(_running_maximum(simes), 0.0)
    crossing = np.searchsorted(-falling[:-1] / sizes, -ascending, side="right")
    crossing = np.clip(crossing, 1, h)
    at_crossing = np.minimum(crossing * ascending, falling[crossing - 1])
    adjusted: Floats = np.maximum(at_crossing, falling[crossing])
    return adjusted


def _simes_of_largest(ascending: Floats) -> Floats:
    """a_j = min_i j·p_(h−j+i)/i for j = 1 .. h.

    j times the least slope from (h − j, 0) to a point (s, p_s) further right: a tangent to the
    lower convex hull of the points, which moves to the next corner where the edge's line meets 0.
    """
    corners, heights = _lower_hull(ascending)
    slopes = np.diff(heights) / np.diff(corners)
    flat = slopes <= 0  # only where p is 0 or almost; the later corner is as good
    slopes = np.where(flat, 1.0, slopes)
    meets = np.where(flat, -np.inf, corners[:-1] - heights[:-1] / slopes)
    sizes = np.arange(1.0, ascending.size + 1)
    start = ascending.size - sizes
    touched = np.searchsorted(meets, start, side="right")
    touched = np.maximum(touched, np.searchsorted(corners, start, side="right"))
    # Multiplied by a quotient that is exactly 1 where the largest p-value counts: its p-value is
    # then returned as it is, and equals a level that it equals.
    simes: Floats = heights[touched] * (sizes / (corners[touched] - start))
    return simes


def _lower_hull(ascending: Floats) -> tuple[Floats, Floats]:
    """The corners of the largest convex function below the points (s, p_s), s = 1 .. h."""
    x: list[int] = []
    y: list[float] = []
    for s, p in enumerate(ascending.tolist(), start=1):
        while len(x) > 1 and (y[-1] - y[-2]) * (s - x[-1]) >= (p - y[-1]) * (x[-1] - x[-2]):
            x.pop()
            y.pop()
        x.append(s)
        y.append(p)
    return np.array(x, dtype=np.float64), np.array(y)


def _running_maximum(x: Floats) -> Floats:
    """max over j >= i."""
    return np.maximum.accumulate(x[::-1])[::-1]


METHODS: Mapping[str, Callable[[ArrayLike], Floats]] = MappingProxyType(
    {
        "none": none,
        "bonferroni": bonferroni,
        "sidak": sidak,
        "holm": holm,
        "hochberg": hochberg,
        "hommel": hommel,
        "finner": finner,
        "li": li,
        "rom": rom,
        "benjamini-hochberg": benjamini_hochberg,
    }
)
