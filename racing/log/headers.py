"""The header of a log: what it keeps of a race or a search, and what is made of that again.

A header holds the scenario as plain data. A race or a search without a scenario gets one from its
arguments, in the same layout.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, is_dataclass
from typing import TYPE_CHECKING, Any

from racing.base.errors import InputError, told
from racing.base.records import INVALID, Errors, Record
from racing.base.words import listed
from racing.core.aims import ObjectiveKind
from racing.core.candidate import Candidate
from racing.core.failures import OnFailure
from racing.core.instances import Instances
from racing.core.metric import Metric
from racing.log.log import Log
from racing.log.records import Header
from racing.race import Race
from racing.rules import RULES, Rule, name_of
from racing.space import Space
from racing.space.keys import BESIDE, Parts, SpaceKind

if TYPE_CHECKING:
    from racing.search import SearchBase

ON_HELD_BACK = " on held-back instances"
"""What the name of a test's record ends with: its candidates were chosen on other instances."""


def header_of(decider: Race | SearchBase, *, name: str = "race") -> Header:
    """The header of a log for a race or a search without a scenario, with all that replay needs.

    Parameters
    ----------
    decider
        A search has its known configurations in its space.
    name
        The name of the run.

    Examples
    --------
    >>> import racing
    >>> from racing.log import header_of
    >>> race = racing.Race([{"x": 1}, {"x": 2}], range(10), seed=7)
    >>> header = header_of(race, name="tune")
    >>> header.name, header.seed, header.objective
    ('tune', 7, 'rank')
    """
    return Header(
        name=name,
        seed=decider.seed,
        direction=decider.direction,
        objective=decider.objective,
        scenario={
            "instances": _instances_as_data(decider.instances),
            "budget": {key: value for key, value in asdict(decider.budget).items() if value},
            **({} if decider.rule is None else {"rule": _rule_as_data(decider.rule)}),
            **goal_as_data(decider),
            **_own_keys(decider),
        },
    )


def _own_keys(decider: Race | SearchBase) -> dict[str, Any]:
    """The keys of a scenario that a race or a search has for itself."""
    if isinstance(decider, Race):
        bounds = {"min_survivors": decider.min_survivors, "risk": decider.risk}
        ahead = {"speculate": decider.ahead, "hedge": 1.0}
        return {"race": {**asdict(decider.schedule), **bounds}, "execution": ahead}
    space = decider.space
    beside = {key: kind.write(getattr(space, key)) for key, kind in BESIDE.items()}
    own = {"search": _settings_of(decider), "space": SpaceKind().write(space)}
    return {**own, **{key: part for key, part in beside.items() if part}}


def _settings_of(search: SearchBase) -> dict[str, Any]:
    """The settings of a search, as `search_in` reads them."""
    from racing.search import IteratedRacing, PortfolioSearch, Search

    if isinstance(search, IteratedRacing):
        return {"scheme": "irace", **asdict(search.options)}
    assert isinstance(search, Search)
    team = {"portfolio": search.portfolio} if isinstance(search, PortfolioSearch) else {}
    return {**asdict(search.settings), "window": search.window, **team}


def _rule_as_data(rule: Rule) -> dict[str, Any]:
    name = name_of(rule)
    if name is None or not is_dataclass(rule) or isinstance(rule, type):
        return {"name": f"{type(rule).__module__}:{type(rule).__qualname__}"}
    return {"name": name, **asdict(rule)}


def _instances_as_data(instances: Instances) -> dict[str, Any]:
    """The instances of a scenario as plain data."""
    names = instances.names or [str(problem) for problem in instances.problems]
    seeds = instances.seeds or [()] * len(names)
    problems = [{"name": name, "seeds": list(own)} for name, own in zip(names, seeds, strict=True)]
    for key, labels in (("group", instances.groups), ("family", instances.families)):
        for problem, label in zip(problems if len(labels) else (), labels, strict=True):
            problem[key] = str(label)
    found = {"list": problems, "order": instances.order, "repeat": instances.repeat}
    return {**found, "correlation": instances.correlation} if len(instances.groups) else found


def goal_as_data(race: Race | SearchBase) -> dict[str, Any]:
    """The keys of a scenario that define it; of one cost, stored elsewhere in the header, none."""
    usual = race.on_failure == OnFailure(policy="worst")
    counted = {} if usual else {"on_failure": Record(OnFailure).write(race.on_failure)}
    if race.goal is None:
        return counted
    metrics = {name: Record(Metric).write(one) for name, one in race.goal.metrics.items()}
    asked = race.objective if race.goal.aim is None else race.goal.aim
    return {"metrics": metrics, "objective": ObjectiveKind().write(asked), **counted}


def goal_in(header: Header) -> dict[str, Any]:
    """The arguments of a race or a search that define the objective, and what failures count as."""
    scenario: Mapping[str, Any] = header.scenario
    counted = {"on_failure": OnFailure(**{"policy": "worst", **scenario.get("on_failure", {})})}
    if not scenario.get("metrics"):
        return {"objective": header.objective, **counted}
    asked = scenario.get("objective")
    objective = asked if isinstance(asked, Mapping) else header.objective
    return {"metrics": scenario["metrics"], "objective": objective, **counted}


