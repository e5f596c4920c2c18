"""What a run spent: its parts add up, and each evaluation is once on the timeline."""

from __future__ import annotations

import numpy as np
import pytest

from racing.report.pictures.spending import _without_pauses, spending, timeline
from racing.report.watched import natural
from tests.report.kit import told
from tests.worlds import hard_world, normal_world

# --- what the budget went into adds up to all that was spent ----------------------------------


@pytest.mark.parametrize("rule", ["sign", "none", "successive-halving"])
def test_the_parts_add_up(rule):
    run = told(hard_world(9, 22, seed=4), rule=rule)
    parts = spending(run)
    every = [one for part in parts.values() for one in part]
    assert len(every) == 9
    assert sum(one.evaluations for one in every) == run.race.outcomes
    assert sum(one.seconds for one in every) == pytest.approx(run.target_seconds)
    assert sum(one.failures for one in every) == run.outcomes.failed.sum()
    assert all(parts.values())


def test_the_winner_has_a_part_of_its_own():
    run = told(hard_world(9, 22, seed=4))
    (own,) = spending(run)["winner"]
    assert own.evaluations == np.sum(run.outcomes.candidate == run.winner.id)


# --- the timeline of workers: each evaluation once, and utilisation as counted by hand --------


def test_every_evaluation_is_one_bar_on_its_worker():
    run = told(normal_world(5, 12, seed=1, noise=0.3), workers=3)
    found = timeline(run)
    assert found.workers == ("w-1", "w-2", "w-3")
    assert len(found.bars.start) == len(run.outcomes)
    assert found.unknown == 0
    assert found.bars.start.min() == 0
    pairs = set(zip(found.bars.candidate.tolist(), found.bars.step.tolist(), strict=True))
    assert len(pairs) == len(run.outcomes)
    for worker in range(3):
        begun = np.sort(found.bars.start[found.bars.worker == worker])
        assert (np.diff(begun) >= 1).all()  # each takes a second


def test_utilisation_is_work_over_time():
    run = told(normal_world(4, 10, seed=1), rule="none", workers=3)
    found = timeline(run)
    assert found.span == 14  # 40 evaluations of a second on 3 workers
    np.testing.assert_allclose(found.utilisation(14), [1.0] * 13 + [1 / 3], atol=1e-6)
    assert found.busy().tolist() == [14, 13, 13]
    assert found.utilisation(5).mean() == pytest.approx(40 / 42)


def test_a_pause_between_sessions_is_left_out():
    start, seconds = np.array([100.0, 101.0, 500.0]), np.ones(3)
    assert _without_pauses(start, seconds, [99.0, 499.0]).tolist() == [0.0, 1.0, 2.0]
    assert _without_pauses(start, seconds, [99.0]).tolist() == [0.0, 1.0, 400.0]


def test_what_has_no_worker_is_counted():
    run = told(normal_world(3, 5, seed=1), rule="none")
    run.outcomes.started[:4] = 0
    found = timeline(run)
    assert found.unknown == 4
    assert len(found.bars.start) == 11


def test_workers_are_in_the_order_of_their_numbers():
    assert sorted(["w-10", "w-9", "w-1"], key=natural) == ["w-1", "w-9", "w-10"]
