"""Ranks the elites, and makes the verdicts that drop some of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from racing.core.verdict import Elimination, Reason, Verdict
from racing.search.block import MARGIN, Block, probability_better
from racing.search.front.elites import select
from racing.search.settings import Settings


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


def inferior(block: Block, *, retire: float, prior: float) -> dict[int, float]:
    """Column → probability of being better than the first, where that is below `retire`.

    Parameters
    ----------
    block
        Of the elites, the best first; the first is never in the result.
    """
    chances = [probability_better(d, noise, prior) for d, noise, _ in block.lags()]
    return {column: p for column, p in enumerate(chances, start=1) if p < retire}


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
    best, block = ranked(ids, block)
    gone = inferior(block, retire=settings.retire, prior=settings.prior)
    verdict = retired(best, block, gone, settings.retire) if gone else None
    left = [column for column in range(len(best)) if column not in gone]
    return [best[column] for column in left], block.take(left), verdict


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


def retired(ids: Sequence[int], block: Block, gone: dict[int, float], retire: float) -> Verdict:
    """The verdict that drops elites that are probably worse than the best.

    Parameters
    ----------
    ids
        The elites, the best first; the block is theirs.
    gone
        Column → probability of being better than the best.
    """
    means = block.scores.mean(axis=0)
    dropped = [
        Elimination(
            candidate=ids[column], against=ids[0], measure="probability better", value=p,
            threshold=retire, statistic=float(means[column] - means[0]),
        )
        for column, p in sorted(gone.items(), reverse=True)
    ]  # fmt: skip
    return Verdict(instances=len(block), leader=ids[0], eliminated=tuple(dropped))


def reversed_by(
    ahead: int, lost: Iterable[int], worse: float, risk: float, steps: Sequence[int]
) -> Verdict:
    """The verdict that drops all elites but one that was behind, and wins.

    Parameters
    ----------
    ahead
        The winner.
    lost
        The dropped ones, the worst first; the last was ahead before.
    worse, risk
        The probability that what was found is worse, which decided, and its largest value.
    steps
        The instances that it and the last of these have met.
    """
    gone = [
        Elimination(
            candidate=id, against=ahead, measure="probability worse", value=worse, threshold=risk
        )
        for id in lost
    ]
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
