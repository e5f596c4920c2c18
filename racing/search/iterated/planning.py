"""Plans the number of races, and the evaluations of each.

As in López-Ibáñez, Dubois-Lacoste, Pérez Cáceres, Birattari and Stützle (2016),
The irace package, Operations Research Perspectives 3, sections 3.1 and 3.2, and in irace 4.4.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from racing.search.iterated.settings import IteratedSettings

MOST = 1024
"""The most configurations of one race."""

_GROWTH = 5
"""Up to this iteration, each race is planned for more instances than the one before."""


def rounds(parameters: int) -> int:
    """floor(2 + log2 N): the number of races, and of the elites of each."""
    return math.floor(2 + math.log2(max(parameters, 1)))


def share(remaining: float, iteration: int, iterations: int) -> int:
    """B_j = floor(remaining / (iterations − j + 1)); all that remains from the last race on."""
    return math.floor(remaining / max(iterations - iteration + 1, 1))


def size(
    evaluations: int, iteration: int, *, mu: int, each_test: int, elites: int, old: int, new: int
) -> int:
    """The number of configurations at the start of a race of this many evaluations.

    min(1024, floor((B_j + elites · old) / max(mu + T · min(5, j), old + new rounded up to T))): the
    elites already have outcomes on the old instances, and all others may have to meet all of these
    before an elite can be dropped.

    Parameters
    ----------
    old, new
        Instances that the elites have seen, and new ones at the start of the race.
    """
    instances = mu + each_test * min(_GROWTH, iteration)
    until_safe = -(-(old + new) // each_test) * each_test
    return min(MOST, (evaluations + elites * old) // max(instances, until_safe))


def least(settings: IteratedSettings, survivors: int, iterations: int) -> int:
    """The smallest budget for this many races; irace refuses less.

    (survivors + 1) · iterations · X, where X is the number of instances that a configuration meets.
    """
    mu, each, new = settings.planned_instances, settings.each_test, settings.new_instances
    if not settings.elitist:
        instances = mu + _GROWTH * each
    elif iterations <= _GROWTH:
        instances = mu + each + (iterations - 1) * max(each, new)
    else:
        instances = mu + each + (iterations - _GROWTH) * new + _GROWTH * max(each, new)
    return (survivors + 1) * iterations * instances


def affordable(
    settings: IteratedSettings, survivors: int, iterations: int, evaluations: float
) -> int:
    """The number of races that a budget covers, at most `wanted`."""
    for fewer in range(iterations, 0, -1):
        if least(settings, survivors, fewer) <= evaluations:
            return fewer
    return 0


@dataclass(frozen=True, kw_only=True)
class Planned:
    """What one race may spend.

    Attributes
    ----------
    number
        j, from 1.
    evaluations
        B_j.
    configurations
        The number at its start, elites included.
    new
        The number of new instances at its start.
    """

    number: int
    evaluations: int
    configurations: int
    new: int


def planned(
    settings: IteratedSettings,
    *,
    number: int,
    iterations: int,
    remaining: float,
    survivors: int,
    elites: int = 0,
    old: int = 0,
    new: int = 0,
) -> Planned | None:
    """The plan of race j; None if the budget does not cover it.

    An elitist race with too few configurations is planned without new instances, and then for one
    test.

    Parameters
    ----------
    remaining
        Evaluations that are left.
    survivors
        The least number that survive a race.
    elites
        The number of elites in the race, which have seen `old` instances.
    new
        The number of new instances at the start of an elitist race.
    """
    mu, each = settings.planned_instances, settings.each_test
    evaluations = settings.per_iteration or share(remaining, number, iterations)
    evaluations = min(evaluations, math.floor(remaining))
    elitist = settings.elitist and elites > 0
    tries = [(number, mu, new), (number, mu, 0), (1, 1, 0)] if elitist else [(number, mu, 0)]
    seen, found = {"elites": elites * elitist, "old": old * elitist}, 0
    for j, instances, new in tries:
        found = size(evaluations, j, mu=instances, each_test=each, new=new, **seen)
        if found > survivors:
            break
    found = min(found, settings.configurations or found)
    fresh = found - elites
    first = fresh * mu + (elites * min(new, mu) if elitist else elites * mu)
    if found <= max(survivors, elites) or first > evaluations:
        return None
    return Planned(number=number, evaluations=evaluations, configurations=found, new=new)
