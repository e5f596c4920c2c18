"""Tables of several metrics: about the same algorithms, instances and failures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from racing.analysis.compare.result_table import ResultTable
from racing.base.errors import TableError, show
from racing.base.words import listed

MOST = 5  # names in a message


def agreeing(tables: Mapping[str, ResultTable]) -> dict[str, ResultTable]:
    """The tables with rows and columns in one order: columns as in the first, rows by name.

    What one table has left out for a missing cell is left out of all.

    Raises
    ------
    TableError
        If a table lacks an algorithm or an instance of another, or its instances come in groups,
        or there are too few instances.
    """
    for what in ("algorithm", "instance"):
        _check_same(tables, what)
    names = _shared(table.names for table in tables.values())
    instances = sorted(_shared(table.instances for table in tables.values()))
    _check_enough(tables, names, instances)
    found = {metric: _ordered(table, names, instances) for metric, table in tables.items()}
    for table in found.values():
        _check_independent(table)
    return found


def failures(tables: Mapping[str, ResultTable]) -> NDArray[np.bool_]:
    """(n, m) who failed where: a run that failed in one metric failed in all.

    Raises
    ------
    TableError
        If no algorithm ran on two instances.
    """
    failed = np.isinf(np.stack([table.means for table in tables.values()], axis=2)).any(axis=2)
    if (~failed).sum(axis=0).max() < 2:
        source = next(iter(tables.values())).source
        raise TableError(
            f"{source}: every algorithm failed on all instances, or on all but one, and means need "
            "two without a failure; add instances"
        )
    return np.asarray(failed)


def contradictions(tables: Mapping[str, ResultTable]) -> tuple[int, str]:
    """In how many runs a metric is a failure and another a number, and the first in words."""
    infinite = np.isinf(np.stack([table.means for table in tables.values()], axis=2))
    apart = np.argwhere(infinite.any(axis=2) & ~infinite.all(axis=2))
    if not len(apart):
        return 0, ""
    (row, column), metrics = apart[0].tolist(), tuple(tables)
    own, first = infinite[row, column], next(iter(tables.values()))
    return len(apart), (
        f"{first.names[column]} on {first.instances[row]} failed in {metrics[own.argmax()]}, not "
        f"in {metrics[own.argmin()]}"
    )


def _check_same(tables: Mapping[str, ResultTable], what: str) -> None:
    labels = {
        metric: table.names if what == "algorithm" else table.instances
        for metric, table in tables.items()
    }
    for metric, table in tables.items():
        known = {*labels[metric], *table.left_out}
        for other, theirs in labels.items():
            lacking = [show(label) for label in theirs if label not in known]
            if lacking:
                raise TableError(
                    f"{table.source}: the table of {metric} has no {what} {listed(lacking, MOST)}, "
                    f"which that of {other} has ({tables[other].source}); all metrics need the "
                    f"same {what}s: add what is missing, or leave it out of the other"
                )


def _shared(lists: Iterable[tuple[str, ...]]) -> list[str]:
    first, *others = lists
    rest = [set(other) for other in others]
    return [label for label in first if all(label in other for other in rest)]


def _check_enough(
    tables: Mapping[str, ResultTable], names: list[str], instances: list[str]
) -> None:
    source = next(iter(tables.values())).source
    if len(names) < 2:
        raise TableError(
            f"{source}: {len(names)} algorithms have a score in every metric, and a comparison "
            "needs two; fill missing cells, or leave out instances (--missing drop-instances)"
        )
    if len(instances) < 2:
        raise TableError(
            f"{source}: {len(instances)} instances have a score in every metric, and means need at "
            "least two; add instances, or fill missing cells"
        )


def _ordered(table: ResultTable, names: list[str], instances: list[str]) -> ResultTable:
    rows = [table.instances.index(one) for one in instances]
    columns = [table.names.index(one) for one in names]
    return replace(
        table, names=tuple(names), instances=tuple(instances),
        scores=table.scores[np.ix_(rows, columns)],
    )  # fmt: skip


def _check_independent(table: ResultTable) -> None:
    if table.groups:
        raise TableError(
            f"{table.source}: several metrics are compared on independent instances; leave out "
            "groups, and give one row for each group, its mean"
        )
