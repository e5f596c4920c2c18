"""Tables of several metrics: about the same algorithms and instances, in the same order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

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
        If a table lacks an algorithm or an instance of another, or has a score that no mean can be
        made of, or there are too few instances.
    """
    for what in ("algorithm", "instance"):
        _check_same(tables, what)
    names = _shared(table.names for table in tables.values())
    instances = sorted(_shared(table.instances for table in tables.values()))
    _check_enough(tables, names, instances)
    found = {metric: _ordered(table, names, instances) for metric, table in tables.items()}
    for metric, table in found.items():
        _check_means(metric, table)
    return found


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


def _check_means(metric: str, table: ResultTable) -> None:
    if table.groups:
        raise TableError(
            f"{table.source}: several metrics are compared on independent instances; leave groups "
            "away, and give one row for each group, its mean"
        )
    wrong = np.argwhere(np.isinf(table.means))
    if len(wrong):
        row, column = wrong[0]
        cell = f"{table.names[column]} on {table.instances[row]}"
        raise TableError(
            f"{table.source}: {metric} of {cell} is a failure ({table.means[row, column]}), and "
            "several metrics are compared by means; write what a failure costs as a number in "
            "each metric, such as ten times the cutoff, or add a metric that counts failures"
        )
