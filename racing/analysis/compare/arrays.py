"""Tables from arrays, mappings and DataFrames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from racing.analysis.compare.complete import complete
from racing.analysis.compare.result_table import Duplicates, Floats, Missing, ResultTable
from racing.base.errors import TableError, show
from racing.base.quantities import Direction


def as_table(
    data: Any,
    *,
    names: Sequence[str] | None = None,
    instances: Sequence[str] | None = None,
    direction: Direction | None = None,
    missing: Missing = "refuse",
    duplicates: Duplicates = "refuse",
    groups: Sequence[object] = (),
) -> ResultTable:
    """A table from an array, a mapping or a DataFrame (a `ResultTable` is returned unchanged).

    Parameters
    ----------
    data : (n, m) numbers, or (n, m, r) with repetitions; NaN is a missing cell. The columns of a
        DataFrame are the algorithms, its index the instances. A mapping has the n scores of each
        algorithm by its name, or (n, r) with repetitions.
    names, instances : of columns and rows; by default those of the DataFrame, or A1, A2, ... and 1,
        2, ...
    direction : "minimize" (lower is better, the default) or "maximize".
    missing, duplicates : what to do with missing cells, and with instances of one name, see
        `complete`.
    groups : a label for each row, where instances come in groups, such as questions about one text.

    Raises
    ------
    TableError
        If the data are no such table.

    Examples
    --------
    >>> from racing.analysis.compare import as_table
    >>> table = as_table({"a": [3.0, 4.0], "b": [1.0, 2.0]})
    >>> table.m, table.n
    (2, 2)
    """
    if isinstance(data, ResultTable):
        if any(given is not None for given in (names, instances, direction)) or len(groups):
            raise TableError(
                "a ResultTable has names, direction and groups already; give data and options"
            )
        return data
    if hasattr(data, "columns") and hasattr(data, "to_numpy"):
        names = [str(c) for c in data.columns] if names is None else names
        instances = [str(i) for i in data.index] if instances is None else instances
        data = _frame_values(data)
    elif isinstance(data, Mapping):
        names = [str(c) for c in data] if names is None else names
        data = _stacked(data)
    scores = _as_numbers(data)
    n, m = scores.shape[:2]
    names = [f"A{j + 1}" for j in range(m)] if names is None else names
    instances = [str(i + 1) for i in range(n)] if instances is None else instances
    return complete(
        names, instances, scores, direction=direction, missing=missing, duplicates=duplicates,
        groups=groups,
    )  # fmt: skip


def _frame_values(frame: Any) -> Any:
    try:
        return frame.to_numpy(dtype=np.float64, na_value=np.nan)
    except (TypeError, ValueError) as error:
        raise TableError(
            f"table: expected numbers in every column of the DataFrame: {error}; make the column "
            "of instance names its index: frame.set_index(...)"
        ) from error


def _stacked(data: Mapping[Any, Any]) -> Any:
    """The columns of a mapping side by side."""
    columns = [np.asanyarray(column) for column in data.values()]
    if len({column.shape for column in columns}) != 1 or columns[0].ndim == 0:
        sizes = ", ".join(
            f"{show(str(name))} {len(column) if column.ndim else 'no list'}"
            for name, column in zip(data, columns, strict=True)
        )
        raise TableError(
            "table: a mapping needs the scores of each algorithm on the same instances, as lists "
            f"of equal length; got {sizes or 'nothing'}. Runs that are not paired are compared "
            "with paired=False"
        )
    masked = any(isinstance(column, np.ma.MaskedArray) for column in columns)
    return (np.ma.stack if masked else np.stack)(columns, axis=1)


def _as_numbers(data: Any) -> Floats:
    if isinstance(data, np.ma.MaskedArray) and bool(np.ma.is_masked(data)):
        raise TableError(
            "table: a masked array, whose masked cells would be read as scores; write missing "
            "cells as NaN: data.astype(float).filled(np.nan)"
        )
    try:
        array = np.asarray(data)
    except ValueError as error:
        raise TableError(f"table: expected rows of equal length: {error}") from error
    if array.dtype.kind not in "biuf" or array.ndim not in (2, 3):
        raise TableError(
            "table: expected numbers of shape (n instances, m algorithms), or with repetitions "
            f"(n, m, r); got shape {array.shape} of type {array.dtype}"
        )
    return array.astype(np.float64)
