"""Tables from arrays, mappings and DataFrames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from racing.analysis.compare.methods import refusal
from racing.analysis.compare.read import of_log, of_sheet, read_table
from racing.analysis.compare.result_table import (
    Columns,
    Duplicates,
    Floats,
    Missing,
    ResultTable,
    complete,
    place,
)
from racing.analysis.compare.sheets import INSTANCE, REPETITION, ROLES, Sheet
from racing.base.errors import TableError, must_be, require, show
from racing.base.quantities import Direction

_BLANK = "Unnamed: 0"
"""What pandas calls the first column of a CSV if its header is empty, as `to_csv` writes it."""


def as_table(
    data: Any,
    *,
    paired: bool = True,
    names: Sequence[str] | None = None,
    instances: Sequence[str] | None = None,
    direction: Direction | None = None,
    missing: Missing = "refuse",
    duplicates: Duplicates = "refuse",
    groups: Sequence[object] = (),
    columns: Columns = None,
) -> ResultTable:
    """A table from an array, a mapping, a DataFrame or a file (a `ResultTable` stays as it is).

    Parameters
    ----------
    data : (n, m) numbers, or (n, m, r) with repetitions; NaN is a missing cell. A DataFrame in the
        wide form has a column for each algorithm and instances as its index; a level of either that
        is called repetition, fold, seed or run has the repetitions. In the long form it has a row
        for each score, and columns for algorithm, instance, score and perhaps repetition. A mapping
        has the n scores of each algorithm by its name, or (n, r) with repetitions; those with an
        index (pandas) are put together by it. A path is read by `read_table`, and so is the log of
        a run, which is given itself or as the result of `racing.minimize`.
        Of unpaired runs, columns, and vectors in a mapping or a sequence, may have any length; a
        mapping may have such a mapping for each problem; NaN is no run.
    paired : False if the scores are runs that nothing pairs.
    names, instances : of columns and rows; by default those of the DataFrame, or A1, A2, ... and 1,
        2, ...
    direction : "minimize" (lower is better, the default) or "maximize".
    missing, duplicates : what to do with missing cells, and with instances of one name, see
        `complete`.
    groups : a label for each row, where instances come in groups, such as questions about one text.
    columns : which column of a DataFrame has which role; see `read_table`.

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
    how: dict[str, Any] = {"direction": direction, "missing": missing, "duplicates": duplicates}
    if isinstance(data, ResultTable):
        if any(given is not None for given in (names, instances, direction)) or len(groups):
            raise TableError(
                "a ResultTable has names, direction and groups already; give data and options"
            )
        if data.paired != paired:
            word = "paired" if data.paired else "unpaired"
            raise data.error(f"the table is {word}; read it with paired={paired}")
        return data
    if isinstance(data, str | Path):
        return read_table(data, paired=paired, columns=columns, **how)
    if type(data).__module__.startswith("racing."):
        return of_log(data, direction, missing, paired=paired)
    known: dict[str, Any] = {"paired": paired, "groups": groups}
    if hasattr(data, "to_pandas"):  # of other libraries
        data = data.to_pandas()
    if paired and isinstance(data, Mapping) and any(map(_indexed, data.values())):
        data = _joined(data)
    if hasattr(data, "iloc"):
        if instances is not None:
            data = data.set_axis(list(instances)).rename_axis("instance")
        table = of_sheet(_sheet(data, columns, paired=paired), columns=columns, **known, **how)
        return table if names is None else replace(table, names=tuple(names))
    own = _of_array(data) if paired else _of_runs(data)
    return complete(names or own[0], instances or own[1], own[2], **known, **how)


def _indexed(data: Any) -> bool:
    return hasattr(data, "iloc")


def _joined(data: Mapping[Any, Any]) -> Any:
    """The frame of a mapping of series, or of frames of repetitions, rows put together by index.

    What has no index has its scores in the order of the first that has one, as in pandas.
    """
    pandas = require("pandas", extra="pandas", purpose="series")
    first = next(name for name, own in data.items() if _indexed(own))
    index, parts = data[first].index, dict[Any, Any]()
    for name, own in data.items():
        if not _indexed(own):
            array = _numbers(own, f"table: {name}", (1, 2), "a list of scores")
            if len(array) != len(index):
                raise TableError(_unequal({first: data[first], name: array}))
            own = (pandas.Series if array.ndim == 1 else pandas.DataFrame)(array, index)
        elif not own.index.equals(index):
            _check_index(name, own.index, first, index)
            own = own.reindex(index)
        parts[name] = own
    if any(own.ndim == 2 for own in parts.values()):
        parts = {name: own if own.ndim == 2 else own.to_frame(0) for name, own in parts.items()}
    frame = pandas.concat(parts, axis=1)
    frame.columns.names = ["algorithm", "repetition"][: frame.columns.nlevels]
    plain = index.nlevels == 1 and index.name is None
    return frame.rename_axis(index="instance") if plain else frame


