"""What the budget went into adds up to all that was spent."""

from __future__ import annotations

import numpy as np
import pytest

from racing.report.pictures.spending import spending
from tests.report.kit import told
from tests.worlds import hard_world


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
