"""Bets that a candidate is on a Pareto front: `bets` where the objective is a front.

For a rival j and a metric k, a bettor with wealth 1 stakes on each instance that both have met that
j beats c in k, as in `racing.rules.betting`; E^k is the wealth. Then

    W(c) = mean over j of min over k of E^k(j, c)

c is dropped when W(c) ≥ 1/α, if it is behind a candidate that is still in: min E^k ≥ 1.

The guarantee: c is dropped with probability α at most in the whole race, if for every other
candidate j there is a metric in which, on a fresh instance, c beats j at least as probably as j
beats c. Proof: in that metric E^k is a nonnegative supermartingale that starts at 1; the minimum is
no more than it, and so is the mean over j of such; by Ville's inequality it ever reaches 1/α with
probability α at most. No correction is needed for the number of metrics, because all of them must
be against c.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from racing.core.results import Results
from racing.core.verdict import Elimination, Reason, elimination
from racing.rules.betting import SIZES, mixed

Floats = NDArray[np.float64]

_UP, _DOWN = np.log1p(SIZES), np.log1p(-SIZES)


def against(results: Results) -> Floats:
    """(k, m) log of min over metrics of E^k(j, c): for each survivor c and every candidate j.

    A survivor has −inf against itself. A failure is beaten by any number, in every metric.
    """
    found = np.full((len(results.survivors), results.costs.shape[1]), np.inf)
    assert results.goal is not None
    for name in results.goal.front:
        costs = results.of(name).costs
        for place, column in enumerate(results.survivors):
            own = costs[:, [column]]
            beaten, beats = (own > costs).sum(axis=0), (own < costs).sum(axis=0)
            wealth = mixed(beaten[:, None] * _UP + beats[:, None] * _DOWN)
            found[place] = np.minimum(found[place], wealth)
    found[np.arange(len(found)), results.survivors] = -np.inf
    return found


def front_eliminations(results: Results, *, alpha: float, leader: int) -> tuple[Elimination, ...]:
    """The dropped candidates, the worst first; the leader stays."""
    logs = against(results)
    own = logs[:, results.survivors]  # of rivals that are still in
    with np.errstate(over="ignore"):
        wealth = np.exp(np.minimum(logs, 700.0)).sum(axis=1) / max(logs.shape[1] - 1, 1)
    found = []
    for place in np.argsort(-wealth, kind="stable"):
        behind = int(own[place].argmax())
        if place == leader or wealth[place] < 1 / alpha or own[place, behind] < 0:
            continue
        found.append(
            elimination(
                results,
                place,
                behind,
                reason=Reason.DOMINATED,
                measure="e-value",
                value=wealth[place],
                threshold=1 / alpha,
                statistic=None,
            )
        )
        own[:, place] = -np.inf
    return tuple(found)
