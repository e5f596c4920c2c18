"""All partitions of few algorithms: which of them may be equal at once."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations


def partitions(items: list[int]) -> Iterator[list[list[int]]]:
    """All partitions of some items into blocks."""
    if not items:
        yield []
        return
    for rest in partitions(items[1:]):
        yield [[items[0]], *rest]
        for b, block in enumerate(rest):
            yield [*rest[:b], [items[0], *block], *rest[b + 1 :]]


def equal_pairs(k: int) -> Iterator[tuple[tuple[int, int], ...]]:
    """The pairs of equals of every partition of k algorithms."""
    for blocks in partitions(list(range(k))):
        yield tuple(sorted(pair for b in blocks for pair in combinations(sorted(b), 2)))
