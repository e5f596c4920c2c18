"""Checks of several metrics against the other keys; `racing.scenario.checks` calls them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping

from racing.base.quantities import Direction
from racing.base.records import FieldError, FieldErrors
from racing.core.aims import Aim, ObjectiveKind
from racing.core.goal import Goal
from racing.core.metric import Metric
from racing.evaluate.command import Command
from racing.evaluate.function import Function
from racing.rules.rule import Rule
from racing.scenario.search_settings import AnySearch
from racing.scenario.settings import Execution
from racing.search.iterated.settings import IteratedSettings
from racing.search.settings import unserved

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
        key = next(iter(ObjectiveKind().write(aim)))
        why = f"{key} needs metrics; name them in metrics"
        raise FieldErrors([FieldError("", why)])
    return None if metrics is None else Goal(metrics, aim)


def one_direction(goal: Goal | None, direction: Direction) -> Iterator[FieldError]:
    """Refuse a direction beside metrics, which have their own."""
    if goal is not None and direction not in ("minimize", goal.direction):
        yield FieldError(
            "direction", f"{direction}, but each metric has a direction of its own; leave it out"
        )


def target_tells(target: Command | Function, metrics: Metrics | None) -> Iterator[FieldError]:
    """Refuse settings of one cost for a target with metrics."""
    if metrics is None or isinstance(target, Function):
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
