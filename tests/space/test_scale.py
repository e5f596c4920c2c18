"""Scales: there and back, the shares of values, and rounding."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from racing.space.scale import Continuous, UnitCells, places_rounding, round_to

BOUNDS = {"linear": (-3.0, 7.0), "log": (1e-4, 1e3), "logit": (0.001, 0.999)}
units = st.floats(0, 1)


@pytest.mark.parametrize("scale", BOUNDS)
@given(u=units)
def test_a_drawn_number_survives_the_way_there_and_back(scale: str, u: float) -> None:
    axis = Continuous(*BOUNDS[scale], scale)  # type: ignore[arg-type]
    value = axis.value(u)
    low, high = BOUNDS[scale]
    assert low <= value <= high
    assert axis.unit(value) == pytest.approx(u, abs=1e-9)
    assert axis.value(axis.unit(value)) == value


def test_equal_differences_ratios_and_odds_have_equal_shares() -> None:
    assert Continuous(0, 10, "linear").unit(np.array([0, 2.5, 10])).tolist() == [0, 0.25, 1]
    assert Continuous(1, 100, "log").unit(10.0) == pytest.approx(0.5)
    assert Continuous(0.1, 0.9, "logit").unit(0.5) == pytest.approx(0.5)


def test_a_single_point_is_in_the_middle() -> None:
    axis = Continuous(np.array([1.0, 2.0]), np.array([1.0, 4.0]), "linear")
    with np.errstate(invalid="ignore"):
        assert axis.unit(np.array([1.0, 3.0])).tolist() == [0.5, 0.5]


@pytest.mark.parametrize("scale", ["linear", "log"])
def test_each_cell_is_as_wide_as_its_share(scale: str) -> None:
    axis = UnitCells(1, 8, 1, scale, whole=True)  # type: ignore[arg-type]
    k = np.arange(8.0)
    shares = np.exp(axis.log_share(k))
    assert shares.sum() == pytest.approx(1)
    ends = np.concatenate([[0], np.cumsum(shares)])
    for inside in (1e-6, 1 - 1e-6):
        assert axis.value(ends[:-1] + inside * shares).tolist() == axis.nth(k).tolist()
    assert axis.unit(axis.nth(k)) == pytest.approx((ends[1:] + ends[:-1]) / 2)
    assert axis.value(axis.unit(axis.nth(k))).tolist() == axis.nth(k).tolist()


def test_values_at_steps_have_no_rounding_errors() -> None:
    axis = UnitCells(0.0, 11, 0.1, "linear", whole=False)
    assert axis.nth(np.arange(11.0)).tolist() == [float(f"{k / 10:.1f}") for k in range(11)]


def test_rounding_is_to_places_before_and_behind_the_point() -> None:
    assert round_to(0.123456, places_rounding(2)) == 0.12
    assert round_to(123456.0, places_rounding(-2)) == 123500.0
    assert round_to(2.5, places_rounding(0)) == 2.0, "ties to even"
