"""Relative effects averaged over problems: the mean, independence, and how often intervals hold."""

from __future__ import annotations

import numpy as np
import pytest

from racing.base.errors import InputError
from racing.stats import mean_effects, relative_effects


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
