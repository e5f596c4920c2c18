"""Forecasts the course of a race from its budget."""

from __future__ import annotations

import math

from racing.base.words import count
from racing.rules.auto import Auto
from racing.rules.none import Keep
from racing.rules.plan import LAST, places
from racing.rules.rule import Outlook, Rule, first_look
from racing.rules.schedule import SuccessiveHalving, SuccessiveRejects

Planned = Auto | SuccessiveHalving | SuccessiveRejects
"""Rules that divide a budget of evaluations."""


def forecast(
    rule: Rule,
    *,
    candidates: int,
    evaluations: float = math.inf,
    instances: float = math.inf,
    first_test: int | None = None,
) -> str:
    """What comes of this many evaluations, as a sentence.

    It says how many instances all candidates see, and how many the last ones: by the plan of a rule
    that divides the budget, and of tests the fewest before the first elimination, and the most that
    two can see.

    Parameters
    ----------
    candidates
        The number at the start, at least 1.
    evaluations, instances
        The budget, and the number of instances; inf without an end.
    first_test
        The instances before the first test, if the scenario sets them.
    """
    if math.isinf(evaluations):
        return "There is no budget of evaluations: the rule decides how many it uses."
    outlook = Outlook(instances=instances, evaluations=evaluations)
    first = first_test or first_look(rule, outlook)
    needed = candidates * instances
    share = evaluations / candidates
    each = f"{evaluations:.0f} evaluations, {share:.3g} for each candidate"
    if evaluations >= needed:
        return f"{each}: enough for all candidates on every instance ({needed:.0f})."
    if evaluations < candidates:
        return f"{each}: not enough for all candidates on one instance."
    if not isinstance(rule, Keep) and evaluations < min(candidates * first, needed):
        return (
            f"{each}: they end before the first test, after {first} instances, so no candidate can "
            "be dropped."
        )
    seen = course(rule, candidates, outlook, first) if isinstance(rule, Planned) else []
    longest = min(instances, first + max(evaluations - candidates * first, 0) / LAST)
    longest = min(instances, share) if isinstance(rule, Keep) else longest
    most = count(len(seen) if isinstance(rule, Planned) else int(longest), "instance")
    if isinstance(rule, Keep) or candidates <= LAST or (seen and seen[-1] == candidates):
        return f"{each}: no candidate is dropped; all see up to {most}."
    if seen:
        some = count(seen.count(candidates), "instance")
        return f"{each}: all {candidates} see {some}, the last {seen[-1]} see {most}."
    some = count(int(min(first, instances)), "instance")
    return f"{each}: none is dropped before {some}; the last two can see up to {most}."


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
