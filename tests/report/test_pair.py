"""The posterior of the last pair is that of the statistics."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import trapezoid

from racing.report.forms import Line
from racing.report.pictures.result import LastPair, last_pair, posterior
from tests.report.kit import marks, told
from tests.worlds import normal_world


def test_it_counts_wins_on_shared_instances():
    run = told(normal_world(5, 20, seed=3), rule="none")
    found = last_pair(run)
    assert found.winner == run.winner.id
    assert found.second == run.standing[1].candidate.id
    assert found.wins + found.ties + found.losses == 20
    assert found.chance("lower") <= found.chance("precise") <= found.chance("upper")


@pytest.mark.parametrize("bound", ["precise", "lower", "upper"])
def test_the_density_has_the_posterior_s_mass_beyond_one_half(bound):
    pair = LastPair(winner=1, second=2, wins=9, ties=1, losses=4)
    x = np.linspace(0, 1, 20_001)[1:-1]
    y = pair.density(x, bound=bound)
    assert trapezoid(y, x) == pytest.approx(1, abs=1e-3)
    from racing.stats import marginal_posteriors

    expected = float(marginal_posteriors(9, 4, bound=bound))
    assert trapezoid(y[x >= 0.5], x[x >= 0.5]) == pytest.approx(expected, abs=1e-3)


def test_without_a_loss_the_precise_posterior_has_no_density():
    pair = LastPair(winner=1, second=2, wins=9, ties=0, losses=0)
    assert not pair.density(np.array([0.2, 0.9]), bound="precise").any()
    assert pair.density(np.array([0.2, 0.9])).all()


def test_one_candidate_has_no_second():
    assert last_pair(told(np.ones((4, 1)), rule="none")) is None


def test_a_posterior_without_a_curve_is_not_drawn_flat():
    """All wins: with the prior on the winner's side all mass is at 1, so one curve is left."""
    costs = np.column_stack([np.ones(12), np.zeros(12)])
    drawn = posterior(told(costs, rule="none"))
    curves = [one.y[0] for one in marks(drawn, Line)]
    assert [max(curve) > 0 for curve in curves] == [True]
    assert "all its mass is at 1." in drawn.sentence
    equal = posterior(told(np.ones((12, 2)), rule="none"))
    assert not equal.figure
    assert equal.sentence == "The two were equal throughout."
