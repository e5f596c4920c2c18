"""The spaces of the targets as this package knows them, and configurations as rows of numbers."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from benchmarks.search_lab.dimensions import Dimension
from benchmarks.search_lab.families import Family
from racing.space import Categorical, Configuration, Integer, Parameter, Real, Space, Values

Floats = NDArray[np.float64]


def space_of(family: Family) -> Space:
    """The space of a family. Its landscapes have a default each, which is no part of it."""
    return Space({one.name: _parameter(one) for one in family.dimensions})


def row(family: Family, values: Configuration) -> Floats:
    """(d,) a configuration as the cost functions take it; NaN = inactive."""
    return np.array([float(values.get(one.name, math.nan)) for one in family.dimensions])


def configuration(family: Family, x: Floats) -> Values:
    """A row of numbers as a configuration."""
    return {
        one.name: int(value) if one.choices or one.integer else float(value)
        for one, value in zip(family.dimensions, x, strict=True)
        if not math.isnan(value)
    }


def _parameter(one: Dimension) -> Parameter:
    when = f"{one.parent} in [{', '.join(map(str, one.values))}]" if one.parent else None
    if one.choices:
        return Categorical(list(range(one.choices)), when=when)
    if one.integer:
        return Integer(int(one.low), int(one.high), log=one.log, when=when)
    return Real(one.low, one.high, log=one.log, when=when)
