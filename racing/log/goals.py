"""The objective over several metrics in the header of a log."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from racing.base.records import Record
from racing.base.words import listed
from racing.core.aims import ObjectiveKind
from racing.core.failures import OnFailure
from racing.core.metric import Metric
from racing.log.log import Header

if TYPE_CHECKING:
    from racing.race import Race
    from racing.search import SearchBase


def goal_in(header: Header) -> dict[str, Any]:
    """The arguments of a race or a search that define the objective, and what failures count as."""
    scenario: Mapping[str, Any] = header.scenario
    counted = {"on_failure": OnFailure(**{"policy": "worst", **scenario.get("on_failure", {})})}
    if not scenario.get("metrics"):
        return {"objective": header.objective, **counted}
    asked = scenario.get("objective")
    objective = asked if isinstance(asked, Mapping) else header.objective
    return {"metrics": scenario["metrics"], "objective": objective, **counted}


def goal_as_data(race: Race | SearchBase) -> dict[str, Any]:
    """The keys of a scenario that define it; of one cost, stored elsewhere in the header, none."""
    usual = race.on_failure == OnFailure(policy="worst")
    counted = {} if usual else {"on_failure": Record(OnFailure).write(race.on_failure)}
    if race.goal is None:
        return counted
    metrics = {name: Record(Metric).write(one) for name, one in race.goal.metrics.items()}
    asked = race.objective if race.goal.aim is None else race.goal.aim
    return {"metrics": metrics, "objective": ObjectiveKind().write(asked), **counted}


def asked(header: Header) -> str:
    """The objective in words: `minimize mean`, or that over several metrics."""
    scenario: Mapping[str, Any] = header.scenario
    plain = f"{header.direction} {header.objective}"
    if not scenario.get("metrics"):
        return plain
    aim = scenario.get("objective")
    if not isinstance(aim, Mapping):
        return f"{plain} of {next(iter(scenario['metrics']))}"
    if "order" in aim:
        return f"order by {', then '.join(map(_step, aim['order']))}"
    if "front" in aim:
        by = " by mean ranks" if aim.get("scores") == "rank" else ""
        return f"the front of {listed(aim['front'])}{by}"
    limits = " and ".join(aim.get("subject_to", ()))
    formula = aim.get("minimize") or aim.get("maximize")
    return f"{plain} of {formula}" + (f" subject to {limits}" if limits else "")


def _step(step: str | Mapping[str, float]) -> str:
    """A metric of an order, with its tolerance."""
    if isinstance(step, str):
        return step
    [(name, tolerance)] = step.items()
    return f"{name} (within {tolerance:g} of the best)"
