"""Groups the columns of an encoding by order and kind of computation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from racing.space.expressions import Compiled, names
from racing.space.integer import Integer
from racing.space.parameter import Parameter
from racing.space.real import Real
from racing.space.scale import Axis
from racing.space.structure import Structure


@dataclass(frozen=True, eq=False)
class Block:
    """Columns encoded and decoded together: numbers of one kind with fixed bounds."""

    places: NDArray[np.intp]
    axis: Axis


@dataclass(frozen=True, eq=False)
class Tier:
    """Parameters with the same condition that do not depend on each other."""

    places: NDArray[np.intp]
    condition: Compiled | None
    names: tuple[str, ...]
    dependent: str | None  # the parameter, if its bounds are expressions


def blocks_of(parameters: Mapping[str, Parameter], structure: Structure) -> list[Block]:
    """The numbers with fixed bounds, grouped by kind, scale and step."""
    named = tuple(parameters)
    groups: dict[object, list[int]] = {}
    for j, (name, parameter) in enumerate(parameters.items()):
        if parameter.levels is None and name not in structure.bounds:
            groups.setdefault(_likeness(parameter, j), []).append(j)
    blocks = []
    for places in groups.values():
        members = [cast(Any, parameters[named[j]]) for j in places]
        low, high = (np.array([float(getattr(m, end)) for m in members]) for end in ("low", "high"))
        blocks.append(Block(np.array(places), members[0].axis(low, high)))
    return blocks


def axes_of(parameters: Mapping[str, Parameter], structure: Structure) -> dict[str, Axis]:
    """The axes of the numbers with fixed bounds."""
    found = {}
    for name, parameter in parameters.items():
        if parameter.levels is None and name not in structure.bounds:
            numeric = cast(Any, parameter)
            found[name] = numeric.axis(float(numeric.low), float(numeric.high))
    return found


def needed(structure: Structure) -> tuple[str, ...]:
    """The parameters in forbidden clauses and bounds, with all their parents before them."""
    wanted = {name for clause in structure.forbidden for name in names(clause)}
    wanted |= set(structure.bounds)
    for name in reversed(structure.order):
        if name in wanted:
            for tree in structure.bounds.get(name, ()):
                wanted |= set(names(tree))
    return tuple(name for name in structure.order if name in wanted)


def tiers_of(
    structure: Structure, place: Mapping[str, int], conditions: Mapping[str, Compiled]
) -> list[Tier]:
    """The parameters in groups, each after those in its condition and bounds.

    Parameters
    ----------
    place
        Parameter → its column.
    conditions
        Parameter → its condition, compiled.
    """
    depth: dict[str, int] = {}
    groups: dict[object, list[str]] = {}
    for name in structure.order:
        depth[name] = 1 + max((depth[parent] for parent in structure.parents[name]), default=0)
        alone = name if name in structure.bounds else None
        groups.setdefault((depth[name], alone, structure.conditions.get(name)), []).append(name)
    return [
        Tier(
            np.array([place[name] for name in members]),
            None if tree is None else conditions[members[0]],
            tuple(members),
            alone,
        )
        for (_, alone, tree), members in cast("Any", sorted(groups.items(), key=_depth))
    ]


def _depth(item: Any) -> int:
    return int(item[0][0])


def _likeness(parameter: Any, place: int) -> object:
    """A key that is equal for numbers that can be encoded together."""
    if not isinstance(parameter, Real | Integer):
        return place
    options = (parameter.scale, getattr(parameter, "digits", None), parameter.step)
    return type(parameter), *options