def units_in(scenario: Mapping[str, Any]) -> dict[str, str]:
    """What gains are counted in: by metric, and of costs by ``""``."""
    metrics, unit = scenario.get("metrics") or {}, scenario.get("unit") or ""
    owned = {name: one.get("unit") or "" for name, one in metrics.items()}
    aim = scenario.get("objective")
    if not isinstance(aim, Mapping):
        return {**owned, "": unit or next(iter(owned.values()), "")}
    if "front" in aim:
        return owned
    owned = {name: own or unit for name, own in owned.items()}
    return {**owned, "": owned.get(aim.get("minimize") or aim.get("maximize"), unit)}


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


def candidates_in(header: Header) -> list[Candidate]:
    """The candidates that are listed in the scenario."""
    source: Any = header.scenario.get("candidates") or {}
    entries = enumerate(source.get("list") or (), start=1)
    return [Candidate(id, one["values"], one.get("name") or "") for id, one in entries]


def rule_in(header: Header) -> Rule | None:
    """The rule of the scenario, by default `auto`; None for one that is not of this package."""
    told: Any = header.scenario.get("rule") or "auto"
    name, options = told, {}
    if isinstance(told, Mapping):
        name = told.get("name")
        options = {key: value for key, value in told.items() if key != "name"}
    return RULES[name](**options) if name in RULES else None


def only_python(header: Header) -> bool:
    """Whether only Python code can continue a run: no file holds its target, instances or rule."""
    scenario: Mapping[str, Any] = header.scenario
    called = str((scenario.get("target") or {}).get("python") or "")
    sources = [scenario.get(name) or {} for name in ("instances", "test_instances")]
    objects = any(one.get("problem") for source in sources for one in source.get("list") or ())
    nameless = "target" not in scenario or called.startswith("__main__:") or "<" in called
    return nameless or objects or rule_in(header) is None


def instances_in(log: Log, source: Mapping[str, Any]) -> Instances:
    """The stream of instances, by name, since no target is started."""
    problems = source.get("list")
    if problems is None:  # without a scenario: the instances that were met, in that order
        problems = [{"name": one.name, "seeds": [one.seed]} for one in log.instances()]
        source = {**source, "order": "listed"}
    return _stream(
        problems,
        [one["name"] for one in problems],
        order=source.get("order", "shuffled"),
        repeat=source.get("repeat", False),
        correlation=0.1 if source.get("correlation") is None else source["correlation"],
    )


def added_to(header: Header, instances: Sequence[Mapping[str, Any]]) -> Instances | None:
    """The instances that an extension adds, as the target gets them; None without any.

    Files are relative to the folder of the scenario.
    """
    folder = str(header.scenario.get("folder", ""))
    given = [os.path.join(folder, one["name"]) if one.get("file") else one["name"]
             for one in instances]  # fmt: skip
    return _stream(instances, given) if instances else None


def _stream(listed: Sequence[Mapping[str, Any]], problems: Sequence[Any], **how: Any) -> Instances:
    return Instances(
        tuple(map(str, problems)),
        names=tuple(str(one["name"]) for one in listed),
        seeds=tuple(tuple(one.get("seeds") or ()) for one in listed),
        groups=tuple(one["group"] for one in listed if one.get("group") is not None),
        families=tuple(one["family"] for one in listed if one.get("family") is not None),
        **how,
    )


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
        raise InputError("; ".join(told(map(str, errors.found), 4)))
    assert isinstance(found, Space)
    return found


def search_in(header: Header, instances: Instances) -> SearchBase:
    """The search of a header.

    Its rule must be one of this package: a replayed search applies it again.

    Raises
    ------
    InputError
        If the header has none.
    """
    from racing.search import IteratedRacing, IteratedSettings, PortfolioSearch, Search, Settings

    scenario: Mapping[str, Any] = header.scenario
    settings, rule = dict(scenario["search"]), None
    if scenario.get("rule") and (rule := rule_in(header)) is None:
        name = scenario["rule"]["name"]
        raise InputError(f"its rule {name} is Python code that is not available")
    if (space := space_in(header)) is None:
        raise InputError("its search has no space")
    given: dict[str, Any] = {
        "budget": {key: limit for key, limit in scenario["budget"].items() if limit},
        "seed": header.seed,
        "known": candidates_in(header),
        **goal_in(header),
        "direction": header.direction,
        "rule": rule,
    }
    if settings.pop("scheme", "continuous") == "irace":
        iterated = IteratedSettings(**settings)
        return IteratedRacing(space, instances, settings=iterated, **given)
    given["window"], portfolio = settings.pop("window"), settings.pop("portfolio", None)
    given["settings"] = Settings(**{"check_seed": False, **settings})  # it is not in logs of before
    if portfolio is not None:
        return PortfolioSearch(space, instances, portfolio=portfolio, **given)
    return Search(space, instances, **given)
