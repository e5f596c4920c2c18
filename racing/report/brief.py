"""What a run is asked for, in three lines: the objective, the budget and the instances."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from racing.answer.document import quoted
from racing.base.words import amount, count, duration, listed
from racing.core.aims import Order
from racing.race.answer import DEFAULT

if TYPE_CHECKING:
    from racing.core.budget import Budget
    from racing.core.goal import Goal
    from racing.core.view import View
    from racing.scenario import Scenario

_BEST = {"minimize": "lowest", "maximize": "highest"}


def brief(scenario: Scenario, view: View, jobs: int | None = None) -> tuple[str, str, str]:
    """The objective with its direction and unit, the budget, and which instances do what.

    Parameters
    ----------
    view
        The race or search of the scenario, before its first evaluation.
    jobs
        How many evaluations run at once; None for what the scenario says.
    """
    return (
        f"Objective: {_objective(scenario, view)}",
        f"Budget: {_budget(scenario, view, jobs or scenario.plan.execution.jobs)}",
        f"Instances: {_instances(scenario, view)}",
    )


def _objective(scenario: Scenario, view: View) -> str:
    goal, search = scenario.plan.goal, view.as_search
    said = _team(search.portfolio if search else 0) + _wanted(scenario, view, goal)
    if goal and goal.constraints:
        said += f", subject to {listed([quoted(one) for one in goal.constraints])}"
    if not _has_default(scenario) or (goal and goal.front):
        return said
    kept = "kept unless another one is better with probability"
    return f"{said}; {quoted(DEFAULT)} is {kept} {1 - view.risk:.3g}"


def _has_default(scenario: Scenario) -> bool:
    """Whether the winner has a default to be better than."""
    if scenario.search is not None and scenario.space is not None:
        return not scenario.space.without_default()
    return any(one.name == DEFAULT for one in scenario.plan.candidates)


def _team(size: int) -> str:
    return f"a team of at most {size} with " if size else ""


def _wanted(scenario: Scenario, view: View, goal: Goal | None) -> str:
    """What is lowest or highest, and how instances count."""
    if goal and goal.front:
        return f"the front of {listed([_extreme(goal, name) for name in goal.front])}"
    if goal and isinstance(goal.aim, Order):
        return ", then ".join(_extreme(goal, step.metric) for step in goal.aim.order)
    what = scenario.unit or ("cost" if view.direction == "minimize" else "score")
    if goal:
        what = quoted(goal.label)
    if view.objective == "rank":
        return f"the best mean rank by {what} over the instances; {_BEST[view.direction]} is best"
    return f"the {_BEST[view.direction]} mean of {what} over the instances"


def _extreme(goal: Goal, name: str) -> str:
    return f"the {_BEST[goal.metrics[name].direction]} {quoted(name)}"


def _budget(scenario: Scenario, view: View, jobs: int) -> str:
    at_once = "one for each processor" if jobs == -1 else count(jobs, "evaluation")
    limits = " or ".join(_limits(scenario.budget))
    limits = limits or "none, all candidates left meet all instances"
    return f"{limits}; {at_once} at a time{_window(view, jobs)}"


def window_of(view: View) -> int | None:
    """The window of a continuous search; None of any other run."""
    search = view.as_search
    return None if search is None or search.iterations is not None else search.window


def _window(view: View, jobs: int) -> str:
    """The window of a search, and a wider one if that keeps more of the jobs busy."""
    from racing.evaluate.pool import size_of
    from racing.search.settings import FINDS_LESS, window_for

    if (window := window_of(view)) is None:
        return ""
    wider = window_for(jobs := size_of(jobs), view.budget.evaluations)
    more = f"`search: {{window: {wider}}}` keeps more of them busy"
    more = more if window < wider else f"others wait, as {FINDS_LESS}"
    return f", of {window} challengers at most" + (f"; {more}" if window < jobs else "")


def _limits(budget: Budget) -> Iterator[str]:
    if budget.evaluations is not None:
        yield count(budget.evaluations, "evaluation")
    if budget.instances is not None:
        yield count(budget.instances, "instance")
    if budget.wall_time is not None:
        yield duration(budget.wall_time)
    if budget.target_time is not None:
        yield f"{duration(budget.target_time)} of evaluations, one after another"
    for unit in budget.paid:
        yield amount(unit, getattr(budget, unit))


def _instances(scenario: Scenario, view: View) -> str:
    search, many = view.as_search, view.instances.limit
    if search is not None:
        said = str(search.division)
    elif many is None:
        said = f"{count(len(scenario.plan.problems), 'problem')}, again and again with new seeds"
    else:
        said = f"{many}, which all decide"
    if tests := len(scenario.plan.test_problems):
        return f"{said}; the result is then tested on {tests} others"
    return f"{said}; no `test_instances` to test the result on"
