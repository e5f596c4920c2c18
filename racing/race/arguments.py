"""Reads and checks what a race is given: arguments in the forms of a file, outcomes, candidates."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, get_args

from racing.base.errors import InputError, RaceError, must_be
from racing.base.quantities import Direction, Quantity, Risk
from racing.base.records import FieldError, FieldErrors, argument
from racing.base.records.leaves import Number, choice
from racing.base.records.record import kind_of
from racing.core.aims import Aim, aim_of, unasked
from racing.core.ask_tell import stranger, told_twice
from racing.core.budget import BUDGET, Budget
from racing.core.candidate import Candidate
from racing.core.decider import Entrant
from racing.core.experiment import Outcome
from racing.core.goal import Goal
from racing.core.instances import Instances, check_no_frame
from racing.core.metric import Metric, MetricsKind
from racing.core.objective import Objective
from racing.core.stop import Stop
from racing.race.judging import DISTANCE
from racing.race.limits import refusal
from racing.race.setup import Setup
from racing.rules.rule import Outlook, Rule, check_outlook
from racing.space.parameter import Value

if TYPE_CHECKING:
    from racing.race.state import RaceState


AHEAD = Number(float, Quantity("a share from 0 to below 1", low=0, high=1, open_high=True))
"""The share of a budget of money that is kept to go ahead."""
RISKY = kind_of(Risk)
"""The largest probability of being worse than the default with which another one wins."""


def entrants_of(candidates: Iterable[Candidate | Mapping[str, Value] | Entrant]) -> list[Entrant]:
    """The given candidates; plain mappings are numbered from 1 by their place.

    Raises
    ------
    InputError
        If there are none, they are something else, or two have the same id.
    """
    if isinstance(candidates, Mapping | str) or not hasattr(candidates, "__iter__"):
        raise InputError(must_be("candidates", "a list of mappings", candidates))
    found: dict[int, Entrant] = {}
    for place, given in enumerate(candidates, start=1):
        if not isinstance(given, Candidate | Mapping | Entrant):
            raise InputError(must_be("a candidate", "a mapping of its values", given))
        if isinstance(given, Mapping):
            given = Candidate(place, dict(given))
        one = given if isinstance(given, Entrant) else Entrant(candidate=given)
        if found.setdefault(one.candidate.id, one) is not one:
            raise InputError(f"the ids of candidates must differ; got {one.candidate.id} twice")
    if not found:
        raise InputError("there must be one candidate or more; got none")
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
    check_no_frame(instances)
    if isinstance(instances, str) or not hasattr(instances, "__iter__"):
        raise InputError(must_be("instances", "a list of them", instances))
    return Instances(tuple(instances), repeat=repeat)


def rule_of(rule: object) -> Rule:
    """A rule, from its name, a mapping with its name and parameters, or a rule.

    Raises
    ------
    InputError
        If there is no such rule, a parameter is out of its range, or it is something else.
    """
    from racing.rules.names import RULE

    return argument(RULE, "auto" if rule is None else rule, "rule")  # type: ignore[no-any-return]


def budget_of(budget: object) -> Budget:
    """A budget, from a number of evaluations, a mapping of limits, or a `Budget`.

    Raises
    ------
    InputError
        If it is something else.
    """
    return Budget() if budget is None else argument(BUDGET, budget, "budget")


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
    known = argument(MetricsKind(), metrics, "metrics")
    if objective is None and (why := unasked([*known])):
        raise InputError(f"metrics: {why}")
    goal = Goal(known, None if isinstance(aim, str) else aim)
    if direction not in ("minimize", goal.direction):
        raise InputError(
            f"direction is {direction}, but each metric has a direction of its own; leave it out"
        )
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
    return argument(DISTANCE, value, name)  # type: ignore[no-any-return]


def whole(name: str, value: object, *, least: int = 1) -> int:
    """A whole number that is large enough.

    Raises
    ------
    InputError
        If it is not.
    """
    quantity = Quantity(f"a whole number, {least} or more", low=least, high=2**63 - 1)
    return argument(Number(int, quantity), value, name)  # type: ignore[no-any-return]


def check(setup: Setup, outlook: Outlook) -> None:
    """Refuse the same invalid arguments as a scenario file.

    Raises
    ------
    InputError
        If the race has no end, or no room for a single row or test.
    """
    for name, kind in (("objective", Objective), ("direction", Direction)):
        argument(choice(get_args(kind)), getattr(setup, name), name)
    if setup.budget.unlimited and setup.instances.limit is None:
        raise InputError(
            "the instances repeat without end and the budget has no limit; set one of "
            "evaluations, wall_time, target_time and instances"
        )
    check_outlook(setup.rule, outlook)
    refusals = {
        "budget.evaluations": no_row(setup.budget, outlook.candidates),
        "first_test": no_test(setup.schedule.first_test, setup.last_step),
        "min_survivors": none_leaves(setup.min_survivors, outlook.candidates),
    }
    if errors := [FieldError(key, why) for key, why in refusals.items() if why]:
        raise FieldErrors(errors)


def no_row(budget: Budget, candidates: int) -> str:
    """Why a budget does not cover a single instance; empty if it does."""
    if budget.evaluations is None or budget.evaluations >= candidates:
        return ""
    return (
        f"{budget.evaluations} evaluations do not cover one instance for {candidates} candidates; "
        "give more, or fewer candidates"
    )


def no_test(first_test: int, most: float) -> str:
    """Why a race of at most so many instances has no test; empty if it has one."""
    if first_test <= most:
        return ""
    return (
        f"{first_test}, but the race has at most {most} instances; set it to {most} or less, or "
        "give more instances"
    )


def none_leaves(min_survivors: int, candidates: int) -> str:
    """Why a race can drop no candidate; empty if it can."""
    if min_survivors < max(candidates, 2):
        return ""
    there = f"there are {candidates} candidates" if candidates > 1 else "there is 1 candidate"
    return f"{min_survivors}, but {there}: no candidate could be dropped"


def check_outcome(outcome: Outcome, state: RaceState, instances: Instances) -> None:
    """Refuse outcomes of unknown candidates or instances, and duplicates.

    Raises
    ------
    RaceError
        If the candidate is not in the race, or the outcome was told before.
    InputError
        If there is no such instance.
    """
    if outcome.candidate not in state.candidates:
        raise RaceError(f"{stranger(outcome, 'race')}; `join` lets others in")
    limit = instances.limit
    if outcome.step < 0 or (limit is not None and outcome.step >= limit):
        raise InputError(
            f"there is no instance {outcome.step} in this race; "
            f"its {limit} instances are counted from 0"
        )
    if state.knows(outcome.key):
        raise RaceError(told_twice(outcome))


def check_metrics(outcome: Outcome, goal: Goal) -> None:
    """Refuse an outcome that lacks the costs of the metrics; one that failed has none.

    Raises
    ------
    InputError
        If it has another number of them.
    """
    if len(outcome.metrics) != len(goal.names) and math.isfinite(outcome.cost):
        raise InputError(
            f"the outcome of candidate {outcome.candidate} on instance {outcome.step} must have "
            f"the costs of {', '.join(goal.names)}; got {len(outcome.metrics)} metrics"
        )


def check_open(candidate: Candidate, state: RaceState) -> None:
    """Refuse a new candidate that a finished race could not evaluate.

    Raises
    ------
    RaceError
        If it is over for another reason than few survivors, or the budget does not cover the
        candidate.
    """
    reason = state.stopped
    if reason is None:
        return
    if reason is Stop.SURVIVORS:
        runs = 1 if state.closed else len(state.alive) + 1
        reason = refusal(runs, state.spent, state.setup.budget)
    if reason is not None:
        raise RaceError(
            f"{candidate} cannot join: the race is over, since {reason.meaning}; "
            "start a new race with the winner and the new candidate"
        )
