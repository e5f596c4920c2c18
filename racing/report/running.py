"""The difference of two candidates as instances came in, with its interval."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from racing.report.history import History
from racing.sketches import default_of
from racing.stats.effects import Estimator, median_difference

_LOOKS = 40  # at most so many points; further ones would not be seen
_WALSH = 300  # instances beyond which the median stands for the Hodges-Lehmann estimate


@dataclass(frozen=True, slots=True)
class Point:
    """After so many shared instances: other − winner in cost, with its interval."""

    instances: int
    estimate: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class Running:
    """The winner against another candidate.

    Attributes
    ----------
    winner, against
        Ids.
    points
        Above 0 the winner is better. Each interval holds for one look, not for all of them.
    level, estimator
        Of the intervals; see `racing.stats.median_difference`.
    """

    winner: int
    against: int
    points: tuple[Point, ...]
    level: float
    estimator: Estimator


def running(history: History, against: int, *, level: float = 0.95) -> Running | None:
    """How the winner's lead over `against` developed; None if they share no instance."""
    winner = history.facts.winner
    columns = history.matrices.column
    if winner is None or winner.id == against or not {winner.id, against} <= columns.keys():
        return None
    _, costs = history.matrices.pair(winner.id, against)
    n = len(costs)
    if n == 0:
        return None
    estimator: Estimator = "hodges-lehmann" if n <= _WALSH else "median"
    points = []
    for k in looks_at(n):
        found = median_difference(costs[:k, 0], costs[:k, 1], estimator=estimator, level=level)
        points.append(Point(k, found.estimate, found.low, found.high))
    return Running(
        winner=winner.id, against=against, points=tuple(points), level=level, estimator=estimator
    )


def rivals(history: History) -> dict[str, int]:
    """Whom the winner is compared with: `default` and `second`, as far as there are such."""
    facts = history.facts
    found: dict[str, int] = {}
    if facts.winner is None:
        return found
    default = default_of(history.race)
    if default != facts.winner:
        found["default"] = default.id
    second = second_of(history)
    if second is not None and second not in found.values():
        found["second"] = second
    return found


def second_of(history: History) -> int | None:
    """The best of the others: the next survivor, else who left last and was closest."""
    facts = history.facts
    others = [one.candidate.id for one in facts.standing if one.candidate != facts.winner]
    if others:
        return others[0]
    if not facts.dropped:
        return None
    last = facts.dropped[-1].after
    standing, column = history.matrices.standing, history.matrices.column
    latest = [one.candidate.id for one in facts.dropped if one.after == last]
    return min(latest, key=lambda id: (np.nan_to_num(standing[column[id]], nan=2.0), id))


def looks_at(n: int) -> list[int]:
    """After how many of n instances to look: all, or some evenly spaced ones with the last."""
    if n <= _LOOKS:
        return list(range(1, n + 1))
    return sorted({round(float(k)) for k in np.linspace(1, n, _LOOKS)})
