"""Tables show the parameters that differ, in lines that fit."""

from __future__ import annotations

import pytest

from racing.cli.console import fit, table
from racing.cli.differences import differing, only


def test_what_differs_or_is_missing_somewhere() -> None:
    found = differing([{"a": 1, "b": 2, "c": 3}, {"a": 1, "b": 9}, {"a": 1, "b": 2, "c": 3}])
    assert found == {"b", "c"}
    assert only({"a": 1, "b": 2}, found) == {"b": 2}
    assert differing([{"a": 1}]) is None
    assert only({"a": 1}, None) == {"a": 1}


@pytest.mark.parametrize("columns", [50, 80, 120])
def test_rows_fit_and_only_the_last_column_is_cut(columns, monkeypatch, capsys) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    rows = [("candidate-1", 1234.5, "x=1 " * 40), ("#2", 2.0, "x=2")]
    table("Standing", ("candidate", ">mean", "values"), rows, cut_last=True)
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= columns
    assert any("candidate-1  1234.5  x=1" in line and line.endswith("…") for line in lines)
    assert len([line for line in lines if "x=" in line]) == 2
    assert len(fit("y" * 500)) == columns
    assert fit("short") == "short"
