"""Li's two-step correction of p-values."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from racing.stats._checks import Floats
from racing.stats._stepwise import in_order


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
    decides for all, so that one pair of equals takes the power from every other comparison.
    """
    return in_order(p, _li)


def _li(ascending: Floats, left: Floats) -> Floats:
    room = ascending + (1.0 - ascending[-1])
    adjusted: Floats = np.divide(ascending, room, out=np.zeros_like(ascending), where=room > 0)
    return adjusted
