"""Items that come in groups, such as questions about one document: what interleaving them brings.

    python -m benchmarks.groups          400 races of 16 candidates, 12 documents of 10 questions

Scores of a candidate on the questions of one document have the correlation ρ beyond what all
candidates share. *regret* is by how much the winner's mean over all documents of that kind is worse
than the best one's, in per cent of the spread of candidates; ± is the standard error of a mean, and
differences are paired by race.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from racing.core.instances import Instances
from racing.race import Race

DOCUMENTS, QUESTIONS, CANDIDATES = 12, 10, 16
Floats = NDArray[np.float64]


def world(rho: float, seed: int) -> tuple[Floats, Floats]:
    """(n, k) costs, and (k,) their means over documents without end."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=CANDIDATES)
    document = rng.normal(size=(DOCUMENTS, CANDIDATES)).repeat(QUESTIONS, axis=0)
    question = rng.normal(size=(DOCUMENTS * QUESTIONS, CANDIDATES))
    return truth + 2 * (np.sqrt(rho) * document + np.sqrt(1 - rho) * question), truth


def instances(way: str, rho: float, seed: int) -> Instances:
    """The same items, told or not told that they come in groups; or document after document."""
    n = DOCUMENTS * QUESTIONS
    if way == "one by one":
        return Instances(range(n), order="listed")
    if way == "shuffled":
        return Instances(range(n))
    return Instances(range(n), groups=[k // QUESTIONS for k in range(n)], correlation=rho)


def raced(way: str, rho: float, budget: int | None, seed: int) -> tuple[float, float]:
    """Regret, and the number of evaluations."""
    costs, truth = world(rho, seed)
    race = Race([{"x": i} for i in range(CANDIDATES)], instances(way, rho, seed), budget=budget,
                objective="mean", seed=seed)  # fmt: skip
    while not race.done:
        for one in race.ask():
            race.tell(one, costs[one.instance.problem, one.candidate.values["x"]])
    assert race.winner is not None
    regret = truth[race.winner.values["x"]] - truth.min()
    return 100 * regret / float(np.ptp(truth)), race.spent.evaluations


def rows(races: int, correlations: Iterable[float], budgets: Iterable[int | None]) -> None:
    """Print the table."""
    print("| ρ | budget | order | regret | to shuffled | evaluations |")
    print("|---|---|---|---|---|---|")
    for rho in correlations:
        for budget in budgets:
            found = {
                way: np.array([raced(way, rho, budget, seed) for seed in range(races)])
                for way in ("shuffled", "one by one", "groups")
            }
            for way, each in found.items():
                off = each[:, 0] - found["shuffled"][:, 0]
                error = off.std(ddof=1) / np.sqrt(races)
                print(
                    f"| {rho} | {budget or 'none'} | {way} | {each[:, 0].mean():.1f} "
                    f"| {off.mean():+.1f} ± {error:.1f} | {each[:, 1].mean():.0f} |",
                    flush=True,
                )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--races", type=int, default=400)
    parser.add_argument("--rho", type=float, nargs="+", default=[0.1, 0.5, 0.8])
    parser.add_argument("--budgets", type=int, nargs="+", default=[160, 480, 0])
    given = parser.parse_args()
    rows(given.races, given.rho, [budget or None for budget in given.budgets])


if __name__ == "__main__":
    main()
