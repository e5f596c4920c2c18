"""The lead: its last point is the gain that `show` prints."""

from __future__ import annotations

import numpy as np
import pytest

from racing.report.pictures import pictures
from racing.report.pictures.result import lead, looks_at, rivals, second_of
from tests.report.kit import told
from tests.worlds import normal_world


def test_the_last_point_is_the_gain():
    costs = normal_world(6, 40, seed=8, noise=0.3)
    costs[:, 0] += 1
    run = told(costs)
    found = lead(run, 1)
    gain = run.answer.gain
    assert f"#{run.winner.id}" == gain.name
    last = found.points[-1]
    assert (last.instances, last.estimate) == (gain.instances, gain.estimate)
    assert (last.low, last.high) == (gain.low, gain.high)


def test_the_second_is_the_next_of_the_standing_or_the_last_to_leave():
    run = told(normal_world(6, 8, seed=9), rule="none")
    assert second_of(run) == run.standing[1].candidate.id
    single = told(normal_world(5, 60, seed=2, noise=0.2))
    assert len(single.survivors) == 1
    last = max(one.after for one in single.dropped)
    latest = [one.candidate.id for one in single.dropped if one.after == last]
    assert second_of(single) in latest


def test_the_winner_has_no_rival_in_itself():
    costs = normal_world(4, 20, seed=3, noise=0.1)
    costs[:, 0] -= 5
    run = told(costs)
    assert run.winner.id == 1
    assert "default" not in rivals(run)
    assert lead(run, 1) is None


@pytest.mark.parametrize("n", [1, 7, 40, 41, 250, 5000])
def test_looks_end_with_all_instances(n):
    found = looks_at(n)
    assert found[-1] == n
    assert found[0] == 1
    assert len(found) <= 40
    assert np.all(np.diff(found) > 0)


def test_a_lead_in_right_or_wrong_results_is_said_only_where_the_verdict_says_it():
    def of(wins: int, ties: int = 0):
        gains = np.array([1.0] * wins + [0.0] * ties)
        run = told(np.column_stack([gains, np.zeros(len(gains))]), rule="none", objective="mean")
        (drawn,) = (one for one in pictures(run) if one.id == "difference")
        return lead(run, 1), drawn.sentence

    few, said = of(5)
    assert few.evidence == "few"
    assert np.isinf(few.points[-1].low)
    assert "too few for a 95 % interval" in said
    near, said = of(5, 15)
    assert near.points[-1].low > 0, "the interval alone would call it a lead"
    assert "not decided" in said
    assert "a clear lead" in of(20)[1]
