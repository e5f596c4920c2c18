"""The plan of a scenario's search, and a document of it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from racing.answer.document import Document, Sentences
from racing.base.errors import InputError
from racing.base.words import amounts, listed
from racing.report.forecast import Reusable

if TYPE_CHECKING:
    from racing.scenario import Scenario
    from racing.search.search_plan import SearchPlan


def plan_of(
    scenario: Scenario, jobs: int, seconds: float | None, price: Mapping[str, float] | None = None
) -> SearchPlan:
    """The plan of a scenario's search.

    Raises
    ------
    InputError
        If the scenario has no search.
    """
    from racing.scenario import SearchSettings
    from racing.search.search_plan import plan
    from racing.search.settings import Settings

    if scenario.search is None or scenario.space is None:
        raise InputError("the scenario has no search, so there is nothing to plan")
    search = scenario.search
    window = search.window if isinstance(search, SearchSettings) else 1
    settings = search.settings if isinstance(search, SearchSettings) else search
    if scenario.plan.goal is not None and isinstance(settings, Settings):
        front = scenario.plan.goal.front
        settings = settings.for_front(len(front)) if front else settings
    return plan(
        scenario.budget,
        configurations=scenario.space.size,
        parameters=len(scenario.space),
        instances=scenario.plan.instances,
        window=window,
        workers=jobs if jobs > 0 else os.cpu_count() or 1,
        seconds=seconds,
        price=price,
        settings=settings,
        seed=scenario.seed,
        portfolio=getattr(search, "portfolio", None),
    )


def planned(plan: SearchPlan, reuse: Reusable | None) -> Document:
    """What the budget buys, what it is charged, and the window for so many jobs."""
    said = [*plan.lines(), *([reuse.sentence] if reuse else [])]
    if plan.paid:
        said.append(f"about {listed(amounts(plan.paid))} in all")
    if plan.window:
        said.append(
            f"window {plan.window}; {plan.recommended_window} is recommended for this many jobs"
        )
    return [Sentences(tuple(said))]
