"""The matrix of costs that logs know: what counted, each candidate and each instance once."""

from __future__ import annotations

import shutil

import numpy as np
import pytest
import yaml

from racing.analysis.portfolio.table import read_costs
from racing.base.errors import InputError, LogError
from racing.log import SQLiteLog, replay
from racing.runner.loop import RunOptions
from racing.runner.run import run
from tests.analysis.portfolio.kit import kinds_log, write_kinds
from tests.runs_kit import write_scenario, write_search


def changed(path, name, **parts):
    """The same scenario with other parts, beside it."""
    told = {**yaml.safe_load(path.read_text()), **parts}
    other = path.with_name(name)
    other.write_text(yaml.safe_dump(told))
    return other


def test_it_is_what_counted_in_the_race(tmp_path):
    log = kinds_log(tmp_path)
    with SQLiteLog.open(log, write=False) as book:
        race = replay(book)
    known = read_costs([log])
    shared = (~np.isnan(race.results.costs)).sum(axis=1) > 1
    np.testing.assert_array_equal(known.costs, race.results.costs[shared])
    assert [str(one) for one in known.candidates] == [f"#{k}" for k in range(1, 7)]
    assert known.instances[0].family in ("sat", "php", "k")
    assert (known.default, known.objective) == (0, "mean")


def test_the_number_of_workers_changes_nothing(tmp_path):
    scenario = changed(write_kinds(tmp_path), "more.yaml", execution={"engine": "threading"})
    for jobs in (1, 4):
        run(scenario, log=tmp_path / f"{jobs}.sqlite", options=RunOptions(jobs=jobs))
    one, four = (read_costs([tmp_path / f"{jobs}.sqlite"]) for jobs in (1, 4))
    np.testing.assert_array_equal(one.costs, four.costs)
    assert one.instances == four.instances


def test_candidates_and_instances_of_two_logs_are_joined(tmp_path):
    scenario = write_kinds(tmp_path)
    run(scenario, log=tmp_path / "a.sqlite")
    candidates = {"list": [{"x": 2}, {"x": 5}, {"x": 0}]}
    run(
        changed(scenario, "b.yaml", candidates=candidates, rule="none", budget=200),
        log=tmp_path / "b.sqlite",
    )
    a, b = (read_costs([tmp_path / f"{name}.sqlite"]) for name in "ab")
    both = read_costs([tmp_path / "a.sqlite", tmp_path / "b.sqlite"])
    assert [one.values["x"] for one in both.candidates] == [0, 1, 2, 3, 4, 5]
    assert len(both.instances) == len(b.instances) == len(a.instances) == 48
    row = {
        (one.name, one.seed): costs for one, costs in zip(both.instances, both.costs, strict=True)
    }
    for one, costs in zip(b.instances, b.costs, strict=True):
        assert [row[one.name, one.seed][x] for x in (2, 5, 0)] == costs.tolist()
    again = read_costs([tmp_path / "a.sqlite", tmp_path / "a.sqlite"])
    np.testing.assert_array_equal(again.costs, a.costs)


def test_a_search_is_read_with_all_that_it_tried(tmp_path):
    log = tmp_path / "log.sqlite"
    search = run(write_search(tmp_path), log=log)
    known = read_costs([log])
    assert len(known.candidates) == len(search.candidates)
    assert (~np.isnan(known.costs)).sum(axis=1).min() >= 2


def test_logs_of_other_targets_objectives_or_instances_are_refused(tmp_path):
    scenario = write_kinds(tmp_path)
    log = tmp_path / "a.sqlite"
    run(scenario, log=log)
    (tmp_path / "other.py").write_text((tmp_path / "target.py").read_text())
    others = {
        "its target is another": {"target": {"python": "other.py:solve"}},
        "its objective is another": {"objective": "rank"},
        "its direction is another": {"direction": "maximize"},
        "it shares no instance": {"seed": 99},
    }
    for k, (said, parts) in enumerate(others.items()):
        other = tmp_path / f"b{k}.sqlite"
        run(changed(scenario, f"{k}.yaml", **parts), log=other)
        with pytest.raises(InputError, match=said):
            read_costs([log, other])


def test_what_holds_no_matrix_is_refused(tmp_path):
    with pytest.raises(InputError, match="name the log"):
        read_costs([])
    with pytest.raises(LogError):
        read_costs([tmp_path / "none.sqlite"])
    log = tmp_path / "one.sqlite"
    run(write_scenario(tmp_path, candidates=1), log=log)
    with pytest.raises(InputError, match="no two candidates ran on the same instance"):
        read_costs([log])


def test_what_stopped_at_a_bound_has_no_cost(tmp_path):
    log = kinds_log(tmp_path)
    copy = shutil.copy(log, tmp_path / "copy.sqlite")
    with SQLiteLog.open(log, write=False) as book:
        first = book.outcomes()[0]
    known = read_costs([log])
    assert known.censored == 0
    assert known.costs[first.step, first.candidate - 1] == first.cost
    assert read_costs([copy]).files == known.files != ()


@pytest.mark.parametrize("search", [True, False])
def test_where_all_failed_there_is_no_team(tmp_path, search):
    path = write_search(tmp_path) if search else write_scenario(tmp_path, budget=60)
    (tmp_path / "target.py").write_text("def solve(*told):\n    raise ValueError\n")
    run(path, log=tmp_path / "log.sqlite")
    with pytest.raises(InputError, match="every evaluation failed where two candidates or more"):
        read_costs([tmp_path / "log.sqlite"])
