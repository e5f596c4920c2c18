"""Pseudo-ranks and relative effects: definitions, laws, coverage of the intervals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from racing.base.errors import InputError
from racing.stats import (
    brunner_munzel,
    mean_effects,
    pseudo_ranks,
    relative_effects,
    vargha_delaney,
)

SAMPLE = st.lists(st.sampled_from([0.0, 1.0, 2.0, 3.0, np.inf]), min_size=2, max_size=6)
SAMPLES = st.lists(SAMPLE, min_size=1, max_size=4)


@given(SAMPLES)
def test_by_definition(samples):
    total, k = sum(map(len, samples)), len(samples)
    for i, ranks in enumerate(pseudo_ranks(samples)):
        for x, rank in zip(samples[i], ranks, strict=True):
            below = [np.mean([(y < x) + (y == x) / 2 for y in other]) for other in samples]
            assert rank == pytest.approx(0.5 + total / k * sum(below))


def test_runs_repeated_change_no_effect():
    """What ordinary mean ranks do not promise: ten times the runs of one, the same effects."""
    samples = [[1.0, 3.0, 7.0], [2.0, 4.0], [5.0, 0.5, 6.0]]
    more = [samples[0] * 10, *samples[1:]]
    assert relative_effects(more).effects == pytest.approx(relative_effects(samples).effects)


@given(SAMPLES)
def test_effects_are_means_of_a(samples):
    found, k = relative_effects(samples), len(samples)
    for i, x in enumerate(samples):
        a = [vargha_delaney(x, y, paired=False).a for y in samples]
        assert found.effects[i] == pytest.approx(np.mean(a))
    assert found.effects.sum() == pytest.approx(k / 2)
    slack = 1e-9
    assert (found.low <= found.effects + slack).all()
    assert (found.effects <= found.high + slack).all()


def test_two_samples_have_brunner_and_munzels_error():
    """p_1 = (1/2 + A)/2, so its standard error is half of A's, with the same degrees of freedom."""
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=8), rng.normal(1, 3, 15)
    found, one = relative_effects([x, y]), brunner_munzel(x, y)
    assert found.standard_errors[0] == pytest.approx((one.a - 0.5) / one.statistic / 2)
    assert found.df == pytest.approx([one.df, one.df])


def test_the_error_is_that_of_many_samples():
    """The standard deviation of p over 2,000 samples against the mean of its estimates."""
    rng = np.random.default_rng(3)
    sizes, spreads = (15, 30, 20), (1, 3, 0.5)
    drawn = [
        relative_effects([rng.normal(0, s, n) for n, s in zip(sizes, spreads, strict=True)])
        for _ in range(2000)
    ]
    true = np.std([one.effects for one in drawn], axis=0)
    told = np.sqrt(np.mean([one.standard_errors**2 for one in drawn], axis=0))
    assert told == pytest.approx(true, rel=0.06)
    held = np.mean([(one.low <= 0.5) & (one.high >= 0.5) for one in drawn], axis=0)
    assert (held > 0.93).all()
    assert (held < 0.97).all()


def test_no_overlap_is_not_certainty():
    found = relative_effects([[1, 2, 3], [7, 8, 9], [8, 9, 7.5]])
    assert found.standard_errors[0] == 0
    assert found.low[0] < found.effects[0] == pytest.approx(5 / 6)
    assert found.high[0] <= 5 / 6 + 1e-9


def test_refusals():
    with pytest.raises(InputError, match="2 or more runs"):
        relative_effects([[1], [2, 3]])


# --- relative effects averaged over problems: the mean, independence, and how often intervals hold


def problem(rng, n=15, shift=0.5):
    return [rng.normal(shift * i, 1, n + 3 * i) for i in range(3)]


def test_one_problem_is_itself():
    one = relative_effects(problem(np.random.default_rng(0)))
    found = mean_effects([one])
    for name in ("effects", "standard_errors", "df", "low", "high"):
        np.testing.assert_allclose(getattr(found, name), getattr(one, name))


def test_the_mean_and_its_error():
    rng = np.random.default_rng(1)
    each = [relative_effects(problem(rng)) for _ in range(4)]
    found = mean_effects(each)
    np.testing.assert_allclose(found.effects, np.mean([e.effects for e in each], axis=0))
    errors = np.sqrt(np.sum([e.standard_errors**2 for e in each], axis=0)) / 4
    np.testing.assert_allclose(found.standard_errors, errors)
    assert found.sizes.tolist() == [60, 72, 84]
    assert (found.high - found.low < each[0].high - each[0].low).all()


def test_how_often_the_intervals_hold_the_truth():
    """Three equal algorithms on three problems of other scales: 1/2 in about 95 %."""
    rng = np.random.default_rng(2)
    held = []
    for _ in range(400):
        each = [relative_effects([s * rng.normal(size=12) for _ in range(3)]) for s in (1, 5, 9)]
        found = mean_effects(each)
        held.append((found.low <= 0.5) & (found.high >= 0.5))
    assert np.mean(held) == pytest.approx(0.95, abs=0.02)


def test_samples_that_do_not_overlap_still_have_an_interval():
    apart = relative_effects([[1, 2, 3], [4, 5, 6]])
    found = mean_effects([apart, apart])
    assert (found.low < found.effects).all()
    assert (found.high > found.effects).all()


def test_what_is_refused():
    with pytest.raises(InputError, match="problems"):
        mean_effects([])
    with pytest.raises(InputError, match="problems"):
        mean_effects([relative_effects([[1, 2], [2, 3]]), relative_effects([[1, 2]] * 3)])
