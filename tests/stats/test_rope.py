"""Ropes: what is one, and what several priors agree on."""

from __future__ import annotations

import numpy as np
import pytest

from racing.base.errors import InputError
from racing.stats._rope import as_digits, as_generator, as_rope, bounds_over


def test_bounds_are_the_lowest_and_highest_of_each_probability() -> None:
    rng = np.random.default_rng(0)
    posteriors = [tuple(rng.random((3, 5))) for _ in range(4)]
    found = bounds_over(posteriors, s=0.5, rope=0.1)  # type: ignore[arg-type]
    for place, (low, high) in enumerate((found.p_left, found.p_rope, found.p_right)):
        each = np.array([posterior[place] for posterior in posteriors])
        assert (low == each.min(axis=0)).all()
        assert (high == each.max(axis=0)).all()
    assert (found.s, found.rope) == (0.5, 0.1)


@pytest.mark.parametrize("rope", [-0.1, np.nan, np.inf, True, "0.1", None])
def test_a_rope_is_a_finite_number_from_0(rope: object) -> None:
    assert as_rope(0) == 0.0
    with pytest.raises(InputError, match="finite number from 0"):
        as_rope(rope)  # type: ignore[arg-type]


def test_a_generator_is_given_by_the_caller() -> None:
    rng = np.random.default_rng(1)
    assert as_generator(rng) is rng
    with pytest.raises(InputError, match=r"numpy\.random\.Generator"):
        as_generator(1)  # type: ignore[arg-type]


def test_a_float_has_15_digits() -> None:
    assert as_digits(None) is None
    assert as_digits(15) == 15
    with pytest.raises(InputError, match="15 significant"):
        as_digits(16)
