"""The Bayesian Kruskal-Wallis test: what it says of two, joint statements, intervals, levels."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from racing.stats import dp_kruskal, dp_rank_sum, prior_bounds, relative_effects
from racing.stats._samples import Groups
from racing.stats.dp_rank_sum import drawn
from tests.stats.independent_samples import INSECT_SPRAYS

SAMPLE = st.lists(st.sampled_from([0.0, 1.0, 2.0, np.inf]), min_size=1, max_size=5)


def rng():
    return np.random.default_rng(1)


def test_two_samples():
    x, y = (1.1, 2.2, 3.3, 4.4, 2.5, 0.7, 3.1), (2, 5.1, 4.8, 6, 3.9)
    bounds = prior_bounds(dp_rank_sum, x, y, rng=rng(), draws=100_000).p_left
    plain = dp_rank_sum(x, y, rng=rng(), draws=100_000).p_left
    expected = {"lower": bounds[0], "precise": plain, "upper": bounds[1]}
    for bound, p in expected.items():
        found = dp_kruskal([x, y], rng=rng(), bound=bound, draws=20_000, gamma=0.1)
        assert found.p_better[0, 1] == pytest.approx(p, abs=0.006)
        assert (found.better.tolist(), found.worse.tolist()) == ([0], [1])
        assert found.errors[0] == pytest.approx(1 - found.p_better[0, 1])
        assert found.joint == pytest.approx(1 - found.errors[0])


def test_statements_are_true_together_by_counting():
    """The joint probability of a prefix, from the same draws one by one."""
    stream = np.random.default_rng(4)
    samples = [stream.normal(i / 2, 1, 12) for i in range(4)]
    found = dp_kruskal(samples, rng=rng(), bound="precise", s=0.0, gamma=0.2, draws=500)
    (block,) = drawn(Groups.of(samples), 0.0, 500, rng())
    a = np.full((4, 4, 500), 0.5)
    upper = np.triu_indices(4, 1)
    a[upper] = block.plain()
    a[upper[::-1]] = 1 - a[upper]
    true = np.ones(500, dtype=bool)
    joint = []
    for i, j in zip(found.better, found.worse, strict=True):
        true &= a[i, j] > 0.5
        joint.append(true.mean())
    assert found.accepted == sum(p > 0.8 for p in joint) >= 3
    assert found.joint == pytest.approx(joint[found.accepted - 1])
    assert (np.diff(found.errors) >= 0).all()


def test_the_intervals_hold_all_pairs_together():
    """Fresh draws of the weights, with one tied run as prior: 1 − γ of them are inside."""
    stream = np.random.default_rng(5)
    samples = [stream.normal(i / 3, 1, 15) for i in range(5)]
    found = dp_kruskal(samples, rng=rng(), gamma=0.1, draws=4000)
    (block,) = drawn(Groups.of(samples), 1.0, 4000, np.random.default_rng(9))
    upper = np.triu_indices(5, 1)
    low, high = found.low[upper][:, None], found.high[upper][:, None]
    inside = ((block.a(0.5) >= low) & (block.a(0.5) <= high)).all(axis=0)
    assert inside.mean() == pytest.approx(0.9, abs=0.025)
    assert found.low == pytest.approx(1 - found.high.T)


def test_effects():
    found, plain = dp_kruskal(INSECT_SPRAYS, rng=rng()), relative_effects(INSECT_SPRAYS)
    assert found.effects == pytest.approx(plain.effects)
    assert found.effects_low == pytest.approx(plain.low, abs=0.03)
    assert found.effects_high == pytest.approx(plain.high, abs=0.03)
    assert found.any_difference
    assert found.different[2, 0]
    assert not found.different[0, 1]


@given(st.lists(SAMPLE, min_size=1, max_size=4), st.sampled_from(["lower", "precise", "upper"]))
def test_laws(samples, bound):
    found = dp_kruskal(samples, rng=rng(), bound=bound, draws=100)
    k = len(samples)
    assert found.a.shape == found.low.shape == (k, k)
    assert found.effects.sum() == pytest.approx(k / 2)
    assert (found.effects_low <= found.effects_high).all()
    assert (found.low <= found.high).all()
    assert 0 <= found.accepted <= found.errors.size
    assert found.joint > 1 - found.gamma
    assert (found.a[found.better, found.worse] > 0.5).all()
    both = found.p_better + found.p_better.T
    tolerance = 1e-9
    sign = {"lower": both <= 1 + tolerance, "upper": both >= 1 - tolerance}
    assert sign.get(bound, np.isclose(both, 1)).all()


def test_equal_runs_say_nothing():
    for bound, p in (("lower", 0), ("precise", 0.5), ("upper", 1)):
        found = dp_kruskal([[1, 1], [1, 1, 1], [1]], rng=rng(), bound=bound)
        assert found.accepted == 0
        assert not found.any_difference
        assert found.p_better[0, 1] == p
        assert found.p_better[0, 0] == 0.5


def test_few_runs_make_no_difference():
    for n, different in ((7, False), (10, True)):
        apart = [np.arange(n) + 100.0 * i for i in range(4)]
        assert dp_kruskal(apart, rng=rng()).any_difference == different


def test_the_level_of_the_intervals():
    """4 samples of 10, 400 times: at most .05 + 3 · .011; unequal spreads and sizes too."""
    stream = np.random.default_rng(6)
    for sizes, spreads in (((10,) * 4, (1,) * 4), ((10, 30, 10, 30), (3, 1, 3, 1))):
        found = [
            dp_kruskal(
                [stream.normal(0, s, n) for n, s in zip(sizes, spreads, strict=True)],
                rng=stream,
                draws=400,
            ).any_difference
            for _ in range(400)
        ]
        assert np.mean(found) < 0.09
