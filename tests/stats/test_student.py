"""Half-widths of Student's t, against SciPy's quantiles and a printed table."""

from __future__ import annotations

import pytest
from scipy.special import stdtrit

from racing.stats.intervals import half_width


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 5, 6, 7, 29, 30, 499, 1000])
@pytest.mark.parametrize("confidence", [0.0, 0.5, 0.9, 0.95, 0.999])
def test_it_is_the_quantile_of_scipy(freedom: int, confidence: float) -> None:
    wanted = stdtrit(freedom, 0.5 + confidence / 2)
    assert half_width(freedom, confidence) == pytest.approx(wanted, rel=1e-10, abs=1e-10)


@pytest.mark.parametrize(("freedom", "t"), [(1, 12.71), (5, 2.571), (10, 2.228), (120, 1.980)])
def test_the_table_of_textbooks(freedom: int, t: float) -> None:
    """Fisher and Yates (1938), table III, P = .05."""
    assert half_width(freedom, 0.95) == pytest.approx(t, abs=0.005)
