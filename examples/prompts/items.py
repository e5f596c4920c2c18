"""Short reviews of restaurants and whether they are positive: 240 items, made from parts."""

from __future__ import annotations

import itertools
from typing import NamedTuple

PLACES = ("The soup", "The bread", "Our waiter", "The terrace", "The bill", "The dessert")
GOOD = ("was a pleasure", "came at once", "was not bad at all", "was worth the walk")
BAD = ("was a disappointment", "came an hour late", "was not good at all", "was hardly worth it")
ENDS = (".", ", as ever.", ", I must say.", ", said my aunt.", ", unlike last year.")


class Item(NamedTuple):
    """A review, its label, and how hard it is to tell, from 0 to 1."""

    text: str
    label: str
    difficulty: float


def _items() -> list[Item]:
    found = []
    for number, (place, kind, end) in enumerate(itertools.product(PLACES, range(8), ENDS)):
        words = (*GOOD, *BAD)[kind]
        label = "positive" if kind < 4 else "negative"
        found.append(Item(f"{place} {words}{end}", label, (number * 7 % 20) / 20))
    return found


ITEMS = {f"review-{number:03}": item for number, item in enumerate(_items(), start=1)}