def _check_index(name: object, index: Any, first: object, other: Any) -> None:
    """Refuse an index that is not the other one in another order."""
    apart = [*index.difference(other, sort=False), *other.difference(index, sort=False)]
    if apart or not (index.is_unique and other.is_unique):
        got = f"{show(str(apart[0]))} in one of them only" if apart else "labels that repeat"
        raise TableError(refusal("index", name=show(str(name)), first=show(str(first)), got=got))


def _sheet(frame: Any, columns: Columns, *, paired: bool) -> Sheet:
    """The header and rows of a frame or a series; an index that names instances comes first."""
    if not hasattr(frame, "columns"):
        frame = frame.to_frame(frame.name or "score")
    if 0 in frame.shape:
        raise TableError(refusal("empty-frame", shape=str(frame.shape)))
    known = {*ROLES["algorithm"], *(columns or {}).values()}
    if frame.columns.nlevels == 1 and any(
        str(name) in known or str(name).casefold() in known for name in frame.index.names
    ):
        frame = frame.reset_index()
    header, labels = _levels(frame.columns, "algorithm")
    blank = header[0] == _BLANK and not labels
    header[:1] = [""] if blank else header[:1]
    rows = [[*row] for row in zip(*(_cells(frame.iloc[:, k]) for k in range(len(header))),
                                  strict=True)]  # fmt: skip
    instances, repetitions = _levels(frame.index, "instance")
    lead = [[*one] for one in zip(instances, *[repetitions] * bool(repetitions), strict=True)]
    what = ["instance", *["fold"] * bool(repetitions)]
    if labels:  # repetitions beside each other: a row for each score
        rows = [[*first, name, label, score] for first, row in zip(lead, rows, strict=True)
                for name, label, score in zip(header, labels, row, strict=True)]  # fmt: skip
        header = [*what, "algorithm", "repetition", "score"]
    sheet = Sheet("table", "", header, rows, list(range(len(rows))))
    called = what if repetitions else [str(frame.index.name or "")]
    by_index = "instance" not in (columns or {}) and not labels
    if (not labels and repetitions) or (
        by_index and _names_instances(frame, sheet, *called, paired=paired)
    ):
        for row, first in zip((header, *rows), (called, *lead), strict=True):
            row[:0] = first
    elif blank and paired:
        sheet = replace(sheet, named=_BLANK)
    return sheet


def _cells(column: Any) -> list[Any]:
    """The cells of a column; NaN for whatever pandas takes as missing."""
    cells: list[Any] = column.astype(object).where(column.notna(), np.nan).tolist()
    return cells


def _names_instances(frame: Any, sheet: Sheet, called: str, *, paired: bool) -> bool:
    """Whether the index of a frame is one of its columns: not if a column does its work."""
    known = called.casefold() in (*INSTANCE, *REPETITION)
    if not paired or {"algorithm", "score"} <= sheet.roles().keys():
        return known
    if called or type(frame.index).__name__ != "RangeIndex":
        return True
    name, cells = sheet.header[0], [row[0] for row in sheet.rows]
    if sheet.folded[0] in ("", *INSTANCE, *REPETITION) or isinstance(cells[0], str):
        return False
    numbers = {number for cell in cells if (number := sheet.number(cell)) is not None}
    if len(numbers) == len(cells) > 1 and all(map(float.is_integer, numbers)):
        raise sheet.error(None, refusal("names-or-scores", name=show(name), index=repr(name)))
    return bool(numbers)


