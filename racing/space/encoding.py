"""Configurations ↔ the unit scale: an array with a column per parameter, NaN = inactive.

A numeric column is the place in [0, 1] on the parameter's scale, within its current bounds; an
integer and an ordinal level lie in the middle of their cell. A categorical column is the index of
the level. All steps are vectorised over rows, and columns of one kind go together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from racing.errors import InputError, show
from racing.space.expressions import Compiled, holds, names, number
from racing.space.integer import Integer
from racing.space.parameter import Configuration, Numeric, Parameter, Values, identity
from racing.space.plan import Plan
from racing.space.real import Real

Units = NDArray[np.float64]
Mask = NDArray[np.bool_]
Kind = Literal["number", "ordinal", "category"]


@dataclass(frozen=True)
class _Block:
    """Columns that are encoded and decoded together: numbers of one kind with fixed bounds."""

    places: NDArray[np.intp]
    prototype: Numeric
    low: Units
    high: Units


@dataclass(frozen=True)
class _Stage:
    """Parameters with one condition, none of which depends on another of them."""

    places: NDArray[np.intp]
    condition: Compiled | None
    names: tuple[str, ...]
    dependent: str | None  # the parameter, where its bounds are expressions


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
        Columns such that each comes after those that its condition and its bounds name.
    """

    def __init__(self, parameters: Mapping[str, Parameter], plan: Plan) -> None:
        self.names = tuple(parameters)
        self.kinds: tuple[Kind, ...] = tuple(map(_kind, parameters.values()))
        self.levels: tuple[int, ...] = tuple(len(p.levels or ()) for p in parameters.values())
        self._parameters = dict(parameters)
        self._plan = plan
        self._place = {name: i for i, name in enumerate(self.names)}
        self.order: tuple[int, ...] = tuple(self._place[name] for name in plan.order)
        self._category = np.array([kind == "category" for kind in self.kinds])
        self._counts = np.maximum(np.array(self.levels, dtype=float), 1.0)
        self._is_number = np.array([kind == "number" for kind in self.kinds])
        self._tables = {
            name: np.array([*p.levels, None], dtype=object)
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
            for name, (low, high) in plan.bounds.items()
        }
        self._blocks = self._make_blocks()
        self._stages = self._make_stages()
        self._forbidden = [holds(clause, parameters) for clause in plan.forbidden]
        self._clause_names = [names(clause) for clause in plan.forbidden]

    @property
    def dimension(self) -> int:
        """How many columns there are."""
        return len(self.names)

    def encode(self, configurations: Sequence[Configuration]) -> Units:
        """Configurations → array of shape (n, d); what a configuration lacks is NaN.

        Raises
        ------
        InputError
            For a value that is no level of its parameter, or no number.
        """
        return self.units(self.raw(configurations))

    def decode(self, units: Units) -> list[Values]:
        """Array of shape (n, d) → configurations, in the space's order; NaN is left out.

        Decoding what was encoded gives the same configurations again. (A real without digits or
        step that was given with more than 12 significant places comes back with 12.)
        """
        units = np.asarray(units, dtype=float)
        with np.errstate(all="ignore"):
            columns = self._columns(units)
        lists = [self._plain(name, columns[name]) for name in self.names]
        whole = not np.isnan(units).any()
        if whole:
            return [dict(zip(self.names, row, strict=True)) for row in zip(*lists, strict=True)]
        return [
            {name: value for name, value in zip(self.names, row, strict=True) if value is not None}
            for row in zip(*lists, strict=True)
        ]

    def draw(self, rng: np.random.Generator, n: int) -> Units:
        """`n` independent uniform rows, inactive columns NaN; forbidden ones among them."""
        return self.activate(np.full((n, self.dimension), np.nan), rng)

    def from_points(self, points: Units) -> Units:
        """Points of the unit cube, shape (n, d), → rows: categories as levels, inactive as NaN."""
        return self._activate(self._as_levels(np.array(points, dtype=float)))

    def activate(self, units: Units, rng: np.random.Generator) -> Units:
        """A copy in which exactly the active columns have a value.

        What is inactive becomes NaN; what is active and NaN is drawn uniformly.

        Parameters
        ----------
        units
            Shape (n, d); every column may have a value, whether it is active or not.
        rng
            Gives n·d draws, however many are used.
        """
        units = np.array(units, dtype=float)
        fresh = self._as_levels(rng.random(units.shape))
        return self._activate(np.where(np.isnan(units), fresh, units))

    def allowed(self, units: Units) -> Mask:
        """Which rows no forbidden clause refuses; shape (n,)."""
        units = np.asarray(units, dtype=float)
        result = np.ones(len(units), dtype=bool)
        for refused in self.refusals(units):
            result &= ~refused
        return result

    def refusals(self, units: Units) -> list[Mask]:
        """Which rows each forbidden clause refuses, then those with an empty domain."""
        wanted = {name for found in self._clause_names for name in found} | set(self._bounds)
        if not wanted:
            return []
        with np.errstate(all="ignore"):
            columns = self._columns(units, wanted)
            return [
                *(_mask(clause(columns), len(units)) for clause in self._forbidden),
                *(self._empty(name, columns) for name in self._bounds),
            ]

    def columns(self, units: Units) -> dict[str, NDArray[Any]]:
        """Parameter → column as expressions see it: values of numbers, indices of levels."""
        with np.errstate(all="ignore"):
            return self._columns(np.asarray(units, dtype=float))

    def raw(self, configurations: Sequence[Configuration]) -> Units:
        """Configurations → columns as expressions see them, shape (n, d)."""
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
                raise InputError(f"{name}: must be {allowed}; got {show(wrong)}") from error
        return matrix

    def units(self, raw: Units) -> Units:
        """Columns as expressions see them → the unit scale; both of shape (n, d)."""
        units = raw.copy()
        with np.errstate(all="ignore"):
            for block in self._blocks:
                places = block.places
                units[:, places] = block.prototype.unit(raw[:, places], block.low, block.high)
            ordinal = [j for j, kind in enumerate(self.kinds) if kind == "ordinal"]
            units[:, ordinal] = (raw[:, ordinal] + 0.5) / self._counts[ordinal]
            columns = {name: raw[:, j] for j, name in enumerate(self.names)} if self._bounds else {}
            for name in self._bounds:
                low, high = self._ends(name, columns, len(raw))
                parameter = cast(Numeric, self._parameters[name])
                units[:, self._place[name]] = parameter.unit(columns[name], low, high)
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
        """Sets what is inactive to NaN; every column has a value."""
        if not self._plan.conditions and not self._bounds:
            return units
        columns: dict[str, NDArray[Any]] = {}
        with np.errstate(all="ignore"):
            for stage in self._stages:
                if stage.condition is not None:
                    active = _mask(stage.condition(columns), len(units))
                    if not active.all():
                        block = units[:, stage.places]
                        block[~active] = np.nan
                        units[:, stage.places] = block
                if stage.dependent is not None:
                    low, high = self._ends(stage.dependent, columns, len(units))
                    units[np.isnan(low) | np.isnan(high), stage.places[0]] = np.nan
                for name in stage.names:
                    if name in self._plan.named:
                        columns[name] = self._column(name, units[:, self._place[name]], columns)
        return units

    def _columns(self, units: Units, wanted: set[str] | None = None) -> dict[str, NDArray[Any]]:
        columns: dict[str, NDArray[Any]] = {}
        if wanted is not None:
            for name in self._plan.order:
                if name in wanted or name in self._plan.named:
                    columns[name] = self._column(name, units[:, self._place[name]], columns)
            return columns
        raw = units.copy()
        for block in self._blocks:
            places = block.places
            raw[:, places] = block.prototype.value(units[:, places], block.low, block.high)
        for j, kind in enumerate(self.kinds):
            if kind == "ordinal":
                raw[:, j] = _cell(units[:, j], self.levels[j])
        columns = {name: raw[:, j] for j, name in enumerate(self.names)}
        for name in self._plan.order:
            if name in self._bounds:
                columns[name] = self._column(name, units[:, self._place[name]], columns)
        return columns

    def _column(self, name: str, column: Units, columns: Mapping[str, Any]) -> NDArray[Any]:
        place = self._place[name]
        if self.kinds[place] == "category":
            return column
        if self.kinds[place] == "ordinal":
            return _cell(column, self.levels[place])
        parameter = cast(Numeric, self._parameters[name])
        low, high = self._ends(name, columns, len(column))
        return np.asarray(parameter.value(column, low, high))

    def _ends(self, name: str, columns: Mapping[str, Any], n: int) -> tuple[Any, Any]:
        """The bounds of a numeric parameter, row by row; NaN where they are unknown."""
        if name in self._bounds:
            low, high = (np.broadcast_to(bound(columns), (n,)) for bound in self._bounds[name])
            return low, high
        parameter = cast(Any, self._parameters[name])
        return parameter.low, parameter.high

    def _empty(self, name: str, columns: Mapping[str, Any]) -> Mask:
        """Where an active parameter has no value, or a scale that cannot hold its bounds."""
        column = columns[name]
        low, high = self._ends(name, columns, len(column))
        empty: Mask = empty_domain(self._parameters[name], low, high)
        return empty

    def _plain(self, name: str, column: NDArray[Any]) -> list[Any]:
        """A column as Python values, None where it is NaN."""
        active = column == column
        if name in self._tables:
            table = self._tables[name]
            index = np.where(active, column, len(table) - 1).astype(np.intp)
            return cast("list[Any]", table[index].tolist())
        if _is_whole(self._parameters[name]):
            values = np.where(active, column, 0).astype(np.int64).tolist()
        else:
            values = column.tolist()
        if active.all():
            return cast("list[Any]", values)
        return [v if a else None for v, a in zip(values, active.tolist(), strict=True)]

    def _make_blocks(self) -> list[_Block]:
        groups: dict[object, list[int]] = {}
        for j, (name, parameter) in enumerate(self._parameters.items()):
            if parameter.levels is None and name not in self._bounds:
                groups.setdefault(_likeness(parameter, j), []).append(j)
        blocks = []
        for places in groups.values():
            members = [cast(Any, self._parameters[self.names[j]]) for j in places]
            low, high = (
                np.array([float(getattr(m, end)) for m in members]) for end in ("low", "high")
            )
            blocks.append(_Block(np.array(places), members[0], low, high))
        return blocks

    def _make_stages(self) -> list[_Stage]:
        plan, depth = self._plan, dict[str, int]()
        groups: dict[object, list[str]] = {}
        for name in plan.order:
            depth[name] = 1 + max((depth[parent] for parent in plan.parents[name]), default=0)
            alone = name if name in plan.bounds else None
            groups.setdefault((depth[name], alone, plan.conditions.get(name)), []).append(name)
        return [
            _Stage(
                np.array([self._place[name] for name in members]),
                None if tree is None else holds(tree, self._parameters),
                tuple(members),
                alone,
            )
            for (_, alone, tree), members in cast("Any", sorted(groups.items(), key=_depth))
        ]


