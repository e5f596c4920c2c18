"""Runs from vectors, mappings and DataFrames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from racing.analysis.compare.arrays import index_levels
from racing.analysis.compare.cells import INSTANCE
from racing.analysis.compare.result_table import Floats, Missing
from racing.analysis.compare.unpaired.table import RunTable, gathered, place
from racing.base.errors import TableError, show
from racing.base.quantities import Direction


def as_runs(
    data: Any, *, direction: Direction | None = None, missing: Missing = "refuse"
) -> RunTable:
    """Runs from vectors, mappings or a DataFrame (a `RunTable` is returned unchanged).

    Parameters
    ----------
    data : a mapping from names to vectors of scores of any lengths; a mapping from problems to such
        mappings; a sequence of vectors (A1, A2, ...) or an (n, k) array; or a DataFrame, with the
        columns algorithm, score and perhaps problem (or instance), or with a column for each
        algorithm. In arrays and columns NaN is no run.
    direction : "minimize" (lower is better, the default) or "maximize".
    missing : as for `read_runs`.

    Raises
    ------
    TableError
        If the data are no such runs.
    """
    if isinstance(data, RunTable):
        if direction is not None:
            raise TableError("a RunTable has a direction already; give data and options")
        return data
    if hasattr(data, "columns") and hasattr(data, "to_numpy"):
        data = _of_frame(data)
    if not isinstance(data, Mapping):
        data = {f"A{at + 1}": runs for at, runs in enumerate(_vectors(data))}
    scores = {
        (problem, str(name)): _finished(runs, place(str(name), problem))
        for problem, own in _by_problem(data).items()
        for name, runs in own.items()
    }
    return gathered(scores, direction=direction, missing=missing, source="table")


def _by_problem(data: Mapping[Any, Any]) -> dict[str, Mapping[Any, Any]]:
    """Names and vectors of each problem."""
    nested = [isinstance(own, Mapping) for own in data.values()]
    if any(nested) and not all(nested):
        raise TableError("table: expected vectors of scores, or a mapping for each problem")
    return {str(p): own for p, own in data.items()} if any(nested) else {"": data}


def _vectors(data: Any) -> Iterable[Any]:
    if isinstance(data, (str, bytes)) or not isinstance(data, Iterable):
        raise TableError(
            "table: expected a vector of scores of each algorithm: a mapping from names, or a "
            f"sequence; got {data!r}"
        )
    matrix = getattr(data, "ndim", 1)
    if matrix > 2:
        raise TableError(f"table: expected columns of runs, got an array of {matrix} dimensions")
    return data.T if matrix == 2 else data  # type: ignore[attr-defined]


def _finished(runs: Any, where: str) -> Floats:
    """The scores of a vector, without NaN."""
    try:
        found = np.asarray(runs)
    except ValueError as error:
        raise TableError(f"table: {where}: expected a vector of scores: {error}") from error
    if found.dtype.kind not in "biuf" or found.ndim != 1:
        raise TableError(
            f"table: {where}: expected a vector of scores, got shape {found.shape} of type "
            f"{found.dtype}"
        )
    numbers = found.astype(np.float64)
    return np.asarray(numbers[~np.isnan(numbers)])


def _of_frame(frame: Any) -> Mapping[str, Any]:
    columns = {str(c).casefold(): c for c in frame.columns}
    if not {"algorithm", "score"} <= set(columns):
        return _of_columns(frame)
    named = [columns[name] for name in ("problem", "instance") if name in columns]
    if len(named) > 1:
        raise TableError(f"table: columns {show('problem')} and {show('instance')}; keep one")
    algorithms, scores = frame[columns["algorithm"]], frame[columns["score"]]
    problems = frame[named[0]] if named else [""] * len(frame)
    found: dict[str, dict[str, list[float]]] = {}
    for problem, name, score in zip(problems, algorithms, scores, strict=True):
        found.setdefault(str(problem), {}).setdefault(str(name), []).append(float(score))
    return found


def _of_columns(frame: Any) -> Mapping[str, Any]:
    """The columns of a frame; an index that names problems, with or without runs, splits them."""
    names = index_levels(frame.columns, "algorithm")[0]
    split = frame.index.nlevels > 1 or str(frame.index.name).casefold() in INSTANCE
    problems = index_levels(frame.index, "problem")[0] if split else [""] * len(frame)
    values = frame.to_numpy(dtype=np.float64, na_value=np.nan)
    found: dict[str, dict[str, list[float]]] = {}
    for problem, row in zip(problems, values.tolist(), strict=True):
        for name, score in zip(names, row, strict=True):
            found.setdefault(problem, {}).setdefault(name, []).append(score)
    return found
