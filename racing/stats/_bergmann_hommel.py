"""The two algorithms of Bergmann and Hommel's procedure.

By intervals, when p falls with distance in some order of the algorithms (mean ranks). At a
threshold the graph of pairs with p >= t is then a proper interval graph: a run of consecutive
algorithms is a clique as soon as its two ends are adjacent, and some best clique partition consists
of such runs (two blocks that overlap can be sorted into two that do not).

With i < j forced into one block B the other blocks are still runs of what B leaves. Exchanging
members, which never lowers the number of pairs, shows that B is i, j and one run M, and that
within the span of B only a run L from the left and a run R from the right can remain:

    1. B is a whole run a..b around i and j;
    2. B begins with i, and L takes what lies between i and M, at most all up to beyond j;
    3. the mirror image: B ends with j, and R takes what lies between M and j;
    4. B begins with i and ends with j, L and R take what lies before and behind M.

Every array has the thresholds as its last axis; NEVER marks what is no partition.

For any p-values, by dynamic programming over subsets of the algorithms. A subset is a bit mask. For
all thresholds at once,

    best[S, t] = max over cliques B of S that hold S's highest member: C(|B|,2) + best[S - B, t],

where B is a clique at t if all its pairs have p >= t. Large subsets are cliques at few thresholds
only, so there are few steps; each is one array operation over sets and thresholds. Counts fit in a
byte up to k = 23.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from racing.stats._checks import Bools, Floats, Ints, blocks

_NEVER = np.int32(-(10**6))
_BLOCK = 1 << 20  # numbers per array; bounds the memory
_ROWS = 1 << 12  # subsets evaluated at once in floating point

Counts: TypeAlias = NDArray[np.int32]


def adjust_by_intervals(p: Floats) -> Floats:
    """Adjusted p-values by definition, (k, k) with ones on the diagonal, not cut at 1.

    `p` has its rows and columns in an order in which it never rises away from the diagonal.
    """
    k = len(p)
    thresholds = np.unique(p[np.triu_indices(k, 1)])
    result = np.zeros((k, k))
    for part in blocks(thresholds.size, k**2, _BLOCK):
        t = thresholds[part]
        adjacent = p[:, :, None] >= t
        adjacent[np.arange(k), np.arange(k)] = True
        values = np.where(adjacent, most_pairs(adjacent) * t, 0.0)
        np.maximum(result, values.max(axis=2), out=result)
    result = np.triu(result, 1)
    return result + result.T + np.eye(k)


def most_pairs(adjacent: Bools) -> Counts:
    """Pairs in the best clique partition with i < j in one block, (k, k, thresholds)."""
    mirror = np.ascontiguousarray(adjacent[::-1, ::-1])
    prefix, suffix = _prefixes(adjacent), _prefixes(mirror)[::-1]
    left = _last_run_without(1, adjacent, prefix)
    right = _last_run_without(1, mirror, suffix[::-1])[::-1, ::-1]
    most = _whole_runs(adjacent, prefix, suffix)
    np.maximum(most, _runs_on_both_sides(adjacent, left, right), out=most)
    np.maximum(most, _run_on_the_left(adjacent, prefix, suffix, left), out=most)
    mirrored = _run_on_the_left(mirror, suffix[::-1], prefix[::-1], right[::-1, ::-1])
    return np.asarray(np.maximum(most, mirrored[::-1, ::-1].transpose(1, 0, 2)))


def _pairs(size: int) -> np.int32:
    return np.int32(size * (size - 1) // 2)


def _prefixes(adjacent: Bools) -> Counts:
    """Pairs in the best partition of the first x algorithms, x = 0..k."""
    k, n_thresholds = len(adjacent), adjacent.shape[2]
    best = np.zeros((k + 1, n_thresholds), dtype=np.int32)
    for x in range(1, k + 1):
        best[x] = best[x - 1]
        for a in range(x - 1):
            run = np.where(adjacent[a, x - 1], best[a] + _pairs(x - a), 0)
            np.maximum(best[x], run, out=best[x])
    return best


def _last_run_without(gone: int, adjacent: Bools, prefix: Counts) -> Counts:
    """[s, i]: the best of the first s algorithms whose last run holds i's place, `gone` removed.

    With gone = 2, i is the first of the two removed.
    """
    k, n_thresholds = len(adjacent), adjacent.shape[2]
    best = np.full((k + 1, k, n_thresholds), _NEVER)
    for s in range(1, k + 1):
        for a in range(s - gone + 1):
            value = np.where(adjacent[a, s - 1], prefix[a] + _pairs(s - a - gone), _NEVER)
            np.maximum(best[s, a:s], value, out=best[s, a:s])
    return best


def _whole_runs(adjacent: Bools, prefix: Counts, suffix: Counts) -> Counts:
    """Case 1: B = a..b with a <= i and j <= b."""
    k = len(adjacent)
    best = np.full(adjacent.shape, _NEVER)
    for a in range(k):
        for b in range(a + 1, k):
            value = prefix[a] + _pairs(b - a + 1) + suffix[b + 1]
            best[a, b] = np.where(adjacent[a, b], value, _NEVER)
    best = np.maximum.accumulate(best, axis=0)
    return np.maximum.accumulate(best[:, ::-1], axis=1)[:, ::-1]


def _run_on_the_left(adjacent: Bools, prefix: Counts, suffix: Counts, left: Counts) -> Counts:
    """Case 2: B = {i, j} and M = s..e, behind which every block is a run of its own."""
    k = len(adjacent)
    both_gone = _last_run_without(2, adjacent, prefix)
    best = np.full(adjacent.shape, _NEVER)
    for i in range(k - 1):
        until_e = np.full((k, adjacent.shape[2]), _NEVER)  # maximum over the s so far
        beyond = np.full((k + 1, adjacent.shape[2]), _NEVER)  # B = {i, j} + s..e, s > j
        for s in range(i + 1, k):
            sizes = np.arange(2, k - s + 2, dtype=np.int32)[:, None]  # of B = i + s..e
            small, large = sizes * (sizes - 1) // 2, (sizes + 1) * sizes // 2
            reaches, behind = adjacent[i, s:], suffix[s + 1 :]
            through_j = np.where(reaches, left[s, i] + small + behind, _NEVER)
            np.maximum(until_e[s:], through_j, out=until_e[s:])
            best[i, s] = until_e[s:].max(axis=0)  # j = s: all e >= j
            if s > i + 1:
                beyond[s] = both_gone[s, i] + np.where(reaches, large + behind, _NEVER).max(axis=0)
        later = np.maximum.accumulate(beyond[::-1], axis=0)[::-1]
        np.maximum(best[i, i + 1 :], later[i + 2 :], out=best[i, i + 1 :])
    return best


def _runs_on_both_sides(adjacent: Bools, left: Counts, right: Counts) -> Counts:
    """Case 4: L ends before M = s..e, which may be empty, and R begins behind it."""
    k = len(adjacent)
    best = np.full(adjacent.shape, _NEVER)
    for e in range(k - 1):
        until_e = np.full((e + 1, adjacent.shape[2]), _NEVER)  # [i]: maximum over s = i+1..e+1
        for s in range(1, e + 2):
            value = left[s, :s] + _pairs(e - s + 3)
            np.maximum(until_e[:s], value, out=until_e[:s])
        value = until_e[:, None] + right[e + 1, e + 1 :]
        corner = best[: e + 1, e + 1 :]
        np.maximum(corner, value, out=corner)
    return best


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
    for part in blocks(len(best), 1, _ROWS):
        block = np.arange(part.start, part.stop)
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
