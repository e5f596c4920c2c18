"""The search in a log, before it was told anything, from the scenario that the log holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from racing.budget import Budget
from racing.candidate import Candidate
from racing.errors import InputError
from racing.instances import Instances
from racing.log.log import Header
from racing.records import INVALID, Errors
from racing.rules import RULES, Rule
from racing.search import IteratedRacing, IteratedSettings, Search, Settings
from racing.space import Space
from racing.space_keys import BESIDE, Parts, SpaceKind


def search_in(header: Header, instances: Instances) -> Search:
    """The search that a header describes.

    Its rule must be one of this package: a search asks it again as it is told the log.

    Raises
    ------
    InputError
        If it describes none.
    """
    scenario: Mapping[str, Any] = header.scenario
    settings = dict(scenario["search"])
    given: dict[str, Any] = {
        "budget": Budget(**{key: limit for key, limit in scenario["budget"].items() if limit}),
        "seed": header.seed,
        "known": _known((scenario.get("candidates") or {}).get("list") or ()),
        "objective": header.objective,
        "direction": header.direction,
        "rule": _rule(scenario.get("rule")),
    }
    if settings.pop("scheme", "continuous") == "irace":
        iterated = IteratedSettings(**settings)
        return IteratedRacing(_space(scenario), instances, settings=iterated, **given)
    window = settings.pop("window")
    return Search(
        _space(scenario), instances, window=window, settings=Settings(**settings), **given
    )


def _known(entries: Any) -> list[Candidate]:
    return [
        Candidate(id, entry["values"], entry.get("name") or "")
        for id, entry in enumerate(entries, start=1)
    ]


def _space(scenario: Mapping[str, Any]) -> Space:
    errors = Errors(plain=True)
    beside = {name: scenario[name] for name in BESIDE if name in scenario}
    found = SpaceKind().read(Parts(scenario.get("space"), beside), "space", errors)
    if found is INVALID:
        raise InputError("; ".join(map(str, errors.found)))
    assert isinstance(found, Space)
    return found


def _rule(told: Any) -> Rule | None:
    if not told:
        return None
    options = {key: value for key, value in told.items() if key != "name"}
    if told["name"] not in RULES:
        raise InputError(f"its rule {told['name']} is Python code that is not at hand")
    rule: Rule = RULES[told["name"]](**options)
    return rule
