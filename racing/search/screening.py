"""How a challenger is judged at the end of a rung: by its total, by a test, by its place.

1. Where costs are times, its total is held to the elites' (`Settings.capping`).
2. The screening rule (`racing.search.challenger`) holds its probability of being better than the
   best elite to `Settings.drop`. A rule of `racing.rules` may take its place: it sees the complete
   block of the elites and the challenger on the instances so far, and its verdict on the challenger
   counts. Rules that compare candidates make sense here: `sign`, `mean-ranks`, `wilcoxon`,
   `t-test`, `f-test`, `bayes` and `auto`. Rules that follow a schedule (`halving`, `rejects`) drop
   by how much of a race is over, and make none; rules for bounded costs need many instances.
3. It is dropped unless it is in the better half of those that stood at this rung before it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from racing.rules.rule import Outlook
from racing.rules.verdict import Elimination, Reason, Verdict
from racing.search.challenger import Duel
from racing.search.elites import block_results
from racing.search.rules import Rules
from racing.search.state import State

Floats = NDArray[np.float64]


def allowance(state: State, steps: Sequence[int], capping: float) -> float:
    """How much a challenger's costs on these instances may add up to.

    κ · Σ over instances of the elites' mean cost
    """
    return float(capping * state.costs[list(steps)].mean(axis=1).sum())


def judge(
    id: int,
    standing: Duel,
    costs: Floats,
    steps: Sequence[int],
    state: State,
    rules: Rules,
    rng: np.random.Generator | None,
    *,
    capped: bool = False,
) -> Verdict | None:
    """The verdict that drops a challenger; None if it may go on.

    If no instances can come beyond the elites', it is not tested once it has met all of them: means
    are compared when its decision comes.

    Parameters
    ----------
    costs : (n,)
        Its own.
    steps
        On which instances, n of them.
    rng
        For a rule of the project.
    capped
        Whether one of its runs was stopped at its bound: it is then dropped.
    """
    whole = standing.n == state.instances
    eliminated = _by_total(id, costs, steps, state, rules, capped=capped)
    if eliminated is None and not (whole and state.instances >= rules.limit):
        if rules.rule is None:
            eliminated = _by_probability(id, standing, state, rules)
        elif rng is not None:
            eliminated = _by_rule(id, costs, steps, state, rules, rng)
    if eliminated is None and not whole:
        eliminated = _by_place(id, standing, state)
    if eliminated is None:
        return None
    return Verdict(
        instances=standing.n,
        leader=state.elites[0],
        eliminated=(eliminated,),
        about=(id,),
        steps=tuple(steps),
    )


def _by_total(
    id: int, costs: Floats, steps: Sequence[int], state: State, rules: Rules, *, capped: bool
) -> Elimination | None:
    """Dropped, as its costs add up to more than they may, or would if no run had been stopped."""
    if rules.settings.capping is None:
        return None
    most, total = allowance(state, steps, rules.settings.capping), float(costs.sum())
    if not capped and (total < most or most == 0):
        return None
    return Elimination(
        candidate=id,
        against=state.elites[0],
        measure="total cost",
        value=total,
        threshold=most,
        statistic=math.nan,
    )


def _by_probability(id: int, standing: Duel, state: State, rules: Rules) -> Elimination | None:
    """Dropped, as it is hardly better than the best elite."""
    if standing.probability > rules.settings.drop:
        return None
    return Elimination(
        candidate=id,
        against=state.elites[0],
        measure="probability better",
        value=standing.probability,
        threshold=rules.settings.drop,
        statistic=standing.behind,
    )


def _by_rule(
    id: int,
    costs: Floats,
    steps: Sequence[int],
    state: State,
    rules: Rules,
    rng: np.random.Generator,
) -> Elimination | None:
    """Dropped, as a rule says so of the complete block."""
    assert rules.rule is not None
    block = np.column_stack([state.costs[list(steps)], costs])
    results = block_results(block, (*state.elites, id))
    outlook = Outlook(objective=rules.objective, instances=rules.limit - len(steps))
    verdict = rules.rule(results, outlook, rng)
    return next((one for one in verdict.eliminated if one.candidate == id), None)


def _by_place(id: int, standing: Duel, state: State) -> Elimination | None:
    """Dropped, as it is in the worse half of those that stood at this rung."""
    if standing.behind <= standing.median:
        return None
    return Elimination(
        candidate=id,
        against=state.elites[0],
        reason=Reason.SCHEDULE,
        measure="mean difference",
        value=standing.behind,
        threshold=standing.median,
        statistic=standing.behind,
    )
