"""Checks of tables and vectors of costs, and of options; errors name the place and the fix."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from racing.base.errors import InputError, must_be

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.intp]
Bools: TypeAlias = NDArray[np.bool_]


def as_costs(X: ArrayLike, *, name: str = "X", direction: str = "min") -> Floats:
    """A table of costs as a float64 array of shape (n instances, m algorithms).

    With `direction="max"`, `X` holds scores (higher is better), which are returned negated.
    The array may share memory with `X`: read it, never write to it.

    Raises
    ------
    InputError
        If `X` is not 2-d, is empty, or holds NaN, an infinitely good value or something that is
        not a real number. An infinitely bad value (cost +inf, score -inf) is a failure: allowed.
    """
    table = as_reals(X, name)
    if one_of(direction, ("min", "max"), name="direction") == "max":
        table = -table
    if table.ndim != 2 or table.size == 0:
        raise InputError(
            f"{name} must be a table of one or more rows (instances) and columns (algorithms); "
            f"got shape {table.shape}"
        )
    refuse_nan_and_minus_inf(table, name)
    return table


def as_vector(x: ArrayLike, *, name: str = "x") -> Floats:
    """A vector of costs, as a float64 array of length n >= 1; +inf allowed, NaN and -inf not."""
    vector = as_reals(x, name)
    if vector.ndim != 1 or vector.size == 0:
        raise InputError(
            f"{name} must be a vector of one or more numbers; got shape {vector.shape}"
        )
    refuse_nan_and_minus_inf(vector, name)
    return vector


def as_finite_costs(X: ArrayLike, *, name: str = "X", purpose: str) -> Floats:
    """`as_costs`, but infinities are refused too: `purpose` computes means of the costs."""
    table = as_costs(X, name=name)
    if not np.isfinite(table.max()):
        raise InputError(
            f"{name} must be finite for {purpose}; got inf at {_place(np.isposinf(table))}; "
            "give failures a finite penalty, or use a test on ranks"
        )
    return table


def as_level(alpha: float, *, name: str = "alpha") -> float:
    """A probability strictly between 0 and 1."""
    if not (isinstance(alpha, (int, float, np.floating)) and 0.0 < alpha < 1.0):
        raise InputError(must_be(name, "a number above 0 and below 1", alpha))
    return float(alpha)


def as_column(column: int, m: int, *, name: str = "control") -> int:
    """The index of one of m columns, counted from 0."""
    whole = isinstance(column, (int, np.integer)) and not isinstance(column, bool)
    if not whole or not 0 <= column < m:
        raise InputError(must_be(name, f"a column from 0 to {m - 1}", column))
    return int(column)


def as_count(count: int, *, name: str, least: int = 1) -> int:
    """A whole number of at least `least`."""
    whole = isinstance(count, (int, np.integer)) and not isinstance(count, bool)
    if not whole or count < least:
        raise InputError(must_be(name, f"a whole number, {least} or more", count))
    return int(count)


def one_of(value: str, allowed: tuple[str, ...], *, name: str) -> str:
    """`value`, if it is one of the allowed words."""
    if value not in allowed:
        raise InputError(must_be(name, f"one of {', '.join(allowed)}", value))
    return value


def as_number(
    value: float, *, name: str, meaning: str, least: float = 0.0, below: float = np.inf
) -> float:
    """A number from `least` to less than `below`; `meaning` says in words what is allowed."""
    number = isinstance(value, (int, float, np.integer, np.floating))
    if not number or isinstance(value, bool) or not least <= value < below:
        raise InputError(must_be(name, meaning, value))
    return float(value)


def as_rope(rope: float) -> float:
    """A rope: a finite number from 0, in units of cost; twice of it does not overflow."""
    meaning = "half the width of the region, a finite number from 0"
    return as_number(rope, name="rope", meaning=meaning, below=1e301)


def as_weight(s: float) -> float:
    """A prior weight: a finite number from 0."""
    return as_number(s, name="s", meaning="a prior weight, a finite number from 0")


def as_generator(rng: np.random.Generator | None) -> np.random.Generator:
    """The caller's random generator."""
    if not isinstance(rng, np.random.Generator):
        raise InputError(must_be("rng", "a numpy.random.Generator", rng))
    return rng


def as_digits(digits: int | None) -> int | None:
    """Significant digits that differences of costs are rounded to; None for no rounding."""
    if digits is not None and as_count(digits, name="digits") > 15:
        raise InputError(must_be("digits", "at most 15, which a float has", digits))
    return digits


def as_counts(*counts: ArrayLike) -> tuple[Floats, ...]:
    """Counts of instances, which may be fractions, as float arrays of one common shape."""
    arrays = [np.asarray(c) for c in counts]
    for array in arrays:
        if array.dtype.kind not in "iuf" or not (np.isfinite(array) & (array >= 0)).all():
            raise InputError(must_be("counts", "finite numbers, 0 or more", array.tolist()))
    try:
        return tuple(np.broadcast_arrays(*(a.astype(np.float64) for a in arrays)))
    except ValueError as error:
        shapes = ", ".join(str(a.shape) for a in arrays)
        raise InputError(f"counts must be of shapes that fit; got {shapes}") from error


def as_reals(X: ArrayLike, name: str) -> Floats:
    """Real numbers of any shape, as float64; NaN and infinities are allowed."""
    if isinstance(X, np.ndarray) and X.dtype == np.float64 and type(X) is np.ndarray:
        return X
    if isinstance(X, np.ma.MaskedArray) and bool(np.ma.is_masked(X)):
        raise InputError(f"{name}: masked cells are not costs; drop their rows or fill them")
    try:
        array: NDArray[Any] = np.asarray(X)
    except ValueError as error:  # ragged rows
        raise InputError(f"{name} must be rows of equal length: {error}") from error
    if array.dtype.kind in "biuf":
        return array.astype(np.float64)
    raise InputError(f"{name} must be real numbers; got {_stranger(array)}")


def _stranger(array: NDArray[Any]) -> str:
    """Describe the first cell that is not a real number."""
    if array.dtype.kind == "O":
        for place, cell in np.ndenumerate(array):
            if not isinstance(cell, (int, float, np.integer, np.floating)):
                return f"{cell!r} at {_at(place)}"
        return "an array of objects; convert it with .astype(float)"
    first = f", the first is {array.flat[0]!r}" if array.size else ""
    return f"an array of type {array.dtype}{first}; convert it to float"


def refuse_nan_and_minus_inf(array: Floats, name: str) -> None:
    if array.min() > -np.inf:  # False for NaN as well: the minimum propagates it
        return
    missing = np.isnan(array)
    if missing.any():
        raise InputError(
            f"{name}: NaN at {_place(missing)} means 'not run' and cannot be ranked; "
            "leave that row or column out, or give a failure the cost +inf"
        )
    raise InputError(
        f"{name}: {_place(np.isneginf(array))} is infinitely good; "
        "a failure is +inf among costs (lower better) and -inf among scores (higher better)"
    )


def _place(where: Bools) -> str:
    return _at(tuple(int(i) for i in np.argwhere(where)[0]))


def _at(place: tuple[int, ...]) -> str:
    if len(place) == 2:
        return f"row {place[0]}, column {place[1]}"
    return f"position {', '.join(map(str, place))}"
