"""F-race with mean ranks: the z test, its known flaw, the gates, and the edges."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import f, norm, rankdata

from racing.rules import MeanRanks, Reason, Sign
from tests.rules.seen import judge, noisy, out, seen
from tests.rules.test_sign import CIRCLE, pair


def test_the_statistic_is_the_difference_of_mean_ranks_in_standard_errors():
    costs = noisy(5, 12, seed=2)
    ranks = rankdata(costs, axis=1).mean(axis=0)
    error = np.sqrt(5 * 6 / (6 * 12))  # Demšar (2006), section 3.2.2
    verdict = judge(MeanRanks(), costs)
    assert verdict.eliminated
    for gone in verdict.eliminated:
        z = (ranks[gone.candidate - 1] - ranks[gone.against - 1]) / error
        assert gone.statistic == pytest.approx(z)
        assert gone.value == pytest.approx(norm.sf(z))
        assert gone.value < gone.threshold == 0.05
        assert gone.reason is Reason.INFERIOR
        assert gone.measure == "p-value"


def test_everybody_whose_mean_rank_is_significantly_above_the_best_goes():
    costs = noisy(8, 25, seed=4)
    ranks = rankdata(costs, axis=1).mean(axis=0)
    z = (ranks - ranks.min()) / np.sqrt(8 * 9 / (6 * 25))
    assert out(MeanRanks(), costs) == {int(i) + 1 for i in np.flatnonzero(norm.sf(z) < 0.05)}


def test_two_candidates_may_be_told_apart_only_because_of_who_else_is_there():
    """Benavoli, Corani and Mangili (2016): the flaw that the sign test does not have."""
    wins, losses = [[0, 4, 1, 2]] * 7, [[1, 0, 2, 4]] * 3
    costs = np.array(wins + losses, dtype=float)
    assert out(MeanRanks(gate="none"), costs[:, :2]) == set()
    assert 2 in out(MeanRanks(gate="none"), costs)
    alone, pooled = (Sign(gate="none"), costs[:, :2]), (Sign(gate="none"), costs)
    assert (2 in out(*alone)) == (2 in out(*pooled)) is False


def test_the_gate_of_iman_and_davenport():
    costs = noisy(6, 15, seed=1)
    friedman, davenport = judge(MeanRanks(), costs).gate, judge(
        MeanRanks(gate="iman-davenport"), costs
    ).gate  # fmt: skip
    chi = friedman.statistic
    assert davenport.statistic == pytest.approx(14 * chi / (15 * 5 - chi))
    assert davenport.threshold == pytest.approx(f.ppf(0.95, 5, 70))
    assert davenport.p_value == pytest.approx(f.sf(davenport.statistic, 5, 70))


def test_nobody_leaves_while_the_gate_is_shut():
    costs = noisy(12, 4, seed=0, gap=0.0)
    assert not judge(MeanRanks(), costs).gate.passed
    assert out(MeanRanks(), costs) == set()
    assert out(MeanRanks(gate="none"), costs), "somebody would have left"


def test_the_leader_stays_even_where_its_mean_rank_is_not_the_best():
    costs = np.array([[1.0, 2.0]] * 19 + [[1000.0, 2.0]])
    assert judge(MeanRanks(), costs, objective="mean").leader == 2
    assert out(MeanRanks(), costs, objective="mean") == set()
    assert out(MeanRanks(), costs, objective="rank") == {2}


def test_a_circle_of_wins_has_equal_mean_ranks_and_drops_nobody():
    assert out(MeanRanks(gate="none"), CIRCLE) == set()


@pytest.mark.parametrize("costs", [np.ones((20, 4)), np.full((20, 4), np.inf), np.ones((1, 2))])
def test_constant_instances_tell_nobody_apart(costs):
    assert out(MeanRanks(), costs) == set()
    assert out(MeanRanks(gate="none"), costs) == set()


def test_identical_candidates_leave_together_or_stay_together():
    costs = noisy(4, 30, seed=3)[:, [0, 0, 3, 3]]
    assert out(MeanRanks(), costs) == {3, 4}


def test_failures_are_the_last_rank_shared():
    costs = np.column_stack([np.zeros(20), np.full(20, np.inf), np.full(20, np.inf)])
    finite = np.column_stack([np.zeros(20), np.full(20, 7.0), np.full(20, 7.0)])
    assert judge(MeanRanks(), costs) == judge(MeanRanks(), finite)


def test_two_candidates():
    assert out(MeanRanks(), pair(20, 20)) == {2}
    assert out(MeanRanks(), pair(11, 20)) == set()
    assert judge(MeanRanks(), pair(20, 20)).gate is not None


def test_one_instance_decides_nothing_among_two():
    assert out(MeanRanks(), pair(1, 1)) == set()


def test_only_the_survivors_are_ranked():
    costs = noisy(6, 15, seed=1)
    kept = judge(MeanRanks(), seen(costs, survivors=[0, 2, 5]))
    alone = judge(MeanRanks(), costs[:, [0, 2, 5]])
    assert kept.gate == alone.gate
    assert [e.value for e in kept.eliminated] == [e.value for e in alone.eliminated]
