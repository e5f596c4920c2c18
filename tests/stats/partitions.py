"""Bergmann and Hommel's procedure by its definition, over all partitions of few algorithms."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
from numpy.typing import NDArray


def partitions(items: list[int]) -> Iterator[list[list[int]]]:
    """All partitions of some items into blocks."""
    if not items:
        yield []
        return
    first, *rest = items
    for found in partitions(rest):
        yield [[first], *found]
        for at, block in enumerate(found):
            yield [*found[:at], [first, *block], *found[at + 1 :]]


def by_definition(p: NDArray[np.float64]) -> NDArray[np.float64]:
    """max |I| · min p over the sets I of pairs within blocks of partitions; ones on the diagonal.

    García and Herrera (2008), section 3.
    """
    adjusted = np.zeros_like(p)
    for blocks in partitions(list(range(len(p)))):
        pairs = [pair for block in blocks for pair in combinations(sorted(block), 2)]
        if pairs:
            value = len(pairs) * min(p[pair] for pair in pairs)
            for i, j in pairs:
                adjusted[i, j] = adjusted[j, i] = max(adjusted[i, j], value)
    np.fill_diagonal(adjusted, 1.0)
    return adjusted
