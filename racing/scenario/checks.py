"""Checks for contradictions between parts of a scenario.

The parameters of each check name its inputs: fields, and values derived from them (`pool`, the
candidates; `problems`; `stream`, the instances). A check runs when these are valid, whatever other
errors there are, so that one reading finds as many errors as possible.
"""

from __future__ import annotations

import inspect
import math
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from racing.base.errors import InputError, TargetError
from racing.base.plain import path_error
from racing.base.quantities import Direction
from racing.base.records import FieldError, FieldErrors
from racing.base.records.kinds import join
from racing.core.aims import Aim
from racing.core.budget import Budget
from racing.core.candidate import Candidate
from racing.core.failures import failures_of
from racing.core.goal import Goal
from racing.core.instances import Instances
from racing.core.metric import Metric
from racing.core.objective import Objective
from racing.evaluate.answers import groupless
from racing.evaluate.command import Command
from racing.evaluate.function import Function
from racing.race.arguments import needs_metrics, no_row, no_test, none_leaves
from racing.rules.rule import Outlook, Rule, check_outlook
from racing.scenario.candidates import CandidateSource
from racing.scenario.files import unreplaced
from racing.scenario.instances import InstanceSource, Problem
from racing.scenario.search_checks import (
    capping_fits,
    first_configurations,
    portfolio_fits,
    search_fits,
    some_allowed,
)
from racing.scenario.search_settings import AnySearch
from racing.scenario.settings import Execution, RaceSettings
from racing.search.iterated.settings import IteratedSettings
from racing.search.settings import unserved
from racing.space import Space

Metrics = Mapping[str, Metric]


def goal_of(metrics: Metrics | None, objective: str | Aim) -> Goal | None:
    """The metrics with the objective; None for one cost.

    Raises
    ------
    FieldErrors
        If the objective names an unknown metric.
    """
    aim = None if isinstance(objective, str) else objective
    if metrics is None and aim is not None:
        raise FieldErrors([FieldError("", needs_metrics(aim))])
    return None if metrics is None else Goal(metrics, aim)


def one_direction(goal: Goal | None, direction: Direction) -> Iterator[FieldError]:
    """Refuse a direction beside metrics, which have their own."""
    if goal is not None and direction not in ("minimize", goal.direction):
        yield FieldError(
            "direction",
            f"{direction}, but each metric has a direction of its own; leave it out (in Python, "
            "call racing.minimize)",
        )


def target_tells(target: Command | Function, metrics: Metrics | None) -> Iterator[FieldError]:
    """Refuse settings of one cost for a target with metrics, and an output without its answer."""
    if isinstance(target, Function):
        return
    if metrics is None:
        if target.answers and groupless(target.output, metrics):
            yield FieldError(
                "target.output",
                "must have a group for the cost too, such as 'cost: (.+)|seconds: (?P<seconds>.+)'",
            )
        return
    if target.cost != "answer":
        yield FieldError(
            "target.cost",
            f"{target.cost}, but metrics say what is measured: write metrics: {{time: {{measure: "
            f"{'wall_time' if target.cost == 'time' else 'cpu_time'}}}}}, and leave cost out",
        )
    if target.output == "irace":
        yield FieldError(
            "target.output", "irace, which has one cost, and there are metrics; leave it out"
        )
    if missing := groupless(target.output, metrics):
        groups = "|".join(f"{name}: (?P<{name}>.+)" for name in missing)
        yield FieldError("target.output", f"must have a group for each metric, such as '{groups}'")


def searchable(
    search: AnySearch | None, goal: Goal | None, rule: Rule | None
) -> Iterator[FieldError]:
    """Refuse objectives, rules and bounds that a search of several metrics cannot have."""
    if search is None or goal is None:
        return
    if why := unserved(goal.kind, search.serves, rule=rule is not None):
        yield FieldError("objective", why)
    if search.bounds_runs:
        key = "bound" if isinstance(search, IteratedSettings) else "capping"
        yield FieldError(
            f"search.{key}", "stops runs at a bound of their one cost, and there are metrics"
        )


