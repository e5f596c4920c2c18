"""Seeds of a run that takes outcomes of earlier logs: by instance, and not by the step of the race.

In a run without `reuse`, the seed of an instance hangs on the step at which the race meets it. Then
a list with one more item gives every item another seed, and nothing of an earlier run could be
taken. So the seeds that no file fixes are fixed here before a run begins: an instance has the seed
with which the first earlier log met it, or one that is drawn by its name. The log of the run has
them, and a resumed run reads them there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from racing.base.seeds import Purpose, integer
from racing.log import SQLiteLog
from racing.runner.preflight import check_logs
from racing.scenario import Scenario

Seeds = Mapping[str, Sequence[int]]
"""Instance → its seeds, in the order in which a run met them."""


def with_known_seeds(scenario: Scenario) -> Scenario:
    """The scenario with a fixed seed for each instance, if it names earlier logs; else itself.

    Where instances are repeated, each has as many seeds as the earlier logs have of any of them.

    Raises
    ------
    InputError
        If there is no such log.
    LogError
        If a log cannot be read.
    """
    if not scenario.reuse:
        return scenario
    check_logs(scenario)
    met: dict[str, Sequence[int]] = {}
    for path in scenario.earlier_logs:
        for name, seeds in _met(path).items():
            met.setdefault(name, seeds)
    free = [one for one in scenario.plan.problems if not one.seeds]
    laps = 1
    if scenario.instances.repeat:
        laps = max((len(met.get(one.name, ())) for one in free), default=1) or 1
    return _fixed(
        scenario, {one.name: seeds_of(scenario.seed, one.name, met, laps) for one in free}
    )


def with_kept_seeds(scenario: Scenario, kept: Mapping[str, Any]) -> Scenario:
    """The scenario with the seeds that the log of its run has, where it does not fix them.

    Parameters
    ----------
    kept
        The scenario in the log, as plain data.
    """
    if not scenario.reuse:
        return scenario
    listed = (kept.get("instances") or {}).get("list") or ()
    return _fixed(scenario, {one["name"]: tuple(one.get("seeds") or ()) for one in listed})


def _met(path: Path) -> dict[str, list[int]]:
    """Instance → the seeds with which a run has met it."""
    found: dict[str, list[int]] = {}
    with SQLiteLog.open(path, write=False) as log:
        for one in log.instances():
            seeds = found.setdefault(one.name, [])
            if one.seed not in seeds:
                seeds.append(one.seed)
    return found


def seeds_of(seed: int, problem: str, met: Seeds, laps: int) -> tuple[int, ...]:
    """`laps` seeds: those already met, then seeds that are drawn by the instance's name."""
    name = int.from_bytes(hashlib.sha256(problem.encode()).digest()[:8], "big")
    found, lap = dict.fromkeys(met.get(problem, ())[:laps]), 0
    while len(found) < laps:
        found[integer(seed, Purpose.PROBLEM_SEED, name, lap)] = None
        lap += 1
    return tuple(found)


def _fixed(scenario: Scenario, seeds: Seeds) -> Scenario:
    """The scenario with these seeds for the instances that have none."""
    problems = [
        one if one.seeds else replace(one, seeds=tuple(seeds.get(one.name, ())))
        for one in scenario.plan.problems
    ]
    listed = replace(scenario.instances, list=problems, glob=None, file=None)
    return replace(scenario, instances=listed)
