"""Baselines from the literature on bandits: continuous rejects, and upper confidence bounds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.racing_lab.worlds import Floats
from racing.core.objective import standing
from racing.core.results import Results
from racing.core.verdict import Reason, Verdict, eliminations, verdict_on
from racing.rules.rule import Outlook
from racing.rules.schedule import whole


@dataclass(frozen=True, kw_only=True)
class ContinuousRejects:
    """Continuous rejects in its aggressive form, CR-A (Wang, Tzeng and Proutiere, 2023).

    It is what TRIPLE (Shi et al., 2024) takes to choose prompts. After each instance the last one
    of k candidates leaves if the mean of the others is ahead of it by at least

        1/√β − 1,   β = k·n·(½ + 1/2 + … + 1/k) / (T − evaluations of those that left)

    of T evaluations in all, n instances seen. Costs must be in [0, 1]. There is no time at the
    beginning in which nobody may leave. At β = 1 it is successive rejects.
    """

    def __call__(self, results: Results, outlook: Outlook, rng: np.random.Generator) -> Verdict:
        """At most one leaves; `rng` is not used."""
        k = results.block.shape[1]
        order = standing(results, outlook.objective)
        means, last, leader = results.block.mean(axis=0), int(order[-1]), int(order[0])
        behind = float(means[last] - np.delete(means, last).mean()) if k > 1 else -np.inf
        least = 1 / np.sqrt(self._beta(results, outlook)) - 1
        gone, why = [last] if behind >= least else [], Reason.SCHEDULE
        out = eliminations(
            results, gone, leader, "mean difference", behind, least, behind, reason=why
        )
        return verdict_on(results, leader, out)

    def first_look(self, outlook: Outlook) -> int:
        """After the first instance."""
        return 1

    def _beta(self, results: Results, outlook: Outlook) -> float:
        """Which share those that are left have used of what successive rejects would give them."""
        n, k = results.block.shape
        total, _ = whole(results, outlook)
        by_others = int(np.count_nonzero(~np.isnan(results.costs))) - n * k
        share = 0.5 + float((1 / np.arange(2, k + 1)).sum())
        return n * k * share / (total - by_others)


def ucb(costs: Floats, evaluations: int) -> tuple[int, NDArray[np.bool_]]:
    """UCB1 (Auer et al., 2002): the winner, and who met which instance.

    Each candidate meets the instances in their order, and the next evaluation is of the one with
    the lowest mean − √(2 ln t / n); costs must be in [0, 1]. The winner has the lowest mean, and of
    those the most evaluations.
    """
    rows, q = costs.shape
    sums, n = costs[0].copy(), np.ones(q, dtype=int)
    for t in range(q, min(evaluations, costs.size)):
        bound = np.where(n < rows, sums / n - np.sqrt(2 * np.log(t) / n), np.inf)
        i = int(bound.argmin())
        sums[i] += costs[n[i], i]
        n[i] += 1
    winner = int(np.lexsort((-n, sums / n))[0])
    return winner, np.arange(rows)[:, None] < n
