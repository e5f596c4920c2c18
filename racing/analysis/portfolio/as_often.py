"""Further runs of a candidate on fresh instances, each with another seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from racing.evaluate.command import Command
from racing.race import Race
from racing.runner.known_seeds import seeds_of
from racing.scenario import InstanceSource, Scenario

Floats = NDArray[np.float64]


def takes_seeds(scenario: Scenario) -> bool:
    """Whether the target is told a seed; what a function does with it is its own affair."""
    target = scenario.target
    return not isinstance(target, Command) or any(
        name == "seed" for argument in target.arguments for _, name in argument
    )


def with_other_seeds(
    source: InstanceSource, scenario: Scenario, race: Race, times: int
) -> InstanceSource:
    """The instances of a race, each with so many seeds that it did not have there."""
    met: dict[str, list[int]] = {}
    for step in range(len(race.results.costs)):
        met.setdefault(race.instance(step).name, []).append(race.instance(step).seed)
    problems = [
        replace(one, seeds=seeds_of(scenario.seed, one.name, met, (1 + times) * had)[had:])
        for one in source.problems(Path(scenario.folder))
        for had in [len(met[one.name])]
    ]
    return replace(source, list=problems, glob=None, file=None)


def best_of_further(again: Race, names: Sequence[str], place: int, times: int) -> Floats | None:
    """(n,) the best of so many runs of a candidate on each instance; None if some are not there.

    An instance that comes several times, with fixed seeds, has so many further runs each time.
    """
    runs: dict[str, list[float]] = {}
    for step, row in enumerate(again.results.costs):
        runs.setdefault(again.instance(step).name, []).append(float(row[place]))
    if {name: len(own) for name, own in runs.items()} != {
        name: times * many for name, many in Counter(names).items()
    }:
        return None
    taken = {name: iter(own) for name, own in runs.items()}
    return np.array([min(next(taken[name]) for _ in range(times)) for name in names])
