"""Converts configurations to the unit scale (an array, NaN = inactive) and back.

There is one column per parameter. A numeric column is the place in [0, 1] on the parameter's scale,
within its current bounds; integers and ordinal levels are in the middle of their cells. A
categorical column is the index of the level. All steps are vectorised over rows, and over columns
of one kind.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from racing.base.errors import InputError, must_be
from racing.space.expressions import Compiled, holds, names, number
from racing.space.numeric import LARGEST, Integer, Numeric, Real
from racing.space.parameter import Configuration, Parameter, Values
from racing.space.scale import Axis
from racing.space.structure import Structure
from racing.space.values import identity


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


Units = NDArray[np.float64]
Mask = NDArray[np.bool_]
Kind = Literal["number", "ordinal", "category"]


class Encoding:
    """The unit scale of a space.

    Attributes
    ----------
    names
        The parameters, in the order of the columns.
    kinds
        Of each column: "number", "ordinal" (both in [0, 1]) or "category" (index of the level).
    levels
        Of each column: the number of levels; 0 for a number.
    order
        The columns, each after those in its condition and bounds.
    conditions
        Parameter → whether it is active, as a function of columns; the others always are.
    forbidden
        The clauses, as functions of columns.

    Examples
    --------
    >>> from racing.space import Categorical, Real, Space
    >>> space = Space({"rate": Real(1, 100, log=True), "kind": Categorical(["ils", "aco"])})
    >>> space.encoding.names, space.encoding.kinds
    (('rate', 'kind'), ('number', 'category'))
    >>> space.encode([{"rate": 10, "kind": "aco"}]).tolist()
    [[0.5, 1.0]]
    """

    def __init__(self, parameters: Mapping[str, Parameter], structure: Structure) -> None:
        self.names = tuple(parameters)
        self.kinds: tuple[Kind, ...] = tuple(map(_kind, parameters.values()))
        self.levels: tuple[int, ...] = tuple(len(p.levels or ()) for p in parameters.values())
        self._parameters = dict(parameters)
        self._structure = structure
        self._place = {name: i for i, name in enumerate(self.names)}
        self.order: tuple[int, ...] = tuple(self._place[name] for name in structure.order)
        self._category = np.array([kind == "category" for kind in self.kinds])
        self._counts = np.maximum(np.array(self.levels, dtype=float), 1.0)
        self._ordinal = np.flatnonzero([kind == "ordinal" for kind in self.kinds])
        self._tables = {
            name: np.array(p.levels, dtype=object)
            for name, p in parameters.items()
            if p.levels is not None
        }
        self._indices = {
            name: {identity(level): float(i) for i, level in enumerate(p.levels)}
            for name, p in parameters.items()
            if p.levels is not None
        }
        self._bounds = {
            name: (number(low, parameters), number(high, parameters))
            for name, (low, high) in structure.bounds.items()
        }
        self.conditions = {
            name: holds(tree, parameters) for name, tree in structure.conditions.items()
        }
        self.forbidden = tuple(holds(clause, parameters) for clause in structure.forbidden)
        with np.errstate(all="ignore"):
            self._blocks = blocks_of(parameters, structure)
            self._axes = axes_of(parameters, structure)
        self._tiers = tiers_of(structure, self._place, self.conditions)
        self._needed = needed(structure)

    def __reduce__(self) -> tuple[type[Encoding], tuple[object, ...]]:
        return Encoding, (self._parameters, self._structure)  # compiled expressions are functions

    @property
    def dimension(self) -> int:
        """The number of columns."""
        return len(self.names)

    def encode(self, configurations: Sequence[Configuration]) -> Units:
        """Configurations → array of shape (n, d); missing values are NaN.

        Raises
        ------
        InputError
            If a value is no level of its parameter, or no number.
        """
        return self.units(self.raw(configurations))

    def decode(self, units: Units) -> list[Values]:
        """Array of shape (n, d) → configurations, in the space's order; NaN is left out.

        Decoding after encoding gives the same configurations. (A real without digits or step is
        rounded to 12 significant places.)
        """
        return self.plain(self.values(units))

    def values(self, units: Units) -> Units:
        """Array of shape (n, d) → columns for expressions, of the same shape."""
        units = np.asarray(units, dtype=float)
        with np.errstate(all="ignore"):
            raw = units.copy()
            for block in self._blocks:
                places = block.places
                raw[:, places] = block.axis.value(units[:, places])
            if len(self._ordinal):
                cells = _cell(units[:, self._ordinal], self._counts[self._ordinal])
                raw[:, self._ordinal] = cells
            if self._bounds:
                columns = {name: raw[:, j] for j, name in enumerate(self.names)}
                for name in self._structure.order:
                    if name in self._bounds:
                        j = self._place[name]
                        raw[:, j] = self._column(name, units[:, j], columns)
        return raw

    def plain(self, raw: Units) -> list[Values]:
        """Columns for expressions, shape (n, d), → configurations."""
        n = len(raw)
        active = raw == raw
        if active.all():
            return self._rows(range(self.dimension), raw)
        patterns: dict[bytes, list[int]] = {}
        for row, pattern in enumerate(np.packbits(active, axis=1)):
            patterns.setdefault(pattern.tobytes(), []).append(row)
        found: list[Values] = [{}] * n
        for rows in patterns.values():  # rows with the same active columns are converted together
            on = np.flatnonzero(active[rows[0]]).tolist()
            for row, values in zip(rows, self._rows(on, raw[rows]), strict=True):
                found[row] = values
        return found

    def _rows(self, places: Sequence[int], raw: Units) -> list[Values]:
        """Rows in which exactly these columns are active."""
        names = [self.names[j] for j in places]
        columns = [self._plain(j, raw[:, j]) for j in places]
        return list(map(dict, map(zip, repeat(names), zip(*columns, strict=True))))

    def draw(self, rng: np.random.Generator, n: int) -> Units:
        """`n` independent uniform rows, inactive columns NaN; forbidden ones among them."""
        return self.activate(np.full((n, self.dimension), np.nan), rng)

    def from_points(self, points: Units) -> Units:
        """Points of the unit cube, shape (n, d), → rows: categories as levels, inactive as NaN."""
        return self._activate(self._as_levels(np.array(points, dtype=float)))

    def activate(self, units: Units, rng: np.random.Generator) -> Units:
        """A copy in which exactly the active columns have a value.

        Inactive cells become NaN; active NaN cells are drawn uniformly.

        Parameters
        ----------
        units
            Shape (n, d); every column may have a value, whether it is active or not.
        rng
            Always draws n·d numbers, whether used or not.
        """
        units = np.array(units, dtype=float)
        fresh = self._as_levels(rng.random(units.shape))
        return self._activate(np.where(np.isnan(units), fresh, units))

    def allowed(self, units: Units) -> Mask:
        """Whether each row is allowed by all forbidden clauses; shape (n,)."""
        units = np.asarray(units, dtype=float)
        result = np.ones(len(units), dtype=bool)
        for refused in self.refusals(units):
            result &= ~refused
        return result

    def refusals(self, units: Units) -> list[Mask]:
        """The rows that each forbidden clause refuses, then those with an empty domain."""
        if not self._needed:
            return []
        columns: dict[str, NDArray[Any]] = {}
        with np.errstate(all="ignore"):
            for name in self._needed:
                columns[name] = self._column(name, units[:, self._place[name]], columns)
            return [
                *(_mask(clause(columns), len(units)) for clause in self.forbidden),
                *(self._empty(name, columns) for name in self._bounds),
            ]

    def columns(self, units: Units) -> dict[str, NDArray[Any]]:
        """Parameter → column for expressions: values of numbers, indices of levels."""
        raw = self.values(units)
        return {name: raw[:, j] for j, name in enumerate(self.names)}

    def raw(self, configurations: Sequence[Configuration]) -> Units:
        """Configurations → columns for expressions, shape (n, d)."""
        matrix = np.empty((len(configurations), self.dimension))
        for j, name in enumerate(self.names):
            column = [values.get(name) for values in configurations]
            try:
                if name in self._indices:
                    table = self._indices[name]
                    matrix[:, j] = [np.nan if v is None else table[identity(v)] for v in column]
                else:
                    matrix[:, j] = [np.nan if v is None else float(v) for v in column]
            except (KeyError, ValueError, TypeError) as error:
                wrong = next(v for v in column if v is not None and not self._admits(name, v))
                allowed = self._parameters[name].allowed
                raise InputError(must_be(name, allowed, wrong)) from error
        return matrix

    def units(self, raw: Units) -> Units:
        """Columns for expressions → the unit scale; both of shape (n, d)."""
        units = raw.copy()
        with np.errstate(all="ignore"):
            for block in self._blocks:
                places = block.places
                units[:, places] = block.axis.unit(raw[:, places])
            units[:, self._ordinal] = (raw[:, self._ordinal] + 0.5) / self._counts[self._ordinal]
            columns = {name: raw[:, j] for j, name in enumerate(self.names)} if self._bounds else {}
            for name in self._bounds:
                low, high = self._ends(name, columns, len(raw))
                parameter = cast(Numeric, self._parameters[name])
                units[:, self._place[name]] = parameter.axis(low, high).unit(columns[name])
        return units

    def bounds_at(self, name: str, columns: Mapping[str, Any]) -> tuple[float, float]:
        """The bounds of a dependent parameter in one configuration, given as plain columns."""
        with np.errstate(all="ignore"):
            low, high = (float(bound(columns)) for bound in self._bounds[name])
        return low, high

    def _admits(self, name: str, value: object) -> bool:
        return self._parameters[name].admit(value) is not None

    def _as_levels(self, points: Units) -> Units:
        if self._category.any():
            counts = self._counts[self._category]
            levels = np.floor(points[:, self._category] * counts)
            points[:, self._category] = np.minimum(levels, counts - 1)
        return points

    def _activate(self, units: Units) -> Units:
        """Set inactive cells to NaN; all columns have values before."""
        if not self._structure.conditions and not self._bounds:
            return units
        columns: dict[str, NDArray[Any]] = {}
        with np.errstate(all="ignore"):
            for tier in self._tiers:
                if tier.condition is not None:
                    active = _mask(tier.condition(columns), len(units))
                    if not active.all():
                        block = units[:, tier.places]
                        block[~active] = np.nan
                        units[:, tier.places] = block
                if tier.dependent is not None:
                    low, high = self._ends(tier.dependent, columns, len(units))
                    units[np.isnan(low) | np.isnan(high), tier.places[0]] = np.nan
                for name in tier.names:
                    if name in self._structure.named:
                        columns[name] = self._column(name, units[:, self._place[name]], columns)
        return units

    def _column(self, name: str, column: Units, columns: Mapping[str, Any]) -> NDArray[Any]:
        place = self._place[name]
        if self.kinds[place] == "category":
            return column
        if self.kinds[place] == "ordinal":
            return _cell(column, self.levels[place])
        if name in self._axes:
            return np.asarray(self._axes[name].value(column))
        low, high = self._ends(name, columns, len(column))
        parameter = cast(Numeric, self._parameters[name])
        return np.asarray(parameter.axis(low, high).value(column))

    def _ends(self, name: str, columns: Mapping[str, Any], n: int) -> tuple[Any, Any]:
        """The bounds of a dependent parameter, row by row; NaN where they are unknown."""
        low, high = (np.broadcast_to(bound(columns), (n,)) for bound in self._bounds[name])
        return low, high

    def _empty(self, name: str, columns: Mapping[str, Any]) -> Mask:
        """Where an active parameter has an empty domain, or bounds outside its scale."""
        column = columns[name]
        low, high = self._ends(name, columns, len(column))
        empty: Mask = empty_domain(self._parameters[name], low, high)
        return empty

    def _plain(self, place: int, column: NDArray[Any]) -> list[Any]:
        """A column without NaN as Python values."""
        table = self._tables.get(self.names[place])
        if table is not None:
            return cast("list[Any]", table[column.astype(np.intp)].tolist())
        whole = isinstance(self._parameters[self.names[place]], Integer)
        return cast("list[Any]", (column.astype(np.int64) if whole else column).tolist())


def too_large(parameter: Parameter, low: Any, high: Any) -> Any:
    """Where bounds are larger or further apart than values can be; False where NaN."""
    largest = LARGEST if isinstance(parameter, Integer) else np.finfo(float).max
    with np.errstate(all="ignore"):
        return (np.maximum(np.abs(low), np.abs(high)) > largest) | np.isinf(high - low)


def empty_domain(parameter: Parameter, low: Any, high: Any) -> Any:
    """Where bounds leave no value on the parameter's scale; False where NaN."""
    numeric = cast(Any, parameter)
    with np.errstate(all="ignore"):
        empty = (numeric.count(low, high) < 1) & (low == low) & (high == high)
    empty = empty | too_large(parameter, low, high)
    if getattr(numeric, "log", False):
        empty = empty | (low <= 0)
    if getattr(numeric, "logit", False):
        empty = empty | (low <= 0) | (high >= 1)
    return empty


def _kind(parameter: Parameter) -> Kind:
    if parameter.levels is None:
        return "number"
    return "ordinal" if parameter.ordered else "category"


def _cell(units: Any, count: Any) -> NDArray[Any]:
    cells: NDArray[Any] = np.clip(np.floor(units * count), 0, count - 1)
    return cells


def _mask(found: Any, n: int) -> Mask:
    return np.broadcast_to(np.asarray(found, dtype=bool), (n,))
