"""A run that starts with what earlier ones found best."""

from __future__ import annotations

import pytest

from racing.base.errors import InputError, LogError
from racing.runner.run import run
from racing.runner.warm_start import start_from
from racing.scenario import read
from tests.runs_kit import write_scenario, write_search


def test_the_winner_and_the_elites_come_first_each_once(tmp_path):
    log = tmp_path / "old.sqlite"
    search = run(write_search(tmp_path / "a"), log=log)
    scenario = read(write_search(tmp_path / "b"))
    earlier = start_from(scenario, [log, log], most=3)
    best = [one.candidate for one in search.ranking()][:3]
    assert [entry.values for entry in earlier.taken] == [one.values for one in best]
    assert earlier.taken[0].name == f"old:{search.winner}"
    assert not earlier.left_out
    again = run(earlier.scenario, log=tmp_path / "new.sqlite")
    assert [one.values for one in again.candidates[: len(best)]] == [one.values for one in best]


def test_a_race_takes_them_beside_its_own(tmp_path):
    log = tmp_path / "old.sqlite"
    run(write_search(tmp_path / "a"), log=log)
    scenario = read(write_scenario(tmp_path / "b", candidates=4, instances=8))
    earlier = start_from(scenario, [log], most=1)
    assert len(earlier.scenario.plan.candidates) == 5
    assert earlier.scenario.plan.candidates[:4] == scenario.plan.candidates
    assert run(earlier.scenario, log=tmp_path / "new.sqlite").done


def test_what_does_not_fit_is_left_out_and_said(tmp_path):
    log = tmp_path / "old.sqlite"
    run(write_search(tmp_path / "a"), log=log)
    other = write_search(tmp_path / "b")
    other.write_text(other.read_text().replace("x:", "y:"))
    with pytest.raises(InputError, match="no earlier configuration can be used: old:#"):
        start_from(read(other), [log])
    with pytest.raises(LogError, match=r"none\.sqlite"):
        start_from(read(other), [tmp_path / "none.sqlite"])