def empty_domain(parameter: Parameter, low: Any, high: Any) -> Any:
    """Where bounds leave no value, or none that the parameter's scale can hold; not where NaN."""
    numeric = cast(Any, parameter)
    empty = (numeric.count(low, high) < 1) & (low == low) & (high == high)
    if getattr(numeric, "log", False):
        empty = empty | (low <= 0)
    if getattr(numeric, "logit", False):
        empty = empty | (low <= 0) | (high >= 1)
    return empty


def _depth(item: Any) -> int:
    return int(item[0][0])


def _kind(parameter: Parameter) -> Kind:
    if parameter.levels is None:
        return "number"
    return "ordinal" if parameter.ordered else "category"


def _cell(units: Any, count: int) -> NDArray[Any]:
    cells: NDArray[Any] = np.clip(np.floor(units * count), 0, count - 1)
    return cells


def _mask(found: Any, n: int) -> Mask:
    return np.broadcast_to(np.asarray(found, dtype=bool), (n,))


def _is_whole(parameter: Parameter) -> bool:
    return isinstance(parameter, Integer)


def _likeness(parameter: Any, place: int) -> object:
    """What numbers share that can be encoded together."""
    if not isinstance(parameter, Real | Integer):
        return place
    options = (parameter.scale, getattr(parameter, "digits", None), parameter.step)
    return type(parameter), *options
