"""A landscape: a member of a family, drawn from its number."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from itertools import count

import numpy as np
from numpy.typing import NDArray

from benchmarks.search_lab import native
from benchmarks.search_lab.dimensions import Dimension
from benchmarks.search_lab.families import FAMILIES, Family, family

Floats = NDArray[np.float64]


class Landscape:
    """Costs of configurations on instances, and what they truly cost.

    Configurations are rows of numbers, one a parameter, NaN where it is inactive; categories are
    counted from 0. The landscapes of a real algorithm are all the same: their number is but a seed.

    Parameters
    ----------
    name
        Of the family.
    number
        Keys all that is drawn.
    instances
        How many training instances there are; None for as many as the family has.
    """

    def __init__(self, name: str, number: int, *, instances: int | None = None) -> None:
        own = family(name)
        self.family: Family = replace(own, instances=instances or own.instances)
        self.number = number
        self._header, self._parameters = _draw(self.family, number)

    @property
    def instances(self) -> range:
        """The training instances."""
        return range(1, self.family.instances + 1)

    @cached_property
    def default(self) -> Floats:
        """(d,) the default: of synthetic ones the truly best of ten random configurations."""
        if self.family.kind:
            return np.array(self.family.default_values())
        drawn = self.random(10, np.random.default_rng([3, self.number]))
        return drawn[int(np.argmin([self.truth(x) for x in drawn]))]

    def random(self, n: int, rng: np.random.Generator) -> Floats:
        """(n, d) uniform configurations."""
        drawn = np.column_stack([one.draw(n, rng) for one in self.family.dimensions])
        for j, one in enumerate(self.family.dimensions):
            if one.parent is not None:
                inactive = ~np.isin(drawn[:, self.family.place(one.parent)], one.values)
                drawn[inactive, j] = np.nan
        return drawn

    def costs(self, configurations: Floats, instances: object, seeds: object) -> Floats:
        """(n,) costs of (n, d) configurations; instances and seeds are broadcast."""
        n = len(configurations)
        return native.costs(
            self._header,
            self._parameters,
            configurations,
            np.broadcast_to(np.asarray(instances, dtype=np.int32), n),
            np.broadcast_to(np.asarray(seeds, dtype=np.float64), n),
        )

    def truth(self, configuration: Floats, *, tests: int | None = None) -> float:
        """The mean cost over the test instances, or the first few; without noise if synthetic."""
        tests = tests or self.family.tests
        return native.test_mean(self._header, self._parameters, configuration, tests)


def _draw(one: Family, number: int) -> tuple[NDArray[np.void], NDArray[np.void]]:
    """The records that the compiled code reads. The order of the draws is part of the landscape."""
    header = np.zeros((), dtype=native.LANDSCAPE)
    header["kind"], header["parameters"] = one.kind, len(one.dimensions)
    for name in ("base", "noise_kind", "noise", "scale_spread", "plateau"):
        header[name] = getattr(one, name)
    parameters = np.zeros(len(one.dimensions), dtype=native.PARAMETER)
    parameters["linked"] = parameters["partner"] = -1
    rng = np.random.default_rng([17, number, FAMILIES.index(one.name)])
    for place, dimension, record in zip(count(), one.dimensions, parameters, strict=False):
        record["numeric"] = not dimension.choices
        record["low"], record["high"], record["log"] = dimension.low, dimension.high, dimension.log
        if one.kind == 0 and dimension.choices:
            _draw_category(one, place, record, rng)
        elif one.kind == 0:
            _draw_number(one, place, record, rng)
    return header, parameters


def _draw_category(one: Family, place: int, record: np.void, rng: np.random.Generator) -> None:
    """What each value costs, and how that differs between instances; half of S40's are idle."""
    choices = one.dimensions[place].choices
    effects = rng.exponential(0.25, choices)
    effects -= effects.min()
    if one.name == "S40" and place > 2:
        effects *= 0.25 * (rng.random() < 0.5)
    record["effect"][:choices] = effects
    matters = effects.mean() > 0
    record["feature_effect"][:choices] = one.drift * 1.5 * rng.normal(size=choices) * matters


def _draw_number(one: Family, place: int, record: np.void, rng: np.random.Generator) -> None:
    """Its weight, optimum and shape, the category that shifts it, the number it interacts with."""
    record["weight"] = _weight(one, rng)
    record["optimum"] = rng.uniform(0.05, 0.95)
    record["drift"] = one.drift * rng.normal(size=2)
    shape = rng.choice([0, 3, 3, 2]) if one.name == "H15" else rng.integers(0, 5)
    record["shape"], record["width"] = shape, rng.uniform(0.08, 0.4)
    if rng.random() < 0.6:
        record["linked"] = rng.choice(_leading(one))
        record["shift"] = rng.normal(size=8) * 0.15
    others = [
        q for q, other in enumerate(one.dimensions) if _may_couple(one.dimensions[place], other)
    ]
    if others and rng.random() < 0.4:
        record["partner"], record["coupling"] = rng.choice(others), rng.normal() * 0.5


def _weight(one: Family, rng: np.random.Generator) -> float:
    """Few of S40's parameters matter."""
    if one.name == "S40":
        return rng.exponential(2.0) if rng.random() < 0.35 else 0.05
    return rng.exponential(1.0) * (0.6 if one.name == "D40" else 1)


def _leading(one: Family) -> list[int]:
    """The places of the first two unconditional categoricals."""
    return [q for q, d in enumerate(one.dimensions) if d.choices and d.parent is None][:2]


def _may_couple(own: Dimension, other: Dimension) -> bool:
    return not other.choices and other is not own and other.parent in (None, own.parent)
