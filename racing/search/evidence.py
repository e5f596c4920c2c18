"""The probability that the configuration found is truly worse than the default, by all outcomes."""

from __future__ import annotations

from racing.core import evidence
from racing.search.phase import SearchContext

_NEAR = ("model", "uniform")
"""The origins of configurations that were drawn beside the best so far."""


def probability_worse(context: SearchContext, found: int, baseline: int) -> float:
    """P(`found` is truly worse than the baseline, on average over all problems).

    By all outcomes that are charged: see `racing.core.evidence`.

    Parameters
    ----------
    found, baseline
        Ids of candidates; without an outcome of both it is 0.5.
    """
    trials, pair = context.trials, (found, baseline)
    division, rows = trials.division, range(trials.division.closed or 0)
    if rows and not (division.aside or trials.several or trials.missing(pair, rows)):
        own, other = trials.block(pair, rows, context.constants.objective).scores.mean(axis=0)
        return 0.5 if own == other else float(own > other)  # nothing is left to chance
    results = trials.results([], without=set(context.account.unpaid(trials.recorded)))
    return evidence.probability_worse(
        results,
        trials.instances,
        trials.seed,
        found,
        baseline,
        objective=context.constants.objective,
        near={one.candidate.id for one in trials.entrants if one.origin in _NEAR},
    )
