"""Groups of algorithms that were not shown to differ from one another.

Two algorithms are joined unless their adjusted p-value is at most α; a group is a maximal set of
algorithms of which every two are joined (a maximal clique). Groups overlap, and with tests that
look at two algorithms only they need not be neighbours in mean rank.
"""

from __future__ import annotations

from itertools import combinations
from string import ascii_lowercase

import numpy as np
from numpy.typing import NDArray

Group = tuple[int, ...]

MOST = 1000  # groups that are listed; there can be 3^(m/3)


def groups(joined: NDArray[np.bool_]) -> tuple[Group, ...] | None:
    """All maximal cliques of a graph, or None if there are more than `MOST`.

    Parameters
    ----------
    joined : (m, m) symmetric; which pairs were not shown to differ. The diagonal is not read.

    Returns
    -------
    Groups as ascending indices, an algorithm that differs from all others alone in its own.
    """
    found: list[Group] = []
    neighbours = _neighbours(joined)
    stack: list[tuple[int, int, int]] = [(0, (1 << len(neighbours)) - 1, 0)]
    while stack:  # Bron and Kerbosch (1973), with a pivot
        clique, candidates, done = stack.pop()
        if not candidates:
            if not done:
                found.append(_members(clique))
                if len(found) > MOST:
                    return None
            continue
        pivot = max(
            _members(candidates | done), key=lambda v: (candidates & neighbours[v]).bit_count()
        )
        for v in _members(candidates & ~neighbours[pivot]):
            stack.append((clique | 1 << v, candidates & neighbours[v], done & neighbours[v]))
            candidates &= ~(1 << v)
            done |= 1 << v
    return tuple(sorted(found))


def cover(joined: NDArray[np.bool_]) -> tuple[Group, ...]:
    """A few groups that together show every joined pair: enough for a figure.

    Greedy: the first pair not yet shown is grown by the neighbours that show most, the earlier of
    equals. Along an order in which groups are intervals this gives all of them.
    """
    neighbours = _neighbours(joined)
    m = len(neighbours)
    open_pairs = {(i, j) for i, j in combinations(range(m), 2) if neighbours[i] >> j & 1}
    found = []
    while open_pairs:
        members = list(min(open_pairs))
        candidates = neighbours[members[0]] & neighbours[members[1]]
        while candidates:
            best = max(_members(candidates), key=lambda v: (_new(v, members, open_pairs), -v))
            members.append(best)
            candidates &= neighbours[best]
        group = tuple(sorted(members))
        open_pairs.difference_update(combinations(group, 2))
        found.append(group)
    return tuple(sorted(found))


def letters(found: tuple[Group, ...], m: int) -> tuple[str, ...]:
    """A letter display: algorithms that share a letter were not shown to differ."""
    marks = [""] * m
    for at, group in enumerate(found):
        times, rest = divmod(at, len(ascii_lowercase))
        for member in group:
            marks[member] += ascii_lowercase[rest] + (str(times) if times else "")
    return tuple(marks)


def _new(v: int, members: list[int], open_pairs: set[tuple[int, int]]) -> int:
    return sum((min(v, u), max(v, u)) in open_pairs for u in members)


def _neighbours(joined: NDArray[np.bool_]) -> list[int]:
    """The neighbours of each vertex, as bits."""
    return [
        sum(1 << int(j) for j in np.flatnonzero(row) if int(j) != i) for i, row in enumerate(joined)
    ]


def _members(bits: int) -> Group:
    return tuple(i for i in range(bits.bit_length()) if bits >> i & 1)
