"""A finished table of results: who was scored on what, checked and complete."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from racing.errors import TableError, show

Floats: TypeAlias = NDArray[np.float64]
Direction: TypeAlias = Literal["minimize", "maximize"]
Missing: TypeAlias = Literal["refuse", "drop-instances", "drop-algorithms"]

_NAMED = 5  # missing cells that a message names


@dataclass(frozen=True, eq=False)
class Table:
    """Scores of m algorithms on n instances, complete; rows are instances.

    Attributes
    ----------
    names : m distinct names of algorithms
    instances : n distinct names of instances
    scores : (n, m), or (n, m, r) with r repetitions of each; in the user's direction
        A failure is the worst score there is: +inf if scores are minimized, else -inf.
    direction : "minimize" if lower scores are better, "maximize" if higher ones are
    source : where the table comes from, for messages and reports
    assumed : whether `direction` was assumed rather than given
    from_race : whether these are the costs by which a race chose its survivors
    left_out : names of the instances or algorithms left out because cells were missing

    Raises
    ------
    TableError
        If the shapes, names or scores cannot be compared; see `complete` for missing cells.
    """

    names: tuple[str, ...]
    instances: tuple[str, ...]
    scores: Floats
    direction: Direction = "minimize"
    source: str = "table"
    assumed: bool = False
    from_race: bool = False
    left_out: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _check_direction(self.direction, self.source)
        _check_shape(self)
        _check_distinct(self.names, "algorithm", self.source)
        _check_distinct(self.instances, "instance", self.source)
        _check_scores(self)

    @property
    def n(self) -> int:
        """How many instances."""
        return len(self.instances)

    @property
    def m(self) -> int:
        """How many algorithms."""
        return len(self.names)

    @property
    def repetitions(self) -> int:
        """How many scores there are of each algorithm on each instance."""
        return 1 if self.scores.ndim == 2 else self.scores.shape[2]

    @cached_property
    def means(self) -> Floats:
        """(n, m) scores, repetitions averaged; in the user's direction."""
        return self.scores if self.scores.ndim == 2 else np.asarray(self.scores.mean(axis=2))

    @cached_property
    def costs(self) -> Floats:
        """(n, m) costs, lower is better, repetitions averaged."""
        return self.means if self.direction == "minimize" else 0.0 - self.means

    @cached_property
    def repeated_costs(self) -> Floats:
        """(n, m, r) costs, lower is better."""
        scores = self.scores if self.scores.ndim == 3 else self.scores[:, :, None]
        return scores if self.direction == "minimize" else 0.0 - scores

    def column(self, name: str) -> int:
        """The column of an algorithm, by name."""
        if name not in self.names:
            from racing.errors import did_you_mean

            raise TableError(
                f"{self.source}: no algorithm is called {show(name)}"
                f"{did_you_mean(name, self.names)}"
            )
        return self.names.index(name)


def as_table(
    data: Any,
    *,
    names: Sequence[str] | None = None,
    instances: Sequence[str] | None = None,
    direction: Direction | None = None,
    missing: Missing = "refuse",
) -> Table:
    """A table from an array or a pandas DataFrame (a `Table` comes back as it is).

    Parameters
    ----------
    data : (n, m) numbers, or (n, m, r) with repetitions; NaN is a missing cell. The columns of a
        DataFrame are the algorithms, its index the instances.
    names, instances : of columns and rows; by default those of the DataFrame, or A1, A2, ... and 1,
        2, ...
    direction : "minimize" (lower is better, the default) or "maximize".
    missing : what to do with missing cells, see `complete`.

    Raises
    ------
    TableError
        If the data are no such table.
    """
    if isinstance(data, Table):
        if any(given is not None for given in (names, instances, direction)):
            raise TableError("a Table has names and a direction already; give data and options")
        return data
    if hasattr(data, "columns") and hasattr(data, "to_numpy"):
        names = [str(c) for c in data.columns] if names is None else names
        instances = [str(i) for i in data.index] if instances is None else instances
        data = _frame_values(data)
    scores = _as_numbers(data)
    n, m = scores.shape[:2]
    names = [f"A{j + 1}" for j in range(m)] if names is None else names
    instances = [str(i + 1) for i in range(n)] if instances is None else instances
    return complete(names, instances, scores, direction=direction, missing=missing)


