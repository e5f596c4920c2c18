"""The share solved over time: printed survival times, SciPy, plain shares with one cutoff."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from racing.base.errors import InputError
from racing.stats import share_solved
from racing.stats.intervals import clopper_pearson

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


def test_none_solved():
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


def test_refusals():
    with pytest.raises(InputError, match="give the cutoff"):
        share_solved([1, np.inf])
    with pytest.raises(InputError, match="level"):
        share_solved([1, 2], level=0)
    with pytest.raises(InputError, match="q must be"):
        share_solved([1, 2]).quantile(1.5)
