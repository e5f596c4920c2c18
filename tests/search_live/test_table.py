"""The table to be repeated: what is stored is not run again, and its runs are as elsewhere."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.search_live import measure, table
from tests.search_live.test_search_live import a_run


def test_what_is_stored_is_not_run_again() -> None:
    cases = [("scipy", "racing", 60, 0), ("scipy", "racing", 60, 1), ("hgs", "racing", 60, 0)]
    assert table.missing(cases, []) == cases
    assert table.missing(cases, [a_run(), a_run(target="hgs", seed=1)]) == cases[1:]


def test_a_process_of_its_own_comes_to_the_same() -> None:
    (run,) = table.runs([("scipy", "racing", 20, 0)], workers=1)
    here = measure.run("scipy", "racing", budget=20, seed=0)
    assert replace(run, processor=0, wall=0) == replace(here, processor=0, wall=0)


def test_the_table_names_machine_versions_and_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "runs.csv"
    default = a_run(contender="default", budget=0)
    list(measure.save([default, a_run(), a_run(contender="optuna", cost=1.5)], file))
    monkeypatch.setattr(table, "SHORT", ((60,), range(1), file))
    monkeypatch.setattr(table, "CONTENDERS", ("racing", "optuna"))
    monkeypatch.setattr(table, "TARGETS", ("scipy",))
    table.main([])
    written = (tmp_path / "table.md").read_text()
    assert capsys.readouterr().out == written
    assert (
        "| scipy | 60 | Optuna, WilcoxonPruner | 1 | – | 1.500 | 0.500 | – | 0 (–) | +0.500 |"
        in written
    )
    assert re.search(r"\d+ cores; Python 3\.\d+\.\d+, racing \d", written)
    assert "Made by `make table`." in written
