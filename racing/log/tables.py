"""The contents of a log as tables of plain cells.

Scores are in the user's direction, costs always lower-is-better. A failure has the worst score:
inf, or -inf if scores are maximized. None, or NaN, means not run or no value. Columns keep their
names and order. The replayed race says which outcomes count.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from racing.base.quantities import Direction, score_of
from racing.core.experiment import Outcome
from racing.core.results import Results
from racing.core.view import View
from racing.log.log import Log
from racing.log.rows import metrics_of

Cell: TypeAlias = str | int | float | bool | None

_CANDIDATE = "id", "name", "parent", "origin", "entered"
_OUTCOME = (
    *("number", "candidate", "name", "step", "instance", "seed", "score", "cost"),
    *("seconds", "status", "attempts", "elapsed", "worker", "started", "counted", "message"),
    *("bound", "spent", "refused", "reused"),
)
_FRONT = "candidate", "name", "on_front", "dominated", "failures", "instances"
_GATE = "gate", "gate_statistic", "gate_threshold", "gate_p_value", "gate_passed"
_ELIMINATION = (
    *("verdict", "instances", "candidate", "name", "against", "reason"),
    *("measure", "value", "threshold", "statistic"),
)


@dataclass(frozen=True)
class Table:
    """Named columns, and rows of cells that can be read once; None is an empty cell."""

    columns: tuple[str, ...]
    rows: Iterable[tuple[Cell, ...]]


def candidates(log: Log, race: View) -> Table:
    """One row per candidate: id, name, parent, …, then all parameters.

    A parameter with the name of another column gets the prefix `parameter.`.
    """
    found = race.entrants
    names = list(dict.fromkeys(name for one in found for name in one.candidate.values))
    columns = (f"parameter.{name}" if name in _CANDIDATE else name for name in names)
    rows = (
        (
            *(one.candidate.id, str(one.candidate), one.candidate.parent, one.origin, one.entered),
            *(one.candidate.values.get(name) for name in names),
        )
        for one in found
    )
    return Table((*_CANDIDATE, *columns), rows)


def outcomes(log: Log, race: View) -> Table:
    """One row per outcome, in the order of commits; `counted` if the race used it.

    Where there are several metrics, each has a column with its score behind the others.
    """
    metrics = metrics_of(log.header)
    own = (f"metric.{name}" if name in _OUTCOME else name for name in metrics)
    return Table((*_OUTCOME, *own), _outcome_rows(log, race, metrics))


def _outcome_rows(
    log: Log, race: View, metrics: Mapping[str, Direction]
) -> Iterator[tuple[Cell, ...]]:
    names = {candidate.id: str(candidate) for candidate in race.candidates}
    instances = {instance.step: instance for instance in log.instances()}
    direction, results = log.header.direction, race.results
    column = {id: place for place, id in enumerate(results.candidates)}
    counted = ~np.isnan(results.costs)
    for number, each in enumerate(log.each_outcome(), start=1):
        instance = instances[each.step]
        closed = each.step < len(counted) and each.candidate in column
        yield (
            *(number, each.candidate, names[each.candidate], each.step, instance.name),
            *(instance.seed, score_of(each.cost, direction), each.cost, each.seconds),
            *(
                each.status.value,
                each.attempts,
                each.elapsed,
                each.worker or None,
                each.started or None,
            ),
            *(closed and bool(counted[each.step, column[each.candidate]]), each.message),
            each.bound,
            json.dumps(dict(each.spent)) if each.spent else None,
            each.refused,
            None if each.reused is None else each.reused.log,
            *_by_name(each, metrics).values(),
        )


def verdicts(log: Log, race: View) -> Table:
    """One row per verdict; the candidates that it dropped are in `eliminations`."""
    rows: list[tuple[Cell, ...]] = []
    for number, verdict in enumerate(race.verdicts, start=1):
        gate = verdict.gate
        numbers = (
            (gate.test, gate.statistic, gate.threshold, gate.p_value, gate.passed)
            if gate
            else (None,) * len(_GATE)
        )
        about = None if verdict.about is None else " ".join(map(str, verdict.about))
        left = len(verdict.eliminated)
        rows.append((number, verdict.instances, verdict.leader, left, about, *numbers))
    return Table(("verdict", "instances", "leader", "eliminated", "about", *_GATE), rows)


def eliminations(log: Log, race: View) -> Table:
    """One row per dropped candidate, in order."""
    names = {candidate.id: str(candidate) for candidate in race.candidates}
    rows: list[tuple[Cell, ...]] = [
        (
            *(number, verdict.instances, out.candidate, names[out.candidate], out.against),
            *(out.reason.value, out.measure, out.value, out.threshold, out.statistic),
        )
        for number, verdict in enumerate(race.verdicts, start=1)
        for out in verdict.eliminated
    ]
    return Table(_ELIMINATION, rows)


def matrix(log: Log, race: View) -> Table:
    """Scores that counted, a row per instance and a column per candidate.

    Dropped candidates have empty cells from then on. Equal names of columns or rows get the id or
    the seed added.
    """
    return _matrix(race, race.results, log.header.direction)


def metric_matrices(log: Log, race: View) -> dict[str, Table]:
    """The matrix of each metric, by the name of its file; none for one cost."""
    results = race.results
    return {
        f"matrix-{name}": _matrix(race, results.of(place), direction)
        for place, (name, direction) in enumerate(metrics_of(log.header).items())
        if results.metrics is not None
    }


def front(log: Log, race: View) -> dict[str, Table]:
    """The front, and what may be on it, by the name of its file; none without such an objective.

    `on_front` is the probability; `dominated` whether another survivor is better in all metrics.
    """
    goal = race.results.goal
    if goal is None or goal.kind != "front":
        return {}
    found = race.front_standing()
    own = (f"metric.{name}" if name in _FRONT else name for name in goal.names)
    rows = (
        (
            *(one.candidate.id, str(one.candidate), one.on_front, dominated),
            *(one.failures, one.instances, *one.metrics.values()),
        )
        for part, dominated in ((found.front, False), (found.maybe, True))
        for one in part
    )
    return {"front": Table((*_FRONT, *own), rows)}


def _matrix(race: View, results: Results, direction: Direction) -> Table:
    found = race.candidates
    labels = _distinct([str(c) for c in found], [f"#{c.id}" for c in found])
    place = {id: column for column, id in enumerate(results.candidates)}
    columns = [place.get(candidate.id) for candidate in found]
    rows = (
        (label, *(None if c is None else _cell(float(row[c]), direction) for c in columns))
        for label, row in zip(_labels(race, len(results.costs)), results.costs, strict=True)
    )
    return Table(("instance", *labels), rows)


TABLES = {
    "candidates": candidates,
    "outcomes": outcomes,
    "verdicts": verdicts,
    "eliminations": eliminations,
    "matrix": matrix,
}


def _cell(cost: float, direction: Direction) -> Cell:
    return None if cost != cost else score_of(cost, direction)


def _labels(race: View, rows: int) -> list[str]:
    instances = [race.instance(step) for step in range(rows)]
    seeds = [f"seed {instance.seed}" for instance in instances]
    return _distinct([instance.name for instance in instances], seeds)


def _distinct(names: Sequence[str], marks: Iterable[str]) -> list[str]:
    count = Counter(names)
    return [
        f"{name} ({mark})" if count[name] > 1 else name
        for name, mark in zip(names, marks, strict=True)
    ]


def _by_name(outcome: Outcome, metrics: Mapping[str, Direction]) -> dict[str, float]:
    """Metric → score; the worst possible one for a failure."""
    costs = outcome.metrics or (math.inf,) * len(metrics)
    pairs = zip(metrics.items(), costs, strict=True)
    return {name: cost if way == "minimize" else 0.0 - cost for (name, way), cost in pairs}
