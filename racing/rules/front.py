"""Elimination in a race for a Pareto front: the plan of `auto`.

A front has many members, and noise makes early fronts too small: whoever is dominated now may be on
the front in the end. So the plan keeps at least all whose gap (`racing.core.fronts.gaps`) can still
vanish. After n instances, with h further ones for each, a mean changes by a normal variable with
standard deviation t = σ·√(h/(n(n+h))), a difference of two by √2 of it. With g a gap in units of σ,

    F = max(2, #{c : g(c) < 1.645 · √2 · t · √(1 + 5/n)})

may be on the front. About k·n/j candidates see instance j, as in every plan, and at least F.

Without a budget, and where it covers all instances for all survivors, only those leave that the
remaining instances will not bring back: 2.576 stands in place of 1.645, and F see all instances.
"""

from __future__ import annotations

import math

import numpy as np

from racing.core.fronts import CAUTION
from racing.core.results import Results
from racing.core.verdict import Elimination, Reason, eliminations
from racing.rules.plan import LAST, front_places
from racing.rules.rule import Outlook, Places

_LIKELY = 1.645
"""The normal quantile of .95, where others need a candidate's share of the budget."""

_SURE = 2.576
"""The normal quantile of .995, where dropping a candidate only saves evaluations."""


def dominated(results: Results, outlook: Outlook, order: Places) -> tuple[Elimination, ...]:
    """The dominated candidates that further instances will not move to the front, worst first."""
    assert results.goal is not None
    n, k = len(results.block), len(results.survivors)
    if n < 2 or k <= LAST:
        return ()
    scarce = k * outlook.instances > outlook.affordable
    seen = results.goal.trade_offs(results)
    reach = _reach(n, k, outlook) * (_LIKELY if scarce else _SURE)
    candid = seen.reliable & ((seen.gaps < reach) | seen.front)
    kept = max(int(candid.sum()), LAST)
    if scarce:
        kept = front_places(
            k, least=kept, n=n, evaluations=outlook.affordable, instances=outlook.instances
        )
    gone, most = order[: kept - 1 : -1], float(np.min(seen.failed))
    out = (
        eliminations(results, [i], seen.rivals, "gap", seen.gaps, reach, reason=Reason.DOMINATED)
        if seen.reliable[i]
        else eliminations(
            results, [i], seen.rivals, "failures", seen.failed, most, reason=Reason.DOMINATED
        )
        for i in gone
    )
    return tuple(one for each in out for one in each)


def _reach(n: int, k: int, outlook: Outlook) -> float:
    """The standard deviation of the change of a gap in the rest of the race, in units of noise."""
    ahead = min(outlook.instances, outlook.affordable / k)
    further = 1.0 if math.isinf(ahead) else ahead / (n + ahead)
    return math.sqrt(2 * further / n * (1 + CAUTION / n))
