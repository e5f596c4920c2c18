"""The default rule: spends a budget evenly, and stops when no gain is expected."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from racing.base.errors import InputError
from racing.base.quantities import Count, NonNegative, Positive
from racing.core.goal import Kind
from racing.core.results import Results
from racing.core.verdict import Elimination, Reason, eliminations
from racing.rules.dependence import effective_size, movements
from racing.rules.front import dominated
from racing.rules.gain import Moves, horizon, not_worthwhile, settled, spreads
from racing.rules.plan import LAST, places
from racing.rules.rule import ASKED, FIRST_LOOK, ORDERED, Outlook, Places, RuleBase
from racing.rules.scores import scores, stakes

Floats = NDArray[np.float64]
Effort = Literal["low", "normal", "high"]

EFFORTS: dict[str, float] = {"low": 4.0, "normal": 1.0, "high": 1 / 16}
"""Effort → the factor of the price."""

FROM_THE_FIRST = 1
"""Instances before the first test with a plan."""

FRONT_FIRST = 3
"""Instances before the first test of a front."""

_NOTHING = 1e-5
"""Smaller gains count as none; as a share of the differences between candidates."""

_KNOWN = 10
"""Instances before a candidate can be given up as hopeless."""

_GROWN = 1.1
"""The growth of the number of instances from one check for hopeless candidates to the next."""

_CAUTION = 5.0
"""The variance is increased by this over n: few instances underestimate the noise."""


@dataclass(frozen=True, kw_only=True)
class Auto(RuleBase):
    """Spends a budget evenly over the orders of magnitude of instances.

    With a budget of evaluations or of time, about k·n/j of k candidates see instance j once n are
    seen, so each doubling of the instances costs the same; the plan is renewed at every test.
    Candidates for which the rest of the budget does not suffice are dropped (reason `schedule`).
    From 10 instances on, a candidate is also dropped if even the whole rest of the budget, spent on
    it, is not expected to improve the choice (reason `not worthwhile`); the others use its share.
    The rest stays unspent when one candidate is left.

    Without a budget, and with `frugal`, evaluations have a price. After n instances a candidate has
    the mean score m and the standard error σ/√n. After h further instances, its mean will have
    changed by a normal variable with standard deviation t = σ·√(h/(n(n+h))). The gain of the
    candidate is the expected improvement of the best mean by it,

        gain(h) = ∫ P(M_i < x) · Π_{j≠i} P(M_j > x) dx,

    and it is dropped if, for every h up to the horizon, gain(h)/h is below the price of an
    evaluation. The gain depends on the others in the race: of ten equal candidates, nine have
    little gain. So candidates are tested one by one, the worst first, each among those that stay.

    If instances are dependent, such as the folds of one data set (`Instances.groups`), the horizon
    in the price is the effective size of all instances (`racing.rules.dependence`): thirty folds
    with ρ = .1 are worth seven instances, so an exact mean is not worth its price. Then t² is the
    variance of the mean over the n instances less that over all n + h: further instances of groups
    that were met tell less. Within a single group it is σ²·h/(n(n+h)), as without groups.

    Under constraints, and with an order of metrics, only the plan drops candidates: those behind
    the places in that order (`racing.core.goal`). It needs a budget then.

    Of a front, dominated candidates are dropped which the rest of the budget is not expected to
    bring back, if others need their share of it (`racing.rules.front`, reason `dominated`). Without
    a budget, only those that the remaining instances will surely not bring back.

    Scores follow the objective: costs for `mean`, ranks in the whole field for `rank`. The rule
    uses no significance test and guarantees no error rate. `bets` has a guarantee at every look.

    Attributes
    ----------
    effort
        The spending of a race without a budget: `low` about three quarters of `normal`, `high`
        about half as much again.
    frugal
        Whether to save evaluations at the price of `effort` although there is a budget for them.
    price
        Least worthwhile gain of an evaluation, at a horizon of 100 instances and normal effort, as
        a share of the differences between candidates: lower spends more and chooses better.
    exponent
        The price falls with the horizon N as (100/N)^exponent: with many instances, more precision
        is worthwhile.
    prior
        Weight, in instances, of the variance pooled over candidates in the variance of each.
    first
        No candidate is dropped for the price before this many instances.

    Examples
    --------
    >>> from racing import Race
    >>> from racing.rules import Auto
    >>> race = Race([{"x": x} for x in range(5)], range(40), rule=Auto())
    >>> for experiment in race:
    ...     noise = experiment.instance.seed % 7 / 10
    ...     race.tell(experiment, experiment.candidate.values["x"] + noise)
    >>> race.winner.values, race.spent.evaluations
    ({'x': 0}, 25)
    """

    serves: ClassVar[tuple[Kind, ...]] = (*ORDERED, "front")

    effort: Effort = "normal"
    frugal: bool = False
    price: Positive = 5e-6
    exponent: NonNegative = 0.75
    prior: NonNegative = 4.0
    first: Count = 3

    def first_look(self, outlook: Outlook) -> int:
        """The instances before the first test: one with a budget to plan, three for a front."""
        if outlook.goal == "front":
            return FRONT_FIRST
        planned = outlook.timed or math.isfinite(outlook.affordable)
        return FROM_THE_FIRST if planned else FIRST_LOOK

    def each_look(self, outlook: Outlook) -> int | str:
        """The distance of further tests: 1 instance; for a front, 10 % more instances each time."""
        return "10%" if outlook.goal == "front" else 1

    def next_drop(self, results: Results, outlook: Outlook) -> float:
        """The number of instances at which the plan keeps fewer, or evidence is weighed.

        0 where that depends on what comes: on times, prices, or several metrics.
        """
        endless = math.isinf(outlook.evaluations) or outlook.timed
        if endless or self.frugal or outlook.goal != "single":
            return 0
        n, k = len(results.block), len(results.survivors)
        for more in range(1, int(min(outlook.instances, outlook.evaluations // k)) + 1):
            left = outlook.evaluations - more * k
            kept = places(k, n=n + more, evaluations=left, instances=outlook.instances - more)
            if kept < k or weighs_evidence(n + more):
                return n + more
        return math.inf

    def check(self, outlook: Outlook) -> None:
        """Refuse constraints and orders without a budget: then only the plan drops candidates.

        Raises
        ------
        InputError
            If there is none, or it is to be saved.
        """
        if outlook.goal == "single":
            return
        endless = math.isinf(outlook.affordable) and not outlook.timed
        if endless and outlook.goal != "front":
            raise InputError(
                f"{ASKED[outlook.goal]}, for which auto needs a budget of evaluations or of time; "
                "give one, or take the rule none"
            )
        if self.frugal:
            raise InputError(f"{ASKED[outlook.goal]}, for which frugal: true has no meaning")

    def judge(self, results: Results, outlook: Outlook, order: Places) -> Iterable[Elimination]:
        """Eliminate candidates that are beyond the plan, or not worth further evaluations."""
        seen = _Seen(results, outlook, order, self.prior)
        if outlook.goal == "front":
            return dominated(results, outlook, order)
        if outlook.goal != "single":
            return _beyond(seen, set())
        if math.isinf(outlook.affordable):
            return self._priced(seen)
        out = self._hopeless(seen)
        if self.frugal:
            out += tuple(e for e in self._priced(seen) if e.candidate not in _ids(out))
        return (*out, *_beyond(seen, _ids(out)))

    def _priced(self, seen: _Seen) -> tuple[Elimination, ...]:
        """The candidates that are not worth the next evaluations."""
        n, k = seen.n, len(seen.order)
        if n < max(self.first, 2) or k < 2:
            return ()
        ahead = horizon(seen.outlook, k)
        price = EFFORTS[self.effort] * self.price * (100 / seen.size(n + ahead)) ** self.exponent
        means, errors, stake = seen.estimates
        return seen.dropped(
            not_worthwhile(
                means, errors, seen.order, n=n, ahead=ahead, price=price * stake, moves=seen.moves
            )
        )

    def _hopeless(self, seen: _Seen) -> tuple[Elimination, ...]:
        """The candidates without gain even if the whole rest is spent on the last two."""
        n, k = seen.n, len(seen.order)
        if not weighs_evidence(n, seen.outlook.since) or k < 2:
            return ()
        ahead = horizon(seen.outlook, LAST)
        means, errors, stake = seen.estimates
        errors = errors * math.sqrt(1 + _CAUTION / n)
        least = _NOTHING * stake
        return seen.dropped(
            settled(means, errors, seen.order, n=n, ahead=ahead, least=least, moves=seen.moves)
        )


def weighs_evidence(n: int, since: int = 1) -> bool:
    """Whether to check for hopeless candidates after n instances: at 10, then at each 10 % more.

    Parameters
    ----------
    since
        Instances since the last test.
    """
    before = max(n - since, 1)
    return n >= _KNOWN and math.floor(math.log(n, _GROWN)) > math.floor(math.log(before, _GROWN))


@dataclass(frozen=True, eq=False)
class _Seen:
    """The data of one test."""

    results: Results
    outlook: Outlook
    order: NDArray[np.intp]
    prior: float

    @property
    def n(self) -> int:
        """Instances that all survivors have seen."""
        return len(self.results.block)

    @property
    def estimates(self) -> tuple[Floats, Floats, float]:
        """Mean scores, the noise of one score, and the scale of the differences."""
        leader, objective = int(self.order[0]), self.outlook.objective
        y = scores(self.results, objective)
        errors = spreads(y, leader, prior=self.prior)
        return y.mean(axis=0), errors, stakes(self.results, objective, leader)

    @property
    def moves(self) -> Moves | None:
        """The variance by which means will still move, if instances come in groups; else None."""
        seen = self.results.shared_groups
        if seen is None or self.outlook.correlation == 0:
            return None
        groups, rho = [*seen.tolist(), *self.outlook.coming], self.outlook.correlation
        return lambda ahead: movements(groups, self.n, ahead, rho)

    def size(self, instances: int) -> float:
        """The effective size of so many instances, from the first."""
        seen = self.results.shared_groups
        if seen is None:
            return instances
        groups = [*seen.tolist(), *self.outlook.coming]
        return effective_size(groups[:instances], self.outlook.correlation)

    def dropped(self, out: dict[int, tuple[float, float]]) -> tuple[Elimination, ...]:
        """Eliminations by gains below their thresholds."""
        gains, least = ({i: both[k] for i, both in out.items()} for k in (0, 1))
        leader, why = self.order[0], Reason.NOT_WORTHWHILE
        behind = self.behind(leader)
        return eliminations(self.results, out, leader, "gain", gains, least, behind, why)

    def behind(self, other: int) -> Floats:
        """(k,) the mean scores less that of one of the survivors."""
        means = scores(self.results, self.outlook.objective).mean(axis=0)
        return np.asarray(means - means[other])


def _ids(out: Iterable[Elimination]) -> set[int]:
    return {e.candidate for e in out}


def _beyond(seen: _Seen, gone: set[int]) -> tuple[Elimination, ...]:
    """The further candidates beyond the plan, the worst first."""
    results, outlook = seen.results, seen.outlook
    left = [int(i) for i in seen.order if results.id(int(i)) not in gone]
    kept = places(len(left), n=seen.n, evaluations=outlook.affordable, instances=outlook.instances)
    if kept == len(left):
        return ()
    last, place = left[kept - 1], {i: place for place, i in enumerate(left, start=1)}
    out, behind = left[: kept - 1 : -1], seen.behind(last)
    return eliminations(results, out, last, "place", place, kept, behind, Reason.SCHEDULE)
