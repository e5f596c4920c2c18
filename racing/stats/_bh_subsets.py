"""Bergmann-Hommel for any p-values, by dynamic programming over subsets of the algorithms.

A subset is a bit mask. For all thresholds at once,

    best[S, t] = max over cliques B of S that hold S's highest member: C(|B|,2) + best[S - B, t],

where B is a clique at t if all its pairs have p >= t. Large subsets are cliques at few thresholds
only, so there are few steps; each is one array operation over sets and thresholds. Counts fit in a
byte up to k = 23.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from racing.stats._checks import Floats, Ints

_ROWS = 1 << 12  # subsets evaluated at once in floating point


def adjust_by_subsets(p: Floats) -> Floats:
    """Adjusted p-values by definition, (k, k) with ones on the diagonal, not cut at 1."""
    k = len(p)
    thresholds, rank = np.unique(p[np.triu_indices(k, 1)], return_inverse=True)
    lifetimes = np.zeros((k, k), dtype=np.intp)
    lifetimes[np.triu_indices(k, 1)] = rank.ravel() + 1
    alive, size = _cliques(np.maximum(lifetimes, lifetimes.T), thresholds.size)
    best = _best_partitions(k, alive, size, thresholds.size)
    return _pair_maxima(_block_values(best, alive, size, thresholds), k)


def _cliques(lifetimes: Ints, n_thresholds: int) -> tuple[Ints, Ints]:
    """Of each subset: at how many thresholds (the lowest ones) it is a clique, and its size."""
    k = len(lifetimes)
    alive = np.full(1 << k, n_thresholds, dtype=np.intp)
    size = np.zeros(1 << k, dtype=np.intp)
    for v in range(k):
        half = 1 << v
        with_v = np.full(half, n_thresholds, dtype=np.intp)
        for u in range(v):
            bit = 1 << u
            with_v[bit : 2 * bit] = np.minimum(with_v[:bit], lifetimes[u, v])
        alive[half : 2 * half] = np.minimum(alive[:half], with_v)
        size[half : 2 * half] = size[:half] + 1
    return alive, size


def _best_partitions(k: int, alive: Ints, size: Ints, n_thresholds: int) -> NDArray[np.uint8]:
    """best[S, t], (2^k, thresholds)."""
    best = np.zeros((1 << k, n_thresholds), dtype=np.uint8)
    for v in range(k):
        half = 1 << v
        without, with_v = best[:half], best[half : 2 * half]
        with_v[:] = without
        # One axis of length 2 per member: the sets that (do not) hold C are a view.
        cube = (2,) * v + (n_thresholds,)
        rest, grown = without.reshape(cube), with_v.reshape(cube)
        for c in range(1, half):
            lives, members = int(alive[half + c]), int(size[c]) + 1
            lacking = rest[_fixed(c, v, 0)][..., :lives]
            holding = grown[_fixed(c, v, 1)][..., :lives]
            np.maximum(holding, lacking + np.uint8(members * (members - 1) // 2), out=holding)
    return best


def _fixed(subset: int, v: int, to: int) -> tuple[int | slice, ...]:
    """Index that sets the axes of the members of `subset` to 0 or 1."""
    return tuple(to if subset >> u & 1 else slice(None) for u in reversed(range(v)))


def _block_values(best: NDArray[np.uint8], alive: Ints, size: Ints, thresholds: Floats) -> Floats:
    """Of each subset as a block: the maximum over t of t times the pairs of the best partition."""
    last = len(best) - 1
    values = np.empty(len(best))
    for start in range(0, len(best), _ROWS):
        block = np.arange(start, min(start + _ROWS, len(best)))
        own = size[block] * (size[block] - 1) // 2
        pairs = best[last - block].astype(np.float64) + own[:, None]
        pairs[np.arange(thresholds.size) >= alive[block, None]] = 0.0
        values[block] = (pairs * thresholds).max(axis=1)
    return values


def _pair_maxima(values: Floats, k: int) -> Floats:
    """The maximum over the subsets that hold both members of each pair."""
    cube = values.reshape((2,) * k)
    result = np.ones((k, k))
    for u, v in zip(*np.triu_indices(k, 1), strict=True):
        both = (1 << int(u)) | (1 << int(v))
        result[u, v] = result[v, u] = cube[_fixed(both, k, 1)].max()
    return result
