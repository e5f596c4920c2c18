"""The tables of a document as CSV files."""

from __future__ import annotations

import csv
from pathlib import Path

from racing.answer.document import Document, TextTable, bare
from racing.base.errors import InputError
from racing.base.plain import harmless


def write_tables(document: Document, folder: str | Path) -> list[Path]:
    """Write the tables of a document into a folder: ranks.csv, comparisons.csv and others.

    Numbers are rounded as in the report; `--json` has them unrounded. A name that begins like a
    formula gets a ' before it, so that no spreadsheet computes it.

    Raises
    ------
    InputError
        If the folder or a file cannot be written.
    """
    folder = Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tables = [part for part in document if isinstance(part, TextTable)]
        return [_write(table, folder / f"{table.key}.csv") for table in tables]
    except OSError as error:
        raise InputError(f"{folder}: cannot be written: {error.strerror}") from error


def _write(table: TextTable, path: Path) -> Path:
    heads = [column.removeprefix(">") or "shown to differ" for column in table.columns]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(heads)
        writer.writerows(
            [harmless(bare(cell).replace("−", "-")) for cell in row] for row in table.rows
        )
    return path