def measures(
    target: Command | Function, metrics: Metrics | None, execution: Execution
) -> Iterator[FieldError]:
    """Refuse measures that a target or engine does not allow."""
    for name, metric in (metrics or {}).items():
        at = f"metrics.{name}.measure"
        if metric.measure == "memory" and isinstance(target, Function):
            yield FieldError(
                at, "memory is measured of commands; a Python function shares that of its worker"
            )
        elif metric.measure == "memory" and not sys.platform.startswith("linux"):
            yield FieldError(at, "memory is measured on Linux only")
        shared = execution.engine in ("threading", "asyncio")
        if metric.measure == "cpu_time" and isinstance(target, Function) and shared:
            yield FieldError(
                at, f"cpu_time cannot be told apart in the engine {execution.engine}; use loky"
            )


Pool = tuple[Candidate, ...]
Problems = tuple[Problem, ...]


def _pool(candidates: CandidateSource | None, space: Space | None, folder: str, seed: int) -> Pool:
    return candidates.resolve(space, Path(folder), seed) if candidates else ()


def _problems(instances: InstanceSource, folder: str) -> Problems:
    return instances.problems(Path(folder))


def _test_problems(test_instances: InstanceSource | None, folder: str) -> Problems:
    return test_instances.problems(Path(folder)) if test_instances else ()


def _stream(instances: InstanceSource, problems: Problems, folder: str) -> Instances:
    return instances.stream(problems, Path(folder))


def _judge(rule: Rule | None, search: AnySearch | None) -> Rule | None:
    from racing.rules import RULES

    default: Rule = RULES["auto"]()
    return default if rule is None and search is None else rule


def _name(name: str) -> Iterator[FieldError]:
    if "/" in name or "\0" in name:
        yield FieldError("name", "must not hold a slash; the log is called after it")
    elif wrong := path_error(f"{name}.sqlite"):
        yield FieldError("name", f"{wrong}; the log is called after it")


def _log(log: str | None) -> Iterator[FieldError]:
    if log and (wrong := path_error(log) or unreplaced(log).removeprefix("; ")):
        yield FieldError("log", wrong)


def _an_end(
    budget: Budget, instances: InstanceSource, search: AnySearch | None
) -> Iterator[FieldError]:
    if budget.unlimited and instances.repeat and search is None:
        yield FieldError(
            "budget", "missing; with repeat: true the instances never end, so give a limit"
        )


def _held_back(problems: Problems, test_problems: Problems) -> Iterator[FieldError]:
    names = {problem.name for problem in problems}
    met = [problem.name for problem in test_problems if problem.name in names]
    if met:
        more = f" and {len(met) - 1} more" if len(met) > 1 else ""
        yield FieldError(
            "test_instances", f"{met[0]}{more}: also among the instances; a fair test needs others"
        )


def _something_to_try(
    candidates: CandidateSource | None, search: AnySearch | None
) -> Iterator[FieldError]:
    if candidates is None and search is None:
        yield FieldError(
            "candidates",
            "missing; give the configurations to race, or search: true to have the space searched",
        )


def _enough_candidates(
    race: RaceSettings,
    pool: Pool,
    candidates: CandidateSource | None,
    search: AnySearch | None,
) -> Iterator[FieldError]:
    if candidates is None or search is not None:
        return
    if why := none_leaves(race.min_survivors, len(pool)):
        yield FieldError("race.min_survivors", why)


def _enough_budget(budget: Budget, pool: Pool, search: AnySearch | None) -> Iterator[FieldError]:
    if search is None and (why := no_row(budget, len(pool))):
        yield FieldError("budget.evaluations", why)


def _most_instances(budget: Budget, stream: Instances) -> float:
    """The most instances of the race; inf without an end."""
    return min((n for n in (stream.limit, budget.instances) if n is not None), default=math.inf)


def _a_test(
    race: RaceSettings, budget: Budget, stream: Instances, search: AnySearch | None
) -> Iterator[FieldError]:
    first, most = race.first_test or 1, _most_instances(budget, stream)
    if search is None and (why := no_test(first, most)):
        yield FieldError("race.first_test", why)


def _rule(
    judge: Rule | None,
    objective: Objective | Aim,
    goal: Goal | None,
    budget: Budget,
    stream: Instances,
) -> Iterator[FieldError]:
    if judge is None:
        return
    outlook = Outlook(
        objective=objective if isinstance(objective, str) else "mean",
        goal="single" if goal is None else goal.kind,
        instances=_most_instances(budget, stream),
        evaluations=math.inf if budget.evaluations is None else budget.evaluations,
        timed=budget.timed or bool(budget.paid),
    )
    try:
        check_outlook(judge, outlook)
    except InputError as error:
        yield FieldError("rule", str(error))


