"""The default rule: a budget is spent evenly, and nothing where nothing can be gained any more."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from racing.dependence import effective_size
from racing.objective import standing
from racing.quantities import Count, NonNegative, Positive
from racing.records import Checked
from racing.results import Results
from racing.rules.gain import horizon, not_worthwhile, settled, spreads
from racing.rules.plan import LAST, places
from racing.rules.rule import FIRST_LOOK, Outlook
from racing.rules.scores import scores, stakes
from racing.rules.verdict import Elimination, Reason, Verdict, elimination

Floats = NDArray[np.float64]
Effort = Literal["low", "normal", "high"]

EFFORTS: dict[str, float] = {"low": 4.0, "normal": 1.0, "high": 1 / 16}
"""By what each multiplies the price."""

FROM_THE_FIRST = 1
"""Instances before the first look where there is a plan."""

_NOTHING = 1e-5
"""Gain below which there is none, as a share of what candidates differ by."""

_KNOWN = 10
"""Instances before anybody is settled."""

_GROWN = 1.1
"""Factor by which instances have grown before evidence is weighed again."""

_CAUTION = 5.0
"""Adds this many n-ths to the variance: few instances do not know their own noise."""


@dataclass(frozen=True, kw_only=True)
class Auto(Checked):
    """Spends a budget evenly over the orders of magnitude of instances, planned anew at every look.

    With a budget of evaluations or of time, about k·n/j of k candidates see instance j once n are
    seen, so that each doubling of the instances costs the same; whoever stands behind the places
    that the rest of the budget pays for leaves (reason `schedule`). Besides, whoever cannot be
    expected to better the choice even if all the rest were spent leaves once 10 instances are seen
    (reason `not worthwhile`), and what that saves goes to the others. What is left when one
    candidate remains stays unspent.

    Without a budget, and with `frugal`, evaluations have a price. After n instances a candidate has
    the mean score m and the standard error σ/√n. Once h further instances are seen, its mean will
    have moved by t = σ·√(h/(n(n+h))), normally distributed. What the candidate is worth is the
    expected amount by which the best mean will then be better with it than without it,

        gain(h) = ∫ P(M_i < x) · Π_{j≠i} P(M_j > x) dx,

    and it leaves if, for every h up to the horizon, gain(h)/h is below the price of an evaluation.
    The others that are still in count: of ten candidates that are alike, nine are worth little. So
    candidates are judged one after the other, the worst first, each among those who stay.

    Where instances are dependent, as the folds of one data set are (`Instances.groups`), the
    horizon in the price is the effective size of all instances (`racing.dependence`): thirty folds
    with ρ = .1 are worth seven instances, so that it does not pay to know their mean exactly.

    Scores follow the objective: costs for `mean`, ranks in the whole field for `rank`. Significance
    plays no part, and no error rate is promised. For a promise that holds at every look, see
    `bets`.

    Attributes
    ----------
    effort
        What a race without a budget spends: `low` about three quarters of `normal`, `high` about
        half as much again.
    frugal
        Whether to save evaluations at the price of `effort` although there is a budget for them.
    price
        Least worthwhile gain of an evaluation, at a horizon of 100 instances and normal effort, as
        a share of what candidates differ by: lower spends more and chooses better.
    exponent
        The price falls with the horizon N as (100/N)^exponent: whoever can afford many instances
        wants to know more exactly.
    prior
        Weight, in instances, of the variance pooled over candidates in the variance of each.
    first
        Nobody leaves for the price before this many instances.
    """

    effort: Effort = "normal"
    frugal: bool = False
    price: Positive = 5e-6
    exponent: NonNegative = 0.75
    prior: NonNegative = 4.0
    first: Count = 3

    def first_look(self, outlook: Outlook) -> int:
        """After how many instances to ask first: one, if there is a budget to be planned."""
        planned = outlook.timed or math.isfinite(outlook.affordable)
        return FROM_THE_FIRST if planned else FIRST_LOOK

    def __call__(self, results: Results, outlook: Outlook, rng: np.random.Generator) -> Verdict:
        """Judge the survivors; `rng` is not used."""
        order = standing(results, outlook.objective)
        seen = _Seen(results, outlook, order, self.prior)
        out: list[Elimination] = []
        if math.isinf(outlook.affordable):
            out = self._priced(seen)
        else:
            out = self._hopeless(seen)
            if self.frugal:
                out += [e for e in self._priced(seen) if e.candidate not in _ids(out)]
            out += _beyond(seen, out)
        leader = results.id(int(order[0]))
        return Verdict(instances=seen.n, leader=leader, eliminated=tuple(out))

    def _priced(self, seen: _Seen) -> list[Elimination]:
        """Who is not worth the next evaluations."""
        n, k = seen.n, len(seen.order)
        if n < max(self.first, 2) or k < 2:
            return []
        ahead = horizon(seen.outlook, k)
        price = EFFORTS[self.effort] * self.price * (100 / seen.size(n + ahead)) ** self.exponent
        means, errors, stake = seen.estimates
        return seen.not_worthwhile(
            not_worthwhile(means, errors, seen.order, n=n, ahead=ahead, price=price * stake)
        )

    def _hopeless(self, seen: _Seen) -> list[Elimination]:
        """Who is worth nothing even if all that is left is spent on the last two."""
        n, k = seen.n, len(seen.order)
        if not weighs_evidence(n) or k < 2:
            return []
        ahead = horizon(seen.outlook, LAST)
        means, errors, stake = seen.estimates
        errors = errors * math.sqrt(1 + _CAUTION / n)
        return seen.not_worthwhile(
            settled(means, errors, seen.order, n=n, ahead=ahead, least=_NOTHING * stake)
        )


def weighs_evidence(n: int) -> bool:
    """Whether it is asked after n instances who is hopeless: from 10 on, each tenth more."""
    return n >= _KNOWN and math.floor(math.log(n, _GROWN)) > math.floor(math.log(n - 1, _GROWN))


@dataclass(frozen=True)
class _Seen:
    """What a look has to go by."""

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
        """Mean scores, the noise of one, and what is at stake."""
        leader, objective = int(self.order[0]), self.outlook.objective
        y = scores(self.results, objective)
        errors = spreads(y, leader, prior=self.prior)
        return y.mean(axis=0), errors, stakes(self.results, objective, leader)

    def size(self, instances: int) -> float:
        """The effective size of so many instances, those seen first."""
        seen = self.results.shared_groups
        if seen is None:
            return instances
        groups = [*seen.tolist(), *self.outlook.coming]
        return effective_size(groups[:instances], self.outlook.correlation)

    def not_worthwhile(self, out: dict[int, tuple[float, float]]) -> list[Elimination]:
        """Eliminations from gains and what these were held to."""
        means, leader = scores(self.results, self.outlook.objective).mean(axis=0), self.order[0]
        return [
            elimination(
                self.results,
                i,
                leader,
                reason=Reason.NOT_WORTHWHILE,
                measure="gain",
                value=gain,
                threshold=least,
                statistic=means[i] - means[leader],
            )
            for i, (gain, least) in out.items()
        ]


def _ids(out: list[Elimination]) -> set[int]:
    return {e.candidate for e in out}


def _beyond(seen: _Seen, out: list[Elimination]) -> list[Elimination]:
    """Who stands behind the places of the plan, the others being out; the worst first."""
    results, outlook, gone = seen.results, seen.outlook, _ids(out)
    left = [int(i) for i in seen.order if results.id(int(i)) not in gone]
    kept = places(len(left), n=seen.n, evaluations=outlook.affordable, instances=outlook.instances)
    if kept == len(left):
        return []
    means = scores(results, outlook.objective).mean(axis=0)
    return [
        elimination(
            results,
            i,
            left[kept - 1],
            reason=Reason.SCHEDULE,
            measure="place",
            value=place,
            threshold=kept,
            statistic=means[i] - means[left[kept - 1]],
        )
        for place, i in reversed(list(enumerate(left[kept:], start=kept + 1)))
    ]
