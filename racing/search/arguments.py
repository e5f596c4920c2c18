"""What a search is made of: taken in the forms that a scenario file has, and checked."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import get_args

from racing.budget import Budget
from racing.errors import InputError, show
from racing.instances import Instances
from racing.objective import Objective
from racing.quantities import Direction
from racing.race.arguments import budget_of, rule_of
from racing.records import Errors, FieldErrors
from racing.rules.rule import Outlook, Rule, check_outlook
from racing.space import Space
from racing.space_keys import SpaceKind


def limited(budget: object) -> Budget:
    """A budget with an end, from a number of evaluations, a mapping of limits, or as given.

    Raises
    ------
    InputError
        If it is something else, or would never end a search.
    """
    found = budget_of(budget)
    if found.evaluations is None and found.target_time is None and found.wall_time is None:
        raise InputError(
            "a search has no end of its own; limit evaluations, target_time or wall_time"
        )
    return found


def judging(rule: Rule | str | Mapping[str, object] | None) -> Rule | None:
    """A rule that can judge challengers; None for the screening rule.

    Raises
    ------
    InputError
        If there is no such rule, or it goes by a schedule.
    """
    if rule is None:
        return None
    found = rule_of(rule)
    check_outlook(found, Outlook())
    return found


def space_of(space: object) -> Space:
    """A space as given, or from parameters as a file has them.

    Raises
    ------
    InputError
        With everything that is wrong; or if it is something else.
    """
    if isinstance(space, Space):
        return space
    if not isinstance(space, Mapping):
        raise InputError(
            f"space is {space!r:.80}; expected racing.space.Space({{name: parameter}}), or "
            "parameters as in a file: {'x': {'real': [0, 1]}}"
        )
    errors = Errors()
    found = SpaceKind().read(space, "space", errors)
    if errors.found:
        raise FieldErrors(errors.found)
    return found  # type: ignore[no-any-return]


def check(objective: object, direction: object) -> None:
    """Refuse what a search cannot be made of.

    Raises
    ------
    InputError
        Naming the argument, what was expected and what was given.
    """
    for name, value, kind in (
        ("objective", objective, Objective),
        ("direction", direction, Direction),
    ):
        if value not in get_args(kind):
            allowed = " or ".join(get_args(kind))
            raise InputError(f"{name} must be {allowed}; got {show(value)}")


def check_first(budget: Budget, configurations: int) -> None:
    """Refuse a budget that does not cover one instance for those that begin.

    Raises
    ------
    InputError
        Naming both.
    """
    if budget.evaluations is not None and budget.evaluations < configurations:
        raise InputError(
            f"{budget.evaluations} evaluations do not cover one instance for the {configurations} "
            "configurations to begin with; give more"
        )


def stream_of(instances: Instances | Sequence[object]) -> Instances:
    """Instances as given; plain objects repeat, in shuffled order and with new seeds.

    Raises
    ------
    InputError
        If there are none, or they are something else.
    """
    if isinstance(instances, Instances):
        return instances
    if isinstance(instances, str) or not hasattr(instances, "__iter__"):
        raise InputError(f"instances is {instances!r:.80}; expected a list of them")
    return Instances(tuple(instances), repeat=True)


def limit_of(instances: Instances, budget: Budget) -> float:
    """How many instances may be met; inf without an end."""
    ends = (instances.limit, budget.instances)
    return min((end for end in ends if end is not None), default=math.inf)
