"""What parts of a scenario must not contradict.

The parameters of each check name what it looks at: fields, and what `resolution` derives from them
(`pool`, the candidates; `problems`; `stream`, the instances). A check is made as soon as these can
be read, whatever is wrong elsewhere, so that one reading finds as many errors as it can.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from racing.budget import Budget
from racing.candidate import Candidate
from racing.errors import InputError, TargetError
from racing.evaluate.command import Command
from racing.evaluate.function import Function
from racing.instances import Instances
from racing.objective import Objective
from racing.quantities import Direction
from racing.records import FieldError, FieldErrors
from racing.records.kinds import join
from racing.rules.rule import Outlook, Rule, check_outlook
from racing.scenario.candidates import CandidateSource
from racing.scenario.instances import InstanceSource, Problem
from racing.scenario.search import AnySearch
from racing.scenario.search_checks import capping_fits, first_configurations, search_fits
from racing.scenario.settings import Execution, RaceSettings
from racing.space import Space

Pool = tuple[Candidate, ...]
Problems = tuple[Problem, ...]


def _pool(candidates: CandidateSource | None, space: Space | None, folder: str, seed: int) -> Pool:
    return candidates.resolve(space, Path(folder), seed) if candidates else ()


def _problems(instances: InstanceSource, folder: str) -> Problems:
    return instances.problems(Path(folder))


def _test_problems(test_instances: InstanceSource | None, folder: str) -> Problems:
    return test_instances.problems(Path(folder)) if test_instances else ()


def _stream(instances: InstanceSource, problems: Problems, folder: str) -> Instances:
    return instances.stream(problems, Path(folder))


def _judge(rule: Rule | None, search: AnySearch | None) -> Rule | None:
    from racing.rules import RULES

    default: Rule = RULES["auto"]()
    return default if rule is None and search is None else rule


def _name(name: str) -> Iterator[FieldError]:
    if "/" in name or "\0" in name:
        yield FieldError("name", "must not hold a slash; the log is called after it")


def _an_end(
    budget: Budget, instances: InstanceSource, search: AnySearch | None
) -> Iterator[FieldError]:
    if budget.unlimited and instances.repeat and search is None:
        yield FieldError(
            "budget", "missing; with repeat: true the instances never end, so give a limit"
        )


def _held_back(problems: Problems, test_problems: Problems) -> Iterator[FieldError]:
    names = {problem.name for problem in problems}
    met = [problem.name for problem in test_problems if problem.name in names]
    if met:
        more = f" and {len(met) - 1} more" if len(met) > 1 else ""
        yield FieldError(
            "test_instances", f"{met[0]}{more}: also among the instances; a fair test needs others"
        )


def _something_to_try(
    candidates: CandidateSource | None, search: AnySearch | None
) -> Iterator[FieldError]:
    if candidates is None and search is None:
        yield FieldError(
            "candidates",
            "missing; give the configurations to race, or search: true to have the space searched",
        )


def _enough_candidates(
    race: RaceSettings,
    pool: Pool,
    candidates: CandidateSource | None,
    search: AnySearch | None,
) -> Iterator[FieldError]:
    if candidates is None or search is not None:
        return
    if race.min_survivors >= max(len(pool), 2):
        there = f"there are {len(pool)} candidates" if len(pool) > 1 else "there is 1 candidate"
        yield FieldError(
            "race.min_survivors", f"{race.min_survivors}, but {there}: nobody could be dropped"
        )


def _enough_budget(budget: Budget, pool: Pool, search: AnySearch | None) -> Iterator[FieldError]:
    if search is None and budget.evaluations is not None and budget.evaluations < len(pool):
        yield FieldError(
            "budget.evaluations",
            f"{budget.evaluations} evaluations do not cover one instance for "
            f"{len(pool)} candidates; give more, or fewer candidates",
        )


def _most_instances(budget: Budget, stream: Instances) -> float:
    """How many instances the race can have; inf without an end."""
    return min((n for n in (stream.limit, budget.instances) if n is not None), default=math.inf)


def _a_test(
    race: RaceSettings, budget: Budget, stream: Instances, search: AnySearch | None
) -> Iterator[FieldError]:
    most = _most_instances(budget, stream)
    if search is None and race.first_test is not None and race.first_test > most:
        yield FieldError(
            "race.first_test",
            f"{race.first_test}, but the race has at most {most} instances; "
            f"set it to {most} or less, or give more instances",
        )


def _rule(
    judge: Rule | None, objective: Objective, budget: Budget, stream: Instances
) -> Iterator[FieldError]:
    if judge is None:
        return
    outlook = Outlook(
        objective=objective,
        instances=_most_instances(budget, stream),
        evaluations=math.inf if budget.evaluations is None else budget.evaluations,
    )
    try:
        check_outlook(judge, outlook)
    except InputError as error:
        yield FieldError("rule", str(error))


def _placeholders(
    target: Command | Function, pool: Pool, space: Space | None
) -> Iterator[FieldError]:
    """Only what a file can be wrong about: whether the program is there is seen when it starts."""
    if isinstance(target, Command):
        names = dict.fromkeys([*(space or ()), *(name for one in pool for name in one.values)])
        try:
            target.check(list(names))
        except TargetError:
            return
        except InputError as error:
            yield FieldError("target.command", str(error))


def _cost(target: Command | Function, direction: Direction) -> Iterator[FieldError]:
    if isinstance(target, Command) and target.cost != "answer" and direction == "maximize":
        yield FieldError(
            "direction", f"maximize, but the cost is the {target.cost} that the target takes"
        )


def _execution(execution: Execution, target: Command | Function) -> Iterator[FieldError]:
    engine = execution.engine
    if engine in ("in-process", "sequential") and execution.jobs != 1:
        yield FieldError(
            "execution.jobs", f"{execution.jobs}, but the engine {engine} runs one at a time"
        )
    if execution.address is not None and engine not in ("dask", "ray"):
        yield FieldError(
            "execution.address",
            f"{execution.address!r}, but only the engines dask and ray have an address",
        )
    if engine == "threading" and isinstance(target, Function) and target.timeout is not None:
        yield FieldError(
            "execution.engine",
            "threading cannot keep the target's timeout, as a Python function in a thread cannot "
            "be interrupted; use loky, or leave the timeout out",
        )


RESOLUTION: dict[str, tuple[str, Callable[..., Any]]] = {
    "pool": ("candidates", _pool),
    "problems": ("instances", _problems),
    "test_problems": ("test_instances", _test_problems),
    "stream": ("instances", _stream),
    "judge": ("rule", _judge),
}
"""What is derived → the key that its errors belong to, and how."""

CHECKS = (
    _name, _an_end, _held_back, _something_to_try, _enough_candidates, _enough_budget, _a_test,
    _rule, search_fits, capping_fits, first_configurations, _placeholders, _cost, _execution,
)  # fmt: skip


def contradictions(given: dict[str, Any]) -> Iterator[FieldError]:
    """What does not go together; what is derived on the way is added to `given`."""
    for name, (key, derive) in RESOLUTION.items():
        if (arguments := _arguments(derive, given)) is not None:
            try:
                given[name] = derive(**arguments)
            except FieldErrors as error:
                yield from (one._replace(path=join(key, one.path)) for one in error.errors)
    for check in CHECKS:
        if (arguments := _arguments(check, given)) is not None:
            yield from check(**arguments)


def _arguments(function: Callable[..., Any], given: dict[str, Any]) -> dict[str, Any] | None:
    """The arguments that a function asks for by its parameters' names; None if some are missing."""
    needs = inspect.signature(function).parameters
    return {name: given[name] for name in needs} if needs.keys() <= given.keys() else None
