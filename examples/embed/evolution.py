"""An evolutionary search: each generation is a race, and its survivors are the next parents.

    python -m examples.embed.evolution

Children are mutations of the parents. Both race on new series, so a parent that was lucky once does
not stay for that.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import racing
from examples.embed.holt import error, true_error
from examples.embed.random_search import sampled

Configuration = dict[str, float]


def mutated(parent: Configuration, rng: np.random.Generator, step: float) -> Configuration:
    """A configuration near its parent, within the bounds."""
    level = parent["level"] + step * rng.normal()
    trend = parent["trend"] * 10 ** (2 * step * rng.normal())
    return {"level": float(np.clip(level, 0.01, 1)), "trend": float(np.clip(trend, 0.001, 1))}


def survivors(
    configurations: Sequence[Configuration], instances: Sequence[int], *, parents: int, budget: int
) -> racing.Race:
    """Race configurations until as few are left as can be parents, or the budget is spent."""
    race = racing.Race(
        configurations, instances, objective="mean", min_survivors=parents, budget=budget
    )
    for experiment in race:
        race.tell(experiment, error(experiment.candidate.values, experiment.instance.problem))
    return race


def evolve(
    *, generations: int = 6, parents: int = 4, children: int = 16, budget: int = 200, seed: int = 1
) -> Configuration:
    """The best configuration after some generations, each with this budget of evaluations."""
    rng = np.random.default_rng(seed)
    population = sampled(parents + children, seed)
    for generation in range(generations):
        fresh = range(100 * generation, 100 * generation + 100)
        race = survivors(population, fresh, parents=parents, budget=budget)
        best = [dict(standing.candidate.values) for standing in race.ranking()[:parents]]
        step = 0.3 * 0.7**generation
        drawn = [mutated(best[i % len(best)], rng, step) for i in range(children)]
        population = [*best, *drawn]
    return best[0]


def main() -> None:
    """Search, and say what it came to."""
    found = evolve()
    print(f"best: {found}")
    print(f"on series that it has not seen: {true_error(found):.3f}")


if __name__ == "__main__":
    main()
