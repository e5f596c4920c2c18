"""Named parameters, and the configurations that they allow."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from racing.errors import InputError, did_you_mean, show
from racing.space.parameter import Parameter, Value, Values

RESERVED = ("name", "values")  # a list of candidates uses these words for itself
_NO_DEFAULT = ", and the space has no default for it"
_BATCH = 100  # draws at a time, at least
_BARREN = 1000  # batches in a row that brought nothing new before giving up


@dataclass(frozen=True)
class Space(Mapping[str, Parameter]):
    """An ordered mapping from names to parameters.

    Attributes
    ----------
    parameters
        Name → `Real`, `Integer`, `Categorical`, … A name starts with a letter or `_` and goes on
        with letters, digits, `_`, `.` and `-`; `name` and `values` are taken.
    """

    parameters: Mapping[str, Parameter]

    def __post_init__(self) -> None:
        if not isinstance(self.parameters, Mapping) or not self.parameters:
            raise InputError("a space needs at least one parameter: {name: parameter}")
        object.__setattr__(self, "parameters", dict(self.parameters))
        for name, parameter in self.parameters.items():
            if fault := name_fault(name):
                raise InputError(fault)
            if not isinstance(parameter, Parameter):
                raise InputError(f"parameter {name!r} is {show(parameter)}; use Real, Integer, …")

    def __getitem__(self, name: str) -> Parameter:
        return self.parameters[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.parameters)

    def __len__(self) -> int:
        return len(self.parameters)

    def __hash__(self) -> int:
        return hash(tuple(self.parameters.items()))

    @property
    def size(self) -> float:
        """How many configurations there are; inf with a real parameter."""
        return math.prod(parameter.size for parameter in self.parameters.values())

    def default(self) -> Values:
        """The configuration of all defaults.

        Raises
        ------
        InputError
            If some parameters have none.
        """
        missing = [name for name, parameter in self.items() if parameter.default is None]
        if missing:
            raise InputError(f"no default for {', '.join(missing)}; give each parameter one")
        return self.complete({})

    def complete(self, values: Mapping[str, Value]) -> Values:
        """The configuration in the space's order and types, defaults filled in.

        Raises
        ------
        InputError
            Naming every value that is missing, unknown or outside its domain.
        """
        full = {**self.defaults(values), **values}
        self.check(full)
        return {name: self[name].admit(full[name]) for name in self}  # type: ignore[misc]

    def defaults(self, values: Mapping[str, object]) -> Values:
        """The defaults of the parameters that `values` leaves out, as far as there are any."""
        return {
            name: parameter.default
            for name, parameter in self.items()
            if name not in values and parameter.default is not None
        }

    def check(self, values: Mapping[str, Value]) -> None:
        """Refuse a configuration that is incomplete or outside the space.

        Raises
        ------
        InputError
            Naming every value that is missing, unknown or outside its domain.
        """
        faults = [f"{name}: {message}" for name, message in self.faults(values)]
        if faults:
            raise InputError("; ".join(faults))

    def faults(self, values: Mapping[str, object]) -> Iterator[tuple[str, str]]:
        """(parameter, what is wrong) for everything that `check` would refuse."""
        for name, value in values.items():
            if name not in self:
                yield name, f"unknown parameter{did_you_mean(name, self)}"
            elif self[name].admit(value) is None:
                yield name, f"must be {self[name].allowed}; got {show(value)}"
        for name in self:
            if name not in values:
                yield name, "missing" + ("" if self[name].default is not None else _NO_DEFAULT)

    def sample(
        self, rng: np.random.Generator, n: int, *, exclude: Iterable[Mapping[str, Value]] = ()
    ) -> list[Values]:
        """`n` distinct random configurations, or all there are if the space has fewer.

        Parameters
        ----------
        rng
            Where the draws come from.
        n
            How many.
        exclude
            Complete configurations that are not wanted again.
        """
        seen = {self.key(values) for values in exclude}
        fresh: list[Values] = []
        barren = 0
        while len(fresh) < n and len(seen) < self.size and barren < _BARREN:
            before = len(fresh)
            for values in self._draw(rng, max(n, _BATCH)):
                if len(fresh) < n and (key := self.key(values)) not in seen:
                    seen.add(key)
                    fresh.append(values)
            barren = barren + 1 if len(fresh) == before else 0
        return fresh

    def _draw(self, rng: np.random.Generator, n: int) -> list[Values]:
        columns = [parameter.sample(rng, n) for parameter in self.parameters.values()]
        return [dict(zip(self, row, strict=True)) for row in zip(*columns, strict=True)]

    def key(self, values: Mapping[str, Value]) -> tuple[object, ...]:
        """What two configurations share exactly if they are the same."""
        return tuple((isinstance(values[name], bool), values[name]) for name in self)


def name_fault(name: object) -> str | None:
    """What is wrong with the name of a parameter, if anything."""
    if not isinstance(name, str):
        return f"the name of a parameter must be text, not {name!r}"
    first, rest = name[:1], name[1:]
    if not (first.isalpha() or first == "_") or not all(c.isalnum() or c in "_.-" for c in rest):
        return (
            f"{name!r} cannot name a parameter: "
            "start with a letter or _, then letters, digits, _, . and -"
        )
    if name in RESERVED:
        return f"{name!r} cannot name a parameter: lists of candidates use it; choose another word"
    return None
