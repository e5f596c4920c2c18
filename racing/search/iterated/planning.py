"""How many races there are, and what each of them may spend.

The numbers are those of López-Ibáñez, Dubois-Lacoste, Pérez Cáceres, Birattari and Stützle (2016),
The irace package, Operations Research Perspectives 3, sections 3.1 and 3.2, as irace 4.4 has them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from racing.search.iterated.settings import IteratedSettings

MOST = 1024
"""Configurations of one race, at most."""

_GROWTH = 5
"""Up to this iteration, later races are planned for more instances."""


def rounds(parameters: int) -> int:
    """floor(2 + log2 N): the number of races, and of the elites that each leaves."""
    return math.floor(2 + math.log2(max(parameters, 1)))


def share(remaining: float, iteration: int, iterations: int) -> int:
    """B_j = floor(what is left / (iterations − j + 1)), at least in one part."""
    return math.floor(remaining / max(iterations - iteration + 1, 1))


def size(
    evaluations: int, iteration: int, *, mu: int, each_test: int, elites: int, old: int, new: int
) -> int:
    """How many configurations a race of this many evaluations begins with.

    min(1024, floor((B_j + elites · old) / max(mu + T · min(5, j), old + new rounded up to T))): the
    elites have their outcomes on the old instances already, and all of the others may have to meet
    all of these before an elite can be dropped.

    Parameters
    ----------
    old, new
        Instances that the elites have seen, and new ones that the race begins with.
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
    """How many races a budget covers, up to those wanted; 0 if not even one."""
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
        How many it begins with, elites included.
    new
        How many new instances it begins with.
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
    """What race j may spend; None if the budget does not cover it.

    Where an elitist race would begin with too few configurations, it is planned without new
    instances, and then for one test.

    Parameters
    ----------
    remaining
        Evaluations that are left.
    survivors
        How many a race leaves at least.
    elites
        How many elites take part, who have seen `old` instances.
    new
        How many new instances there are for an elitist race to begin with.
    """
    mu, each = settings.planned_instances, settings.each_test
    evaluations = settings.per_iteration or share(remaining, number, iterations)
    evaluations = min(evaluations, math.floor(remaining))
    elitist = settings.elitist and elites > 0
    tries = [(number, mu, new), (number, mu, 0), (1, 1, 0)] if elitist else [(number, mu, 0)]
    found = 0
    for j, instances, new in tries:
        found = size(
            evaluations,
            j,
            mu=instances,
            each_test=each,
            elites=elites if elitist else 0,
            old=old if elitist else 0,
            new=new,
        )
        if found > survivors:
            break
    found = min(found, settings.configurations or found)
    fresh = found - elites
    first = fresh * mu + (elites * min(new, mu) if elitist else elites * mu)
    if found <= max(survivors, elites) or first > evaluations:
        return None
    return Planned(number=number, evaluations=evaluations, configurations=found, new=new)
