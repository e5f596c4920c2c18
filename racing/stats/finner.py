"""Finner's step-down correction of p-values."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from racing.special import xlog1py
from racing.stats._checks import Floats
from racing.stats._stepwise import in_order


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
    """
    return in_order(p, _finner)


def _finner(ascending: Floats, left: Floats) -> Floats:
    h = ascending.size
    place = h + 1 - left
    # exact for tiny p: 1 − (1 − p)^(h/j) = −expm1((h/j)·log1p(−p))
    return np.asarray(np.maximum.accumulate(-np.expm1(xlog1py(h / place, -ascending))))
