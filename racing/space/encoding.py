"""Converts configurations to the unit scale (an array, NaN = inactive) and back.

There is one column per parameter. A numeric column is the place in [0, 1] on the parameter's scale,
within its current bounds; integers and ordinal levels are in the middle of their cells. A
categorical column is the index of the level. All steps are vectorised over rows, and take the
parameters in the order of dependency.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from racing.base.errors import InputError, must_be
from racing.space.expressions import holds, names, number
from racing.space.listed import Levels
from racing.space.numeric import Integer, Numeric
from racing.space.parameter import Configuration, Parameter, Values
from racing.space.scale import Axis
from racing.space.structure import Structure

Units = NDArray[np.float64]
Mask = NDArray[np.bool_]
Kind = Literal["number", "ordinal", "category"]


def needed(structure: Structure) -> tuple[str, ...]:
    """The parameters in forbidden clauses and bounds, with all their parents before them."""
    wanted = {name for clause in structure.forbidden for name in names(clause)}
    wanted |= set(structure.bounds)
    for name in reversed(structure.order):
        if name in wanted:
            for tree in structure.bounds.get(name, ()):
                wanted |= set(names(tree))
    return tuple(name for name in structure.order if name in wanted)


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
        self._bounds = {
            name: (number(low, parameters), number(high, parameters))
            for name, (low, high) in structure.bounds.items()
        }
        self.conditions = {
            name: holds(tree, parameters) for name, tree in structure.conditions.items()
        }
        self.forbidden = tuple(holds(clause, parameters) for clause in structure.forbidden)
        with np.errstate(all="ignore"):
            self._axes = {
                name: self._parameters[name].axis(*self.ends(name, {}))
                for name in parameters
                if name not in structure.bounds
            }
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
        raw = np.empty_like(units)
        columns = {name: raw[:, j] for j, name in enumerate(self.names)}
        with np.errstate(all="ignore"):
            for name in self._structure.order:
                columns[name][:] = self._column(name, units, columns)
        return raw

    def plain(self, raw: Units) -> list[Values]:
        """Columns for expressions, shape (n, d), → configurations."""
        columns = [self._plain(name, raw[:, j]) for j, name in enumerate(self.names)]
        rows = zip(*columns, strict=True)
        if not np.isnan(raw).any():
            return [dict(zip(self.names, row, strict=True)) for row in rows]
        pairs = (zip(self.names, row, strict=True) for row in rows)
        return [{name: value for name, value in row if value is not None} for row in pairs]

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
        refused: Mask = np.any([np.zeros(len(units), dtype=bool), *self.refusals(units)], axis=0)
        return ~refused

    def refusals(self, units: Units) -> list[Mask]:
        """The rows that each forbidden clause refuses, then those with an empty domain."""
        columns: dict[str, NDArray[Any]] = {}
        with np.errstate(all="ignore"):
            for name in self._needed:
                columns[name] = self._column(name, units, columns)
            found = [
                *(clause(columns) for clause in self.forbidden),
                *(self.numeric(name).empty(*self.ends(name, columns)) & ~np.isnan(columns[name])
                  for name in self._bounds),
            ]  # fmt: skip
        return [np.broadcast_to(np.asarray(each, dtype=bool), (len(units),)) for each in found]

    def columns(self, units: Units) -> dict[str, NDArray[Any]]:
        """Parameter → column for expressions: values of numbers, indices of levels."""
        raw = self.values(units)
        return {name: raw[:, j] for j, name in enumerate(self.names)}

    def raw(self, configurations: Sequence[Configuration]) -> Units:
        """Configurations → columns for expressions, shape (n, d)."""
        matrix = np.empty((len(configurations), self.dimension))
        for j, (name, parameter) in enumerate(self._parameters.items()):
            column = [values.get(name) for values in configurations]
            read: Any = parameter.place if isinstance(parameter, Levels) else float
            try:
                found = [np.nan if value is None else read(value) for value in column]
                if None in found:  # no level
                    raise ValueError(name)
                matrix[:, j] = found
            except (ValueError, TypeError) as error:
                given = (value for value in column if value is not None)
                wrong = next(value for value in given if parameter.admit(value) is None)
                raise InputError(must_be(name, parameter.allowed, wrong)) from error
        return matrix

    def units(self, raw: Units) -> Units:
        """Columns for expressions → the unit scale; both of shape (n, d)."""
        units = raw.copy()
        columns = {name: raw[:, j] for j, name in enumerate(self.names)}
        with np.errstate(all="ignore"):
            for j, name in enumerate(self.names):
                if self.kinds[j] != "category":
                    units[:, j] = self._axis(name, columns).unit(raw[:, j])
        return units

    def ends(self, name: str, columns: Mapping[str, Any]) -> tuple[Any, Any]:
        """The bounds of a parameter where the columns have these values; NaN without bounds."""
        if name in self._bounds:
            low, high = (bound(columns) for bound in self._bounds[name])
            return low, high
        parameter: Any = self._parameters[name]
        if parameter.levels is not None:
            return np.nan, np.nan
        return float(parameter.low), float(parameter.high)

    def is_active(self, name: str, columns: Mapping[str, Any], n: int) -> Mask:
        """(n,) whether a parameter is active: its condition holds, and its bounds are known."""
        active = np.ones(n, dtype=bool)
        if name in self.conditions:
            active &= self.conditions[name](columns)
        if name in self._bounds:
            low, high = self.ends(name, columns)
            active &= (low == low) & (high == high)
        return active

    def numeric(self, name: str) -> Numeric:
        """A parameter with bounds."""
        parameter = self._parameters[name]
        assert isinstance(parameter, Numeric)
        return parameter

    def _as_levels(self, points: Units) -> Units:
        for j, kind in enumerate(self.kinds):
            if kind == "category":
                points[:, j] = np.minimum(np.floor(points[:, j] * self.levels[j]),
                                          self.levels[j] - 1)  # fmt: skip
        return points

    def _activate(self, units: Units) -> Units:
        """Set inactive cells to NaN; all columns have values before."""
        columns: dict[str, NDArray[Any]] = {}
        with np.errstate(all="ignore"):
            for name in self._structure.order:
                if name in self.conditions or name in self._bounds:
                    inactive = ~self.is_active(name, columns, len(units))
                    units[inactive, self._place[name]] = np.nan
                if name in self._structure.named:
                    columns[name] = self._column(name, units, columns)
        return units

    def _column(self, name: str, units: Units, columns: Mapping[str, Any]) -> NDArray[Any]:
        """The column of a parameter for expressions, after those of its parents."""
        place = self._place[name]
        if self.kinds[place] == "category":
            return units[:, place]
        return np.asarray(self._axis(name, columns).value(units[:, place]))

    def _axis(self, name: str, columns: Mapping[str, Any]) -> Axis:
        if name in self._axes:
            return self._axes[name]
        return self._parameters[name].axis(*self.ends(name, columns))

    def _plain(self, name: str, column: NDArray[Any]) -> list[Any]:
        """A column as Python values; None where it is inactive."""
        parameter, found = self._parameters[name], np.full(len(column), None, dtype=object)
        active = column == column
        own: NDArray[Any] = column[active]
        if parameter.levels is not None:
            own = np.array(parameter.levels, dtype=object)[own.astype(np.intp)]
        found[active] = own.astype(np.int64) if isinstance(parameter, Integer) else own
        return found.tolist()


def _kind(parameter: Parameter) -> Kind:
    if parameter.levels is None:
        return "number"
    return "ordinal" if parameter.ordered else "category"
