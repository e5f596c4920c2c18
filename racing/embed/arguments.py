"""What Python code gives to `minimize`, as the scenario that a file would say."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from racing.budget import Budget
from racing.candidate import Candidate
from racing.errors import InputError
from racing.evaluate.command import Command
from racing.evaluate.evaluator import OnFailure
from racing.evaluate.function import Function
from racing.instances import Instances
from racing.quantities import Direction
from racing.scenario import CandidateSource, Entry, InstanceSource, Scenario
from racing.scenario.instances import Problem
from racing.scenario.settings import Execution
from racing.space import Parameter, Space
from racing.space.parameter import Value
from racing.space_keys import Parts

Target: TypeAlias = Callable[..., Any] | str | Mapping[str, Any] | Function | Command
"""A function of (values, instance, seed), where one is, or what the key `target` may hold."""

SpaceLike: TypeAlias = Space | Mapping[str, Parameter | Mapping[str, Any]]
Candidates: TypeAlias = Iterable[Candidate | Mapping[str, Value]] | CandidateSource
InstancesLike: TypeAlias = Instances | InstanceSource | Iterable[object] | Mapping[str, Any] | str
BudgetLike: TypeAlias = Budget | int | str | Mapping[str, Any]


def scenario_of(
    function: Target,
    tried: SpaceLike | Candidates,
    instances: InstancesLike,
    *,
    direction: Direction,
    timeout: float | str | None,
    jobs: int,
    execution: Execution | Mapping[str, Any] | None,
    on_failure: OnFailure | Mapping[str, Any] | None,
    **keys: Any,
) -> Scenario:
    """The scenario, checked as one from a file is.

    Parameters
    ----------
    tried
        A space to be searched, or candidates to be raced.
    keys
        Further keys of a scenario; None stands for their defaults.

    Raises
    ------
    InputError
        Naming everything that cannot be used, with its key.
    """
    on_failure = {"policy": on_failure} if isinstance(on_failure, str) else on_failure
    parts = {
        "direction": direction,
        "target": _target(function, timeout),
        "instances": _instances(instances),
        "execution": _execution(execution, jobs, here=callable(function) and timeout is None),
        "on_failure": on_failure,
        **_tried(tried, **{key: keys.pop(key, None) for key in _BESIDE}),
        **keys,
    }
    return Scenario(**{key: part for key, part in parts.items() if part is not None})


_BESIDE = ("candidates", "search", "forbidden", "known")


def _target(function: Target, timeout: float | str | None) -> Any:
    if isinstance(function, str) or callable(function):
        function = {"python": function}
    if timeout is None:
        return function
    if isinstance(function, Mapping):
        return {**function, "timeout": timeout}
    return replace(function, timeout=timeout)  # type: ignore[arg-type]  # it reads 30s too


def _execution(given: Any, jobs: int, *, here: bool) -> Any:
    """Where evaluations run; one job of a function at hand runs in this process.

    So what it does is seen by the caller, and a debugger can stop in it.
    """
    if isinstance(given, Execution):
        if jobs != 1:
            raise InputError("jobs is given twice; leave it to execution")
        return given
    execution = {"jobs": jobs, **(given or {})}
    if here and execution["jobs"] == 1:
        execution.setdefault("engine", "in-process")
    return execution


def _tried(tried: Any, *, candidates: Any, search: Any, forbidden: Any, known: Any) -> Any:
    """The keys that say what is tried: the space, the candidates, whether it is a search."""
    if isinstance(tried, Space | Mapping) and not isinstance(tried, CandidateSource):
        beside = {"forbidden": forbidden, "known": known}
        space = _space(tried, {key: part for key, part in beside.items() if part is not None})
        wanted = True if search is None else search
        return {"space": space, "candidates": _candidates(candidates), "search": wanted}
    for key, part in {
        "candidates": candidates, "search": search, "forbidden": forbidden, "known": known,
    }.items():  # fmt: skip
        if part is not None:
            raise InputError(f"{key} needs a space as the second argument, which has candidates")
    return {"candidates": _candidates(tried)}


def _space(given: Any, beside: Mapping[str, Any]) -> Any:
    if not beside:
        return given
    if isinstance(given, Space):
        raise InputError(f"the Space has its own {' and '.join(beside)}; give them to it alone")
    return Parts(given, beside)


def _candidates(given: Any) -> Any:
    if given is None or isinstance(given, Mapping | CandidateSource):
        return given
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InputError(
            f"what is to be tried is {given!r:.80}; expected a space, such as "
            "{'x': {'real': [0, 1]}}, or a list of candidates, such as [{'x': 0.5}]"
        )
    return [_entry(one) for one in given]


def _entry(one: Any) -> Any:
    if isinstance(one, Candidate):
        return Entry(_plain(one.values), one.name)
    return _plain(one) if isinstance(one, Mapping) else one


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values without numpy's scalars, which no log can hold."""
    return {
        name: value.item() if type(value).__module__ == "numpy" and not value.shape else value
        for name, value in values.items()
    }


def _instances(given: Any) -> Any:
    if isinstance(given, Instances):
        return _source(given)
    if isinstance(given, str | Mapping | InstanceSource) or not isinstance(given, Iterable):
        return given
    return [_problem(one, place) for place, one in enumerate(given, start=1)]


def _source(given: Instances) -> InstanceSource:
    """A stream of instances as a scenario has it."""
    names = given.names or [_name(one, place) for place, one in enumerate(given.problems, start=1)]
    seeds: Sequence[Sequence[int]] = given.seeds or [()] * len(given.problems)
    groups: Sequence[str | None] = _labels(given.groups) or [None] * len(given.problems)
    problems = [
        Problem(
            name,
            tuple(own),
            group=group,
            problem=None if isinstance(problem, str) and problem == name else problem,
        )
        for problem, name, own, group in zip(given.problems, names, seeds, groups, strict=True)
    ]
    return InstanceSource(
        list=problems,
        order=given.order,
        repeat=given.repeat,
        correlation=given.correlation if len(given.groups) else None,
    )


def _labels(groups: Sequence[Hashable]) -> Sequence[str]:
    """Groups as a scenario has them: texts, which tell apart what the labels tell apart."""
    labels = {group: str(group) for group in groups}
    if len(set(labels.values())) < len(labels) or not all(labels.values()):
        labels = {group: f"group {number}" for number, group in enumerate(labels, start=1)}
    return [labels[group] for group in groups]


def _problem(one: Any, place: int) -> Any:
    if isinstance(one, str | Problem) or (isinstance(one, Mapping) and "name" in one):
        return one
    return Problem(_name(one, place), problem=one)


def _name(one: object, place: int) -> str:
    """What an instance is called: the same in every session, and no other's name."""
    scalar = type(one).__module__ == "numpy" and not getattr(one, "shape", ())
    if scalar or isinstance(one, str | int | float):
        return str(one)
    return f"{type(one).__name__} {place}"
