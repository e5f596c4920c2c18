"""A space as plain data, in the layout of the `space` of a scenario file."""

from __future__ import annotations

from typing import Any

from racing.space import Boolean, Flag, Space
from racing.space.expressions import Node, render
from racing.space.parameter import Clause, Parameter

_OPTIONS = ("log", "logit", "digits", "step", "default", "switch")


def space_to_data(space: Space) -> dict[str, Any]:
    """Parameters by name, as in YAML; `forbidden_to_data` has the forbidden clauses."""
    return {name: _parameter(space[name], name) for name in space}


def forbidden_to_data(space: Space) -> list[str]:
    """The forbidden clauses, as text."""
    return [clause_text(clause) for clause in space.forbidden]


def clause_text(clause: Clause) -> str:
    """An expression (text or tree) as text."""
    return render(clause) if isinstance(clause, Node) else clause


def _parameter(parameter: Parameter, name: str) -> dict[str, Any]:
    data: dict[str, Any] = {type(parameter).__name__.lower(): _domain(parameter, name)}
    for option in _OPTIONS:
        if isinstance(parameter, Flag) and option == "switch":
            continue  # it is the domain
        value = getattr(parameter, option, None)
        if value is not None and value is not False:
            data[option] = value
    if parameter.default is False:
        data["default"] = False
    if parameter.when is not None:
        data["when"] = clause_text(parameter.when)
    return data


def _domain(parameter: Any, name: str) -> Any:
    if isinstance(parameter, Flag):
        return parameter.switch or f"--{name}"
    if isinstance(parameter, Boolean):
        return [False, True]
    if parameter.levels is not None:
        return list(parameter.levels)
    return [_end(parameter.low), _end(parameter.high)]


def _end(bound: Any) -> Any:
    return clause_text(bound) if isinstance(bound, str | Node) else bound
