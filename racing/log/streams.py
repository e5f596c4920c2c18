"""The stream of instances of a log, from plain data in the layout of a scenario, and back."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from racing.core.instances import Instances
from racing.log.log import Header, Log


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


def instances_as_data(instances: Instances) -> dict[str, Any]:
    """The instances of a scenario as plain data."""
    names = instances.names or [str(problem) for problem in instances.problems]
    seeds = instances.seeds or [()] * len(names)
    problems = [{"name": name, "seeds": list(own)} for name, own in zip(names, seeds, strict=True)]
    found: dict[str, Any] = {
        "list": problems,
        "order": instances.order,
        "repeat": instances.repeat,
    }
    if len(instances.groups):
        found["correlation"] = instances.correlation
        for problem, group in zip(problems, instances.groups, strict=True):
            problem["group"] = str(group)
    if len(instances.families):
        for problem, family in zip(problems, instances.families, strict=True):
            problem["family"] = str(family)
    return found
