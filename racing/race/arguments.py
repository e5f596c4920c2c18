"""What a race is made of: checked, and in the form that it needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from racing.budget import Budget
from racing.candidate import Candidate
from racing.errors import InputError
from racing.instances import Instances
from racing.space.parameter import Value


def numbered(candidates: Iterable[Candidate | Mapping[str, Value]]) -> list[Candidate]:
    """Candidates as given; plain mappings are numbered from 1 by their place.

    Raises
    ------
    InputError
        If there are none, they are something else, or two have the same id.
    """
    if isinstance(candidates, Mapping | str) or not hasattr(candidates, "__iter__"):
        raise InputError(f"candidates is {candidates!r:.80}; expected a list of mappings")
    found: dict[int, Candidate] = {}
    for place, given in enumerate(candidates, start=1):
        if not isinstance(given, Candidate | Mapping):
            raise InputError(f"a candidate is {given!r:.80}; expected a mapping of its values")
        one = given if isinstance(given, Candidate) else Candidate(place, dict(given))
        if found.setdefault(one.id, one) is not one:
            raise InputError(f"two candidates have the id {one.id}; ids must be unique")
    if not found:
        raise InputError("there are no candidates; a race needs at least one")
    return list(found.values())


def stream_of(instances: Instances | Sequence[object]) -> Instances:
    """Instances as given; plain objects in the order that the seed gives them.

    Raises
    ------
    InputError
        If there are none, or they are something else.
    """
    if isinstance(instances, Instances):
        return instances
    if isinstance(instances, str) or not hasattr(instances, "__iter__"):
        raise InputError(f"instances is {instances!r:.80}; expected a list of them")
    return Instances(tuple(instances))


def check_counts(**counts: int) -> None:
    """Refuse settings below 1."""
    for name, value in counts.items():
        if value < 1:
            raise InputError(f"{name} is {value}; it must be 1 or more")


def check_rule(rule: object) -> None:
    """Refuse what cannot be asked for a verdict."""
    if not callable(rule) or isinstance(rule, type):
        raise InputError(f"rule is {rule!r}; expected a rule such as racing.rules.Sign()")


def check_end(budget: Budget, instances: Instances) -> None:
    """Refuse what is no budget, and a race without an end."""
    if not isinstance(budget, Budget):
        raise InputError(f"budget is {budget!r}; expected racing.Budget(evaluations=…)")
    if budget.unlimited and instances.limit is None:
        raise InputError(
            "the instances repeat without end and the budget has no limit; set one of "
            "evaluations, wall_time, target_time and instances"
        )
