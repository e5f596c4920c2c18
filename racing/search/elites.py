"""Ranks the elites, and makes the verdicts that drop some of them.

Of a search for a front, a challenger is tested against all elites. For elite j and metric k, let
p_jk be the probability that the challenger is better, by their paired differences
(`racing.search.block.probability_better`). Then max_k p_jk is that j does not dominate it, and the
least of these over j that no elite does:

    P = min_j max_k p_jk

It is dropped if P is `Settings.drop` or less; or unless it is in the better half of the latest
challengers at this rung, by its gap max_j min_k d_jk / sd_k.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from racing.core.fronts import TradeOffs
from racing.core.verdict import Elimination, Reason, Verdict
from racing.search.block import MARGIN, Block, probability_better
from racing.search.settings import Settings

Floats = NDArray[np.float64]

_ROUNDING = 1e-12
_MOST = 1e9


def ranked(ids: Sequence[int], block: Block) -> tuple[list[int], Block]:
    """The ids and their block, the best first."""
    order = block.order(MARGIN)
    return [ids[int(column)] for column in order], block.take(order)


def best(ids: Sequence[int], block: Block, kept: int) -> tuple[list[int], Block, Verdict]:
    """The best `kept` and their block, the best first; the verdict that drops the others."""
    if block.of_front:
        return select(ids, block, most=kept, least=kept)
    ids, block = ranked(ids, block)
    return ids[:kept], block.take(range(len(ids[:kept]))), displaced(ids, block, kept)


def without_inferior(
    ids: Sequence[int], block: Block, settings: Settings, *, least: int = 1
) -> tuple[list[int], Block, Verdict | None]:
    """The elites and their block, the best first, without those that are probably not the best.

    On a front, without those that are dominated. The verdict is None if all stay.

    Parameters
    ----------
    block
        In the order of the ids.
    least
        The least number that stay on a front.
    """
    if block.of_front:
        stay, block, dropping = select(ids, block, most=settings.elites, least=least)
        return stay, block, dropping if dropping.eliminated else None
    ids, block = ranked(ids, block)
    means, retire = block.scores.mean(axis=0), settings.retire
    chances = [probability_better(d, noise, settings.prior) for d, noise, _ in block.lags()]
    gone = tuple(
        Elimination(
            candidate=ids[column], against=ids[0], measure="probability better", value=p,
            threshold=retire, statistic=float(means[column] - means[0]),
        )
        for column, p in reversed([*enumerate(chances, start=1)])
        if p < retire
    )  # fmt: skip
    left = [0, *(column for column, p in enumerate(chances, start=1) if not p < retire)]
    verdict = Verdict(instances=len(block), leader=ids[0], eliminated=gone) if gone else None
    return [ids[column] for column in left], block.take(left), verdict


# --- verdicts -----------------------------------------------------------------------------------


def displaced(ranked: Sequence[int], block: Block, kept: int) -> Verdict:
    """The verdict that drops all but the best `kept`.

    Parameters
    ----------
    ranked
        Ids, the best first.
    block
        Theirs, in that order.
    """
    means, last = block.scores.mean(axis=0), max(kept - 1, 0)
    measure, values = "mean score", means
    if block.goal is not None:  # the mean score alone does not say why it is behind
        measure, values = "place", np.arange(1.0, len(ranked) + 1)
    gone = [
        Elimination(
            candidate=ranked[place], against=ranked[last], reason=Reason.SCHEDULE,
            measure=measure, value=float(values[place]), threshold=float(values[last]),
            statistic=float(means[place] - means[last]),
        )
        for place in range(len(ranked) - 1, last, -1)
    ]  # fmt: skip
    return Verdict(instances=len(block), leader=ranked[0], eliminated=tuple(gone))


def reversed_by(
    ahead: int, lost: Iterable[int], worse: float, risk: float, steps: Sequence[int]
) -> Verdict:
    """The verdict that drops all elites but one that was behind, and wins.

    Parameters
    ----------
    ahead
        The winner.
    lost
        The dropped ones, the worst first; the last was ahead before, and those behind it had no
        part in the comparison.
    worse, risk
        The probability that what was found is worse, which decided, and its largest value.
    steps
        The instances that it and the last of these have met.
    """
    *behind, first = lost
    gone = [
        Elimination(candidate=id, against=first, measure="place", value=float(place), threshold=1.0)
        for place, id in zip(range(len(behind) + 1, 1, -1), behind, strict=True)
    ]
    gone.append(
        Elimination(
            candidate=first, against=ahead, measure="probability worse", value=worse, threshold=risk
        )
    )
    return Verdict(instances=len(steps), leader=ahead, eliminated=tuple(gone), steps=tuple(steps))


def unjudged(ids: Sequence[int], leader: int, rows: int, needed: int) -> Verdict:
    """The verdict that drops these: the race ended before they had met the elites' instances.

    Parameters
    ----------
    leader
        The best elite.
    rows, needed
        The numbers of instances that they have met and that they need.
    """
    gone = [
        Elimination(
            candidate=id, against=leader, reason=Reason.SCHEDULE,
            measure="instances", value=float(rows), threshold=float(needed),
        )
        for id in ids
    ]  # fmt: skip
    return Verdict(instances=rows, leader=leader, eliminated=tuple(gone), about=tuple(ids))


# --- a front: which stay ------------------------------------------------------------------------


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
    knee: bool = False,
) -> tuple[list[int], Block, Verdict]:
    """The ids that stay with their block, the best compromise first; the verdict on the others.

    The front stays, as many as `most` of it, evenly spread. If it has less than `least`, those that
    come nearest to it stay too.

    Parameters
    ----------
    steps
        The instances of the block; None for the first ones.
    knee
        Whether the best compromise stays in any case, as the ends of the front do.
    """
    seen = trade_offs(block)
    order = np.lexsort(seen.merits.T[::-1])
    front = [int(place) for place in order if seen.front[place]]
    thin = spread(seen.means[front], most, keep=range(int(knee)))
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


def spread(means: Floats, most: int, *, keep: Sequence[int] = ()) -> list[int]:
    """The places of at most `most` well-spread points of a front, in their order.

    As long as there are too many, one of the two nearest goes: the one with the nearer next
    neighbour. Each metric counts by its range on the front. The best in a metric stays.

    Zitzler, Laumanns and Thiele (2001), SPEA2: Improving the strength Pareto evolutionary
    algorithm, TIK report 103, sec. 3.2.

    Parameters
    ----------
    means : (p, K)
        None dominates another.
    keep
        Places that stay too, before the best in a metric.

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
    ends = {*keep, *means.argmin(axis=0).tolist()}
    while len(places) > most:
        inner = [place for place in places if place not in ends]
        inner = inner or [place for place in places if place not in keep]
        near = [np.sort(apart[place, places])[1:3].tolist() for place in inner]
        places.remove(inner[min(range(len(inner)), key=lambda i: near[i])])
    return places


