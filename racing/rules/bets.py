"""Bets against candidates: a rule with a guarantee at every look.

A row of weights depends on earlier rows alone; this makes the wealth of a bettor a supermartingale.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from racing.base.errors import InputError
from racing.base.quantities import Level, NonNegative, Positive
from racing.core.goal import Kind
from racing.core.results import Results
from racing.core.verdict import Elimination, Reason, eliminations
from racing.rules.rule import Outlook, Places, RuleBase

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True)
class Bets(RuleBase):
    """Bets, at each instance, that a candidate is not the best; drops it if they win enough.

    Before each instance the candidates alive get weights by their losses so far, so that most of
    the weight is on the leaders. On the instance, candidate i has the payoff y: the weight of those
    that beat it, less the weight of those that it beats. Ties count for neither side, and +inf
    loses to any number. A bettor with initial wealth 1 who always stakes the share λ of it on i's
    losing ends with Π(1 + λy); λ is mixed over eight sizes from 0 to 1 with density 2λ. The
    candidate is dropped when this wealth reaches 1/α, now or at an earlier instance.

    The guarantee: the best candidate is dropped with probability α at most in the whole race, for
    any times and number of looks, and any other candidates.

    - *Best* means that on a fresh instance it beats each rival at least as probably as it loses to
      it: it wins at least half of the decided comparisons with each. If several candidates do, the
      guarantee holds for each of them. It does not hold for the best by mean rank or mean cost if
      that candidate does not.
    - *Fresh* means that instances are independent draws, and the candidates do not depend on them.
      A finite list of instances in random order, without repeats, has fewer chance runs than
      independent ones. A candidate that joins late is tested twice, while catching up and
      afterwards, each time at α; the guarantee requires that it does not depend on the instances
      that it catches up on.

    Proof: weights depend on earlier instances alone, so for the best, given the past, E[y] is a
    weighted mean of P(beaten by j) − P(beats j) ≤ 0. As |y| ≤ 1, every Π(1 + λy) is a nonnegative
    supermartingale that starts at 1, and so is their mixture; by Ville's inequality it ever reaches
    1/α with probability α at most. No correction for the number of candidates, leaders or looks is
    needed: dropping another candidate is no error, so only the wealth of the bets against the best
    matters.

    Of a front, the bets are on pairs and metrics (`front_eliminations`): a candidate for which
    every other is, in some metric, beaten at least as probably as it wins, is dropped with
    probability α at most.

    With the objective `mean`, the guarantee is still about wins and losses. With a `range`, the
    payoff is the difference of costs divided by it, and the guarantee is for the candidate with the
    lowest mean cost.

    Attributes
    ----------
    alpha
        Probability that the best is dropped at all.
    focus
        How fast weights fall with a candidate's losses so far to all others, in units of payoffs:
        they are proportional to exp(−focus · lost). 0 gives equal weights.
    range
        Largest possible difference of two costs on an instance, for the objective `mean`; without
        it, only wins and losses count. A failure counts as this much above the worst number.

    Examples
    --------
    >>> from racing import Race
    >>> from racing.rules import Bets
    >>> race = Race([{"x": x} for x in range(5)], range(40), rule=Bets())
    >>> for experiment in race:
    ...     noise = experiment.instance.seed % 7 / 10
    ...     race.tell(experiment, experiment.candidate.values["x"] + noise)
    >>> race.winner.values, race.spent.evaluations
    ({'x': 0}, 38)
    """

    serves: ClassVar[tuple[Kind, ...]] = ("single", "front")

    alpha: Level = 0.05
    focus: NonNegative = 1.5
    range: Positive | None = None

    def check(self, outlook: Outlook) -> None:
        """Refuse a range for a front.

        Raises
        ------
        InputError
        """
        if outlook.goal == "front" and self.range is not None:
            raise InputError("bets on a front are about wins and losses; leave range out")

    def judge(self, results: Results, outlook: Outlook, order: Places) -> Iterable[Elimination]:
        """Eliminate those against whom the wealth is large enough."""
        leader = int(order[0])
        if outlook.goal == "front":
            return front_eliminations(results, alpha=self.alpha, leader=leader)
        width = self.range if outlook.objective == "mean" else None
        y = payoffs(results, focus=self.focus, width=width)
        most = log_wealth(y).max(axis=0)
        gone = [i for i in np.flatnonzero(most >= -math.log(self.alpha)) if i != leader]
        wealth = np.exp(np.minimum(most, 700.0))
        return eliminations(results, gone, leader, "e-value", wealth, 1 / self.alpha, y.sum(axis=0))


# --- weights, payoffs and wealth ------------------------------------------------------------------

SIZES = (np.arange(8) + 0.5) / 8
"""The stakes, as shares of the wealth; each gets a part of the wealth proportional to its size."""

_LOG_PARTS = np.log(SIZES / SIZES.sum())


def payoffs(results: Results, *, focus: float, width: float | None = None) -> Floats:
    """(n, k) payoffs of bets that the survivors lose; 0 on instances that they have not seen.

    Parameters
    ----------
    focus
        The rate at which the weights of rivals fall with their lag behind the leader.
    width
        Pay by differences of costs, in units of this; None: by wins and losses.
    """
    seen = np.logical_not(np.isnan(results.costs))
    costs, field = np.where(seen, results.costs, np.inf), results.alive & seen
    pay = payer(costs, width)
    lost = np.where(field, pay(shares(field.astype(np.float64))), 0.0)
    y = pay(focused(np.cumsum(lost, axis=0) - lost, field, focus))
    paid: Floats = np.where(seen & field.any(axis=1, keepdims=True), y, 0.0)
    return np.asarray(paid[:, results.survivors])


def payer(costs: Floats, width: float | None) -> Callable[[Floats], Floats]:
    """Weights (n, m) → payoffs (n, m): losses less wins, or excess cost in units of `width`."""
    if width is None:
        return Comparisons.of(costs).balance
    return partial(excess, costs, width=width)


def log_wealth(y: Floats) -> Floats:
    """(n, k) log wealth after each instance, from payoffs in [−1, 1]."""
    return mixed(np.cumsum(np.log1p(y[..., None] * SIZES), axis=0))


def mixed(stakes: Floats) -> Floats:
    """Log wealth from the log growth of each size of stake (last axis)."""
    stakes = stakes + _LOG_PARTS
    top = stakes.max(axis=-1)
    wealth: Floats = top + np.log(np.exp(stakes - top[..., None]).sum(axis=-1))
    return wealth


def focused(lost: Floats, field: Bools, focus: float) -> Floats:
    """(n, m) weights of each row from the losses before it, proportional to exp(−focus · lag)."""
    least = np.where(field, lost, np.inf).min(axis=1, keepdims=True)
    lag = np.where(field, lost, 0.0) - np.where(np.isfinite(least), least, 0.0)
    return shares(np.where(field, np.exp(-np.minimum(focus * lag, 700.0)), 0.0))


def shares(weights: Floats) -> Floats:
    """Weights (n, m) with rows that sum to 1, or to 0 without any weight."""
    total = weights.sum(axis=1, keepdims=True)
    return np.asarray(np.divide(weights, total, out=np.zeros_like(weights), where=total > 0))


def excess(costs: Floats, weights: Floats, *, width: float) -> Floats:
    """(n, m) cost above the weighted mean cost of the row, in units of `width`, within ±1.

    A failure counts as `width` above the row's worst number.
    """
    number = np.isfinite(costs)
    worst = np.where(number, costs, -np.inf).max(axis=1, keepdims=True)
    known = np.where(number, costs, np.where(np.isfinite(worst), worst, 0.0) + width)
    mean = (known * weights).sum(axis=1, keepdims=True)
    return np.asarray(np.clip((known - mean) / width, -1.0, 1.0))


@dataclass(frozen=True, eq=False)
class Comparisons:
    """The sorted rows of an (n, m) matrix of costs, with their groups of ties.

    Attributes
    ----------
    order
        Columns, best first.
    first, last
        For each place, the first and the last place with the same cost.
    """

    order: NDArray[np.intp]
    first: NDArray[np.intp]
    last: NDArray[np.intp]

    @classmethod
    def of(cls, costs: Floats) -> Comparisons:
        """Sort every row."""
        order = np.argsort(costs, axis=1)
        ordered = np.take_along_axis(costs, order, axis=1)
        new = np.ones((len(costs), costs.shape[1] + 1), dtype=bool)
        new[:, 1:-1] = ordered[:, 1:] != ordered[:, :-1]
        place = np.arange(costs.shape[1])
        first = np.maximum.accumulate(np.where(new[:, :-1], place, 0), axis=1)
        ends = np.where(new[:, 1:], place, place[-1])
        last = np.minimum.accumulate(ends[:, ::-1], axis=1)[:, ::-1]
        return cls(order, first, last)

    def balance(self, weights: Floats) -> Floats:
        """(n, m) the weight of all with a lower cost, minus that of all with a higher one."""
        up_to = np.cumsum(np.take_along_axis(weights, self.order, axis=1), axis=1)
        up_to = np.pad(up_to, ((0, 0), (1, 0)))
        lower = np.take_along_axis(up_to, self.first, axis=1)
        higher = up_to[:, -1:] - np.take_along_axis(up_to, self.last + 1, axis=1)
        out = np.empty(weights.shape)
        np.put_along_axis(out, self.order, lower - higher, axis=1)
        return np.asarray(np.clip(out, -1.0, 1.0))


# --- fronts ---------------------------------------------------------------------------------------

_UP, _DOWN = np.log1p(SIZES), np.log1p(-SIZES)


def log_wealth_against(results: Results) -> Floats:
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
    """Eliminate the candidates that are not on the front, the worst first; the leader stays.

    For a rival j and a metric k, a bettor with wealth 1 stakes on each instance that both have met
    that j beats c in k, as above; E^k is the wealth. Then

        W(c) = mean over j of min over k of E^k(j, c)

    c is dropped when W(c) ≥ 1/α, if it is behind a candidate that is still in: min E^k ≥ 1.

    The guarantee: c is dropped with probability α at most in the whole race, if for every other
    candidate j there is a metric in which, on a fresh instance, c beats j at least as probably as j
    beats c. Proof: in that metric E^k is a nonnegative supermartingale that starts at 1; the
    minimum is no more than it, and so is the mean over j of such; by Ville's inequality it ever
    reaches 1/α with probability α at most. No correction is needed for the number of metrics,
    because all of them must be against c.
    """
    logs = log_wealth_against(results)
    own = logs[:, results.survivors]  # of rivals that are still in
    with np.errstate(over="ignore"):
        wealth = np.exp(np.minimum(logs, 700.0)).sum(axis=1) / max(logs.shape[1] - 1, 1)
    behind: dict[int, int] = {}
    for place in np.argsort(-wealth, kind="stable").tolist():
        rival = int(own[place].argmax())
        if place != leader and wealth[place] >= 1 / alpha and own[place, rival] >= 0:
            behind[place] = rival
            own[:, place] = -np.inf
    return eliminations(
        results, behind, behind, "e-value", wealth, 1 / alpha, reason=Reason.DOMINATED
    )
