"""A team on unseen instances, against the single best and the default."""

from __future__ import annotations

import numpy as np
import pytest

from racing.analysis.portfolio.unseen import recorded_team, searched, team_on_unseen
from racing.base.errors import InputError
from racing.core.gain import gain
from racing.log import SQLiteLog, replay
from tests.analysis.portfolio.kit import kinds_log, search_log
from tests.runs_kit import calls

NEW = [f"{kind}-new-{k}" for k in range(8) for kind in ("sat", "php", "k")]


@pytest.fixture
def log(tmp_path):
    return kinds_log(tmp_path, rule="none")


def test_it_is_held_to_the_single_best_and_the_default(log, tmp_path):
    before = len(calls(tmp_path))
    found = team_on_unseen(log, NEW, size=3)
    assert sorted(one.values["x"] for one in found.team) == [0, 2, 5]
    assert (str(found.single), str(found.default)) == ("#3", "#1")
    assert found.instances == tuple(NEW)
    assert len(calls(tmp_path)) == before + 3 * len(NEW), "each once, though two are members too"
    column = [str(one) for one in found.team].index("#3")
    pairs = np.column_stack([found.costs.min(axis=1), found.costs[:, column]])
    assert found.over_single == gain(pairs, pairs[:0], problems=NEW, skewed=True)
    assert found.over_single.low > 0
    assert found.over_default.mean > 0


def test_calling_again_evaluates_nothing(log, tmp_path):
    first = team_on_unseen(log, NEW, size=2)
    before = calls(tmp_path)
    again = team_on_unseen(log, NEW, size=2)
    assert calls(tmp_path) == before
    np.testing.assert_array_equal(first.costs, again.costs)
    team_on_unseen(log, NEW, size=3)
    assert (tmp_path / "log.team2.sqlite").exists()


def test_instances_that_the_run_has_met_are_refused(log):
    with pytest.raises(InputError, match="the race has met sat-3"):
        team_on_unseen(log, [*NEW, "sat-3"], size=2)


def test_one_candidate_is_no_team(log):
    with pytest.raises(InputError, match="racing test"):
        team_on_unseen(log, NEW, size=1)


def test_of_a_search_for_a_team_its_own_is_tested(tmp_path):
    path = search_log(tmp_path)
    with SQLiteLog.open(path, write=False) as book:
        search = replay(book).as_search
    found = team_on_unseen(path, NEW)
    assert len(found.team) == 2
    assert found.team == search.team
    assert (found.single, found.default) == (search.single, search.baseline)
    assert found.costs.shape == (len(NEW), 2)
    assert len(team_on_unseen(path, NEW[:9], size=3).team) == 3
    known = recorded_team(path, search)
    assert known.instances == found.instances, "not the later test of a team chosen anew"
    np.testing.assert_array_equal(known.costs, found.costs)
    assert recorded_team(tmp_path / "other.sqlite", search) is None


def test_searched_finds_no_team_in_a_race(log):
    assert searched(log) is None
