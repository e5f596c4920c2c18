"""The command `racing export`."""

from __future__ import annotations

import csv

from tests.runs_kit import calls


def test_export_writes_tables(racing, log, tmp_path):
    said = racing("export", log)
    assert said.code == 0
    files = said.out.splitlines()
    assert str(tmp_path / "log" / "outcomes.csv") in files
    with (tmp_path / "log" / "outcomes.csv").open() as file:
        assert len(list(csv.DictReader(file))) == len(calls(tmp_path))
    assert racing("export", log, "--to", tmp_path / "b", "--json").data["files"]