def complete(
    names: Iterable[str],
    instances: Iterable[str],
    scores: Floats,
    *,
    direction: Direction | None = None,
    missing: Missing = "refuse",
    source: str = "table",
    from_race: bool = False,
) -> Table:
    """A table without missing cells (NaN): refused, or left out row by row or column by column.

    Raises
    ------
    TableError
        If cells are missing and `missing` is "refuse", or too little is left.
    """
    if missing not in ("refuse", "drop-instances", "drop-algorithms"):
        raise TableError(
            "missing: expected refuse, drop-instances or drop-algorithms; got " + show(missing)
        )
    names, instances, left_out = tuple(names), tuple(instances), ()
    gaps = _gaps(scores)
    if gaps.any() and gaps.shape == (len(instances), len(names)):
        if missing == "refuse":
            raise TableError(_missing_cells(names, instances, gaps, source, scores, from_race))
        axis = 1 if missing == "drop-instances" else 0
        kept: NDArray[np.bool_] = ~np.asarray(gaps.any(axis=axis))
        labels = instances if axis == 1 else names
        left_out = tuple(np.array(labels, dtype=object)[~kept])
        _check_rest(kept, axis, source)
        if axis == 1:
            instances = tuple(np.array(instances, dtype=object)[kept])
            scores = scores[kept]
        else:
            names = tuple(np.array(names, dtype=object)[kept])
            scores = scores[:, kept]
    return Table(
        names=names,
        instances=instances,
        scores=scores,
        direction=direction or "minimize",
        source=source,
        assumed=direction is None,
        from_race=from_race,
        left_out=left_out,
    )


def _gaps(scores: Floats) -> NDArray[np.bool_]:
    """(n, m) which cells miss a score, or one of their repetitions."""
    missing: NDArray[np.bool_] = np.isnan(scores)
    return missing if scores.ndim == 2 else np.asarray(missing.any(axis=2))


def _frame_values(frame: Any) -> Any:
    try:
        return frame.to_numpy(dtype=np.float64, na_value=np.nan)
    except (TypeError, ValueError) as error:
        raise TableError(
            f"table: expected numbers in every column of the DataFrame: {error}; make the column "
            "of instance names its index: frame.set_index(...)"
        ) from error


def _as_numbers(data: Any) -> Floats:
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


def _check_direction(direction: str, source: str) -> None:
    if direction not in ("minimize", "maximize"):
        raise TableError(f"{source}: expected minimize or maximize, got {show(direction)}")


def _check_shape(table: Table) -> None:
    shape, expected = table.scores.shape, (len(table.instances), len(table.names))
    if len(shape) not in (2, 3) or shape[:2] != expected or 0 in shape[2:]:
        raise TableError(
            f"{table.source}: expected scores of shape {expected} for {expected[0]} instances and "
            f"{expected[1]} algorithms, got {shape}"
        )
    if expected[0] == 0:
        raise TableError(f"{table.source}: no instances: expected at least one row of scores")
    if expected[1] < 2:
        only = f" ({show(table.names[0])})" if table.names else ""
        raise TableError(
            f"{table.source}: a comparison needs at least two algorithms, got {expected[1]}{only}"
        )


def _check_distinct(labels: tuple[str, ...], what: str, source: str) -> None:
    twice = [label for label, count in Counter(labels).items() if count > 1]
    if twice:
        raise TableError(
            f"{source}: {what} names must differ, {show(twice[0])} stands for "
            f"{labels.count(twice[0])}; rename all but one"
        )


def _check_scores(table: Table) -> None:
    best = -np.inf if table.direction == "minimize" else np.inf
    worthless: NDArray[np.bool_] = np.isnan(table.scores) | np.equal(table.scores, best)
    wrong = np.argwhere(worthless)
    if not wrong.size:
        return
    at = wrong[0]
    cell = f"{table.names[at[1]]} on {table.instances[at[0]]}"
    if np.isnan(table.scores[tuple(at)]):
        raise TableError(f"{table.source}: {cell} is missing; see racing.compare.complete")
    raise TableError(
        f"{table.source}: {cell} is {best}, infinitely good where scores are {table.direction}d; "
        f"a failure is {-best}. If the direction is wrong, say "
        f"{'--maximize' if table.direction == 'minimize' else '--minimize'}"
    )


def _missing_cells(
    names: tuple[str, ...],
    instances: tuple[str, ...],
    gaps: NDArray[np.bool_],
    source: str,
    scores: Floats,
    from_race: bool,
) -> str:
    places = np.argwhere(gaps)
    some = "; ".join(f"{names[j]} on {instances[i]}" for i, j in places[:_NAMED])
    more = f"; and {len(places) - _NAMED} more" if len(places) > _NAMED else ""
    what = "cells are missing" + (", or some of their repetitions" if scores.ndim == 3 else "")
    rows, columns = int(gaps.any(axis=1).sum()), int(gaps.any(axis=0).sum())
    why = " (a race does not run what it has dropped)" if from_race else ""
    return (
        f"{source}: {len(places)} {what}{why}: {some}{more}. "
        f"Fill them, or leave out {rows} of {len(instances)} instances (--missing drop-instances) "
        f"or {columns} of {len(names)} algorithms (--missing drop-algorithms); "
        "a failure is no missing cell, write it as inf (-inf if higher is better)"
    )


def _check_rest(kept: NDArray[np.bool_], axis: int, source: str) -> None:
    what, least = ("instances", 1) if axis == 1 else ("algorithms", 2)
    if int(kept.sum()) < least:
        other = "drop-algorithms" if axis == 1 else "drop-instances"
        raise TableError(
            f"{source}: without the {what} that miss a cell {int(kept.sum())} of {kept.size} are "
            f"left, and {least} are needed; try --missing {other}, or fill the cells"
        )
