"""Reads and checks the arguments of a search, also in the forms of a scenario file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from racing.base.errors import InputError, must_be
from racing.base.quantities import Direction
from racing.base.records import Errors, FieldErrors
from racing.core.budget import Budget
from racing.core.goal import Goal, Kind
from racing.core.objective import Objective
from racing.race.arguments import budget_of, rule_of
from racing.rules.rule import Outlook, Rule, check_outlook
from racing.search.settings import space_refusal, unserved
from racing.space import Space
from racing.space.keys import SpaceKind


def limited(budget: object) -> Budget:
    """A budget that ends, from a number of evaluations, a mapping of limits, or a `Budget`.

    Raises
    ------
    InputError
        If it is something else, or never ends a search.
    """
    found = budget_of(budget)
    if found.endless:
        raise InputError(
            "a search has no end of its own; limit evaluations, target_time, wall_time, usd or "
            "tokens"
        )
    return found


def judging(rule: Rule | str | Mapping[str, object] | None) -> Rule | None:
    """A rule that can judge challengers; None for the screening rule.

    Raises
    ------
    InputError
        If the rule is unknown, or follows a schedule.
    """
    if rule is None:
        return None
    found = rule_of(rule)
    check_outlook(found, Outlook())
    return found


def space_of(space: object) -> Space:
    """The given space, or one from parameters as in a file.

    Raises
    ------
    InputError
        With all errors of the parameters; or if it is something else, or has one configuration.
    """
    if isinstance(space, Space):
        if why := space_refusal(space.size):
            raise InputError(f"space: {why}")
        return space
    if not isinstance(space, Mapping):
        allowed = (
            "racing.space.Space({name: parameter}), or parameters as in a file: "
            "{'x': {'real': [0, 1]}}"
        )
        raise InputError(must_be("space", allowed, space))
    errors = Errors()
    found = SpaceKind().read(space, "space", errors)
    if errors.found:
        raise FieldErrors(errors.found)
    return space_of(found)


def check(
    score: object,
    direction: object,
    goal: Goal | None,
    serves: tuple[Kind, ...],
    *,
    rule: bool,
    capped: bool,
) -> None:
    """Refuse invalid arguments of a search, and objectives that it does not support.

    Parameters
    ----------
    serves, rule
        See `unserved`.
    capped
        Whether runs are stopped at bounds.

    Raises
    ------
    InputError
        Naming the argument, what is allowed and what was given.
    """
    if goal is not None and (why := unserved(goal.kind, serves, rule=rule)):
        raise InputError(why)
    if goal is not None and capped:
        raise InputError("capping stops runs at a bound of their one cost, and there are metrics")
    for name, value, kind in (("objective", score, Objective), ("direction", direction, Direction)):
        if value not in get_args(kind):
            raise InputError(must_be(name, " or ".join(get_args(kind)), value))
