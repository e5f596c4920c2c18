"""Notes on a parameter file: switches used twice, parameters that are never active.

A parameter is never active if its condition needs another value of a fixed parameter.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from racing.scenario.formats.irace_lines import Entry
from racing.space import Parameter, Space
from racing.space.checks import at_once
from racing.space.expressions import Active, And, Compare, Name, Node, Not, Or, Text, Truth, names
from racing.space.expressions import Number as NumberNode
from racing.space.values import same

Parameters = Mapping[str, Parameter]


def shared_switches(entries: Sequence[Entry], space: Space) -> Iterator[str]:
    """Parameters with one switch that can be active at once, each switch noted once."""
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.switch.strip():
            groups.setdefault(entry.switch, []).append(entry)
    for switch, group in groups.items():
        if len(group) > 1 and len(both := at_once(space, [entry.name for entry in group])) > 1:
            place = next(entry.place for entry in group if entry.name == both[1])
            yield (
                f'{place}: {both[1]} has the switch "{switch}" of {both[0]}, and both can be '
                "active at once: the target then gets it twice"
            )


def switched_off(parameters: Parameters) -> dict[str, str]:
    """Parameters that are never active because of a fixed one → the reason."""
    off: dict[str, str] = {}
    conditions = {name: one.when for name, one in parameters.items() if isinstance(one.when, Node)}
    children: dict[str, list[str]] = {}
    for name, when in conditions.items():
        for parent in names(when):
            children.setdefault(parent, []).append(name)
    left: Iterable[str] = conditions
    while found := {
        name: _why(conditions[name], parameters, off)
        for name in left
        if name not in off and not _can(conditions[name], True, parameters, off)
    }:
        off |= found
        left = dict.fromkeys(child for name in found for child in children.get(name, ()))
    return off


def _can(node: Node, wanted: bool, parameters: Parameters, off: Collection[str]) -> bool:
    """Whether a condition can be `wanted`; comparisons with an inactive parameter are unknown."""
    match node:
        case Truth():
            return True  # explicit, so it is intended
        case Not(operand):
            return _can(operand, not wanted, parameters, off)
        case And(operands) | Or(operands):
            parts = [_can(each, wanted, parameters, off) for each in operands]
            return all(parts) if isinstance(node, And) is wanted else any(parts)
        case Active(name):
            return name not in off or not wanted
    if set(names(node)) & set(off):
        return False
    match node:
        case Compare("==" | "!=" as sign, Name(name), Text(value) | NumberNode(value)):
            levels = parameters[name].levels if name in parameters else None
            if levels is not None and len(levels) == 1:
                return (same(levels[0], value) is (sign == "==")) is wanted
    return True


def _why(node: Node, parameters: Parameters, off: Collection[str]) -> str:
    found = []
    for name in names(node):
        levels = parameters[name].levels if name in parameters else None
        if name in off:
            found.append(f"{name} never is")
        elif levels is not None and len(levels) == 1:
            found.append(f"{name} is always {levels[0]}")
    return " and ".join(found)