def _elimination(seen: TradeOffs, ids: Sequence[int], place: int, best: int) -> Elimination:
    """The elimination of a candidate that is dominated, or on the front but one too many."""
    many = float(seen.front.sum())
    if seen.front[place]:
        return Elimination(
            candidate=ids[place], against=ids[best], reason=Reason.SCHEDULE,
            measure="front", value=many, threshold=many - 1,
        )  # fmt: skip
    return Elimination(
        candidate=ids[place], against=ids[int(seen.rivals[place])], reason=Reason.DOMINATED,
        measure="gap", value=float(seen.gaps[place]), threshold=0.0,
    )  # fmt: skip


# --- a front: how far a challenger is from it ---------------------------------------------------


def gaps_to(seen: TradeOffs, noise: Floats, prior: float) -> Floats:
    """(m,) by how much each of the others dominates the last candidate, in standard errors.

    -inf for those that failed more often than it; +inf if it failed more often than another.

    Parameters
    ----------
    seen
        The elites, then the challenger, on n instances.
    noise : (K,)
        The standard deviation of a score of each metric among the elites.
    prior
        Weight of the noise, in instances.
    """
    if not seen.reliable[-1]:
        return np.where(seen.reliable[:-1], np.inf, -np.inf)
    d = seen.values[:, -1:, :] - seen.values[:, :-1, :]
    ran = ~np.isnan(d)
    n = np.maximum(ran.sum(axis=0), 1)
    mean = np.where(ran, d, 0.0).sum(axis=0) / n
    square = np.square(np.where(ran, d - mean, 0.0)).sum(axis=0)
    variance = (prior * 2 * noise**2 + square) / np.maximum(prior - 1 + n, 1)
    size = np.abs(seen.means).max(axis=0)
    variance = np.where(variance > (_ROUNDING * size) ** 2, variance, 0.0)
    equal = np.abs(mean) <= seen.ropes + _ROUNDING * size
    left_out = np.where((variance == 0) | (seen.ropes > 0), np.inf, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        z = np.where(equal, left_out, mean / np.sqrt(variance / n))
    found = np.where(equal.all(axis=1), 0.0, np.clip(z.min(axis=1), -_MOST, _MOST))
    return np.where(seen.reliable[:-1], found, -np.inf)


def probability(gap: float) -> float:
    """The probability that a candidate with this largest gap is not dominated."""
    return 0.5 * math.erfc(gap / math.sqrt(2))
