"""Intervals: their definition, the exact coverage of order statistics, and other libraries."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import stdtrit
from scipy.stats import binomtest

from racing.base.errors import InputError
from racing.stats.intervals import bounded_mean, clopper_pearson, half_width, newcombe


@pytest.mark.parametrize(("wins", "n"), [(0, 5), (3, 10), (10, 10), (40, 100)])
def test_clopper_and_pearson_is_that_of_scipy(wins: int, n: int) -> None:
    expected = binomtest(wins, n).proportion_ci(0.9, method="exact")
    assert clopper_pearson(wins, n, 0.9) == pytest.approx((expected.low, expected.high))


@pytest.mark.parametrize("a", [0.0, 0.3, 0.5, 1.0])
def test_newcombe_ends_where_the_equation_holds(a: float) -> None:
    m, n, z2 = 12, 20, 1.959963984540054**2
    for t in newcombe(a, m, n, 0.95):
        spread = t * (1 - t) * (1 + (m + n - 2) / 2 * ((1 - t) / (2 - t) + t / (1 + t))) / (m * n)
        assert (a - t) ** 2 == pytest.approx(z2 * spread, abs=1e-9)


# --- half-widths of Student's t, against SciPy's quantiles and a printed table -------------------


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 5, 6, 7, 29, 30, 499, 1000])
@pytest.mark.parametrize("confidence", [0.0, 0.5, 0.9, 0.95, 0.999])
def test_it_is_the_quantile_of_scipy(freedom: int, confidence: float) -> None:
    wanted = stdtrit(freedom, 0.5 + confidence / 2)
    assert half_width(freedom, confidence) == pytest.approx(wanted, rel=1e-10, abs=1e-10)


@pytest.mark.parametrize(("freedom", "t"), [(1, 12.71), (5, 2.571), (10, 2.228), (120, 1.980)])
def test_the_table_of_textbooks(freedom: int, t: float) -> None:
    """Fisher and Yates (1938), table III, P = .05."""
    assert half_width(freedom, 0.95) == pytest.approx(t, abs=0.005)


# --- an interval of a mean that allows for what is too rare to be seen ---------------------------


@pytest.mark.parametrize("share", [0.003, 0.02, 0.1, 0.5])
def test_it_holds_however_rare_the_largest_value_is(share):
    rng, held = np.random.default_rng(int(1000 * share)), []
    for _ in range(400):
        values = np.where(rng.random(40) < share, 100.0, rng.random(40))
        low, high = bounded_mean(values, least=0, most=100)
        held.append(low <= 100 * share + 0.5 * (1 - share) <= high)
    assert np.mean(held) >= 0.94


def test_it_is_no_wider_than_needed_where_nothing_is_rare():
    values = np.random.default_rng(1).normal(size=200).clip(-3, 3)
    low, high = bounded_mean(values, least=-3, most=3)
    assert 2 * 1.96 / np.sqrt(200) < high - low < 1.2 * 2 * 1.96 / np.sqrt(200)


def test_it_stays_between_the_bounds_and_turns_with_the_values():
    values = np.random.default_rng(2).exponential(size=30)
    low, high = bounded_mean(values, least=0, most=50)
    assert 0 <= low <= values.mean() <= high <= 50
    assert bounded_mean(-values, least=-50, most=0) == (pytest.approx(-high), pytest.approx(-low))
    assert bounded_mean(np.full(9, 2.0), least=2, most=2) == (2, 2)


def test_values_of_a_group_are_one_observation():
    values = np.random.default_rng(3).random(12)
    alone = bounded_mean(values, least=0, most=1)
    same = bounded_mean(np.repeat(values, 5), least=0, most=1, groups=np.repeat(range(12), 5))
    assert same == pytest.approx(alone)


def test_values_beyond_a_bound_are_refused():
    with pytest.raises(InputError, match="from 0 to 1"):
        bounded_mean(np.array([0.5, 2.0]), least=0, most=1)
    with pytest.raises(InputError):
        bounded_mean(np.array([]), least=0, most=1)
