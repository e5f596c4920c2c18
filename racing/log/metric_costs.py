"""The costs of several metrics in a log: a row for each metric and outcome, with a checksum.

A log without metrics has none of these tables; a failed run has no rows.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from typing import Any

from racing.base.quantities import Direction
from racing.core.experiment import Outcome
from racing.log import rows
from racing.log.log import Header

COLUMNS = "outcome, metric, cost, checksum"
INSERT = f"INSERT INTO metric_cost ({COLUMNS}) VALUES (?, ?, ?, ?)"


def metrics_of(header: Header) -> dict[str, Direction]:
    """Name → direction of each metric in a scenario, in their order; empty for one cost."""
    found: Any = header.scenario.get("metrics") or {}
    return {name: one.get("direction", "minimize") for name, one in found.items()}


def metric_rows(header: Header) -> list[rows.Row]:
    """The rows of the table `metric`, without checksums."""
    named = enumerate(metrics_of(header).items())
    return [(place, rows.text(name), direction) for place, (name, direction) in named]


def cost_rows(number: int, outcome: Outcome) -> Iterator[rows.Row]:
    """The rows of an outcome with this number; each with its checksum."""
    for place, cost in enumerate(outcome.metrics):
        row = number, place, float(cost) + 0.0
        yield *row, rows.checksum(row)


def joined(
    outcomes: Iterable[tuple[int, Outcome]], costs: sqlite3.Cursor, several: int
) -> Iterator[Outcome]:
    """Outcomes with the costs of their metrics; both come in the order of their numbers.

    Raises
    ------
    ValueError
        If a row was changed, is missing, or belongs to no outcome.
    """
    groups = groupby(map(_checked, costs), key=lambda row: row[0])
    number, group = next(groups, (None, iter(())))
    for own, outcome in outcomes:
        found: tuple[float, ...] = ()
        if number == own:
            places, found = zip(*((place, cost) for _, place, cost in group), strict=True)
            if places != tuple(range(several)):
                raise ValueError(f"outcome {own} has the metrics {places}, of {several}")
            number, group = next(groups, (None, iter(())))
        elif math.isfinite(outcome.cost):
            raise ValueError(f"outcome {own} has no metrics, and did not fail")
        yield replace(outcome, metrics=found) if found else outcome
    if number is not None:
        raise ValueError(f"there are metrics of an outcome {number}, which is not there")


def _checked(row: rows.Row) -> tuple[int, int, float]:
    outcome, metric, cost, checksum = row
    if checksum != rows.checksum(row[:-1]):
        raise ValueError(f"metric {metric} of outcome {outcome} is not what was written")
    return outcome, metric, rows.real(cost)


def by_name(outcome: Outcome, metrics: Mapping[str, Direction]) -> dict[str, float]:
    """Metric → score; the worst possible one for a failure."""
    costs = outcome.metrics or (math.inf,) * len(metrics)
    pairs = zip(metrics.items(), costs, strict=True)
    return {name: cost if way == "minimize" else 0.0 - cost for (name, way), cost in pairs}
