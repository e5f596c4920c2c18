"""Ranks the elites, and makes the verdicts that drop some of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from racing.core.objective import Objective, standing
from racing.core.results import Ordering, Results
from racing.core.verdict import Elimination, Reason, Verdict
from racing.search.scores import block_scores, pooled_noise, probability_better
from racing.search.settings import Settings

Floats = NDArray[np.float64]


def block_results(
    costs: Floats,
    ids: Sequence[int],
    *,
    metrics: Floats | None = None,
    goal: Ordering | None = None,
) -> Results:
    """A complete block as a rule or a report reads it.

    Parameters
    ----------
    costs : (T, m)
    ids
        Of the columns.
    metrics : (T, m, K)
        The costs of each metric, where there are several; and what is asked of them.
    """
    costs = np.array(costs)
    costs.flags.writeable = False
    alive = np.ones(costs.shape, dtype=bool)
    places = np.arange(len(ids))
    return Results(costs, alive, tuple(ids), places, metrics=metrics, goal=goal)


def best_first(costs: Floats, objective: Objective) -> NDArray[np.intp]:
    """The columns of a complete (T, m) block, the best first; the order of every final choice."""
    if costs.shape[1] == 1:
        return np.zeros(1, dtype=np.intp)
    return standing(block_results(costs, range(costs.shape[1])), objective)


def ranked(ids: Sequence[int], costs: Floats, objective: Objective) -> tuple[list[int], Floats]:
    """The ids and their (T, m) costs, the best first."""
    order = best_first(costs, objective)
    return [ids[int(column)] for column in order], costs[:, order]


def inferior(
    costs: Floats, objective: Objective, *, retire: float, prior: float
) -> dict[int, float]:
    """Column → probability of being better than the first, where that is below `retire`.

    Parameters
    ----------
    costs : (T, m)
        Of the elites, the best first; the first is never in the result.
    """
    scores = block_scores(costs, objective)
    noise = pooled_noise(costs, objective)
    found = {}
    for column in range(1, costs.shape[1]):
        p = probability_better(scores[:, column] - scores[:, 0], noise, prior)
        if p < retire:
            found[column] = p
    return found


def without_inferior(
    ids: Sequence[int],
    costs: Floats,
    objective: Objective,
    settings: Settings,
    decided: Callable[[Verdict], None],
) -> tuple[list[int], Floats]:
    """The elites and their costs, the best first, without those that are probably not the best.

    Parameters
    ----------
    costs : (T, m)
        In the order of the ids.
    decided
        Receives the verdict, if some are dropped.
    """
    best, costs = ranked(ids, costs, objective)
    gone = inferior(costs, objective, retire=settings.retire, prior=settings.prior)
    if gone:
        decided(retired(best, block_scores(costs, objective), gone, settings.retire))
    stay = [column for column in range(len(best)) if column not in gone]
    return [best[column] for column in stay], costs[:, stay]


# --- verdicts -----------------------------------------------------------------------------------


def displaced(ranked: Sequence[int], scores: Floats, kept: int) -> Verdict:
    """The verdict that drops all but the best `kept`.

    Parameters
    ----------
    ranked
        Ids, the best first.
    scores : (T, k)
        Their scores, in that order.
    """
    means = scores.mean(axis=0)
    last = max(kept - 1, 0)
    return Verdict(
        instances=len(scores),
        leader=ranked[0],
        eliminated=tuple(
            Elimination(
                candidate=ranked[place],
                against=ranked[last],
                reason=Reason.SCHEDULE,
                measure="mean score",
                value=float(means[place]),
                threshold=float(means[last]),
                statistic=float(means[place] - means[last]),
            )
            for place in range(len(ranked) - 1, last, -1)
        ),
    )


def retired(ids: Sequence[int], scores: Floats, gone: dict[int, float], retire: float) -> Verdict:
    """The verdict that drops elites that are probably worse than the best.

    Parameters
    ----------
    ids
        The elites, the best first; `scores` are theirs, (T, m).
    gone
        Column → probability of being better than the best.
    """
    means = scores.mean(axis=0)
    return Verdict(
        instances=len(scores),
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


def reversed_by(ahead: int, lost: Sequence[int], behind: float, steps: Sequence[int]) -> Verdict:
    """The verdict that drops all elites but one that was behind and is now ahead.

    Parameters
    ----------
    ahead
        The winner.
    lost
        The dropped ones, the worst first; the last was ahead before.
    behind
        The difference of its mean score to the winner's.
    steps
        The instances that both have met.
    """
    return Verdict(
        instances=len(steps),
        leader=ahead,
        eliminated=tuple(
            Elimination(
                candidate=id,
                against=ahead,
                measure="mean difference",
                value=behind,
                threshold=0.0,
                statistic=behind,
            )
            for id in lost
        ),
        steps=tuple(steps),
    )


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
