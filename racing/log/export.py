"""The contents of a log as tables of plain cells, as CSV files, and as one JSON document.

Scores are in the user's direction, costs always lower-is-better. A failure has the worst score:
inf, or -inf if scores are maximized, in JSON as text. None, NaN or an empty cell means not run or
no value. Columns keep their names and order. The replayed race says which outcomes count. Rows are
written as they are read, so a long log needs little memory.
"""

from __future__ import annotations

import csv
import io
import json
import math
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, TextIO, TypeAlias

import numpy as np

from racing.base.errors import LogError
from racing.base.plain import harmless, json_text
from racing.base.quantities import Direction, score_of
from racing.core.experiment import Outcome
from racing.core.results import Results
from racing.core.view import View
from racing.log.log import Log
from racing.log.replay import replay
from racing.log.rows import metrics_of

Cell: TypeAlias = str | int | float | bool | None

_CANDIDATE = "id", "name", "parent", "origin", "entered"
_OUTCOME = (
    *("number", "candidate", "name", "step", "instance", "seed", "score", "cost"),
    *("seconds", "status", "attempts", "elapsed", "worker", "started", "counted", "message"),
    *("bound", "spent", "refused", "reused"),
)
_FRONT = "candidate", "name", "on_front", "dominated", "failures", "instances"
_GATE = "test", "statistic", "threshold", "p_value", "passed"
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
    rows = (
        (
            *(one.candidate.id, str(one.candidate), one.candidate.parent, one.origin, one.entered),
            *(one.candidate.values.get(name) for name in names),
        )
        for one in found
    )
    return Table((*_CANDIDATE, *_beside(_CANDIDATE, names, "parameter")), rows)


def outcomes(log: Log, race: View) -> Table:
    """One row per outcome, in the order of commits; `counted` if the race used it.

    Where there are several metrics, each has a column with its score behind the others.
    """
    metrics = metrics_of(log.header)
    rows = _outcome_rows(log, race, metrics)
    return Table((*_OUTCOME, *_beside(_OUTCOME, metrics, "metric")), rows)


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
            number, each.candidate, names[each.candidate], each.step, instance.name, instance.seed,
            score_of(each.cost, direction), each.cost, each.seconds, each.status.value,
            each.attempts, each.elapsed, each.worker or None, each.started or None,
            closed and bool(counted[each.step, column[each.candidate]]), each.message, each.bound,
            json.dumps(dict(each.spent)) if each.spent else None, each.refused,
            None if each.reused is None else each.reused.log, *_by_name(each, metrics).values(),
        )  # fmt: skip


def verdicts(log: Log, race: View) -> Table:
    """One row per verdict; the candidates that it dropped are in `eliminations`."""
    rows = (
        (
            *(number, verdict.instances, verdict.leader, len(verdict.eliminated)),
            None if verdict.about is None else " ".join(map(str, verdict.about)),
            *(getattr(verdict.gate, name, None) for name in _GATE),
        )
        for number, verdict in enumerate(race.verdicts, start=1)
    )
    gate = ("gate", *(f"gate_{name}" for name in _GATE[1:]))
    return Table(("verdict", "instances", "leader", "eliminated", "about", *gate), rows)


def eliminations(log: Log, race: View) -> Table:
    """One row per dropped candidate, in order."""
    names = {candidate.id: str(candidate) for candidate in race.candidates}
    rows = (
        (
            *(number, verdict.instances, out.candidate, names[out.candidate], out.against),
            *(out.reason.value, out.measure, out.value, out.threshold, out.statistic),
        )
        for number, verdict in enumerate(race.verdicts, start=1)
        for out in verdict.eliminated
    )
    return Table(_ELIMINATION, rows)


def matrix(log: Log, race: View) -> Table:
    """Scores that counted, a row per instance and a column per candidate.

    Dropped candidates have empty cells from then on. Equal names of columns or rows get the id or
    the seed added.
    """
    return _matrix(race, race.results, log.header.direction)


TABLES = {
    "candidates": candidates,
    "outcomes": outcomes,
    "verdicts": verdicts,
    "eliminations": eliminations,
    "matrix": matrix,
}
"""The tables that every log has, by the names of their files."""


def metric_matrices(log: Log, race: View) -> dict[str, Table]:
    """The matrix of each metric, by the name of its file; none for one cost."""
    results = race.results
    return {
        f"matrix-{name}": _matrix(race, results.of(place), direction)
        for place, (name, direction) in enumerate(metrics_of(log.header).items())
        if results.metrics is not None
    }


def front(race: View) -> dict[str, Table]:
    """The front, and what may be on it, by the name of its file; none without such an objective.

    `on_front` is the probability; `dominated` whether another survivor is better in all metrics.
    """
    goal = race.results.goal
    if goal is None or goal.kind != "front":
        return {}
    found = race.front_standing()
    rows = (
        (
            *(one.candidate.id, str(one.candidate), one.on_front, dominated),
            *(one.failures, one.instances, *one.metrics.values()),
        )
        for part, dominated in ((found.front, False), (found.maybe, True))
        for one in part
    )
    return {"front": Table((*_FRONT, *_beside(_FRONT, goal.names, "metric")), rows)}


