"""What enters the statistics: tables and vectors of costs, and options; the types that all share.

Errors name the place and the fix. The annotation of an option says what it may be: the words of a
`Literal`, a kind of number of `racing.base.quantities`, a random generator. A function that is
`checked` refuses everything else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial, wraps
from types import NoneType
from typing import Annotated, Any, Literal, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import ArrayLike, NDArray

from racing.base.errors import InputError, must_be
from racing.base.quantities import Quantity
from racing.base.records.kinds import argument
from racing.base.records.leaves import choice
from racing.base.records.record import kind_of

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.intp]
Whole: TypeAlias = NDArray[np.int64]
Bools: TypeAlias = NDArray[np.bool_]

Alternative: TypeAlias = Literal["two-sided", "better", "worse"]
Digits: TypeAlias = Annotated[int, Quantity("a whole number from 1 to 15", low=1, high=15)]
"""Significant digits that differences of costs are rounded to; a float has 15."""
Rope: TypeAlias = Annotated[
    float, Quantity("half the width of the region, a finite number from 0", low=0, high=1e300)
]
"""Half the width of the region of equivalence, in units of cost; twice of it does not overflow."""
Weight: TypeAlias = Annotated[
    float, Quantity("a prior weight, a finite number from 0", low=0, high=1e300)
]
Several: TypeAlias = Annotated[int, Quantity("a whole number, 2 or more", low=2)]
Hundred: TypeAlias = Annotated[int, Quantity("a whole number, 100 or more", low=100)]

Function = TypeVar("Function", bound=Callable[..., Any])


def checked(function: Function) -> Function:
    """The function, with its options checked by their annotations."""

    names = function.__code__.co_varnames

    @cache
    def checks() -> dict[str, Callable[[Any], Any]]:
        hints = get_type_hints(function, include_extras=True)
        found = {name: _check_of(hints[name], name) for name in names if name in hints}
        return {name: check for name, check in found.items() if check}

    @wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        known = checks()
        for name in [one for one in options if one in known]:
            options[name] = known[name](options[name])
        given = [known[n](v) if n in known else v for n, v in zip(names, args, strict=False)]
        return function(*given, *args[len(given) :], **options)

    return call  # type: ignore[return-value]


def _check_of(hint: Any, name: str) -> Callable[[Any], Any] | None:
    """The check of an option by its annotation, or None if it says nothing."""
    optional = set(get_args(hint)) - {NoneType}
    if NoneType in get_args(hint) and len(optional) == 1:
        check = _check_of(optional.pop(), name)
        return check and (lambda value: None if value is None else check(value))
    if hint is np.random.Generator:
        return as_generator
    known = get_origin(hint) in (Literal, Annotated)
    return partial(argument, kind_of(hint), name=name) if known else None


def blocks(total: int, each: int, cells: int = 1 << 18) -> Iterator[slice]:
    """Slices of so many rows of `each` numbers as fit into `cells`, for `total` rows."""
    step = max(1, cells // max(each, 1))
    for start in range(0, total, step):
        yield slice(start, min(start + step, total))


def batches(total: int, each: int, cells: int) -> Iterator[int]:
    """The lengths of these slices."""
    yield from (part.stop - part.start for part in blocks(total, each, cells))


def as_costs(
    X: ArrayLike, *, name: str = "X", direction: str = "min", means_for: str = ""
) -> Floats:
    """A table of costs as a float64 array of shape (n instances, m algorithms).

    With `direction="max"`, `X` holds scores (higher is better), which are returned negated.
    A test that computes means gives its name as `means_for`: infinities are refused then.
    The array may share memory with `X`: read it, never write to it.

    Raises
    ------
    InputError
        If `X` is not 2-d, is empty, or holds NaN, an infinitely good value or something that is
        not a real number. An infinitely bad value (cost +inf, score -inf) is a failure: allowed.
    """
    table = as_reals(X, name)
    if argument(choice(("min", "max")), direction, "direction") == "max":
        table = -table
    if table.ndim != 2 or table.size == 0:
        allowed = "a table of one or more rows (instances) and columns (algorithms)"
        raise misshapen(table, name, allowed)
    refuse_nan(table, name, means_for)
    return table


def as_vector(x: ArrayLike, *, name: str = "x", many: bool = False, means_for: str = "") -> Floats:
    """A vector of costs, as a float64 array of length n >= 1; +inf allowed, NaN and -inf not.

    Or `many` of them, of shape (..., n). A test that computes means gives its name as `means_for`:
    +inf is refused then.
    """
    vector = as_reals(x, name)
    if (vector.ndim != 1 and not (many and vector.ndim)) or not vector.shape[-1]:
        raise misshapen(vector, name, "a vector of one or more numbers")
    if vector.size:
        refuse_nan(vector, name, means_for)
    return vector


def misshapen(array: NDArray[Any], name: str, allowed: str) -> InputError:
    """The error about an array of another shape than is allowed."""
    return InputError(f"{name} must be {allowed}; got shape {array.shape}")


def as_shares(x: ArrayLike, name: str, what: str = "probabilities") -> Floats:
    """Numbers from 0 to 1, of any shape but a single one, as float64."""
    array = as_reals(x, name)
    if array.ndim == 0 or array.size == 0:
        raise misshapen(array, name, f"one or more {what}")
    if (outside := ~((array >= 0) & (array <= 1))).any():  # also NaN
        wrong = f"got {array[outside][0]} at {_place(outside)}"
        raise InputError(f"{name} must be {what} from 0 to 1; {wrong}")
    return array


def as_column(column: int, m: int, *, name: str = "control") -> int:
    """The index of one of m columns, counted from 0."""
    whole = isinstance(column, (int, np.integer)) and not isinstance(column, bool)
    if not whole or not 0 <= column < m:
        raise InputError(must_be(name, f"a column from 0 to {m - 1}", column))
    return int(column)


def as_generator(rng: np.random.Generator | None) -> np.random.Generator:
    """The caller's random generator."""
    if not isinstance(rng, np.random.Generator):
        raise InputError(must_be("rng", "a numpy.random.Generator", rng))
    return rng


def as_counts(*counts: ArrayLike) -> tuple[Floats, ...]:
    """Counts of instances, which may be fractions, as float arrays of one common shape."""
    arrays = [np.asarray(c) for c in counts]
    for array in arrays:
        if array.dtype.kind not in "iuf" or not (np.isfinite(array) & (array >= 0)).all():
            raise InputError(must_be("counts", "finite numbers, 0 or more", array.tolist()))
    try:
        return tuple(np.broadcast_arrays(*(a.astype(np.float64) for a in arrays)))
    except ValueError as error:
        shapes = [array.shape for array in arrays]
        raise InputError(must_be("counts", "of shapes that fit", shapes)) from error


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


def refuse_nan(array: Floats, name: str, means_for: str = "") -> None:
    if array.min() > -np.inf:  # False for NaN as well: the minimum propagates it
        if means_for and np.isinf(array.max()):
            raise InputError(
                f"{name} must be finite for {means_for}; got inf at {_place(np.isposinf(array))}; "
                "give failures a finite penalty, or use a test on ranks"
            )
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
