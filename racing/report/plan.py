"""The plan of a scenario's search, and a document of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from racing.answer.document import Document, Sentences
from racing.base.errors import InputError
from racing.base.words import amounts, listed
from racing.evaluate.pool import size_of
from racing.report.forecast import Reusable, reusable
from racing.scenario import Scenario, SearchSettings
from racing.search.search_plan import SearchPlan, plan
from racing.search.settings import Settings


@dataclass(frozen=True, kw_only=True)
class PlanReport(SearchPlan):
    """A plan, and the outcomes of earlier runs that it may take; `--json` prints it."""

    reuse: Reusable | None


def plan_of(
    scenario: Scenario, jobs: int, seconds: float | None, price: Mapping[str, float] | None = None
) -> PlanReport:
    """The plan of a scenario's search; without a price, at the mean one of earlier runs.

    Raises
    ------
    InputError
        If the scenario has no search.
    """
    if scenario.search is None or scenario.space is None:
        raise InputError("the scenario has no search, so there is nothing to plan")
    search, workers = scenario.search, size_of(jobs)
    most = scenario.budget.evaluations
    window = search.window_of(workers, most) if isinstance(search, SearchSettings) else 1
    settings = search.settings if isinstance(search, SearchSettings) else search
    if scenario.plan.goal is not None and isinstance(settings, Settings):
        front = scenario.plan.goal.front
        settings = settings.for_front(len(front)) if front else settings
    reuse = reusable(scenario)
    if price is None and reuse is not None:
        price = reuse.price
    found = plan(
        scenario.budget, configurations=scenario.space.size, parameters=len(scenario.space),
        instances=scenario.plan.instances, window=window, workers=workers, seconds=seconds,
        price=price, settings=settings, seed=scenario.seed,
        portfolio=getattr(search, "portfolio", None),
    )  # fmt: skip
    return PlanReport(**vars(found), reuse=reuse)


def planned(plan: PlanReport) -> Document:
    """What the budget buys, what it is charged, and the window for so many jobs."""
    said = [*plan.lines(), *([plan.reuse.sentence] if plan.reuse else [])]
    if plan.paid:
        said.append(f"about {listed(amounts(plan.paid))} in all")
    if plan.window:
        other = plan.recommended_window
        more = f"; {other} is recommended for this many jobs" if other != plan.window else ""
        said.append(f"window {plan.window}{more}")
    return [Sentences(tuple(said))]
