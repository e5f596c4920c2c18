"""The numeric settings of a search; the defaults were chosen by measurement."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar

from racing.base.errors import must_be
from racing.base.quantities import RISK, Count, Factor, HalfLevel, NonNegative, Quantity, Risk
from racing.base.records import Checked, FieldError
from racing.core.goal import Kind
from racing.rules.rule import ASKED, ORDERED

Growth = Annotated[int, Quantity("a whole number, 2 or more", low=2)]
Kept = Annotated[float, Quantity("a share from 0 to 0.5", low=0, high=0.5)]

LEAST_CONFIRMED = 6
"""The least number of evaluations of a confirmation."""

_CONFIRMED, _MOST_CONFIRMED = 30, 0.15
"""So many evaluations are kept for the confirmation, up to this share of the budget."""

FEWEST_CONFIRMED = 20
"""With fewer evaluations nothing is confirmed."""

PER_WORKER, LEAST_WINDOW = 4, 10
"""Challengers at once that keep a worker busy; so many are under way for few workers too."""

FINDS_LESS = "a wider one finds less with so few evaluations"
"""Of a window beyond that of `window_for`; docs/continuous-search.md has the figures."""

FEW = 60
"""With fewer evaluations, challengers must learn from those before them: the window is narrower."""

FEW_EVALUATIONS = 100
"""Up to this, a search of few problems gets by with less: `benchmarks.few` measures it there."""

MOST_MEMBERS = 8
"""The greatest size of a portfolio."""

LEAST_SHARE = 60
"""The least number of evaluations of each search of a portfolio."""


@dataclass(frozen=True, kw_only=True)
class Settings(Checked):
    """How a search spends its budget.

    Attributes
    ----------
    elites
        The number of configurations kept as parents; all have seen the same instances.
    first_instances
        The number of instances of the first elites; None for 2, and for more if instances disagree
        (`racing.search.initial`).
    every
        After this many decisions the elites meet one new instance.
    growth
        A challenger is tested after 1, growth, growth², … instances, 2 or more; None for 2, and for
        4 where the window is wider than 16.
    initial
        Share of the budget's evaluations that sets the number of initial configurations.
    prepaid
        A challenger starts if its first instances, as many as the last rung up to this number, are
        certain to fit into the budget; to continue, all that it may need must fit.
    drop
        A challenger is dropped when its probability of being better than the best elite falls to
        this or below.
    recent
        A challenger is dropped unless it is in the better half of this many latest ones at the same
        rung.
    least
        With fewer than this many at a rung, none is dropped for being in the worse half.
    retire
        An elite is dropped when its probability of being better than the best falls below this.
    capping
        A challenger is dropped when its costs add up to this many times the elites' mean total on
        the same instances, and its runs are bounded accordingly. Only for costs that are times (or
        anything else that grows during a run and is never negative); None for none.
    prior
        Weight, in instances, of the pooled variance in the variance of a challenger's differences.
    finish
        Share of the budget kept for racing the finalists, the best elites, against each other.
    finalists
        The number of finalists.
    confirm
        Share of the budget kept for comparing the winner with the default on fresh instances; of a
        budget of evaluations at least 30, up to 15 %, and `LEAST_CONFIRMED` from 20 on; with
        fewer nothing is confirmed.
    set_aside
        The problems that only the confirmation meets, so that it speaks of unseen problems: a share
        below 1, or a number; 0 for none. None for a quarter of 20 problems or more, and for none of
        fewer. Groups count, where instances have them.
    risk
        What was found wins only if the probability that it is truly worse than the default is at
        most this; otherwise the default is kept. 0.5 lets the one win that is probably better.
    check_seed
        Whether to look if the seed of a problem changes its costs, and else to measure none again;
        and to leave to challengers what is kept for a confirmation with too few instances left.
        Logs of before do neither.

    Examples
    --------
    >>> from racing import Budget, Search
    >>> from racing.search import Settings
    >>> space = {"x": {"real": [0, 1], "default": 0.9}}
    >>> settings = Settings(confirm=0)
    >>> Search(space, range(60), budget=Budget(evaluations=300), settings=settings).done
    False
    """

    serves: ClassVar[tuple[Kind, ...]] = (*ORDERED, "front")

    elites: Count = 4
    first_instances: Count | None = None
    every: Count = 10
    growth: Growth | None = None
    initial: HalfLevel = 0.15
    prepaid: Count = 8
    drop: HalfLevel = 0.2
    recent: Count = 20
    least: Count = 4
    retire: HalfLevel = 0.02
    capping: Factor | None = None
    prior: NonNegative = 4.0
    finish: Kept = 0.02
    finalists: Count = 2
    confirm: Kept = 0.05
    set_aside: NonNegative | None = None
    risk: Risk = RISK
    check_seed: bool = True

    def contradictions(self, given: dict[str, Any]) -> Iterable[FieldError]:
        """Shares that leave too little to search."""
        if given.get("finish", 0.0) + given.get("confirm", 0.0) > 0.5:
            why = "must leave half of the budget to search, together with confirm"
            yield FieldError("finish", why)

    def for_front(self, metrics: int) -> Settings:
        """The settings of a search for a front of so many metrics, chosen by measurement.

        There are more elites, all of them finalists, and fewer instances for each; a challenger is
        dropped sooner.
        """
        more = 4 * min(metrics - 1, 2)
        return replace(
            self,
            elites=more * self.elites,
            finalists=more * self.elites,
            every=5 * more * self.every // 8,
            initial=self.initial * 2 / 3,
            drop=min(1.75 * self.drop, 0.45),
            finish=min(2 * self.finish, 0.25),
        )

    def confirmed_share(self, evaluations: float | None) -> float:
        """The share of a budget of so many evaluations that is kept for the confirmation."""
        if not self.confirm or not evaluations:
            return self.confirm
        if evaluations < FEWEST_CONFIRMED:
            return 0.0
        wanted = min(_CONFIRMED / evaluations, _MOST_CONFIRMED)
        return max(self.confirm, wanted, LEAST_CONFIRMED / evaluations)

    def at_once(self, widest: int, evaluations: float | None) -> int:
        """The most challengers at once with so many evaluations: a tenth of these below 60."""
        if evaluations is None or evaluations >= FEW:
            return widest
        return max(min(widest, int(evaluations) // 10), 1)

    @property
    def aside(self) -> float | None:
        """What to set aside, as `number_aside` takes it: nothing without a confirmation."""
        return 0 if self.set_aside is None and not self.confirm else self.set_aside

    @property
    def bounds_runs(self) -> bool:
        """Whether runs are stopped at a bound: costs are then times."""
        return self.capping is not None


def window_for(workers: int, evaluations: float | None) -> int:
    """The window of a search that no one sets: one challenger for each worker, or up to four.

    Parameters
    ----------
    evaluations
        Those of the budget; None if they are not limited. More challengers than workers are at most
        a fortieth of them, which loses nothing; one for each is at most a tenth.
    """
    limit = math.inf if evaluations is None else evaluations
    each, several = min(workers, limit // 10), min(PER_WORKER * workers, limit // 40)
    return int(max(each, several, LEAST_WINDOW))


def space_refusal(size: float) -> str:
    """Why a space of this size cannot be searched; empty if it can."""
    if not size < 2:
        return ""
    held = "one configuration" if size else "no configuration"
    return (
        f"there is nothing to search: it holds {held}, and a search needs two or more; widen a "
        "domain, or drop a forbidden clause"
    )


def portfolio_refusal(
    size: object, evaluations: int | None, objective: str, *, capped: bool, several: bool
) -> str:
    """Why a search cannot have a portfolio of this size; empty if it can.

    Parameters
    ----------
    evaluations
        The limit of the budget; None for none.
    capped, several
        Whether runs are stopped at bounds, and whether there are several metrics.
    """
    if not isinstance(size, int) or isinstance(size, bool) or not 2 <= size <= MOST_MEMBERS:
        return must_be("portfolio", f"a whole number from 2 to {MOST_MEMBERS}", size)
    if several:
        return (
            "portfolio needs one cost: of several metrics, no member of a team is the best on an "
            "instance; leave metrics out, and answer with the formula's value"
        )
    if objective != "mean":
        return (
            "portfolio needs the objective mean: a team counts with the lowest cost of its "
            "members, and ranks of candidates do not say what it gains"
        )
    if capped:
        return (
            "portfolio cannot have capping: a run that was stopped at the bound of one team does "
            "not say what it is worth beside another; leave capping out"
        )
    least = LEAST_SHARE * (size + 1)
    if evaluations is not None and evaluations < least:
        return (
            f"portfolio: {size} has {size + 1} searches, which need {LEAST_SHARE} evaluations "
            f"each; the budget is {evaluations}, so give {least} or more"
        )
    return ""


def unserved(kind: Kind, serves: tuple[Kind, ...], *, rule: bool) -> str:
    """Why a search does not support an objective; empty if it does.

    Parameters
    ----------
    serves
        The kinds of objectives that the search supports.
    rule
        Whether a rule in place of the screening test judges challengers.
    """
    if kind in serves:
        if kind == "single" or not rule:
            return ""
        return f"{ASKED[kind]}, and a rule in a search judges one cost; leave rule out"
    return f"{ASKED[kind]}, which iterated racing cannot have; take search: true"
