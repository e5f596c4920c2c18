"""What a search is made of: checked, and in the form that it needs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import get_args

from racing.budget import Budget
from racing.errors import InputError
from racing.instances import Instances
from racing.objective import Objective
from racing.race.arguments import rule_of
from racing.rules.rule import Outlook, Rule, check_outlook
from racing.space import Space


def check(
    space: object, budget: object, window: object, objective: object, rule: Rule | None
) -> None:
    """Refuse what a search cannot be made of.

    Raises
    ------
    InputError
        Naming the argument, what was expected and what was given.
    """
    if not isinstance(space, Space):
        raise InputError(f"space is {space!r:.80}; expected racing.Space({{name: parameter}})")
    if not isinstance(budget, Budget):
        raise InputError(f"budget is {budget!r:.80}; expected racing.Budget(evaluations=…)")
    if budget.evaluations is None and budget.target_time is None and budget.wall_time is None:
        raise InputError(
            "a search has no end of its own; limit evaluations, target_time or wall_time"
        )
    if isinstance(window, bool) or not isinstance(window, int) or window < 1:
        raise InputError(f"window is {window!r}; it must be a whole number, 1 or more")
    if objective not in get_args(Objective):
        raise InputError(f"objective is {objective!r}; expected one of {get_args(Objective)}")
    if rule is not None:
        check_outlook(rule_of(rule), Outlook())


def check_first(budget: Budget, configurations: int) -> None:
    """Refuse a budget that does not cover one instance for those that begin.

    Raises
    ------
    InputError
        Naming both.
    """
    if budget.evaluations is not None and budget.evaluations < configurations:
        raise InputError(
            f"a budget of {budget.evaluations} evaluations does not cover the {configurations} "
            "configurations to begin with on one instance; raise it"
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
