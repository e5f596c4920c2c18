"""Tables as CSV files."""

from __future__ import annotations

import csv

from racing.answer.document import Paragraph, TextTable, quoted
from racing.answer.tables import write_tables

NAMES = ("=1+1", "--opt", "1e5", "−3", "a,b")


def test_csv_files_hold_every_row_and_no_formula(tmp_path):
    said = (
        Paragraph("Not a table."),
        TextTable("ranks", (">name", ""), tuple((quoted(name), "*") for name in NAMES)),
    )
    (ranks,) = write_tables(said, tmp_path / "out")
    assert ranks.name == "ranks.csv"
    with ranks.open(encoding="utf-8") as file:
        head, *rows = csv.reader(file)
    assert head == ["name", "shown to differ"]
    assert [row[0] for row in rows] == ["'=1+1", "'--opt", "1e5", "-3", "a,b"]
