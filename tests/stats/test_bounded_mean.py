"""An interval of a mean that allows for what is too rare to be seen."""

from __future__ import annotations

import numpy as np
import pytest

from racing.base.errors import InputError
from racing.stats.intervals import bounded_mean


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
