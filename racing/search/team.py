"""The team of a portfolio search: its turns, what may complement it, and its runs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from racing.search.phase import Phase, SearchContext

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Turn:
    """One of the searches of a portfolio.

    Attributes
    ----------
    until
        The share of the search's budget that may be spent at its end.
    revisits
        The place of the member that it may replace; None if it adds a member.
    """

    until: float
    revisits: int | None = None


def turns_of(size: int) -> list[Turn]:
    """The turns of a portfolio of this size.

    There are size + 1 equal shares. Each of the first adds a member; the last one revisits the
    first half of the members, which were chosen before the others were known.

    Examples
    --------
    >>> [round(turn.until, 2) for turn in turns_of(3)], turns_of(3)[-1].revisits
    ([0.25, 0.5, 0.75, 1.0], 0)
    """
    each, again = 1 / (size + 1), size // 2
    found = [Turn(until=(place + 1) * each) for place in range(size)]
    return found + [
        Turn(until=1 - each * (again - 1 - place) / again, revisits=place) for place in range(again)
    ]


def after(turns: Sequence[Turn], part: float) -> list[Turn]:
    """The turns in the rest of the budget, after this part of it.

    Examples
    --------
    >>> [round(turn.until, 2) for turn in after(turns_of(3), 0.2)]
    [0.4, 0.6, 0.8, 1.0]
    """
    return [replace(turn, until=part + (1 - part) * turn.until) for turn in turns]


class TeamRuns(Phase):
    """Runs the members on instances that they have not met, as many as the budget covers.

    Attributes
    ----------
    elites
        Ids of the members.
    steps
        The rows of the instances.

    Parameters
    ----------
    met
        The number of instances before these.
    """

    name = "team"

    def __init__(
        self, context: SearchContext, members: Sequence[int], rows: Sequence[int], met: int = 0
    ) -> None:
        super().__init__(context, tuple(members))
        self._rows, pairs, room = rows, list[tuple[int, int]](), self._account.room
        for place, row in enumerate(rows):
            further = self._account.unpaid((id, row) for id in members)
            if further and len(pairs) + len(further) > room:
                self._rows = rows[:place]
                break
            pairs += further
        self.instances = met + len(self._rows)
        self._want(pairs)
        self.update()

    def _close(self) -> None:
        """Charge the runs."""
        self._charged(self.instances)
        self.over = True


def promising(context: SearchContext, steps: range, most: int) -> list[int]:
    """The earlier candidates that may add most to the team, by the runs that are charged.

    The sum of a candidate's gains over the team is divided by the number of its runs and two more,
    so that one lucky run counts less than several.
    """
    trials, account, team = context.trials, context.account, context.trials.team
    best = trials.own_costs(team, steps).min(axis=1)
    charged: dict[int, list[int]] = {}
    for id, step in sorted(trials.recorded):
        if id not in team and step in steps and not account.unpaid([(id, step)]):
            charged.setdefault(id, []).append(step)
    worth = {}
    for id, met in charged.items():
        own = [(best[step], trials.recorded[id, step].cost) for step in met]
        worth[id] = math.fsum(team - cost for team, cost in own if cost < team) / (len(met) + 2)
    return sorted(worth, key=lambda id: (-worth[id], id))[:most]


def complete(context: SearchContext, steps: range) -> list[int]:
    """Ids of the candidates whose runs on all these instances are charged."""
    account = context.account
    return [
        id for id in context.trials.candidates if not account.unpaid((id, step) for step in steps)
    ]


def best_team(scores: Floats, ids: Sequence[int], size: int) -> list[int]:
    """The team of this size with the lowest mean of the best score, by greedy choice and exchange.

    Parameters
    ----------
    scores : (n, m)
        Of the candidates `ids`, on instances that all have met; lower is better.

    Examples
    --------
    >>> best_team(np.array([[0.0, 3.0, 2.0], [3.0, 0.0, 2.0]]), [7, 8, 9], 2)
    [7, 8]
    """

    def mean_of(places: Sequence[int]) -> float:
        return float(scores[:, list(places)].min(axis=1).mean())

    team: list[int] = []
    for _ in range(min(size, len(ids))):
        others = [place for place in range(len(ids)) if place not in team]
        team.append(min(others, key=lambda place: mean_of([*team, place])))
    better = True
    while better:
        better = False
        for at, new in product(range(len(team)), range(len(ids))):
            changed = [*team[:at], new, *team[at + 1 :]]
            if new not in team and mean_of(changed) < mean_of(team):
                team, better = changed, True
    return [ids[place] for place in team]