def _placeholders(
    target: Command | Function, pool: Pool, space: Space | None
) -> Iterator[FieldError]:
    """Check the placeholders of the command; the preflight checks that the program exists."""
    if isinstance(target, Command):
        names = dict.fromkeys([*(space or ()), *(name for one in pool for name in one.values)])
        try:
            target.check(list(names))
        except TargetError:
            return
        except InputError as error:
            yield FieldError("target.command", str(error))


def _cost(target: Command | Function, direction: Direction) -> Iterator[FieldError]:
    if isinstance(target, Command) and target.cost != "answer" and direction == "maximize":
        yield FieldError(
            "direction", f"maximize, but the cost is the {target.cost} that the target takes"
        )


def _execution(execution: Execution, target: Command | Function) -> Iterator[FieldError]:
    engine = execution.engine
    if engine == "in-process" and execution.jobs != 1:
        yield FieldError(
            "execution.jobs", f"{execution.jobs}, but the engine {engine} runs one at a time"
        )
    if execution.address is not None and engine not in ("dask", "ray"):
        yield FieldError(
            "execution.address",
            f"{execution.address!r}, but only the engines dask and ray have an address",
        )
    if engine == "asyncio" and isinstance(target, Command):
        yield FieldError(
            "execution.engine",
            "asyncio runs async functions, and the target is a command; leave it out",
        )
    if execution.rate is not None and (
        isinstance(target, Command) or engine not in ("auto", "asyncio")
    ):
        yield FieldError(
            "execution.rate",
            f"{execution.rate:g} per second, but only the engine asyncio keeps a rate, and it runs "
            "async functions only; leave it out",
        )
    if engine == "threading" and isinstance(target, Function) and target.timeout is not None:
        yield FieldError(
            "execution.engine",
            "threading cannot keep the target's timeout, as a Python function in a thread cannot "
            "be interrupted; use loky, or leave the timeout out",
        )


def _hedge(
    execution: Execution, target: Command | Function, goal: Goal | None
) -> Iterator[FieldError]:
    """A second copy favours fast answers, so it must not decide about times."""
    metrics = () if goal is None else goal.metrics.values()
    timed = any(one.measure in ("wall_time", "cpu_time") for one in metrics)
    if execution.hedge < 1 and (timed or getattr(target, "cost", "answer") != "answer"):
        yield FieldError(
            "execution.hedge",
            f"{execution.hedge:g}, but the cost is a time, and the first of two answers is the "
            "faster one; leave it out",
        )


RESOLUTION: dict[str, tuple[str, Callable[..., Any]]] = {
    "pool": ("candidates", _pool),
    "problems": ("instances", _problems),
    "test_problems": ("test_instances", _test_problems),
    "stream": ("instances", _stream),
    "judge": ("rule", _judge),
    "goal": ("objective", goal_of),
    "failures": ("on_failure", failures_of),
}
"""Derived value → the key of its errors, and the function."""

CHECKS = (
    _name, _log, _an_end, _held_back, _something_to_try, _enough_candidates, _enough_budget,
    _a_test, _rule, target_tells, searchable, measures, one_direction, search_fits, capping_fits,
    portfolio_fits, some_allowed, first_configurations, _placeholders, _cost, _execution, _hedge,
)  # fmt: skip


def contradictions(given: dict[str, Any]) -> Iterator[FieldError]:
    """All contradictions; adds derived values to `given`."""
    for name, (key, derive) in RESOLUTION.items():
        if (arguments := _arguments(derive, given)) is not None:
            try:
                given[name] = derive(**arguments)
            except FieldErrors as error:
                yield from (one._replace(path=join(key, one.path)) for one in error.errors)
    for check in CHECKS:
        if (arguments := _arguments(check, given)) is not None:
            yield from check(**arguments)


def _arguments(function: Callable[..., Any], given: dict[str, Any]) -> dict[str, Any] | None:
    """The arguments of a function, by the names of its parameters; None if some are missing."""
    needs = inspect.signature(function).parameters
    return {name: given[name] for name in needs} if needs.keys() <= given.keys() else None
