"""Ropes: what is one, and what several priors agree on."""

from __future__ import annotations

import numpy as np
import pytest

from racing.base.errors import InputError
from racing.stats import wilcoxon
from racing.stats._checks import as_generator
from racing.stats.sign_posterior import PriorPlace, dp_sign, prior_bounds


def test_bounds_are_the_lowest_and_highest_of_each_probability() -> None:
    x, y = np.random.default_rng(0).integers(0, 9, (2, 12)).astype(float)
    found = prior_bounds(dp_sign, x, y, s=0.5, rope=1.0)
    places: tuple[PriorPlace, ...] = ("left", "rope", "right")
    each = [dp_sign(x, y, s=0.5, rope=1.0, prior=place) for place in places]
    for name in ("p_left", "p_rope", "p_right"):
        values = [getattr(one, name) for one in each]
        assert getattr(found, name) == (min(values), max(values))


def test_a_generator_is_given_by_the_caller() -> None:
    rng = np.random.default_rng(1)
    assert as_generator(rng) is rng
    with pytest.raises(InputError, match=r"numpy\.random\.Generator"):
        as_generator(1)  # type: ignore[arg-type]


def test_a_float_has_15_digits() -> None:
    for digits in (15, None):
        assert float(wilcoxon([1, 2], [2, 4], digits=digits).pvalue) == 0.5
