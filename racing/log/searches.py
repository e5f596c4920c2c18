"""Makes the search of a log, before its first outcome, from the scenario in the log."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from racing.base.errors import InputError
from racing.base.records import INVALID, Errors
from racing.core.budget import Budget
from racing.core.candidate import Candidate
from racing.core.instances import Instances
from racing.log.goals import goal_in
from racing.log.log import Header
from racing.rules import RULES, Rule
from racing.search import (
    IteratedRacing,
    IteratedSettings,
    PortfolioSearch,
    Search,
    SearchBase,
    Settings,
)
from racing.space import Space
from racing.space.keys import BESIDE, Parts, SpaceKind


def search_in(header: Header, instances: Instances) -> SearchBase:
    """The search of a header.

    Its rule must be one of this package: a replayed search applies it again.

    Raises
    ------
    InputError
        If the header has none.
    """
    scenario: Mapping[str, Any] = header.scenario
    settings = dict(scenario["search"])
    given: dict[str, Any] = {
        "budget": Budget(**{key: limit for key, limit in scenario["budget"].items() if limit}),
        "seed": header.seed,
        "known": _known((scenario.get("candidates") or {}).get("list") or ()),
        **goal_in(header),
        "direction": header.direction,
        "rule": _rule(scenario.get("rule")),
    }
    if settings.pop("scheme", "continuous") == "irace":
        iterated = IteratedSettings(**settings)
        return IteratedRacing(_space(header), instances, settings=iterated, **given)
    given["window"], portfolio = settings.pop("window"), settings.pop("portfolio", None)
    given["settings"] = Settings(**{"check_seed": False, **settings})  # it is not in logs of before
    if portfolio is not None:
        return PortfolioSearch(_space(header), instances, portfolio=portfolio, **given)
    return Search(_space(header), instances, **given)


def _known(entries: Any) -> list[Candidate]:
    return [
        Candidate(id, entry["values"], entry.get("name") or "")
        for id, entry in enumerate(entries, start=1)
    ]


def _space(header: Header) -> Space:
    found = space_in(header)
    if found is None:
        raise InputError("its search has no space")
    return found


def space_in(header: Header) -> Space | None:
    """The space of the scenario that a header holds; None where it has none.

    Raises
    ------
    InputError
        If it cannot be read.
    """
    scenario: Mapping[str, Any] = header.scenario
    if not scenario.get("space"):
        return None
    errors = Errors(plain=True)
    beside = {name: scenario[name] for name in BESIDE if name in scenario}
    found = SpaceKind().read(Parts(scenario.get("space"), beside), "space", errors)
    if found is INVALID:
        raise InputError("; ".join(map(str, errors.found)))
    assert isinstance(found, Space)
    return found


def _rule(given: Any) -> Rule | None:
    if not given:
        return None
    options = {key: value for key, value in given.items() if key != "name"}
    if given["name"] not in RULES:
        raise InputError(f"its rule {given['name']} is Python code that is not available")
    rule: Rule = RULES[given["name"]](**options)
    return rule
