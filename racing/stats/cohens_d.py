"""Cohen's d: a difference of means in standard deviations."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from racing.base.errors import InputError
from racing.stats._checks import Floats, as_pair, as_vector, one_of

Standardizer: TypeAlias = Literal["pooled", "differences"]


def cohens_d(x: ArrayLike, y: ArrayLike, *, standardizer: Standardizer = "pooled") -> float:
    """Cohen's d of x over y: (mean y − mean x)/s, positive where x has the lower costs.

    Parameters
    ----------
    x, y : vectors of finite costs, at least two each; of equal length for "differences".
    standardizer : "pooled", s² = ((n₁−1)s₁² + (n₂−1)s₂²)/(n₁+n₂−2), the classical d; "differences",
        the standard deviation of the paired differences (d_z), which shrinks where instances differ
        much and algorithms little.

    Returns
    -------
    0 where there is no difference, ±inf where there is one and no variation.

    Raises
    ------
    InputError
        If x and y are no such vectors.

    Cohen (1988), Statistical power analysis for the behavioral sciences, 2.2 and 2.3.5. The caveat:
    means and standard deviations of costs depend on the mix of instances, and a single outlier
    moves both; `akinshin_gamma` is robust.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import cohens_d
    >>> x, y = np.array([3, 4, 5, 3, 6, 5, 7]), np.array([1, 2, 4, 2, 3, 5, 4])
    >>> round(float(cohens_d(x, y)), 4)
    -1.1776
    """
    one_of(standardizer, ("pooled", "differences"), name="standardizer")
    if standardizer == "differences":
        a, b = as_pair(_finite(x, "x"), _finite(y, "y"))
        d = b - a
        return standardized(float(d.mean()), float(d.std(ddof=1)))
    a, b = _finite(x, "x"), _finite(y, "y")
    squares = (a.size - 1) * a.var(ddof=1) + (b.size - 1) * b.var(ddof=1)
    return standardized(float(b.mean() - a.mean()), float(np.sqrt(squares / (a.size + b.size - 2))))


def standardized(difference: float, scale: float) -> float:
    """difference / scale, where a scale of zero leaves 0 or ±inf."""
    if scale > 0:
        return difference / scale
    return 0.0 if difference == 0 else float(np.copysign(np.inf, difference))


def _finite(x: ArrayLike, name: str) -> Floats:
    vector = as_vector(x, name=name)
    if vector.size < 2 or np.isinf(vector).any():
        raise InputError(
            f"{name}: expected at least two finite costs, got {vector.size} with "
            f"{int(np.isinf(vector).sum())} failures; use Vargha and Delaney's A for failures"
        )
    return vector
