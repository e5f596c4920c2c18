"""What parts of a scenario must not contradict.

The parameters of each check name the fields that it looks at. It is made as soon as these can be
read, whatever is wrong elsewhere, so that one reading finds as many faults as it can.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from racing.budget import Budget
from racing.errors import InputError, TargetError
from racing.evaluate.command import Command
from racing.evaluate.function import Function
from racing.objective import Objective
from racing.rules.rule import Outlook, Rule, check_outlook
from racing.scenario.candidates import CandidateSource
from racing.scenario.instances import InstanceSource
from racing.scenario.records import Contradictions, Fault
from racing.scenario.settings import Execution, RaceSettings
from racing.space import Space


def _name(name: str) -> Iterator[Fault]:
    if "/" in name or "\0" in name:
        yield "name", "must not hold a slash; the log is called after it"


def _candidates(
    candidates: CandidateSource, space: Space | None, folder: str, seed: int
) -> Iterator[Fault]:
    try:
        candidates.resolve(space, Path(folder), seed)
    except Contradictions as error:
        yield from error.faults


def _instances(instances: InstanceSource, folder: str) -> Iterator[Fault]:
    try:
        instances.resolve(Path(folder))
    except Contradictions as error:
        yield from error.faults


def _an_end(budget: Budget, instances: InstanceSource) -> Iterator[Fault]:
    if budget.unlimited and instances.repeat:
        yield "budget", "missing; with repeat: true the instances never end, so give a limit"


def _enough_candidates(
    race: RaceSettings, candidates: CandidateSource, space: Space | None, folder: str, seed: int
) -> Iterator[Fault]:
    with contextlib.suppress(InputError):
        pool = len(candidates.resolve(space, Path(folder), seed))
        if race.min_survivors >= max(pool, 2):
            there = f"there are {pool} candidates" if pool > 1 else "there is 1 candidate"
            yield (
                "race.min_survivors",
                f"{race.min_survivors}, but {there}: nobody could be dropped",
            )


def _enough_budget(
    budget: Budget, candidates: CandidateSource, space: Space | None, folder: str, seed: int
) -> Iterator[Fault]:
    with contextlib.suppress(InputError):
        pool = len(candidates.resolve(space, Path(folder), seed))
        if budget.evaluations is not None and budget.evaluations < pool:
            yield (
                "budget.evaluations",
                f"{budget.evaluations} evaluations do not cover one instance for "
                f"{pool} candidates; give more, or fewer candidates",
            )


def _most_instances(budget: Budget, instances: InstanceSource, folder: str) -> float:
    """How many instances the race can have; inf without an end."""
    ends = [instances.resolve(Path(folder)).limit, budget.instances]
    return min((end for end in ends if end is not None), default=math.inf)


def _a_test(
    race: RaceSettings, budget: Budget, instances: InstanceSource, folder: str
) -> Iterator[Fault]:
    with contextlib.suppress(InputError):
        most = _most_instances(budget, instances, folder)
        if race.first_test > most:
            yield (
                "race.first_test",
                f"{race.first_test}, but the race has at most {most} instances; "
                f"set it to {most} or less, or give more instances",
            )


def _rule(
    rule: Rule, objective: Objective, budget: Budget, instances: InstanceSource, folder: str
) -> Iterator[Fault]:
    with contextlib.suppress(InputError):
        outlook = Outlook(
            objective=objective,
            instances=_most_instances(budget, instances, folder),
            evaluations=math.inf if budget.evaluations is None else budget.evaluations,
        )
        try:
            check_outlook(rule, outlook)
        except InputError as error:
            yield "rule", str(error)


def _placeholders(
    target: Command | Function, candidates: CandidateSource, space: Space | None,
    folder: str, seed: int,
) -> Iterator[Fault]:  # fmt: skip
    """Only what a file can be wrong about: whether the program is there is seen when it starts."""
    if not isinstance(target, Command):
        return
    with contextlib.suppress(Contradictions):
        pool = candidates.resolve(space, Path(folder), seed)
        names = dict.fromkeys(name for candidate in pool for name in candidate.values)
        try:
            target.check(list(names))
        except TargetError:
            return
        except InputError as error:
            yield "target.command", str(error)


def _cost(
    target: Command | Function, direction: Literal["minimize", "maximize"]
) -> Iterator[Fault]:
    if isinstance(target, Command) and target.cost != "answer" and direction == "maximize":
        yield "direction", f"maximize, but the cost is the {target.cost} that the target takes"


def _execution(execution: Execution, target: Command | Function) -> Iterator[Fault]:
    backend = execution.backend
    if backend in ("in-process", "sequential") and execution.jobs != 1:
        yield "execution.jobs", f"{execution.jobs}, but the backend {backend} runs one at a time"
    if backend == "threading" and isinstance(target, Function) and target.timeout is not None:
        yield (
            "execution.backend",
            "threading cannot keep the target's timeout, as a Python function in a thread cannot "
            "be interrupted; use loky, or leave the timeout out",
        )


CHECKS = (
    _name,
    _candidates,
    _instances,
    _an_end,
    _enough_candidates,
    _enough_budget,
    _a_test,
    _rule,
    _placeholders,
    _cost,
    _execution,
)
