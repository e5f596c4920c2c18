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
    assert sum(part.candidates for part in parts) == 9
    assert sum(part.evaluations for part in parts) == run.race.outcomes
    assert sum(part.seconds for part in parts) == pytest.approx(run.target_seconds)
    assert sum(part.failed for part in parts) == run.outcomes.failed.sum()
    assert all(part.candidates for part in parts)


def test_the_winner_has_a_part_of_its_own():
    run = told(hard_world(9, 22, seed=4))
    own = next(part for part in spending(run) if part.name == "winner")
    assert own.candidates == 1
    assert own.evaluations == np.sum(run.outcomes.candidate == run.winner.id)