def _beside(known: Sequence[str], names: Iterable[str], kind: str) -> list[str]:
    """Names of columns, with a prefix where there is such a column already."""
    return [f"{kind}.{name}" if name in known else name for name in names]


def _matrix(race: View, results: Results, direction: Direction) -> Table:
    found, instances = race.candidates, [race.instance(step) for step in range(len(results.costs))]
    columns = _distinct([str(one) for one in found], [f"#{one.id}" for one in found])
    labels = _distinct([one.name for one in instances], [f"seed {one.seed}" for one in instances])
    costs = dict(zip(results.candidates, results.costs.T.tolist(), strict=True))
    rows = (
        (label, *(_score(costs[one.id][step], direction) if one.id in costs else None
                  for one in found))
        for step, label in enumerate(labels)
    )  # fmt: skip
    return Table(("instance", *columns), rows)


def _score(cost: float, direction: Direction) -> Cell:
    return None if cost != cost else score_of(cost, direction)


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
    return {name: score_of(cost, direction) for (name, direction), cost in pairs}


def as_csv(table: Table, *, raw: bool = False) -> str:
    """A table as CSV; see `write_csv`."""
    file = io.StringIO()
    write_csv(table, file, raw=raw)
    return file.getvalue()


def write_csv(table: Table, file: TextIO, *, raw: bool = False) -> None:
    """Write CSV as in RFC 4180, with line feeds as line ends.

    Parameters
    ----------
    raw
        Whether text is written unchanged. By default, text that a spreadsheet would read as a
        formula gets an apostrophe.
    """
    cell = _cell if raw else _harmless
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(map(cell, table.columns))
    writer.writerows(map(cell, row) for row in table.rows)


def export(
    log: Log, folder: str | Path, *, formats: Sequence[str] = ("csv", "json"), raw: bool = False
) -> list[Path]:
    """Write a log as CSV files (one per table) and as `run.json`; returns the files' paths.

    All files show the log at the same moment; each is written completely or not at all.

    Parameters
    ----------
    raw
        See `write_csv`.

    Raises
    ------
    LogError
        If the folder cannot be written, or the log cannot be replayed.
    """
    folder = Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with log.snapshot():
            race = replay(log)
            tables = {name: table(log, race) for name, table in TABLES.items()}
            tables |= metric_matrices(log, race) | front(race)
            writers = {f"{name}.csv": partial(write_csv, one, raw=raw)
                       for name, one in tables.items() if "csv" in formats}  # fmt: skip
            files = [_write(folder / name, write) for name, write in writers.items()]
            if "json" in formats:
                files.append(_write(folder / "run.json", partial(_write_json, log, race)))
            return files
    except OSError as error:
        raise LogError(f"cannot export to {folder}: {error.strerror}") from error


def _write_json(log: Log, race: View, file: TextIO) -> None:
    """Write the parts one after the other; a list has one row per line."""
    winner = race.winner if race.done else None
    run = {
        **asdict(log.header),
        "elapsed": log.elapsed,
        "stopped": None if race.stopped is None else str(race.stopped),
        "winner": None if winner is None else winner.id,
    }
    file.write(f'{{\n  "run": {json_text(run, indent=None)}')
    for name, rows in _lists(log, race):
        file.write(f',\n  "{name}": ')
        between = "[\n    "
        for row in rows:
            file.write(between + json_text(row, indent=None))
            between = ",\n    "
        file.write("[]" if between.startswith("[") else "\n  ]")
    file.write("\n}\n")


def _lists(log: Log, race: View) -> Iterator[tuple[str, Iterable[dict[str, Any]]]]:
    yield "target_files", map(asdict, log.target_files())
    yield (
        "candidates",
        (
            {
                "id": one.id,
                "name": str(one),
                "parent": one.parent,
                "origin": entrant.origin,
                "draw": list(entrant.draw),
                "entered": entrant.entered,
                "values": dict(one.values),
            }
            for entrant in race.entrants
            for one in [entrant.candidate]
        ),
    )
    tables = {name: TABLES[name](log, race) for name in ("outcomes", "verdicts", "eliminations")}
    for name, table in (tables | front(race)).items():
        yield name, (dict(zip(table.columns, row, strict=True)) for row in table.rows)


def _cell(cell: Cell) -> Cell:
    if cell is True or cell is False:
        return "true" if cell else "false"
    return None if cell != cell else cell  # NaN


def _harmless(cell: Cell) -> Cell:
    """A cell that no spreadsheet reads as a formula; numbers do not change."""
    return harmless(cell) if isinstance(cell, str) else _cell(cell)


def _write(path: Path, write: Callable[[TextIO], None]) -> Path:
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with draft.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    return path
