"""All pairs of m columns: as two index vectors, in blocks, and as a symmetric matrix.

The order is that of `np.triu_indices(m, 1)`: (0, 1), (0, 2), ..., (1, 2), ...
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from racing.base.errors import InputError
from racing.stats._checks import Floats, Ints

_BLOCK = 1 << 18  # numbers handled at once: hides numpy's overhead, stays in cache


def pair_blocks(m: int, n: int) -> Iterator[tuple[Ints, Ints]]:
    """The pairs i < j of m columns of length n, in blocks of bounded memory."""
    i, j = np.triu_indices(m, 1)
    step = max(1, _BLOCK // n)
    for start in range(0, i.size, step):
        yield i[start : start + step], j[start : start + step]


def as_pair_pvalues(pvalues: ArrayLike) -> tuple[Floats, int]:
    """p-values of all pairs of k algorithms as a vector, and k.

    Parameters
    ----------
    pvalues : a vector of length k(k-1)/2 in the order of `np.triu_indices(k, 1)`, or a symmetric
        (k, k) matrix; its diagonal is ignored.

    Raises
    ------
    InputError
        If the length fits no k >= 2, the matrix is not symmetric, or an entry is no probability.
    """
    array = _as_numbers(pvalues)
    k = array.shape[0] if array.ndim == 2 else (1 + isqrt(1 + 8 * array.size)) // 2
    if array.ndim == 2 and array.shape == (k, k) and k >= 2:
        upper = np.triu_indices(k, 1)
        vector = array[upper]
        if not np.array_equal(vector, array.T[upper]):
            raise InputError("pvalues: a matrix of all pairs is symmetric, this one is not")
    elif array.ndim == 1 and array.size == k * (k - 1) // 2 and k >= 2:
        vector = array
    else:
        raise InputError(
            "pvalues: expected k(k-1)/2 of them (1, 3, 6, 10, ...) or a symmetric (k, k) matrix, "
            f"k >= 2; got shape {array.shape}"
        )
    if not (vector.min() >= 0.0 and vector.max() <= 1.0):
        raise InputError("pvalues: expected numbers from 0 to 1, without NaN")
    return vector, k


def like(pvalues: ArrayLike, vector: Floats, k: int) -> Floats:
    """`vector` in the form in which `pvalues` came; a matrix gets ones on its diagonal."""
    if np.ndim(pvalues) == 1:
        return vector
    matrix = np.ones((k, k))
    i, j = np.triu_indices(k, 1)
    matrix[i, j] = matrix[j, i] = vector
    return matrix


def _as_numbers(values: ArrayLike) -> Floats:
    try:
        array: NDArray[np.generic] = np.asarray(values)
    except ValueError as error:
        raise InputError(f"pvalues: expected rows of equal length: {error}") from error
    if array.dtype.kind not in "iuf" or array.ndim == 0:
        raise InputError(f"pvalues: expected a vector or matrix of numbers, got {values!r}")
    return array.astype(np.float64)
