"""What a log holds, as tables of plain cells.

Scores are in the user's direction, costs always lower-is-better. A failure has the worst score
there is: inf, or -inf if scores are maximized. None, or NaN, is what was not run or has no value.
Columns keep their names and order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from racing.experiment import Instance
from racing.log.log import Log
from racing.quantities import Direction

Cell: TypeAlias = str | int | float | bool | None

_CANDIDATE = "id", "name", "parent"
_OUTCOME = (
    *("number", "candidate", "name", "step", "instance", "seed", "score", "cost"),
    *("seconds", "status", "attempts", "elapsed", "message"),
)
_GATE = "gate", "gate_statistic", "gate_threshold", "gate_p_value", "gate_passed"
_ELIMINATION = (
    *("verdict", "instances", "candidate", "name", "against", "reason"),
    *("measure", "value", "threshold", "statistic"),
)


@dataclass(frozen=True)
class Table:
    """Named columns and rows of cells; None is an empty cell."""

    columns: tuple[str, ...]
    rows: list[tuple[Cell, ...]]


def score(cost: float, direction: Direction) -> float:
    """A cost as the score that the target gave."""
    return 0.0 - cost if direction == "maximize" else cost  # 0.0 - 0.0 is not -0.0


def candidates(log: Log) -> Table:
    """One row per candidate: id, name, parent, then every parameter that any of them has.

    A parameter that is called like one of the first three has `parameter.` before its name.
    """
    found = log.candidates()
    names = list(dict.fromkeys(name for candidate in found for name in candidate.values))
    columns = (f"parameter.{name}" if name in _CANDIDATE else name for name in names)
    rows = [
        (each.id, str(each), each.parent, *(each.values.get(name) for name in names))
        for each in found
    ]
    return Table((*_CANDIDATE, *columns), rows)


def outcomes(log: Log) -> Table:
    """One row per outcome, in the order of their commits."""
    found = log.outcomes()  # first: what they refer to was there before them
    names = {candidate.id: str(candidate) for candidate in log.candidates()}
    instances = {instance.step: instance for instance in log.instances()}
    direction = log.header.direction
    rows: list[tuple[Cell, ...]] = []
    for number, each in enumerate(found, start=1):
        instance = instances[each.step]
        what = number, each.candidate, names[each.candidate], each.step, instance.name
        result = instance.seed, score(each.cost, direction), each.cost, each.seconds
        how = each.status.value, each.attempts, each.elapsed, each.message
        rows.append((*what, *result, *how))
    return Table(_OUTCOME, rows)


def verdicts(log: Log) -> Table:
    """One row per verdict; who left by it is in `eliminations`."""
    rows: list[tuple[Cell, ...]] = []
    for number, verdict in enumerate(log.verdicts(), start=1):
        gate = verdict.gate
        numbers = (
            (gate.test, gate.statistic, gate.threshold, gate.p_value, gate.passed)
            if gate
            else (None,) * len(_GATE)
        )
        left = len(verdict.eliminated)
        rows.append((number, verdict.instances, verdict.leader, left, *numbers))
    return Table(("verdict", "instances", "leader", "eliminated", *_GATE), rows)


def eliminations(log: Log) -> Table:
    """One row per candidate that left the race, in that order."""
    verdicts = log.verdicts()
    names = {candidate.id: str(candidate) for candidate in log.candidates()}
    rows: list[tuple[Cell, ...]] = [
        (
            *(number, verdict.instances, out.candidate, names[out.candidate], out.against),
            *(out.reason.value, out.measure, out.value, out.threshold, out.statistic),
        )
        for number, verdict in enumerate(verdicts, start=1)
        for out in verdict.eliminated
    ]
    return Table(_ELIMINATION, rows)


def matrix(log: Log) -> Table:
    """Scores, a row per instance and a column per candidate: what a comparison reads.

    Dropped candidates have empty cells from then on. Where a name would stand for two columns or
    rows, the id or the seed is added to it.
    """
    direction = log.header.direction
    cells = {each.key: score(each.cost, direction) for each in log.outcomes()}
    found, instances = log.candidates(), log.instances()
    labels = _distinct([str(c) for c in found], [f"#{c.id}" for c in found])
    rows = [
        (label, *(cells.get((candidate.id, instance.step)) for candidate in found))
        for label, instance in zip(_labels(instances), instances, strict=True)
    ]
    return Table(("instance", *labels), rows)


TABLES = {
    "candidates": candidates,
    "outcomes": outcomes,
    "verdicts": verdicts,
    "eliminations": eliminations,
    "matrix": matrix,
}


def _labels(instances: Sequence[Instance]) -> list[str]:
    seeds = [f"seed {instance.seed}" for instance in instances]
    return _distinct([instance.name for instance in instances], seeds)


def _distinct(names: Iterable[str], marks: Iterable[str]) -> list[str]:
    names = list(names)
    count = Counter(names)
    return [
        f"{name} ({mark})" if count[name] > 1 else name
        for name, mark in zip(names, marks, strict=True)
    ]
