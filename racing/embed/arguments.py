"""Converts the arguments of `minimize` to a scenario."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from functools import wraps
from typing import Any, TypeAlias

from racing.base.errors import InputError, must_be
from racing.base.quantities import Direction
from racing.base.records.leaves import FUNCTION
from racing.core.budget import Budget
from racing.core.candidate import Candidate
from racing.core.instances import Instances, check_no_frame
from racing.evaluate.command import Command
from racing.evaluate.function import Function, is_coroutine_function
from racing.scenario import CandidateSource, Entry, InstanceSource, Scenario
from racing.scenario.formats import from_config_space
from racing.scenario.instances import Problem
from racing.scenario.settings import Execution
from racing.space import Space
from racing.space.keys import Parts
from racing.space.objects import Objects
from racing.space.parameter import Value

Target: TypeAlias = Callable[..., Any] | str | Mapping[str, Any] | Function | Command
"""A function of (values, instance, seed), its place, or any value of the key `target`."""

SpaceLike: TypeAlias = Space | Mapping[str, Any]
Candidates: TypeAlias = Iterable[Candidate | Mapping[str, Any]] | CandidateSource
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
    objects: Objects,
    **keys: Any,
) -> Scenario:
    """The scenario, with the checks for a file.

    Parameters
    ----------
    tried
        A space to search, or candidates to race.
    objects
        Gets the objects among the values of `tried`; the function gets them in place of names.
    keys
        Further keys of a scenario; None means the default.

    Raises
    ------
    InputError
        Naming each error with its key.
    """
    chosen = _tried(tried, objects, **{key: keys.pop(key, None) for key in _BESIDE})
    parts = {
        "direction": direction,
        "target": _target(_with_objects(function, objects), timeout),
        "instances": _instances(instances),
        "execution": _execution(execution, jobs, here=callable(function) and timeout is None),
        **chosen,
        **keys,
    }
    return Scenario(**{key: part for key, part in parts.items() if part is not None})


_BESIDE = ("candidates", "search", "forbidden", "known")


def _with_objects(function: Target, objects: Objects) -> Target:
    """The function, called with objects in place of their names."""
    if not objects:
        return function
    if not callable(function):
        raise InputError(
            "values that are objects need the function itself, which gets them; "
            f"not {function!r:.80}, for which values are text, numbers, true or false"
        )

    if is_coroutine_function(function):

        @wraps(function)
        async def call(values: Mapping[str, Value], *arguments: Any, **options: Any) -> Any:
            return await function(objects.behind(values), *arguments, **options)

        return _as_given(call, function, objects)

    @wraps(function)
    def called(values: Mapping[str, Value], *arguments: Any, **options: Any) -> Any:
        return function(objects.behind(values), *arguments, **options)

    return _as_given(called, function, objects)


def _as_given(wrapper: Any, function: Callable[..., Any], objects: Objects) -> Target:
    """The wrapper, with the name of the function, and what both hold by the names of the user."""
    wrapper.__module__, _, wrapper.__qualname__ = FUNCTION.write(function).rpartition(":")
    wrapper.__holds__ = {"": function, **objects.held}
    return wrapper  # type: ignore[no-any-return]


def _target(function: Target, timeout: float | str | None) -> Any:
    if isinstance(function, str) or callable(function):
        function = {"python": function}
    if not isinstance(function, Mapping | Function | Command):
        allowed = "a function of (values, instance, seed), or its place, such as fit.py:error"
        raise InputError(must_be("the first argument", allowed, function))
    if timeout is None:
        return function
    if isinstance(function, Mapping):
        return {**function, "timeout": timeout}
    return replace(function, timeout=timeout)  # type: ignore[arg-type]  # it reads 30s too


def _execution(given: Any, jobs: int, *, here: bool) -> Any:
    """The execution; one job of a given function runs in this process.

    So the caller sees its side effects, and a debugger can stop in it.
    """
    own = {} if given is None else given
    if jobs != 1 and (isinstance(own, Execution) or (isinstance(own, Mapping) and "jobs" in own)):
        raise InputError("jobs is given twice; leave it to execution")
    if not isinstance(own, Mapping):
        return own
    execution = {"jobs": jobs, **own}
    if here and execution["jobs"] == 1:
        execution.setdefault("engine", "in-process")
    return execution


def _tried(
    tried: Any, objects: Objects, *, candidates: Any, search: Any, forbidden: Any, known: Any
) -> Any:
    """The keys for the space, the candidates, and the search."""
    if type(tried).__module__.partition(".")[0] == "ConfigSpace":
        tried = from_config_space(tried)
    if isinstance(tried, Space | Mapping) and not isinstance(tried, CandidateSource):
        if isinstance(known, list | tuple):
            known = [objects.values(one) if isinstance(one, Mapping) else one for one in known]
        beside = {"forbidden": forbidden, "known": known}
        space = _space(
            tried, {key: part for key, part in beside.items() if part is not None}, objects
        )
        wanted = True if search is None else search
        return {"space": space, "candidates": _candidates(candidates, objects), "search": wanted}
    for key, part in {
        "candidates": candidates, "search": search, "forbidden": forbidden, "known": known,
    }.items():  # fmt: skip
        if part is not None:
            raise InputError(f"{key} needs a space as the second argument, which has candidates")
    return {"candidates": _candidates(tried, objects)}


def _space(given: Any, beside: Mapping[str, Any], objects: Objects) -> Any:
    if isinstance(given, Space):
        if beside:
            raise InputError(f"the Space has its own {' and '.join(beside)}; give them to it alone")
        return given
    space = objects.parameters(given)
    return Parts(space, beside) if beside else space


def _candidates(given: Any, objects: Objects) -> Any:
    if given is None or isinstance(given, Mapping | CandidateSource):
        return given
    if isinstance(given, str) or not isinstance(given, Iterable):
        allowed = (
            "a space, such as {'x': {'real': [0, 1]}}, or a list of candidates, such as "
            "[{'x': 0.5}]"
        )
        raise InputError(must_be("the second argument", allowed, given))
    return [_entry(one, objects) for one in given]


def _entry(one: Any, objects: Objects) -> Any:
    if isinstance(one, Candidate):
        return Entry(objects.values(one.values), one.name)
    return objects.values(one) if isinstance(one, Mapping) else one


_KEYS = tuple(one.name for one in fields(Problem) if one.metadata.get("key", True))


def _instances(given: Any) -> Any:
    if isinstance(given, Instances):
        return _source(given)
    if isinstance(given, Mapping) and isinstance(given.get("list"), list | tuple | range):
        return {**given, "list": _instances(list(given["list"]))}
    check_no_frame(given)
    if isinstance(given, str | Mapping | InstanceSource) or not isinstance(given, Iterable):
        return given
    return [_problem(one, place) for place, one in enumerate(given, start=1)]


def _source(given: Instances) -> InstanceSource:
    """A stream of instances in the form of a scenario."""
    names = given.names or [_name(one, place) for place, one in enumerate(given.problems, start=1)]
    seeds: Sequence[Sequence[int]] = given.seeds or [()] * len(given.problems)
    groups: Sequence[str | None] = _labels(given.groups) or [None] * len(given.problems)
    families: Sequence[str | None] = given.families or [None] * len(given.problems)
    problems = [
        Problem(
            name,
            tuple(own),
            group=group,
            family=family,
            problem=None if isinstance(problem, str) and problem == name else problem,
        )
        for problem, name, own, group, family in zip(
            given.problems, names, seeds, groups, families, strict=True
        )
    ]
    return InstanceSource(
        list=problems,
        order=given.order,
        repeat=given.repeat,
        correlation=given.correlation if len(given.groups) else None,
    )


def _labels(groups: Sequence[Hashable]) -> Sequence[str]:
    """Groups in the form of a scenario: different texts for different labels."""
    labels = {group: str(group) for group in groups}
    if len(set(labels.values())) < len(labels) or not all(labels.values()):
        labels = {group: f"group {number}" for number, group in enumerate(labels, start=1)}
    return [labels[group] for group in groups]


def _problem(one: Any, place: int) -> Any:
    if isinstance(one, Mapping) and "name" in one:
        if unknown := [key for key in one if key not in _KEYS]:
            raise InputError(
                f"instances[{place - 1}].{unknown[0]}: unknown key; a mapping with a name may have "
                f"{', '.join(_KEYS)}. If it is an object of your own, give its name beside it: "
                "Instances([{'name': ..., ...}], names=[...])"
            )
        return one
    if isinstance(one, str | Problem):
        return one
    return Problem(_name(one, place), problem=one)


def _name(one: object, place: int) -> str:
    """The name of an instance: unique, and the same in every session."""
    scalar = type(one).__module__ == "numpy" and not getattr(one, "shape", ())
    if scalar or isinstance(one, str | int | float):
        return str(one)
    return f"{type(one).__name__} {place}"
