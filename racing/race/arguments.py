"""Reads and checks the arguments of a race, also in the forms of a scenario file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any, get_args

from racing.base.errors import InputError, did_you_mean, show
from racing.base.quantities import DISTANCE, Direction
from racing.base.records import Errors, FieldErrors
from racing.base.units import percent
from racing.core.aims import Aim, aim_of, unasked
from racing.core.budget import Budget
from racing.core.candidate import Candidate
from racing.core.decider import Entrant
from racing.core.goal import Goal
from racing.core.instances import Instances
from racing.core.metric import Metric, MetricsKind
from racing.core.objective import Objective
from racing.race.setup import Setup
from racing.rules.rule import Outlook, Rule, check_outlook
from racing.space.parameter import Value


def entrants_of(candidates: Iterable[Candidate | Mapping[str, Value] | Entrant]) -> list[Entrant]:
    """The given candidates; plain mappings are numbered from 1 by their place.

    Raises
    ------
    InputError
        If there are none, they are something else, or two have the same id.
    """
    if isinstance(candidates, Mapping | str) or not hasattr(candidates, "__iter__"):
        raise InputError(f"candidates is {candidates!r:.80}; expected a list of mappings")
    found: dict[int, Entrant] = {}
    for place, given in enumerate(candidates, start=1):
        if not isinstance(given, Candidate | Mapping | Entrant):
            raise InputError(f"a candidate is {given!r:.80}; expected a mapping of its values")
        if isinstance(given, Mapping):
            given = Candidate(place, dict(given))
        one = given if isinstance(given, Entrant) else Entrant(candidate=given)
        if found.setdefault(one.candidate.id, one) is not one:
            raise InputError(f"two candidates have the id {one.candidate.id}; ids must be unique")
    if not found:
        raise InputError("there are no candidates; a race needs at least one")
    return list(found.values())


def stream_of(instances: Instances | Sequence[object], *, repeat: bool = False) -> Instances:
    """The given `Instances`; plain objects are shuffled by the seed.

    Parameters
    ----------
    repeat
        Whether plain objects repeat with new seeds.

    Raises
    ------
    InputError
        If there are none, or they are something else.
    """
    if isinstance(instances, Instances):
        return instances
    if isinstance(instances, str) or not hasattr(instances, "__iter__"):
        raise InputError(f"instances is {instances!r:.80}; expected a list of them")
    return Instances(tuple(instances), repeat=repeat)


def rule_of(rule: object) -> Rule:
    """A rule, from its name, a mapping with its name and parameters, or a rule.

    Raises
    ------
    InputError
        If there is no such rule, a parameter is out of its range, or it is something else.
    """
    from racing.rules import RULES

    if rule is None:
        rule = "auto"
    if isinstance(rule, str):
        rule = {"name": rule}
    if isinstance(rule, Mapping):
        name = str(rule.get("name"))
        if name not in RULES:
            raise InputError(f"unknown rule {show(name)}{did_you_mean(name, RULES)}")
        options = {key: value for key, value in rule.items() if key != "name"}
        kind: Any = RULES[name]
        known = [field.name for field in fields(kind)]
        for key in options:
            if key not in known:
                raise InputError(f"rule {name} has no {show(key)}{did_you_mean(str(key), known)}")
        rule = kind(**options)
    if not callable(rule) or isinstance(rule, type):
        raise InputError(
            f"rule is {rule!r:.80}; expected a name such as 'sign', or a rule such as "
            "racing.rules.Sign()"
        )
    return rule


def budget_of(budget: object) -> Budget:
    """A budget, from a number of evaluations, a mapping of limits, or a `Budget`.

    Raises
    ------
    InputError
        If it is something else.
    """
    if budget is None:
        return Budget()
    if isinstance(budget, int) and not isinstance(budget, bool):
        return Budget(evaluations=budget)
    if isinstance(budget, Mapping):
        known = [field.name for field in fields(Budget)]
        for key in budget:
            if key not in known:
                raise InputError(f"budget has no {show(key)}{did_you_mean(str(key), known)}")
        return Budget(**budget)
    if not isinstance(budget, Budget):
        raise InputError(
            f"budget is {budget!r:.80}; expected a number of evaluations, a mapping such as "
            "{'target_time': 60.0}, or racing.Budget(evaluations=…)"
        )
    return budget


def goal_of(
    metrics: Mapping[str, Metric | Mapping[str, Any] | str] | None,
    objective: object,
    direction: Direction,
) -> Goal | None:
    """The goal of metrics and an objective given in Python code; None for one cost.

    Raises
    ------
    InputError
        If they contradict each other, or the objective needs metrics and none are given.
    """
    aim = None if objective is None or isinstance(objective, str) else aim_of(objective)
    if metrics is None:
        if aim is not None and not isinstance(aim, str):
            raise InputError(needs_metrics(aim))
        return None
    errors = Errors(plain=True)
    known = MetricsKind().read(metrics, "metrics", errors)
    if errors.found:
        raise FieldErrors(errors.found)
    if objective is None and (why := unasked([*known])):
        raise InputError(f"metrics: {why}")
    goal = Goal(known, None if isinstance(aim, str) else aim)
    if direction not in ("minimize", goal.direction):
        raise InputError(f"direction is {direction}, but each metric has a direction of its own")
    return goal


def score_word(goal: Goal | None, objective: Any, default: Objective = "rank") -> Objective:
    """What is averaged over instances: `rank` or `mean`; `check` refuses any other word."""
    objective = default if objective is None else objective
    if goal is None:
        return objective  # type: ignore[no-any-return]
    return goal.score(objective if isinstance(objective, str) else default)  # type: ignore[arg-type]


def needs_metrics(aim: Aim) -> str:
    """The message for an objective of several metrics where there are none."""
    what = next(iter(vars(aim)))
    return f"{what} needs metrics; name them in metrics"


def distance(name: str, value: object) -> int | str:
    """The distance of two tests: a number of instances, or a growth such as "25%".

    Raises
    ------
    InputError
        If it is neither.
    """
    if isinstance(value, str) and percent(value) is not None:
        return value
    if isinstance(value, str):
        raise InputError(f"{name} must be {DISTANCE}; got {show(value)}")
    return whole(name, value)


def whole(name: str, value: object, *, least: int = 1) -> int:
    """A whole number that is large enough.

    Raises
    ------
    InputError
        If it is not.
    """
    number = value.__index__() if hasattr(value, "__index__") else None
    if number is None or isinstance(value, bool) or not least <= number < 2**63:
        raise InputError(f"{name} must be a whole number, {least} or more; got {show(value)}")
    return int(number)


def ahead_of(given: float) -> float:
    """The share of a budget of money that is kept to go ahead.

    Raises
    ------
    InputError
        If it is below 0, or not below 1.
    """
    if not 0 <= given < 1:
        raise InputError(f"ahead is {given!r}; it must be 0 or more, and below 1")
    return given


def risk_of(given: float) -> float:
    """The largest probability of being worse than the default with which another one wins.

    Raises
    ------
    InputError
        If it is not above 0, or above 0.5.
    """
    if not 0 < given <= 0.5:
        raise InputError(f"risk is {given!r}; it must be above 0, and 0.5 at most")
    return given


def check(setup: Setup, outlook: Outlook) -> None:
    """Refuse the same invalid arguments as a scenario file.

    Raises
    ------
    InputError
        If the race has no end, or no room for a single row or test.
    """
    candidates = outlook.candidates
    for name, kind in (("objective", Objective), ("direction", Direction)):
        value = getattr(setup, name)
        if value not in get_args(kind):
            allowed = " or ".join(get_args(kind))
            raise InputError(f"{name} must be {allowed}; got {show(value)}")
    budget, most = setup.budget, setup.last_step
    if budget.unlimited and setup.instances.limit is None:
        raise InputError(
            "the instances repeat without end and the budget has no limit; set one of "
            "evaluations, wall_time, target_time and instances"
        )
    if budget.evaluations is not None and budget.evaluations < candidates:
        raise InputError(
            f"{budget.evaluations} evaluations do not cover one instance for {candidates} "
            "candidates; give more, or fewer candidates"
        )
    check_outlook(setup.rule, outlook)
    if setup.schedule.first_test > most:
        raise InputError(
            f"first_test is {setup.schedule.first_test}, but the race has at most {most} "
            f"instances; set it to {most} or less, or give more instances"
        )
    if setup.min_survivors >= max(candidates, 2):
        there = f"there are {candidates} candidates" if candidates > 1 else "there is 1 candidate"
        raise InputError(
            f"min_survivors is {setup.min_survivors}, but {there}, so none could be dropped"
        )