def _levels(index: Any, what: str) -> tuple[list[str], list[str]]:
    """The names along an index, and the labels of their repetitions, [] if no level has them."""
    levels = [index.get_level_values(k) for k in range(index.nlevels)]
    if len(levels) == 1:
        return [str(name) for name in levels[0]], []
    repeated = [one for one in levels if str(one.name).casefold() in REPETITION]
    own = [one for one in levels if str(one.name).casefold() not in REPETITION]
    own = [one for one in own if one.nunique() > 1] or own
    if len(own) != 1:
        names = ", ".join(str(one.name or "(no name)") for one in levels)
        axis = "index" if what == "instance" else "columns"
        raise TableError(refusal("levels", what=what, names=names, axis=axis))
    labels = [" ".join(map(str, one)) for one in zip(*repeated, strict=True)]
    return [str(name) for name in own[0]], labels


def _of_array(data: Any) -> tuple[list[str], list[str], Floats]:
    """A paired table: rows of numbers, or a mapping of the algorithms' columns."""
    names = [str(name) for name in data] if isinstance(data, Mapping) else []
    array = _numbers(
        _stacked(data) if isinstance(data, Mapping) else data, "table", (2, 3),
        "numbers of shape (n instances, m algorithms), or with repetitions (n, m, r)",
    )  # fmt: skip
    n, m = array.shape[:2]
    return names or [f"A{j + 1}" for j in range(m)], [str(i + 1) for i in range(n)], array


def _numbers(data: Any, where: str, dimensions: Sequence[int], allowed: str) -> Floats:
    """An array of numbers of so many dimensions."""
    if isinstance(data, np.ma.MaskedArray) and bool(np.ma.is_masked(data)):
        raise TableError(refusal("masked", where=where))
    try:
        found = np.asarray(_cells(data) if _indexed(data) and data.ndim == 1 else data)
    except ValueError as error:
        raise TableError(f"{where} must be {allowed}, in equal length: {error}") from error
    if found.dtype.kind not in "biuf" or found.ndim not in dimensions:
        raise TableError(
            f"{where} must be {allowed}; got shape {found.shape} of type {found.dtype}"
        )
    return found.astype(np.float64)


def _stacked(data: Mapping[Any, Any]) -> Floats:
    """The columns of a mapping side by side; fewer repetitions are filled up."""
    columns = [_numbers(own, f"table: {name}", (0, 1, 2), "numbers") for name, own in data.items()]
    if len({(column.ndim, *column.shape[:1]) for column in columns}) != 1 or columns[0].ndim == 0:
        raise TableError(_unequal(dict(zip(data, columns, strict=True))))
    most = max(column.shape[-1] for column in columns)
    widths = [[(0, 0)] * (one.ndim - 1) + [(0, most - one.shape[-1])] for one in columns]
    padded = map(partial(np.pad, constant_values=np.nan), columns, widths)
    return np.stack([*padded], axis=1)


def _unequal(columns: Mapping[Any, Any]) -> str:
    sizes = ", ".join(
        f"{show(str(name))} {len(column) if column.ndim else 'no list'}"
        for name, column in columns.items()
    )
    return refusal("unequal", sizes=sizes or "nothing")


def _of_runs(data: Any) -> tuple[list[str], list[str], Floats]:
    """Unpaired runs: vectors of any lengths, by algorithm, perhaps by problem."""
    if not isinstance(data, Mapping):
        data = {f"A{at + 1}": runs for at, runs in enumerate(_vectors(data))}
    nested = [isinstance(own, Mapping) for own in data.values()]
    if any(nested) and not all(nested):
        raise TableError("table must be vectors of scores, or a mapping for each problem")
    problems = {str(problem): own for problem, own in (data if any(nested) else {"": data}).items()}
    cells = {
        (at, str(name)): _numbers(
            runs, f"table: {place(str(name), problem)}", (1,), "a vector of scores"
        )
        for at, (problem, own) in enumerate(problems.items())
        for name, runs in own.items()
    }
    names = list(dict.fromkeys(name for _, name in cells))
    most = max((1, *(runs.size for runs in cells.values())))
    scores = np.full((len(problems), len(names), most), np.nan)
    for (at, name), runs in cells.items():
        scores[at, names.index(name), : runs.size] = runs
    return names, list(problems), scores


def _vectors(data: Any) -> Iterable[Any]:
    if not isinstance(data, Iterable):
        raise TableError(
            must_be("table", "a mapping or a list with a vector of scores for each algorithm", data)
        )
    matrix = getattr(data, "ndim", 1)
    if matrix > 2:
        raise TableError(f"table must be columns of runs; got an array of {matrix} dimensions")
    return data.T if matrix == 2 else data  # type: ignore[attr-defined]
