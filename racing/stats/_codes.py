"""Small whole numbers that stand for combinations of counts."""

from __future__ import annotations

import numpy as np

from racing.stats._checks import Ints


def unique_codes(codes: Ints) -> tuple[Ints, Ints]:
    """`np.unique` of a vector with the inverse, in linear time where the codes are small."""
    size = int(codes.max(initial=0)) + 1
    if size > 4 * codes.size + 10**5:
        return np.unique(codes, return_inverse=True)
    present = np.bincount(codes, minlength=size) > 0
    return np.flatnonzero(present), (present.cumsum() - 1)[codes]
