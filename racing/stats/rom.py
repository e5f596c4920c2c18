"""Rom's step-up correction of p-values."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from racing.base.errors import InputError
from racing.base.special import comb
from racing.stats._checks import Floats, as_count, as_level
from racing.stats._stepwise import in_order, running_minimum

_MOST = 1000  # hypotheses; the work grows with their square
_ALL_TERMS = 60  # critical values up to which no term of the sum is left out; then below 1e-15
_TERMS = 25
_HALVINGS = 48
_HIGHEST, _NODES = 0.9, 48  # 1.9 to the power of -48 is 4e-14


def rom(p: ArrayLike) -> Floats:
    """Rom (1990), step-up: family-wise error for independent p-values, at its exact level.

    Like Hochberg's procedure, with critical values that are slightly larger than α/l. The adjusted
    p-value is the smallest α at which the hypothesis is rejected, found by solving for it; beyond
    0.9 it is Hochberg's. (García et al., 2010, multiply p by α/c_l at one α instead, which
    is the same to the digits that matter.)

    Parameters
    ----------
    p
        p-values of shape (h,), at most 1000; may be empty.

    Returns
    -------
    Adjusted p-values in the order given; never above Hochberg's.

    Raises
    ------
    InputError
        If `p` is no vector of numbers from 0 to 1, or longer than 1000.

    Rom (1990), A sequentially rejective test procedure based on a modified Bonferroni inequality,
    Biometrika 77; the recursion as in García et al. (2010), section 4.2. The caveat: its level is
    proved for independent p-values; pairs that share an algorithm do not give such p-values.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import rom
    >>> p = np.array([0.01, 0.04, 0.03])
    >>> rom(p).round(4).tolist()
    [0.0298, 0.04, 0.04]
    """
    if np.ndim(p) == 1 and np.size(p) > _MOST:
        raise InputError(
            f"p: rom is for up to {_MOST} p-values, got {np.size(p)}; use hochberg or hommel, "
            "which differ little for so many"
        )
    return in_order(p, lambda ascending, left: running_minimum(_levels(ascending, left)))


def rom_critical_values(h: int, alpha: float) -> Floats:
    """Critical values c_1 > … > c_h; c_l is for the l-th largest p-value. Rom (1990), table 1.

    Raises
    ------
    InputError
        If h is no whole number from 1 or alpha no number between 0 and 1.

    Examples
    --------
    >>> from racing.stats import rom_critical_values
    >>> rom_critical_values(4, 0.05).round(4).tolist()
    [0.05, 0.025, 0.0169, 0.0127]
    """
    h, alpha = as_count(h, name="h"), as_level(alpha)
    return np.asarray(_critical(h, np.array([alpha]))[:, 0])


def _critical(h: int, alpha: Floats) -> Floats:
    """(h, k) critical values for k levels.

    c_1 = α, c_i = [Σ_{j=1}^{i−1} α^j − Σ_{j=1}^{i−2} C(i, j) c_{j+1}^{i−j}] / i.
    """
    c = np.empty((h, alpha.size))
    c[0] = alpha
    powers = alpha.copy()  # Σ α^j, j < i
    power = alpha.copy()
    for i in range(2, h + 1):
        first = 1 if i <= _ALL_TERMS else i - _TERMS
        j = np.arange(first, i - 1)
        terms = comb(i, j)[:, None] * c[j] ** (i - j)[:, None]
        c[i - 1] = (powers - terms.sum(axis=0)) / i
        power = power * alpha
        powers = powers + power
    return c


def _levels(ascending: Floats, left: Floats) -> Floats:
    """The α at which each p-value equals its own critical value; l·p where that is above 0.9.

    l·c_l(α)/α is smooth in α, so it is computed at Chebyshev's points of [0, 0.9] and interpolated.
    """
    h = ascending.size
    nodes = _HIGHEST * (1 - np.cos(np.pi * (np.arange(_NODES) + 0.5) / _NODES)) / 2
    factor = np.arange(1, h + 1)[:, None] * _critical(h, nodes) / nodes
    factor = factor[left.astype(np.intp) - 1]  # the smallest p-value has the last value
    upper = ascending * left
    low, high = np.zeros(h), np.full(h, _HIGHEST)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        below = middle * _interpolated(factor, nodes, middle) < upper
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    alpha = np.minimum(upper / _interpolated(factor, nodes, high), high)  # exact for tiny ones
    return np.where(high < _HIGHEST, alpha, np.minimum(upper, 1.0))


def _interpolated(values: Floats, nodes: Floats, at: Floats) -> Floats:
    """Interpolate each row of values at its own place, by the barycentric formula."""
    signs = (-1.0) ** np.arange(_NODES) * np.sin(np.pi * (np.arange(_NODES) + 0.5) / _NODES)
    away = at[:, None] - nodes
    weights = signs / np.where(away == 0.0, 1e-300, away)
    return np.asarray((weights * values).sum(axis=1) / weights.sum(axis=1))
