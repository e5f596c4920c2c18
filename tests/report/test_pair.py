"""The last pair: the winner, and the closest other."""

from __future__ import annotations

import numpy as np

from racing.report.pictures.result import last_pair, second_of
from tests.report.kit import told
from tests.worlds import normal_world


def test_it_counts_wins_on_shared_instances():
    run = told(normal_world(5, 20, seed=3), rule="none")
    second, wins, losses = last_pair(run)
    assert second == run.standing[1].candidate.id
    assert wins + losses == 20


def test_one_candidate_has_no_second():
    assert last_pair(told(np.ones((4, 1)), rule="none")) is None


def test_the_second_is_the_next_of_the_standing_or_the_last_to_leave():
    run = told(normal_world(6, 8, seed=9), rule="none")
    assert second_of(run) == run.standing[1].candidate.id
    single = told(normal_world(5, 60, seed=2, noise=0.2))
    assert len(single.survivors) == 1
    last = max(one.after for one in single.dropped)
    latest = [one.candidate.id for one in single.dropped if one.after == last]
    assert second_of(single) in latest
