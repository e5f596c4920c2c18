"""The elites of a search for a front: which stay, and the verdict on those that leave."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from racing.core.fronts import TradeOffs
from racing.core.verdict import Elimination, Reason, Verdict
from racing.search.block import Block

Floats = NDArray[np.float64]


def trade_offs(block: Block) -> TradeOffs:
    """The candidates of a block by the metrics of the front."""
    assert block.goal is not None
    return block.goal.trade_offs(block.results(range(block.costs.shape[1])))


def select(
    ids: Sequence[int],
    block: Block,
    *,
    most: int,
    least: int = 1,
    steps: Sequence[int] | None = None,
) -> tuple[list[int], Block, Verdict]:
    """The ids that stay with their block, the best compromise first; the verdict on the others.

    The front stays, as many as `most` of it, evenly spread. If it has less than `least`, those that
    come nearest to it stay too.

    Parameters
    ----------
    steps
        The instances of the block; None for the first ones.
    """
    seen = trade_offs(block)
    order = np.lexsort(seen.merits.T[::-1])
    front = [int(place) for place in order if seen.front[place]]
    thin = spread(seen.means[front], most)
    behind = [int(place) for place in order if not seen.front[place]]
    stay = [front[i] for i in thin] + behind[: max(least - len(front), 0)]
    gone = [place for place in order[::-1].tolist() if place not in stay]
    verdict = Verdict(
        instances=len(block),
        leader=ids[stay[0]],
        eliminated=tuple(_elimination(seen, ids, place, stay[0]) for place in gone),
        steps=None if steps is None else tuple(steps),
    )
    return [ids[place] for place in stay], block.take(stay), verdict


def spread(means: Floats, most: int) -> list[int]:
    """The places of at most `most` well-spread points of a front, in their order.

    As long as there are too many, one of the two nearest goes: the one with the nearer next
    neighbour. Each metric counts by its range on the front. The best in a metric stays.

    Zitzler, Laumanns and Thiele (2001), SPEA2: Improving the strength Pareto evolutionary
    algorithm, TIK report 103, sec. 3.2.

    Parameters
    ----------
    means : (p, K)
        None dominates another.

    Examples
    --------
    >>> spread(np.array([[0.0, 9.0], [1.0, 8.0], [2.0, 6.5], [9.0, 0.0]]), 3)
    [0, 2, 3]
    """
    places = list(range(len(means)))
    if len(places) <= most:
        return places
    low, high = means.min(axis=0), means.max(axis=0)
    scaled = (means - low) / np.where(high > low, high - low, 1.0)
    apart = np.sqrt(np.square(scaled[:, None] - scaled[None]).sum(axis=2))
    ends = set(means.argmin(axis=0).tolist())
    while len(places) > most:
        inner = [place for place in places if place not in ends] or places
        near = [np.sort(apart[place, places])[1:3].tolist() for place in inner]
        places.remove(inner[min(range(len(inner)), key=lambda i: near[i])])
    return places


def _elimination(seen: TradeOffs, ids: Sequence[int], place: int, best: int) -> Elimination:
    """The elimination of a candidate that is dominated, or on the front but one too many."""
    if seen.front[place]:
        return Elimination(
            candidate=ids[place],
            against=ids[best],
            reason=Reason.SCHEDULE,
            measure="front",
            value=float(seen.front.sum()),
            threshold=float(seen.front.sum() - 1),
        )
    return Elimination(
        candidate=ids[place],
        against=ids[int(seen.rivals[place])],
        reason=Reason.DOMINATED,
        measure="gap",
        value=float(seen.gaps[place]),
        threshold=0.0,
    )
