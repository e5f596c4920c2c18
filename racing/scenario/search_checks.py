"""Checks of searches; `racing.scenario.checks` says how checks are called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from racing.base.errors import SamplingError
from racing.base.quantities import Direction
from racing.base.records import FieldError
from racing.core.budget import Budget
from racing.core.candidate import Candidate
from racing.evaluate import template
from racing.evaluate.command import Command
from racing.evaluate.function import Function
from racing.rules import name_of
from racing.rules.rule import Rule
from racing.scenario.search_settings import JUDGES, AnySearch, SearchSettings
from racing.scenario.settings import RaceSettings
from racing.search.iterated.settings import IteratedSettings
from racing.search.settings import portfolio_refusal, space_refusal
from racing.space import Space
from racing.space.checks import emptied


def search_fits(
    search: AnySearch | None,
    space: Space | None,
    budget: Budget,
    race: RaceSettings,
    rule: Rule | None,
) -> Iterator[FieldError]:
    """Check that a search has what it needs, and no keys without meaning."""
    if search is None:
        return
    if space is None:
        yield FieldError("search", "needs a space, and the scenario has none")
    elif why := space_refusal(space.size):
        yield FieldError("space", why)
    if budget.endless:
        yield FieldError(
            "budget",
            "missing; a search has no end of its own, so limit evaluations, target_time, "
            "wall_time, usd or tokens",
        )
    if race != RaceSettings():
        yield FieldError(
            "race", "has no meaning for a search; leave it out, and see the keys of search"
        )
    if (name := name_of(rule)) and name not in JUDGES:
        yield FieldError(
            "rule",
            f"{name} cannot judge the challengers of a search; leave rule out, or take one of "
            f"{', '.join(JUDGES)}",
        )


def portfolio_fits(
    search: AnySearch | None, budget: Budget, objective: Any, metrics: Mapping[str, Any]
) -> Iterator[FieldError]:
    """Check that a team can be searched for."""
    if not isinstance(search, SearchSettings) or search.portfolio is None:
        return
    why = portfolio_refusal(
        search.portfolio,
        budget.evaluations,
        objective,
        capped=search.bounds_runs,
        several=bool(metrics),
    )
    if why:
        yield FieldError("search.portfolio", why)


def capping_fits(
    search: AnySearch | None, target: Command | Function, direction: Direction
) -> Iterator[FieldError]:
    """Check that the costs are times, so that runs can be stopped at a bound."""
    passed = isinstance(target, Command) and "bound" in template.placeholders(target.arguments)
    if search is None or not search.bounds_runs:
        if passed:
            yield FieldError(
                "target.command",
                "has {bound}, and runs have bounds only in a search with capping; add search: "
                "{capping: 2}, or leave {bound} out",
            )
        return
    key = "search.bound" if isinstance(search, IteratedSettings) else "search.capping"
    if direction == "maximize":
        yield FieldError(key, "needs costs that are times, and direction is maximize")
    if isinstance(target, Function):
        return
    if target.evaluator is not None:
        yield FieldError(key, "cannot bound a target with an evaluator")
    if target.cost == "answer" and not passed:
        yield FieldError(
            key,
            "needs costs that are times: set target.cost to time or cpu_time; or, if the program "
            "answers with its time and can be given a bound, put {bound} into target.command",
        )


def some_allowed(
    search: AnySearch | None, space: Space | None, pool: tuple[Candidate, ...]
) -> Iterator[FieldError]:
    """Check that forbidden clauses leave a configuration to a search that is given none."""
    if search is None or space is None or pool or space.known or not space.without_default():
        return
    try:
        if space.structure.forbidden:
            space.sample(np.random.default_rng(0), 1)
    except SamplingError as error:
        fault = emptied(space)
        yield (
            FieldError("forbidden", str(error))
            if fault is None
            else FieldError(fault.place, fault.message)
        )


def first_configurations(
    search: AnySearch | None, space: Space | None, budget: Budget, pool: tuple[Candidate, ...]
) -> Iterator[FieldError]:
    """Check that the budget covers one instance for all initial configurations."""
    if search is None or space is None or budget.evaluations is None:
        return
    given = {space.key(space.complete(one.values)) for one in pool}
    given |= {space.key(space.complete(values)) for values in space.known}
    if not space.without_default():
        given.add(space.key(space.default()))
    if budget.evaluations < max(len(given), 2):
        yield FieldError(
            "budget.evaluations",
            f"{budget.evaluations} evaluations do not cover one instance for the "
            f"{max(len(given), 2)} configurations that the search begins with; give more",
        )
