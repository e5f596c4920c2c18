"""CMA-ES, by the package `cmaes`, with a race that ranks each population.

    python -m examples.embed.cma_es

CMA-ES uses only the ranks of a population. To find them, a plain loop evaluates every candidate on
every series. A race drops inferior candidates early and ranks the survivors well. The ranks of the
survivors move the distribution most.
"""

from __future__ import annotations

import numpy as np
from cmaes import CMA

import racing
from examples.embed.holt import error, true_error

BOUNDS = np.array([[0.01, 1.0], [-3.0, 0.0]])  # of the level, and of the trend's logarithm


def configuration(point: np.ndarray) -> dict[str, float]:
    """The configuration at a point of the search."""
    return {"level": float(point[0]), "trend": float(10 ** point[1])}


def ranked(race: racing.Race) -> list[int]:
    """All candidates of a race that is over, best first; of two dropped ones, the later."""
    left = [standing.candidate.id for standing in race.ranking()]
    dropped = [out.candidate for verdict in race.verdicts for out in verdict.eliminated]
    return left + dropped[::-1]


def search(
    *, generations: int = 10, population: int = 10, budget: int = 120, seed: int = 1
) -> tuple[dict[str, float], int]:
    """The mean of the last distribution, and how many evaluations it took."""
    optimizer = CMA(
        mean=np.array([0.5, -1.5]), sigma=0.4, bounds=BOUNDS, population_size=population, seed=seed
    )
    evaluations = 0
    for generation in range(generations):
        points = [optimizer.ask() for _ in range(population)]
        race = racing.Race(
            [configuration(point) for point in points],
            range(100 * generation, 100 * generation + 100),
            objective="mean",
            min_survivors=population // 4,
            budget=budget,
        )
        for experiment in race:
            race.tell(experiment, error(experiment.candidate.values, experiment.instance.problem))
        optimizer.tell([(points[id - 1], float(place)) for place, id in enumerate(ranked(race))])
        evaluations += race.outcomes
    return configuration(optimizer.mean), evaluations


def main() -> None:
    """Search, and say what it came to."""
    found, evaluations = search()
    print(f"best: {found} after {evaluations} evaluations")
    print(f"on series that it has not seen: {true_error(found):.3f}")


if __name__ == "__main__":
    main()
