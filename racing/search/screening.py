"""The screening test: the verdict on a challenger at the end of a rung.

1. Where costs are times, its total is compared with the elites' (`Settings.capping`).
2. It is dropped if its probability of being better than the best elite is `Settings.drop` or less.
   A rule of `racing.rules` may replace this test: it gets the complete block of the elites and the
   challenger on the instances so far, and its verdict on the challenger counts. Suitable rules
   compare candidates: `sign`, `mean-ranks`, `wilcoxon`, `t-test`, `f-test`, `bayes` and `auto`.
   Rules that follow a schedule (`halving`, `rejects`) drop by the progress of a race, and are not
   suitable; rules for bounded costs need many instances.
3. It is dropped unless it is in the better half of the latest challengers at this rung.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np
from numpy.typing import NDArray

from racing.core.verdict import Elimination, Reason, Verdict
from racing.rules.rule import Outlook
from racing.search.block import Block, Lag
from racing.search.constants import SearchConstants
from racing.search.scores import probability_better
from racing.search.state import State

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Duel:
    """A challenger compared with the best elite, after n instances.

    Attributes
    ----------
    n
        On how many instances.
    behind
        Mean difference to the best elite on these (see `Lag.behind`); negative is better.
    probability
        That the challenger is better than the best elite.
    median
        Of the mean differences of the latest challengers at this rung; +inf if too few were tested.
    """

    n: int
    behind: float
    probability: float
    median: float


def duel(lag: Lag, recent: Sequence[float], *, prior: float, least: int) -> Duel:
    """Compare a challenger with the best elite by their differences.

    Parameters
    ----------
    lag
        How far the challenger is behind.
    prior
        See `probability_better`.
    recent
        Mean differences of those that were tested at this rung before it.
    least
        With fewer of them, their median does not count.
    """
    middle = median(recent) if len(recent) >= least else math.inf
    return Duel(len(lag.d), lag.behind, probability_better(lag.d, lag.noise, prior), middle)


def allowance(state: State, steps: Sequence[int], capping: float) -> float:
    """The largest sum of a challenger's costs on these instances.

    κ · Σ over instances of the elites' mean cost
    """
    return float(capping * state.costs[list(steps)].mean(axis=1).sum())


def screen(
    id: int,
    standing: Duel,
    costs: Floats,
    steps: Sequence[int],
    state: State,
    constants: SearchConstants,
    rng: np.random.Generator | None,
    *,
    capped: bool = False,
) -> Verdict | None:
    """The verdict that drops a challenger; None if it stays.

    If no instances are left beyond the elites', it is not tested after it has met all of them: its
    decision compares means.

    Parameters
    ----------
    costs : (n,)
        Its own.
    steps
        On which instances, n of them.
    rng
        For a rule of `racing.rules`.
    capped
        Whether one of its runs was stopped at its bound: it is then dropped.
    """
    whole = standing.n == state.instances
    eliminated = _by_total(id, costs, steps, state, constants, capped=capped)
    if eliminated is None and not (whole and state.instances >= constants.limit):
        if constants.rule is None:
            eliminated = _by_probability(id, standing, state, constants)
        elif rng is not None:
            eliminated = _by_rule(id, costs, steps, state, constants, rng)
    if eliminated is None and not whole:
        eliminated = _by_place(id, standing, state)
    return None if eliminated is None else _verdict(eliminated, standing.n, state, steps)


def unaffordable(
    id: int, standing: Duel, steps: Sequence[int], state: State, *, needed: int, room: int
) -> Verdict:
    """The verdict that drops a challenger because the budget does not cover what it may need.

    Parameters
    ----------
    standing
        At its latest test.
    steps
        The instances that it has met.
    needed
        The most evaluations that it may need in all.
    room
        The number that fit.
    """
    eliminated = Elimination(
        candidate=id,
        against=state.elites[0],
        reason=Reason.SCHEDULE,
        measure="evaluations",
        value=needed,
        threshold=room,
        statistic=standing.behind,
    )
    return _verdict(eliminated, standing.n, state, steps)


def _verdict(eliminated: Elimination, n: int, state: State, steps: Sequence[int]) -> Verdict:
    """The verdict on one challenger after n instances."""
    return Verdict(
        instances=n,
        leader=state.elites[0],
        eliminated=(eliminated,),
        about=(eliminated.candidate,),
        steps=tuple(steps),
    )


def _by_total(
    id: int,
    costs: Floats,
    steps: Sequence[int],
    state: State,
    constants: SearchConstants,
    *,
    capped: bool,
) -> Elimination | None:
    """Drop it if its costs, or a bound of them, exceed the allowance."""
    if constants.settings.capping is None:
        return None
    most, total = allowance(state, steps, constants.settings.capping), float(costs.sum())
    if not capped and (total < most or most == 0):
        return None
    return Elimination(
        candidate=id,
        against=state.elites[0],
        measure="total cost",
        value=total,
        threshold=most,
    )


def _by_probability(
    id: int, standing: Duel, state: State, constants: SearchConstants
) -> Elimination | None:
    """Drop it if it is probably not better than the best elite."""
    if standing.probability > constants.settings.drop:
        return None
    return Elimination(
        candidate=id,
        against=state.elites[0],
        measure="probability better",
        value=standing.probability,
        threshold=constants.settings.drop,
        statistic=standing.behind,
    )


def _by_rule(
    id: int,
    costs: Floats,
    steps: Sequence[int],
    state: State,
    constants: SearchConstants,
    rng: np.random.Generator,
) -> Elimination | None:
    """Drop it if the rule drops it from the complete block."""
    assert constants.rule is not None
    own = Block(costs[:, None], constants.objective)
    results = state.block.at(list(steps)).beside(own).results((*state.elites, id))
    outlook = Outlook(objective=constants.objective, instances=constants.limit - len(steps))
    verdict = constants.rule(results, outlook, rng)
    return next((one for one in verdict.eliminated if one.candidate == id), None)


def _by_place(id: int, standing: Duel, state: State) -> Elimination | None:
    """Drop it if it is in the worse half of the challengers tested at this rung."""
    if standing.behind <= standing.median:
        return None
    return Elimination(
        candidate=id,
        against=state.elites[0],
        reason=Reason.SCHEDULE,
        measure="mean difference" if state.block.goal is None else "lag",
        value=standing.behind,
        threshold=standing.median,
        statistic=standing.behind,
    )
