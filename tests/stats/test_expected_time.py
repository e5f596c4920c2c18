"""PAR and the expected running time: definitions, what is known in closed form, the bootstrap."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from racing.base.errors import InputError
from racing.stats import expected_running_time, par

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


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"factor": 0.5}, "factor"),
        ({"factor": np.inf}, "factor"),
        ({"level": 1}, "level"),
        ({"draws": 5}, "100 or more"),
        ({"rng": None}, "rng"),
        ({"cutoff": None}, "give the cutoff"),
    ],
)
def test_refusals(options, says):
    with pytest.raises(InputError, match=says):
        par(TIMES, **{"cutoff": 10, "rng": rng(), **options})
