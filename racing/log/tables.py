"""What a log holds, as tables of plain cells.

Scores are in the user's direction, costs always lower-is-better. A failure has the worst score
there is: inf, or -inf if scores are maximized. None, or NaN, is what was not run or has no value.
Columns keep their names and order. What counts is what the replayed race counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from racing.decider import Decider
from racing.log.log import Log
from racing.quantities import Direction

Cell: TypeAlias = str | int | float | bool | None

_CANDIDATE = "id", "name", "parent", "origin", "entered"
_OUTCOME = (
    *("number", "candidate", "name", "step", "instance", "seed", "score", "cost"),
    *("seconds", "status", "attempts", "elapsed", "worker", "started", "counted", "message"),
    "bound",
)
_GATE = "gate", "gate_statistic", "gate_threshold", "gate_p_value", "gate_passed"
_ELIMINATION = (
    *("verdict", "instances", "candidate", "name", "against", "reason"),
    *("measure", "value", "threshold", "statistic"),
)


@dataclass(frozen=True)
class Table:
    """Named columns and rows of cells, which may be read once; None is an empty cell."""

    columns: tuple[str, ...]
    rows: Iterable[tuple[Cell, ...]]


def score(cost: float, direction: Direction) -> float:
    """A cost as the score that the target gave."""
    return 0.0 - cost if direction == "maximize" else cost  # 0.0 - 0.0 is not -0.0


def candidates(log: Log, race: Decider) -> Table:
    """One row per candidate: id, name, parent, …, then every parameter that any of them has.

    A parameter that is called like one of the first columns has `parameter.` before its name.
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


def outcomes(log: Log, race: Decider) -> Table:
    """One row per outcome, in the order of their commits; `counted` if the race went by it."""
    return Table(_OUTCOME, _outcome_rows(log, race))


def _outcome_rows(log: Log, race: Decider) -> Iterator[tuple[Cell, ...]]:
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
            *(instance.seed, score(each.cost, direction), each.cost, each.seconds),
            *(
                each.status.value,
                each.attempts,
                each.elapsed,
                each.worker or None,
                each.started or None,
            ),
            *(closed and bool(counted[each.step, column[each.candidate]]), each.message),
            each.bound,
        )


def verdicts(log: Log, race: Decider) -> Table:
    """One row per verdict; who left by it is in `eliminations`."""
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


def eliminations(log: Log, race: Decider) -> Table:
    """One row per candidate that left the race, in that order."""
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


def matrix(log: Log, race: Decider) -> Table:
    """Scores that counted, a row per instance and a column per candidate.

    Dropped candidates have empty cells from then on. Where a name would stand for two columns or
    rows, the id or the seed is added to it.
    """
    found, results, direction = race.candidates, race.results, log.header.direction
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
    return None if cost != cost else score(cost, direction)


def _labels(race: Decider, rows: int) -> list[str]:
    instances = [race.instance(step) for step in range(rows)]
    seeds = [f"seed {instance.seed}" for instance in instances]
    return _distinct([instance.name for instance in instances], seeds)


def _distinct(names: Sequence[str], marks: Iterable[str]) -> list[str]:
    count = Counter(names)
    return [
        f"{name} ({mark})" if count[name] > 1 else name
        for name, mark in zip(names, marks, strict=True)
    ]
