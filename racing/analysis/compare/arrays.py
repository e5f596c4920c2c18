"""Tables from arrays, mappings and DataFrames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from racing.analysis.compare.cells import REPETITION, look_like_scores
from racing.analysis.compare.complete import arranged, coded, complete
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
        DataFrame are the algorithms, its index the instances; a level of either that is called
        repetition, fold, seed or run has the repetitions. A mapping has the n scores of each
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
        own_names, own_instances, data = _of_frame(data, named=instances is not None)
        names = own_names if names is None else names
        instances = own_instances if instances is None else instances
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


def _of_frame(frame: Any, *, named: bool) -> tuple[list[str], list[str], Floats]:
    """Algorithms, instances and their scores; `named` if the index does not name instances."""
    _refuse_columns(frame)
    rows, by_row = index_levels(frame.index, "instance")
    columns, by_column = index_levels(frame.columns, "algorithm")
    if not named and look_like_scores(str(frame.index.name or ""), rows):
        raise TableError(
            f"table: the index holds numbers ({', '.join(rows[:3])}, ...), where the names of the "
            "instances are expected; if it is an algorithm, make it a column (reset_index, or "
            'read_csv without index_col); if it names the instances, call it "instance"'
        )
    values = _frame_values(frame)
    return (
        _repeated((rows, by_row), (columns, by_column), values)
        if by_row or by_column
        else (columns, rows, values)
    )


def _refuse_columns(frame: Any) -> None:
    """Refuse columns that say of which instance, or of which repetition, a row is."""
    known = ("instance", "problem", "dataset", *REPETITION)
    found = [name for name in frame.columns if str(name).casefold() in known]
    if found:
        named = ", append=True" if frame.index.name is not None else ""
        raise TableError(
            f"table: the columns of a DataFrame are the algorithms; make {', '.join(found)} its "
            f"index: frame.set_index({found}{named})"
        )


def index_levels(index: Any, what: str) -> tuple[list[str], list[str]]:
    """The names along an index, and the labels of their repetitions, [] if no level has them."""
    levels = [index.get_level_values(k) for k in range(index.nlevels)]
    if len(levels) == 1:
        return [str(name) for name in levels[0]], []
    repeated = [one for one in levels if str(one.name).casefold() in REPETITION]
    own = [one for one in levels if str(one.name).casefold() not in REPETITION]
    own = [one for one in own if one.nunique() > 1] or own
    if len(own) != 1:
        names = ", ".join(str(one.name or "(no name)") for one in levels)
        raise TableError(
            f"table: expected one level with the names of the {what}s, and one called repetition, "
            f"fold, seed or run if there are repetitions; got the levels {names}. Rename them, or "
            f"join two levels to one name where each pair names one {what}"
        )
    return [str(name) for name in own[0]], [
        " ".join(map(str, one)) for one in zip(*repeated, strict=True)
    ]


def _repeated(
    rows: tuple[list[str], list[str]], columns: tuple[list[str], list[str]], values: Floats
) -> tuple[list[str], list[str], Floats]:
    """Algorithms, instances and (n, m, r) scores of a frame, from the names and labels of both."""
    i, instances = coded(rows[0])
    j, names = coded(columns[0])
    by_row, by_column = (coded(labels or [""] * len(own))[0] for own, labels in (rows, columns))
    at, column = np.repeat(i, j.size), np.tile(j, i.size)
    label = np.add.outer(by_row * j.size, by_column).ravel()
    return names, instances, arranged(
        at, column, label, values.ravel(),
        lambda _, again: TableError(
            f"table: two scores of {names[column[again]]} on {instances[at[again]]} have the same "
            "repetition; number the repetitions"
        ),
    )  # fmt: skip


def _frame_values(frame: Any) -> Floats:
    try:
        return np.asarray(frame.to_numpy(dtype=np.float64, na_value=np.nan))
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
