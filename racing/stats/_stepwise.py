"""Helpers of step-up and step-down procedures: sorted p-values in, adjusted ones out."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from racing.base.errors import InputError
from racing.stats._checks import Floats, as_vector


def as_pvalues(p: ArrayLike) -> Floats:
    """A checked vector of p-values, shape (h,)."""
    if np.ndim(p) == 1 and np.size(p) == 0:
        return np.empty(0)
    values = as_vector(p, name="p")
    outside = np.flatnonzero((values < 0) | (values > 1))
    if outside.size:
        raise InputError(
            f"p: expected p-values from 0 to 1, got {values[outside[0]]} at position {outside[0]}"
        )
    return values


def in_order(p: ArrayLike, procedure: Callable[[Floats, Floats], Floats]) -> Floats:
    """Apply a procedure to the sorted p-values and the number of hypotheses left at each."""
    values = as_pvalues(p)
    if values.size == 0:
        return values
    order = np.argsort(values, kind="stable")
    left = np.arange(values.size, 0, -1, dtype=np.float64)
    adjusted = np.empty_like(values)
    adjusted[order] = np.minimum(procedure(values[order], left), 1.0)
    return np.maximum(adjusted, values)  # never below p, not even by rounding


def running_minimum(x: Floats) -> Floats:
    """min over j >= i."""
    return np.minimum.accumulate(x[::-1])[::-1]
