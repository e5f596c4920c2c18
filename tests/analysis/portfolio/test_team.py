"""What the members of a team add."""

from __future__ import annotations

import numpy as np
import pytest

from racing.analysis.portfolio.team import contributions
from tests.analysis.portfolio.kit import types_world


def test_a_member_adds_what_is_lost_without_it():
    scores = types_world(20, 5, types=2, seed=1)
    for column, added in enumerate(contributions(scores, (0, 3, 4))):
        rest = [one for place, one in enumerate((0, 3, 4)) if place != column]
        assert added == pytest.approx(
            scores[:, rest].min(1).mean() - scores[:, [0, 3, 4]].min(1).mean()
        )
    assert np.isnan(contributions(scores, (2,))).all()


def test_a_copy_adds_nothing():
    scores = types_world(20, 5, types=2, seed=1)
    scores[:, 1] = scores[:, 0]
    assert contributions(scores, (0, 1)).tolist() == [0, 0]
