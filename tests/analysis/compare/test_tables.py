"""Tables as CSV files."""

from __future__ import annotations

import csv

from racing.analysis.compare.report import document
from racing.analysis.compare.tables import write_tables


def test_csv_files_hold_every_row_and_no_formula(nasty, tmp_path):
    ranks, comparisons = write_tables(document(nasty, most_rows=None), tmp_path / "out")
    with comparisons.open(encoding="utf-8") as file:
        assert len(list(csv.reader(file))) == 1 + 45
    with ranks.open(encoding="utf-8") as file:
        names = [row[0] for row in list(csv.reader(file))[1:]]
    assert "'=1+1" in names
    assert "'--opt" in names
    assert "1e5" in names
