"""A search with capping over a real program: sleeps are stopped at their bounds."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
import yaml

from racing.base.errors import TargetError
from racing.cli import main
from racing.log import SQLiteLog, replay
from racing.runner.run import resume, run
from racing.search import Search
from tests.runs_kit import write_search

SCENARIO = {
    "target": {"command": "sleep {x}", "cost": "time", "timeout": 1.5, "penalty": 10},
    "space": {"x": {"real": [0.001, 0.2], "log": True, "default": 0.1}},
    "search": {"capping": 1.1, "window": 6},  # so that some thirty runs are stopped
    "instances": {"list": ["a", "b"], "repeat": True},
    "budget": 120,
    "seed": 2,
    "execution": {"jobs": 3},
}


@pytest.fixture(scope="module")
def capped(tmp_path_factory: pytest.TempPathFactory) -> tuple[Search, Path]:
    """A search that has run, and its log."""
    folder = tmp_path_factory.mktemp("capped")
    (folder / "race.yaml").write_text(yaml.safe_dump(SCENARIO))
    search = run(folder / "race.yaml", log=folder / "log.sqlite")
    assert isinstance(search, Search)
    return search, folder / "log.sqlite"


def test_runs_are_stopped_at_their_bound_and_their_challengers_dropped(capped):
    search, log = capped
    with SQLiteLog.open(log, write=False) as book:
        outcomes, told = book.outcomes(), replay(book)
    stopped = [one for one in outcomes if one.censored]
    assert stopped
    assert all(one.cost == one.bound and one.seconds >= one.bound for one in stopped)
    assert not {one.candidate for one in stopped} & {one.id for one in search.elites}
    assert all(one.bound is None for one in outcomes if one.candidate == 1)
    assert search.winner is not None
    assert told.winner == search.winner
    assert told.verdicts == search.verdicts
    assert resume(log).winner == search.winner


def test_show_and_export_know_of_bounds(capped, tmp_path, capsys):
    _, log = capped
    assert main(["show", str(log)]) == 0
    assert "stopped at their bound" in capsys.readouterr().out
    assert main(["show", str(log), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert main(["export", str(log), "--to", str(tmp_path)]) == 0
    with (tmp_path / "outcomes.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["status"] == "censored"]
    assert len(rows) == shown["censored"] > 0
    assert shown["failures"] == 0
    assert all(float(row["bound"]) == float(row["cost"]) for row in rows)


def test_a_function_that_takes_no_bound_is_refused_before_the_run(tmp_path):
    scenario = write_search(tmp_path, search={"capping": 2})
    with pytest.raises(TargetError, match="needs a function that takes `bound`"):
        run(scenario, log=tmp_path / "log.sqlite")
    assert not (tmp_path / "log.sqlite").exists()
