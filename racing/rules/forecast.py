"""Forecasts the course of a race from its budget."""

from __future__ import annotations

import math
from dataclasses import dataclass

from racing.base.words import count
from racing.rules.auto import Auto
from racing.rules.none import Keep
from racing.rules.plan import LAST, places
from racing.rules.rule import Outlook, Rule, first_look
from racing.rules.schedule import SuccessiveHalving, SuccessiveRejects

Planned = Auto | SuccessiveHalving | SuccessiveRejects
"""Rules that divide a budget of evaluations."""


@dataclass(frozen=True, kw_only=True)
class Forecast:
    """The forecast of a race, as far as possible.

    Attributes
    ----------
    candidates
        How many begin.
    evaluations
        The budget; inf without one.
    first_look
        Instances before the first test.
    all_see
        Instances that all see before the first elimination; for tests the fewest.
    last_see, left
        Instances that the race reaches, and candidates that see the last of them: by the plan of
        `auto`, `successive-halving` and `successive-rejects`; for tests the most instances that two
        can see.
    needed
        Evaluations for all candidates on every instance; inf for endless instances.
    planned
        Whether the rule divides the budget, so that `all_see` and `last_see` are its plan.
    drops
        Whether the rule ever drops a candidate.
    """

    candidates: int
    evaluations: float
    first_look: int
    all_see: int
    last_see: float
    left: int
    needed: float
    planned: bool
    drops: bool

    @property
    def none_can_leave(self) -> bool:
        """Whether the budget ends before the first test."""
        at_least = min(self.candidates * self.first_look, self.needed)
        return self.drops and self.evaluations < at_least

    def sentence(self) -> str:
        """The forecast as a sentence."""
        if math.isinf(self.evaluations):
            return "There is no budget of evaluations: the rule decides how many it uses."
        share = self.evaluations / self.candidates
        some, most = (count(round(n), "instance") for n in (self.all_see, self.last_see))
        each = f"{self.evaluations:.0f} evaluations, {share:.3g} for each candidate"
        if self.evaluations >= self.needed:
            return f"{each}: enough for all candidates on every instance ({self.needed:.0f})."
        if self.evaluations < self.candidates:
            return f"{each}: not enough for all candidates on one instance."
        if self.none_can_leave:
            return (
                f"{each}: they end before the first test, after "
                f"{self.first_look} instances, so no candidate can be dropped."
            )
        if self.left == self.candidates:
            return f"{each}: no candidate is dropped; all see up to {most}."
        if self.planned:
            return f"{each}: all {self.candidates} see {some}, the last {self.left} see {most}."
        return f"{each}: none is dropped before {some}; the last two can see up to {most}."


def forecast(
    rule: Rule,
    *,
    candidates: int,
    evaluations: float = math.inf,
    instances: float = math.inf,
    first_test: int | None = None,
) -> Forecast:
    """Forecast a race with this many evaluations.

    Parameters
    ----------
    candidates
        The number at the start, at least 1.
    evaluations, instances
        The budget, and the number of instances; inf without an end.
    first_test
        The instances before the first test, if the scenario sets them.
    """
    outlook = Outlook(instances=instances, evaluations=evaluations)
    first = first_test or first_look(rule, outlook)
    planned = isinstance(rule, Planned) and math.isfinite(evaluations)
    seen = []
    if isinstance(rule, Planned) and planned:
        seen = course(rule, candidates, outlook, first)
    keeps = isinstance(rule, Keep)
    most = min(instances, first + max(evaluations - candidates * first, 0) / LAST)
    if keeps:
        most = min(instances, evaluations / candidates)
    return Forecast(
        candidates=candidates,
        evaluations=evaluations,
        first_look=first,
        all_see=seen.count(candidates) if planned else int(min(first, instances)),
        last_see=len(seen) if planned else most // 1,
        left=seen[-1] if seen else candidates if keeps else min(LAST, candidates),
        needed=candidates * instances,
        planned=planned,
        drops=not keeps,
    )


def course(rule: Planned, candidates: int, outlook: Outlook, first: int) -> list[int]:
    """The number of candidates on each instance, from the first, if only the plan drops them."""
    out: list[int] = []
    k, left = candidates, outlook.evaluations
    while 1 < k <= left and len(out) < outlook.instances:
        out.append(k)
        left -= k
        n, ahead = len(out), outlook.instances - len(out)
        if n < first:
            continue
        if isinstance(rule, Auto):
            k = places(k, n=n, evaluations=left, instances=ahead)
        else:
            kept = rule.places(
                candidates, n=n, evaluations=outlook.evaluations, instances=outlook.instances
            )
            k = min(k, max(kept, LAST if left >= LAST else 1))
    return out
