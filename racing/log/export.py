"""Exports a log to CSV files, one per table, and to one JSON document.

A failure has the score `inf` (`-inf` if scores are maximized), in JSON as text. An empty cell, or
null, means not run or no value. Rows are written as they are read, so a long log needs little
memory.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TextIO

from racing.base.errors import LogError
from racing.base.plain import harmless, json_text
from racing.core.decider import Entrant
from racing.core.view import View
from racing.log.log import Log
from racing.log.replay import replay
from racing.log.tables import TABLES, Cell, Table, front, metric_matrices


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


def as_data(log: Log) -> dict[str, Any]:
    """The whole log as plain data for `racing.base.plain.jsonable`."""
    with log.snapshot():
        return {name: part if isinstance(part, dict) else list(part) for name, part in _parts(log)}


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
            files = []
            tables = {name: table(log, race) for name, table in TABLES.items()}
            tables |= metric_matrices(log, race) | front(log, race)
            for name, found in tables.items() if "csv" in formats else ():
                files.append(_write(folder / f"{name}.csv", _writer(found, raw)))
            if "json" in formats:
                files.append(_write(folder / "run.json", lambda file: _write_json(log, race, file)))
            return files
    except OSError as error:
        raise LogError(f"cannot export to {folder}: {error.strerror}") from error


def _writer(table: Table, raw: bool) -> Callable[[TextIO], None]:
    return lambda file: write_csv(table, file, raw=raw)


def _write_json(log: Log, race: View, file: TextIO) -> None:
    """Write the parts one after the other; a list has one row per line."""
    opening = "{\n"
    for name, part in _parts(log, race):
        file.write(f'{opening}  "{name}": ')
        opening = ",\n"
        if isinstance(part, dict):
            file.write(json_text(part, indent=None))
            continue
        between = "[\n    "
        for row in part:
            file.write(between + json_text(row, indent=None))
            between = ",\n    "
        file.write("[]" if between.startswith("[") else "\n  ]")
    file.write("\n}\n")


def _parts(
    log: Log, race: View | None = None
) -> Iterator[tuple[str, dict[str, Any] | Iterable[dict[str, Any]]]]:
    race = race or replay(log)
    winner = race.winner if race.done else None
    yield (
        "run",
        {
            **asdict(log.header),
            "elapsed": log.elapsed,
            "stopped": None if race.stopped is None else str(race.stopped),
            "winner": None if winner is None else winner.id,
        },
    )
    yield "target_files", [asdict(file) for file in log.target_files()]
    yield "candidates", [_candidate(entrant) for entrant in race.entrants]
    for name in ("outcomes", "verdicts", "eliminations"):
        table = TABLES[name](log, race)
        yield name, _rows(table)
    for name, table in front(log, race).items():
        yield name, _rows(table)


def _rows(table: Table) -> Iterator[dict[str, Any]]:
    return (dict(zip(table.columns, row, strict=True)) for row in table.rows)


def _candidate(entrant: Entrant) -> dict[str, Any]:
    candidate = entrant.candidate
    return {
        "id": candidate.id,
        "name": str(candidate),
        "parent": candidate.parent,
        "origin": entrant.origin,
        "draw": list(entrant.draw),
        "entered": entrant.entered,
        "values": dict(candidate.values),
    }


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
