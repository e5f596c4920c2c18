"""Brunner and Munzel's test, pseudo-ranks and relative effects."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from racing.base.errors import InputError
from racing.stats import (
    brunner_munzel,
    mann_whitney,
    mean_effects,
    pseudo_ranks,
    relative_effects,
    vargha_delaney,
)
from racing.stats.brunner_munzel import relabelled_tails
from tests.stats.independent_samples import PAIN

SCIPY = {"two-sided": "two-sided", "better": "less", "worse": "greater"}
COSTS = st.lists(st.sampled_from([0.0, 1.0, 2.0, 3.0, np.inf]), min_size=2, max_size=7)


@pytest.mark.parametrize("alternative", SCIPY)
@pytest.mark.parametrize("method", ["t", "normal"])
@pytest.mark.parametrize("digits", [8, 0])
def test_scipy_agrees(alternative, method, digits):
    rng = np.random.default_rng(7)
    for n, m in ((4, 4), (6, 15), (40, 12)):
        x, y = np.round(rng.normal(0, 2, n), digits), np.round(rng.normal(0.5, 1, m), digits)
        ours = brunner_munzel(x, y, alternative=alternative, method=method)
        theirs = stats.brunnermunzel(x, y, alternative=SCIPY[alternative], distribution=method)
        assert ours.statistic == pytest.approx(theirs.statistic)
        assert ours.pvalue == pytest.approx(theirs.pvalue)


def test_pain_scores():
    """The R packages lawstat and brunnermunzel print for Brunner and Munzel's data:

    statistic = 3.1375, df = 17.683, p-value = 0.005786, 95 percent confidence interval 0.5952169
    0.9827052, P(X<Y)+.5*P(X=Y) 0.788961. (The paper has a misprint in the estimate.)
    """
    found = brunner_munzel(*PAIN)
    assert f"{found.statistic:.4f}" == "3.1375"
    assert f"{found.df:.3f}" == "17.683"
    assert f"{found.pvalue:.6f}" == "0.005786"
    assert f"{found.low:.7f} {found.high:.7f}" == "0.5952169 0.9827052"
    assert f"{found.a:.6f}" == "0.788961"


def test_pain_scores_under_all_labels():
    """brunnermunzel.permutation.test prints p-value = 0.008038; 30,000 labels: ± 4 · .0005."""
    rng = np.random.default_rng(1)
    drawn = brunner_munzel(*PAIN, method="permutation", rng=rng, draws=30_000)
    assert drawn.pvalue == pytest.approx(0.008038, abs=0.0021)


@given(COSTS, COSTS)
def test_laws(x, y):
    one, back = brunner_munzel(x, y), brunner_munzel(y, x)
    assert one.a + back.a == pytest.approx(1)
    assert one.pvalue == pytest.approx(back.pvalue)
    assert (one.low, one.high) == pytest.approx((1 - back.high, 1 - back.low))
    assert 0 <= one.low <= one.a <= one.high <= 1
    assert 0 < one.pvalue <= 1
    sides = [brunner_munzel(x, y, alternative=a).pvalue for a in ("better", "worse")]
    assert brunner_munzel(y, x, alternative="worse").pvalue == pytest.approx(sides[0])
    assert sum(sides) >= 1 - 1e-9


@given(COSTS, COSTS)
def test_the_interval_and_the_test_agree(x, y):
    found = brunner_munzel(x, y)
    if np.isfinite(found.statistic):
        assert (found.low > 0.5 or found.high < 0.5) == (found.pvalue < 0.05)


def test_without_overlap_p_is_that_of_the_labels():
    x, y = [1, 2, 3], [4, 5, 6, 7]
    for method in ("t", "normal", "permutation"):
        rng = np.random.default_rng(1)
        found = brunner_munzel(x, y, method=method, rng=rng)
        assert found.statistic == np.inf
        assert found.pvalue == pytest.approx(2 / comb(7, 3))
        assert found.pvalue == pytest.approx(mann_whitney(x, y).pvalue)
        assert found.low < 0.8 < found.high == 1
        worse = brunner_munzel(y, x, alternative="worse", method=method, rng=rng)
        assert worse.pvalue == pytest.approx(1 / comb(7, 3))
        assert brunner_munzel(x, y, alternative="worse", method=method, rng=rng).pvalue == 1


def test_equal_runs():
    for method in ("t", "normal", "permutation"):
        found = brunner_munzel([1, 1], [1, 1, 1], method=method, rng=np.random.default_rng(1))
        assert (found.statistic, found.pvalue, found.low, found.high) == (0, 1, 0.5, 0.5)


def test_unequal_spreads_keep_the_level():
    """10 runs of spread 3 against 30 of spread 1; 2,000 samples, so .05 ± 4 · .005."""
    rng = np.random.default_rng(8)
    pairs = [(rng.normal(0, 3, 10), rng.normal(0, 1, 30)) for _ in range(2000)]
    assert np.mean([mann_whitney(*pair).pvalue <= 0.05 for pair in pairs]) > 0.11
    assert np.mean([brunner_munzel(*pair).pvalue <= 0.05 for pair in pairs]) < 0.08


def test_refusals():
    with pytest.raises(InputError, match="2 or more runs; got 1"):
        brunner_munzel([1], [2, 3])
    with pytest.raises(InputError, match="must be a numpy"):
        brunner_munzel([1, 2], [2, 3], method="permutation")


# --- Brunner and Munzel's statistic under other labels, one label at a time ----------------------


def one_by_one(x, y):
    pooled, n = np.concatenate([x, y]), len(x)
    t = []
    for chosen in combinations(range(pooled.size), n):
        first = np.isin(np.arange(pooled.size), chosen)
        t.append(brunner_munzel(pooled[first], pooled[~first]).statistic)
    return np.array(t)


@pytest.mark.parametrize(
    ("x", "y"),
    [
        ([1.0, 4.0, 2.0], [3.0, 9.0, 5.0, 7.0]),
        ([1.0, 1.0, 2.0, 3.0], [2.0, 2.0, 3.0]),
        ([1.0, 2.0], [3.0, 4.0, np.inf]),
        ([0.0, 0.0, 1.0], [0.0, 1.0, 1.0]),
    ],
)
def test_all_labels(x, y):
    every, t = one_by_one(x, y), brunner_munzel(x, y).statistic
    found = relabelled_tails(np.array(x), np.array(y), t, np.random.default_rng(1), 999)
    slack = 1e-9 * (abs(t) if np.isfinite(t) else 0)
    expected = (
        np.mean(np.abs(every) >= abs(t) - slack),
        np.mean(every >= t - slack),
        np.mean(every <= t + slack),
    )
    assert tuple(found.values()) == pytest.approx(expected)


def test_random_labels_come_near_all_of_them():
    x, y = np.array([1.0, 4.0, 2.0, 8.0, 3.5]), np.array([3.0, 9.0, 5.0, 7.0, 6.0])
    t = brunner_munzel(x, y).statistic
    rng = np.random.default_rng(1)
    exact = list(relabelled_tails(x, y, t, rng, 9999).values())
    every = [list(relabelled_tails(x, y, t, rng, 200).values()) for _ in range(60)]
    drawn = np.mean(every, axis=0)
    assert drawn == pytest.approx(exact, abs=0.02)


def test_no_p_is_zero():
    x, y = np.arange(20.0), np.arange(20.0) + 100
    found = relabelled_tails(x, y, np.inf, np.random.default_rng(1), 99)
    assert tuple(found.values()) == (0.01, 0.01, 1.0)


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


def test_refusals_of_relative_effects():
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
