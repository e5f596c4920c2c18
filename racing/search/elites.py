"""Ranks the elites, and makes the verdicts that drop some of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from racing.core.verdict import Elimination, Reason, Verdict
from racing.search.block import MARGIN, Block
from racing.search.scores import probability_better
from racing.search.settings import Settings


def ranked(ids: Sequence[int], block: Block) -> tuple[list[int], Block]:
    """The ids and their block, the best first."""
    order = block.order(MARGIN)
    return [ids[int(column)] for column in order], block.take(order)


def inferior(block: Block, *, retire: float, prior: float) -> dict[int, float]:
    """Column → probability of being better than the first, where that is below `retire`.

    Parameters
    ----------
    block
        Of the elites, the best first; the first is never in the result.
    """
    found = {}
    for column, (d, noise, _) in enumerate(block.lags(), start=1):
        p = probability_better(d, noise, prior)
        if p < retire:
            found[column] = p
    return found


def without_inferior(
    ids: Sequence[int], block: Block, settings: Settings, decided: Callable[[Verdict], None]
) -> tuple[list[int], Block]:
    """The elites and their block, the best first, without those that are probably not the best.

    Parameters
    ----------
    block
        In the order of the ids.
    decided
        Receives the verdict, if some are dropped.
    """
    best, block = ranked(ids, block)
    gone = inferior(block, retire=settings.retire, prior=settings.prior)
    if gone:
        decided(retired(best, block, gone, settings.retire))
    stay = [column for column in range(len(best)) if column not in gone]
    return [best[column] for column in stay], block.take(stay)


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
    means = block.scores.mean(axis=0)
    last = max(kept - 1, 0)
    places = block.goal is not None  # the mean score alone does not say why it is behind
    return Verdict(
        instances=len(block),
        leader=ranked[0],
        eliminated=tuple(
            Elimination(
                candidate=ranked[place],
                against=ranked[last],
                reason=Reason.SCHEDULE,
                measure="place" if places else "mean score",
                value=float(place + 1 if places else means[place]),
                threshold=float(last + 1 if places else means[last]),
                statistic=float(means[place] - means[last]),
            )
            for place in range(len(ranked) - 1, last, -1)
        ),
    )


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
    return Verdict(
        instances=len(block),
        leader=ids[0],
        eliminated=tuple(
            Elimination(
                candidate=ids[column],
                against=ids[0],
                reason=Reason.INFERIOR,
                measure="probability better",
                value=p,
                threshold=retire,
                statistic=float(means[column] - means[0]),
            )
            for column, p in sorted(gone.items(), reverse=True)
        ),
    )


@dataclass(frozen=True)
class Margin:
    """What decided between two: a measure, its value, and the threshold."""

    measure: str
    value: float
    threshold: float


def reversed_by(ahead: int, lost: Sequence[int], why: Margin, steps: Sequence[int]) -> Verdict:
    """The verdict that drops all elites but one that was behind, and wins.

    Parameters
    ----------
    ahead
        The winner.
    lost
        The dropped ones, the worst first; the last was ahead before.
    why
        What decided.
    steps
        The instances that it and the last of these have met.
    """
    return Verdict(
        instances=len(steps),
        leader=ahead,
        eliminated=tuple(
            Elimination(
                candidate=id, against=ahead,
                measure=why.measure, value=why.value, threshold=why.threshold,
            )
            for id in lost
        ),
        steps=tuple(steps),
    )  # fmt: skip


def unjudged(ids: Sequence[int], leader: int, rows: int, needed: int) -> Verdict:
    """The verdict that drops these: the race ended before they had met the elites' instances.

    Parameters
    ----------
    leader
        The best elite.
    rows, needed
        The numbers of instances that they have met and that they need.
    """
    return Verdict(
        instances=rows,
        leader=leader,
        eliminated=tuple(
            Elimination(
                candidate=id,
                against=leader,
                reason=Reason.SCHEDULE,
                measure="instances",
                value=float(rows),
                threshold=float(needed),
            )
            for id in ids
        ),
        about=tuple(ids),
    )
