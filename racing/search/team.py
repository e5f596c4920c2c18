"""The team of a portfolio search: whether it is worth one, its turns, its runs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from racing.search.phase import Phase, SearchContext
from racing.stats.ranks import rank_rows

Floats = NDArray[np.float64]

CANDIDATES, INSTANCES = 12, 8
"""So many of the initial configurations run on so many instances."""

_MOST = 0.1
"""The greatest share of the budget that this may cost."""

_ALIKE, _APART = 0.3, 0.1
"""Instances rank alike if correlations are at least `_ALIKE`, and groups at most `_APART`."""


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


# --- do all instances rank configurations alike? -----------------------------------------------


class Probe(Phase):
    """Runs the first configurations on the first instances, to see whether these rank them alike.

    The initial phase knows little of that: after one instance, it has dropped half of the
    configurations. Those that are looked at here were chosen by no instance.

    Attributes
    ----------
    elites, steps
        Those of the initial phase.
    agreed
        Whether all instances rank alike; False before the end.
    extra
        The evaluations that it costs.
    """

    name = "probe"

    def __init__(self, context: SearchContext, elites: Sequence[int], instances: int) -> None:
        super().__init__(context, tuple(elites), instances)
        self.agreed = False
        self._want(_missing(context))
        self.extra = len(self._pairs)
        self.update()

    def _close(self) -> None:
        """Compare the instances."""
        self.over = True
        if self._charged(max(self.instances, INSTANCES)):
            ids = list(self._trials.candidates)[:CANDIDATES]
            self.agreed = want_the_same(self._trials.own_costs(ids, range(INSTANCES)))


def worth_a_probe(context: SearchContext, evaluations: float) -> bool:
    """Whether there are enough candidates and instances, and the probe is cheap for the budget."""
    if len(context.trials.candidates) < CANDIDATES or context.limit < INSTANCES:
        return False
    return len(_missing(context)) <= _MOST * evaluations


def want_the_same(costs: Floats) -> bool:
    """Whether instances rank configurations alike, and do not fall into groups that differ.

    Parameters
    ----------
    costs : (n, m)
        A complete block; rows are instances, +inf = failed.

    Examples
    --------
    >>> want_the_same(np.tile(np.arange(12.0), (8, 1)))
    True
    >>> want_the_same(np.array([np.arange(12.0), -np.arange(12.0)] * 4))
    False
    """
    correlations = rank_correlations(costs)[np.triu_indices(len(costs), 1)]
    return bool(correlations.mean() >= _ALIKE and groups_apart(costs) <= _APART)


def rank_correlations(costs: Floats) -> Floats:
    """(n, n) Spearman's correlations of instances; 0 for an instance where all costs are equal."""
    ranks = rank_rows(costs, check=False)
    ranks = ranks - ranks.mean(axis=1, keepdims=True)
    lengths = np.sqrt((ranks * ranks).sum(axis=1, keepdims=True))
    ranks = ranks / np.where(lengths > 0, lengths, 1.0)
    return np.asarray(ranks @ ranks.T)


def groups_apart(costs: Floats) -> float:
    """By how much instances are more alike within two groups than between them.

    Half of the configurations find the groups, the other half tells the difference of the mean
    correlations: without groups it is 0 on average. The mean over m ways to halve m configurations
    in a circle.
    """
    m = costs.shape[1]
    halves = [np.arange(start, start + m // 2) % m for start in range(m)]
    found = [_apart(costs[:, half], np.delete(costs, half, axis=1)) for half in halves]
    return float(np.mean(found))


def _apart(finds: Floats, tells: Floats) -> float:
    """The difference of the mean correlations within and between two groups; 0 without two."""
    first = _first_group(rank_correlations(finds))
    above = np.triu_indices(len(first), 1)
    together = (first[:, None] == first)[above]
    correlations = rank_correlations(tells)[above]
    if together.all() or not together.any():
        return 0.0
    return float(correlations[together].mean() - correlations[~together].mean())


def _first_group(correlations: Floats) -> NDArray[np.bool_]:
    """The instances on one side of the first principal axis of their correlations."""
    centre = np.eye(len(correlations)) - 1 / len(correlations)
    _, axes = np.linalg.eigh(centre @ correlations @ centre)
    return np.asarray(axes[:, -1] > 0)


def _missing(context: SearchContext) -> list[tuple[int, int]]:
    """The runs that are not charged yet."""
    ids = list(context.trials.candidates)[:CANDIDATES]
    return context.account.unpaid((id, step) for step in range(INSTANCES) for id in ids)
