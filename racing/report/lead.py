"""The winner's lead over another candidate by instance, with its interval."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from racing.answer.gain import FEW, Evidence, Kind, difference, gain, kind_of
from racing.core.view import default_of
from racing.report.history import History

_LOOKS = 40  # at most so many points; further ones would not be seen
_WALSH = 300  # instances beyond which the median stands for the Hodges-Lehmann estimate


@dataclass(frozen=True, slots=True)
class Point:
    """Other − winner in cost after so many instances on which neither failed, with its interval."""

    instances: int
    estimate: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class Lead:
    """The winner against another candidate.

    Attributes
    ----------
    winner, against
        Ids.
    points
        Above 0 the winner is better. Each interval holds for one look, not for all of them.
    level, kind
        Of the intervals, and what they are of.
    evidence
        What all these instances show.
    failed
        On how many shared instances one of the two failed; they are in no point.
    """

    winner: int
    against: int
    points: tuple[Point, ...]
    level: float
    kind: Kind
    evidence: Evidence
    failed: int = 0


def lead(history: History, against: int, *, level: float = 0.95) -> Lead | None:
    """The winner's lead over `against` by instance; None if they share no instance."""
    winner = history.facts.winner
    columns = history.matrices.column
    if winner is None or winner.id == against or not {winner.id, against} <= columns.keys():
        return None
    _, costs = history.matrices.pair(winner.id, against)
    both = np.isfinite(costs).all(axis=1)
    failed, costs = int((~both).sum()), costs[both]
    n = len(costs)
    if n == 0:
        return None
    kind = kind_of(costs, exact=_WALSH)
    points = []
    for k in looks_at(n):
        estimate, *ends = difference(costs[:k], kind, level=level)
        few = kind == "shares" and k < FEW
        low, high = (-np.inf, np.inf) if few else ends
        points.append(Point(k, estimate, low, high))
    return Lead(
        winner=winner.id, against=against, points=tuple(points), level=level, kind=kind,
        failed=failed, evidence=gain(costs, level=level).evidence,
    )  # fmt: skip


def rivals(history: History) -> dict[str, int]:
    """Candidates that the winner is compared with: `default` and `second`, if they exist."""
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
    """The best of the others: the next survivor, else the closest of those dropped last."""
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
    """The instances to show: all n, or some evenly spaced ones with the last."""
    if n <= _LOOKS:
        return list(range(1, n + 1))
    return sorted({round(float(k)) for k in np.linspace(1, n, _LOOKS)})
