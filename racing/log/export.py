"""A log for other programs: CSV files, one per table, and one JSON document.

What fails has the score `inf` (`-inf` if scores are maximized) in CSV and null in JSON, which has
no infinities. An empty cell, or null, is what was not run or has no value.
"""

from __future__ import annotations

import csv
import io
import json
import math
import os
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from racing.candidate import Candidate
from racing.errors import LogError
from racing.log.log import Log
from racing.log.tables import TABLES, Cell, Table


def as_csv(table: Table) -> str:
    """CSV as RFC 4180 has it, but for lines that end in a line feed; text in UTF-8."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows(map(_csv_cell, row) for row in table.rows)
    return file.getvalue()


def as_data(log: Log) -> dict[str, Any]:
    """The whole log as plain data that JSON can hold."""
    with log.snapshot():
        finish = log.finished
        data = {
            "run": {
                **asdict(log.header),
                "elapsed": log.elapsed,
                "stopped": finish.stopped if finish else None,
                "winner": finish.winner if finish else None,
            },
            "target_files": [asdict(file) for file in log.target_files()],
            "candidates": [_candidate(candidate) for candidate in log.candidates()],
        }
        for name in ("outcomes", "verdicts", "eliminations"):
            table = TABLES[name](log)
            data[name] = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    plain: dict[str, Any] = _without_infinities(data)
    return plain


def export(log: Log, folder: str | Path, *, formats: Sequence[str] = ("csv", "json")) -> list[Path]:
    """Write a log as CSV files (one per table) and as `run.json`; returns the files' paths.

    All files show the log at one moment, and each appears whole or not at all.

    Raises
    ------
    LogError
        If the folder cannot be written.
    """
    folder = Path(folder)
    texts: dict[str, str] = {}
    with log.snapshot():
        if "csv" in formats:
            texts.update({f"{name}.csv": as_csv(table(log)) for name, table in TABLES.items()})
        if "json" in formats:
            texts["run.json"] = json.dumps(as_data(log), indent=2, ensure_ascii=False) + "\n"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return [_write(folder / name, text) for name, text in texts.items()]
    except OSError as error:
        raise LogError(f"cannot export to {folder}: {error.strerror}") from error


def _candidate(candidate: Candidate) -> dict[str, Any]:
    values = dict(candidate.values)
    return {
        "id": candidate.id,
        "name": str(candidate),
        "parent": candidate.parent,
        "values": values,
    }


def _csv_cell(cell: Cell) -> Cell:
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return None if isinstance(cell, float) and math.isnan(cell) else cell


def _without_infinities(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _without_infinities(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_without_infinities(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data


def _write(path: Path, text: str) -> Path:
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with draft.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    return path
