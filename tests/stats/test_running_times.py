"""Times that were stopped, profiles of performance, and distributions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from racing.base.errors import InputError
from racing.stats import (
    empirical_distribution,
    expected_running_time,
    par,
    performance_profile,
    share_solved,
)
from racing.stats.intervals import clopper_pearson
from racing.stats.running_times import Runs

TIMES = [3, 1, 10, np.inf, 6]


def rng():
    return np.random.default_rng(1)


def test_par_by_hand():
    found = par(TIMES, cutoff=10, rng=rng())
    assert found.value == pytest.approx((3 + 1 + 100 + 100 + 6) / 5)
    assert (found.solved, found.runs) == (3, 5)
    assert par(TIMES, cutoff=10, factor=2, rng=rng()).value == pytest.approx((3 + 1 + 40 + 6) / 5)
    assert found.low <= found.value <= found.high


def test_expected_time_by_hand():
    found = expected_running_time(TIMES, cutoff=10, rng=rng())
    assert found.value == pytest.approx((3 + 1 + 10 + 10 + 6) / 3)
    assert (found.solved, found.runs, found.effort) == (3, 5, 30)


def test_all_solved_is_the_mean():
    for found in (par([1, 2, 6], rng=rng()), expected_running_time([1, 2, 6], rng=rng())):
        assert found.value == pytest.approx(3)


def test_restarts_take_what_is_expected():
    """Runs drawn until one is solved, 20,000 times."""
    times, stream = np.array([3, 1, 10, 10, 6.0]), rng()
    total = 0.0
    for _ in range(20_000):
        while True:
            took = stream.choice(times)
            total += took
            if took < 10:
                break
    found = expected_running_time(times, cutoff=10, rng=rng())
    assert total / 20_000 == pytest.approx(found.value, rel=0.03)


def test_scipy_agrees_on_the_bootstrap():
    times = np.random.default_rng(2).exponential(1, 40)
    ours = par(times, rng=rng(), draws=20_000)
    theirs = stats.bootstrap(
        (times,), np.mean, n_resamples=20_000, method="percentile", rng=rng()
    ).confidence_interval
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), rel=0.02)


def test_none_solved():
    found = expected_running_time([np.inf] * 4, cutoff=10, rng=rng())
    assert (found.value, found.high) == (np.inf, np.inf)
    # Clopper and Pearson: (1 − p)⁴ = .025 for p = .6024
    assert found.low == pytest.approx(10 / 0.6024, rel=1e-3)
    assert par([np.inf] * 4, cutoff=10, rng=rng()).value == 100


def test_few_solved_leave_the_upper_end_open():
    found = expected_running_time([1] + [np.inf] * 9, cutoff=10, rng=rng())
    assert found.value == 91
    assert found.high == np.inf


def test_a_larger_cutoff_cannot_be_read_off_a_lower_bound():
    """PAR1 never exceeds the true mean of exponential times, whatever the cutoff."""
    times = np.random.default_rng(3).exponential(1, 5000)
    bounds = [par(times, cutoff=c, factor=1, rng=rng(), draws=100).value for c in (0.5, 1, 2, 20)]
    assert bounds == sorted(bounds)
    assert bounds[0] == pytest.approx(1 - np.exp(-0.5), abs=0.02)
    assert bounds[-1] == pytest.approx(1, abs=0.05)


def test_the_interval_holds_the_truth():
    """Exponential times, 100 runs, half of them stopped; 600 times: .95 ± 3 · .009."""
    stream, cutoff = np.random.default_rng(5), np.log(2)
    truth = (1 - (1 + cutoff) / 2 + cutoff / 2) / 0.5
    held = [
        (found := expected_running_time(
            stream.exponential(1, 100), cutoff=cutoff, rng=stream, draws=400
        )).low <= truth <= found.high
        for _ in range(600)
    ]  # fmt: skip
    assert 0.92 < np.mean(held) < 0.98


def test_the_same_stream_gives_the_same_answer():
    assert par(TIMES, cutoff=10, rng=rng()) == par(TIMES, cutoff=10, rng=rng())


# --- runs that ended and runs that were stopped: what is taken for which, and what is refused ----


def test_a_time_below_the_cutoff_is_solved():
    runs = Runs.of([3, 10, 12, np.inf, 0], cutoff=10, solved=None)
    assert runs.effort.tolist() == [3, 10, 10, 10, 0]
    assert runs.solved.tolist() == [True, False, False, False, True]


def test_without_a_cutoff_all_are_solved():
    assert Runs.of([3, 10], cutoff=None, solved=None).solved.all()


def test_told_flags():
    runs = Runs.of([3, 10, 7], cutoff=None, solved=[True, True, False])
    assert runs.effort.tolist() == [3, 10, 7]
    at_the_cutoff = Runs.of([10, 10], cutoff=10, solved=[True, False])
    assert at_the_cutoff.solved.tolist() == [True, False]


def test_a_cutoff_for_each_run():
    runs = Runs.of([5, 5, np.inf], cutoff=[4, 6, 9], solved=None)
    assert runs.effort.tolist() == [4, 5, 9]
    assert runs.solved.tolist() == [False, True, False]


@pytest.mark.parametrize(
    ("times", "cutoff", "solved", "says"),
    [
        ([-1.0], None, None, "0 or more; got -1"),
        ([np.nan], None, None, "NaN"),
        ([], None, None, "one or more"),
        ([1.0, np.inf], None, None, "position 1 is infinite; give the cutoff"),
        ([1.0], 0, None, "cutoff must be a number above 0"),
        ([1.0], [1, 2], None, "one for each of 1 runs"),
        ([1.0], np.nan, None, "cutoff"),
        ([1.0], "x", None, "cutoff"),
        ([1.0], 5, [1], "solved must be true or false"),
        ([1.0], 5, [True, False], "each of 1 runs"),
        ([7.0], 5, [True], "position 0 is solved after its cutoff: 7 > 5"),
    ],
)
def test_refusals_of_runs(times, cutoff, solved, says):
    with pytest.raises(InputError, match=says):
        Runs.of(times, cutoff=cutoff, solved=solved)


# --- the share solved over time: printed survival times, SciPy, plain shares with one cutoff -----


# Freireich et al. (1963), 6-mercaptopurine: weeks of remission, of those that left it and of
# those that were last seen in it.
LEFT = [6, 6, 6, 7, 10, 13, 16, 22, 23]
STAYED = [6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35]
WEEKS, ENDED = LEFT + STAYED, [True] * len(LEFT) + [False] * len(STAYED)


def test_the_published_example():
    """Cox and Oakes (1984), Table 4.1, print the survivor function."""
    found = share_solved(WEEKS, solved=ENDED)
    assert found.times.tolist() == [6, 7, 10, 13, 16, 22, 23]
    printed = [".857", ".807", ".753", ".690", ".627", ".538", ".448"]
    assert [f"{1 - share:.3f}".removeprefix("0") for share in found.shares] == printed
    assert found.interval == "Greenwood, log(-log)"
    assert (found.solved, found.n, found.seen_until) == (9, 21, 35)


def test_scipy_agrees():
    rng = np.random.default_rng(3)
    times, cutoff = np.round(rng.exponential(1, 40), 1) + 0.1, np.round(rng.random(40) * 3, 1) + 0.1
    done = times < cutoff
    ours = share_solved(times, cutoff=cutoff, level=0.9)
    data = stats.CensoredData(
        uncensored=np.minimum(times, cutoff)[done], right=np.minimum(times, cutoff)[~done]
    )
    theirs = stats.ecdf(data)
    assert ours.shares == pytest.approx(theirs.cdf.evaluate(ours.times))
    ends = theirs.cdf.confidence_interval(0.9, method="log-log")
    inner = ours.shares < 1
    assert ours.low[inner] == pytest.approx(ends.low.evaluate(ours.times)[inner])
    assert ours.high[inner] == pytest.approx(ends.high.evaluate(ours.times)[inner])


def test_one_cutoff_is_a_plain_share():
    times = [3, 1, 10, np.inf, 3, 8]
    found = share_solved(times, cutoff=10)
    assert found.times.tolist() == [1, 3, 8]
    assert found.shares == pytest.approx([1 / 6, 3 / 6, 4 / 6])
    assert (found.low[1], found.high[1]) == pytest.approx(clopper_pearson(3, 6, 0.95))
    assert found.interval == "Clopper-Pearson"


def test_nothing_is_known_beyond_what_was_seen():
    found = share_solved([3, 1, np.inf], cutoff=10)
    assert found.at([0.5, 1, 2, 10]).tolist() == pytest.approx([0, 1 / 3, 1 / 3, 2 / 3])
    assert np.isnan(found.at(11))
    assert share_solved([3, 1]).at(11) == 1


def test_quantiles():
    found = share_solved([3, 1, np.inf, 5], cutoff=10)
    assert (found.quantile(0.25), found.quantile(0.5), found.quantile(0.75)) == (1, 3, 5)
    assert found.quantile(0.8) == np.inf


def test_none_solved_of_share_solved():
    found = share_solved([np.inf, 4], cutoff=4)
    assert found.times.size == found.low.size == 0
    assert found.at(3) == 0
    assert found.quantile(0.1) == np.inf


def test_all_solved_after_one_was_stopped():
    found = share_solved([1, 2, 3], solved=[True, False, True])
    assert found.shares.tolist() == pytest.approx([1 / 3, 1])
    assert (found.low[1], found.high[1]) == (found.low[0], 1)
    single = share_solved([1, 3], solved=[False, True])
    assert (single.shares[0], single.low[0], single.high[0]) == (1, 0, 1)


def test_stopped_runs_are_not_averaged_as_ended():
    """Exponential times, cutoffs at random: the estimate is near the truth."""
    rng = np.random.default_rng(4)
    times, cutoff = rng.exponential(1, 4000), rng.exponential(1, 4000)
    found = share_solved(times, cutoff=cutoff)
    assert found.at(1.0) == pytest.approx(1 - np.exp(-1), abs=0.03)
    naive = np.mean((times < cutoff) & (times <= 1))
    assert naive < 0.5


def test_refusals_of_share_solved():
    with pytest.raises(InputError, match="give the cutoff"):
        share_solved([1, np.inf])
    with pytest.raises(InputError, match="q must be"):
        share_solved([1, 2]).quantile(1.5)


TABLES = st.tuples(st.integers(1, 6), st.integers(1, 4)).flatmap(
    lambda shape: arrays(float, shape, elements=st.sampled_from([1.0, 2.0, 3.0, 8.0, np.inf]))
)


@given(TABLES)
def test_by_definition(T):
    found = performance_profile(T)
    best = T.min(axis=1)
    for tau in (0.5, 1.0, 1.5, 2.0, 4.0, 100.0):
        for s in range(T.shape[1]):
            within = [t <= tau * b for t, b in zip(T[:, s], best, strict=True) if np.isfinite(b)]
            assert found.at(tau)[s] == pytest.approx(sum(within) / len(T))
    for place, tau in enumerate(found.taus):
        assert (found.shares[:, place] == found.at(tau)).all()
    assert (np.diff(found.shares, axis=1) >= 0).all()


def test_by_hand():
    """Three problems: the first ties for best, is twice the best, and fails."""
    found = performance_profile([[1, 1], [4, 2], [np.inf, 7]])
    assert found.ratios.tolist() == [[1, 1], [2, 1], [np.inf, 1]]
    assert found.taus.tolist() == [1, 2]
    assert found.best == pytest.approx([1 / 3, 1])
    assert found.solved == pytest.approx([2 / 3, 1])


def test_a_problem_that_nobody_solves():
    found = performance_profile([[np.inf, np.inf], [1, 2]])
    assert found.solved.tolist() == [0.5, 0.5]
    nobody = performance_profile([[np.inf, np.inf]])
    assert (nobody.taus.tolist(), nobody.solved.tolist()) == ([1], [0, 0])


def test_units_do_not_matter():
    T = np.random.default_rng(1).random((9, 3)) + 0.1
    scaled = T * np.random.default_rng(2).integers(1, 9, (9, 1))
    assert performance_profile(scaled).ratios == pytest.approx(performance_profile(T).ratios)


@pytest.mark.parametrize(
    ("T", "says"),
    [
        ([[1, 0]], "above 0; got 0 at row 0, column 1"),
        ([[1, 2], [-3, 1]], "got -3 at row 1, column 0"),
        ([[1, np.nan]], "NaN"),
        ([1, 2], "table"),
    ],
)
def test_refusals(T, says):
    with pytest.raises(InputError, match=says):
        performance_profile(T)


def test_a_ratio_at_the_boundary_counts_whatever_its_rounding():
    T = np.outer([1.1, 2.2, 0.3, 0.1, 0.7], [1.0, 1.0, 1.5])
    T[:, 2] = [1.65, 3.3, 0.45, 0.15, 1.05]
    found = performance_profile(T)
    assert (found.ratios > 1.5).any()
    assert found.at(1.5).tolist() == [1.0, 1.0, 1.0]
    assert found.at(1.4999).tolist() == [1.0, 1.0, 0.0]
    assert found.shares[2, found.taus >= 1.4999].tolist() == [1.0] * (found.taus >= 1.4999).sum()


# --- empirical distributions: SciPy, failures, the band ------------------------------------------


def test_scipy_agrees_on_distributions():
    x = np.round(np.random.default_rng(1).normal(size=40), 1)
    ours, theirs = empirical_distribution(x), stats.ecdf(x).cdf
    assert ours.values == pytest.approx(theirs.quantiles)
    assert ours.shares == pytest.approx(theirs.probabilities)


@given(st.lists(st.sampled_from([0.0, 1.0, 2.5, np.inf]), min_size=1, max_size=8))
def test_by_definition_of_empirical(x):
    found = empirical_distribution(x)
    for t in (-1.0, 0.0, 1.0, 2.0, 2.5, 99.0):
        assert found.at(t) == pytest.approx(np.mean(np.array(x) <= t))
    assert (found.low <= found.shares).all()
    assert (found.shares <= found.high).all()


def test_failures_keep_it_below_one():
    found = empirical_distribution([1, np.inf, 3, np.inf])
    assert found.shares.tolist() == [0.25, 0.5]
    assert empirical_distribution([np.inf]).values.size == 0
    assert empirical_distribution([np.inf]).at(5.0) == 0


def test_the_band_holds_the_whole_function():
    """Uniform costs, n = 15, 2,000 times: at least .95 − 3 · .005."""
    rng = np.random.default_rng(2)
    held = 0
    for _ in range(2000):
        found = empirical_distribution(rng.random(15))
        above = np.all(found.shares - found.margin <= found.values)
        below = np.all(found.shares - 1 / 15 + found.margin >= found.values)
        held += bool(above and below)
    assert held / 2000 >= 0.935


def test_the_margin():
    assert empirical_distribution(np.arange(50.0)).margin == pytest.approx(0.19206, abs=1e-5)


def test_refusals_of_empirical():
    with pytest.raises(InputError, match="NaN"):
        empirical_distribution([np.nan])
