"""A space → irace's parameter file (4.x)."""

from __future__ import annotations

import math
from dataclasses import replace
from decimal import Decimal
from typing import Any

from racing.base.errors import FormatError
from racing.scenario.formats.irace_parameters import DIGITS
from racing.scenario.formats.r_conditions import quote, r_name, to_r
from racing.space import Boolean, Flag, Integer, Real, Space
from racing.space.expressions import (
    And,
    Compare,
    Member,
    Name,
    Node,
    Not,
    Number,
    Or,
    Text,
    Truth,
)


def write_parameters(space: Space) -> str:
    """The space as the text of a parameter file of irace.

    A `-` in a name becomes a dot; switches stay. A flag becomes a categorical parameter that is
    either empty or the switch. Reals keep their digits; those without get as many as their bounds
    need, at least four.

    Raises
    ------
    FormatError
        With all parts that irace cannot express: a logit scale, steps, names that it does not
        allow, and a `#` in a text.

    Examples
    --------
    >>> from racing.scenario.formats import write_parameters
    >>> from racing.space import Integer, Space
    >>> print(write_parameters(Space({"ants": Integer(5, 50)})))
    # name, switch, type, domain [| condition]
    ants "--ants=" i (5, 50)
    ...
    """
    errors = [f"{name}: {why}" for name in space for why in _obstacles(name, space)]
    if errors:
        raise FormatError(errors)
    rows = [_row(name, space) for name in space]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = ["# name, switch, type, domain [| condition]"]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        lines.append(" ".join([*cells, *row[4:]]).rstrip())
    if space.structure.forbidden:
        lines += [
            "",
            "[forbidden]",
            *(_logic(clause, space) for clause in space.structure.forbidden),
        ]
    lines += ["", "[global]", f"digits = {_digits(space)}"]
    text = "\n".join(lines) + "\n"
    if marks := [line for line in lines[1:] if "#" in line]:
        raise FormatError((f"irace takes # for a comment, also in quotes: {marks[0].strip()}",))
    return text


def _obstacles(name: str, space: Space) -> list[str]:
    parameter: Any = space[name]
    found = []
    if not all(c.isascii() and (c.isalnum() or c in "._") for c in r_name(name)):
        found.append("irace allows only letters, digits, . and _ in names")
    if r_name(name) != name and r_name(name) in space:
        found.append(f"in irace it would have the same name as {r_name(name)}")
    if getattr(parameter, "logit", False):
        found.append("irace has no logit scale")
    if getattr(parameter, "step", None) is not None:
        found.append("irace has no steps; use an ordinal parameter")
    return found


def _row(name: str, space: Space) -> list[str]:
    parameter = space[name]
    switch = f"--{name}=" if parameter.switch is None else parameter.switch
    kind, domain = _domain(parameter, name, space)
    if isinstance(parameter, Flag):
        domain, switch = f'("", {quote(parameter.switch or f"--{name}")})', ""
    row = [r_name(name), quote(switch), kind, domain]
    condition = space.structure.conditions.get(name)
    return [*row, f"| {_logic(condition, space)}"] if condition is not None else row


def _logic(node: Node, space: Space) -> str:
    """A condition or a clause in R."""
    return to_r(_by_level(node, space))


def _by_level(node: Node, space: Space) -> Node:
    """The expression with irace's levels for booleans and flags, as irace has no truth values."""
    match node:
        case Name(name) if isinstance(space[name], Boolean | Flag):
            return Compare("==", node, Text(_level(space, name, True)))
        case Not(operand):
            return replace(node, operand=_by_level(operand, space))
        case And(operands) | Or(operands):
            return replace(node, operands=tuple(_by_level(each, space) for each in operands))
        case Compare(_, Name(name), Truth(value)):
            return replace(node, right=Text(_level(space, name, value)))
        case Compare(_, Truth(value), Name(name)):
            return replace(node, left=Text(_level(space, name, value)))
        case Member(Name(name), options):
            return replace(
                node,
                options=tuple(
                    Text(_level(space, name, one.value)) if isinstance(one, Truth) else one
                    for one in options
                ),
            )
    return node


def _level(space: Space, name: str, value: bool) -> str:
    """irace's level for a truth value of a boolean or a flag (the switch or "")."""
    if isinstance(space[name], Flag):
        return (space[name].switch or f"--{name}") if value else ""
    return str(value).lower()


def _domain(parameter: Any, name: str, space: Space) -> tuple[str, str]:
    if isinstance(parameter, Boolean | Flag):
        return "c", '("false", "true")'
    if parameter.levels is not None:
        listed = ", ".join(quote(str(level)) for level in parameter.levels)
        return ("o" if parameter.ordered else "c"), f"({listed})"
    kind = "i" if isinstance(parameter, Integer) else "r"
    ends = ", ".join(
        _end(end) for end in space.structure.bounds.get(name, (parameter.low, parameter.high))
    )
    return f"{kind},log" if parameter.log else kind, f"({ends})"


def _end(bound: float | Node) -> str:
    if isinstance(bound, Number):
        bound = bound.value
    return (
        quote(to_r(bound)) if isinstance(bound, Node) else f"{Decimal(repr(bound)).normalize():f}"
    )


def _digits(space: Space) -> int:
    wanted = [DIGITS]
    for parameter in space.values():
        if isinstance(parameter, Real):
            wanted += [parameter.digits or 0, *map(_places, (parameter.low, parameter.high))]
    return min(max(wanted), 15)


def _places(bound: Any) -> int:
    if not isinstance(bound, int | float) or not math.isfinite(bound):
        return 0
    exponent = Decimal(repr(bound)).normalize().as_tuple().exponent
    return max(-int(exponent), 0)
