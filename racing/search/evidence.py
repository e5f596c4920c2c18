"""The probability that the configuration found is truly worse than the default, by all outcomes."""

from __future__ import annotations

from racing.core import evidence
from racing.search.phase import SearchContext

_NEAR = ("model", "uniform")
"""The origins of configurations that were drawn beside the best so far."""


def probability_worse(context: SearchContext, found: int, baseline: int) -> float:
    """P(`found` is truly worse than the baseline, on average over all problems).

    By all outcomes that are charged: see `racing.core.evidence`. After one of several instances it
    is 0.5.

    Parameters
    ----------
    found, baseline
        Ids of candidates; without an outcome of both it is 0.5.
    """
    trials = context.trials
    results = trials.results([], without=set(context.account.unpaid(trials.recorded)))
    rows = [trials.division.row(step) for step in range(len(results.costs))]
    if len(rows) == 1 and trials.instances.limit != 1:
        return 0.5
    return evidence.probability_worse(
        results,
        trials.problems(rows),
        found,
        baseline,
        objective=context.constants.objective,
        near={one.candidate.id for one in trials.entrants if one.origin in _NEAR},
        correlation=trials.instances.shared,
    )
