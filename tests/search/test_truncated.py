"""Draws from truncated normals, against SciPy's and at the limits."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from scipy.stats import truncnorm

from racing.search.sampler import truncated_normal

U = np.linspace(0.001, 0.999, 23)


@pytest.mark.parametrize("mean", [0.0, 0.02, 0.5, 1.0])
@pytest.mark.parametrize("sd", [0.001, 0.1, 0.5, 30.0])
def test_they_are_quantiles_of_the_truncated_normal(mean: float, sd: float) -> None:
    law = truncnorm(-mean / sd, (1 - mean) / sd, loc=mean, scale=sd)
    found = truncated_normal(np.full(len(U), mean), np.full(len(U), sd), U)
    assert found == pytest.approx(law.ppf(U), abs=1e-9)


def test_without_width_the_mean_comes_back() -> None:
    mean = np.array([0.0, 0.3, 1.0])
    assert truncated_normal(mean, np.zeros(3), np.full(3, 0.7)).tolist() == mean.tolist()
    assert truncated_normal(mean, np.full(3, 1e-9), np.full(3, 0.7)) == pytest.approx(
        mean, abs=1e-6
    )


def test_each_draw_is_inside() -> None:
    for mean in (0.0, 0.4, 1.0):
        for sd in (1e-300, 1e-9, 0.03, 1e9):
            found = truncated_normal(mean, sd, np.array([0.0, 1e-300, 0.5, np.nextafter(1, 0)]))
            assert ((found >= 0) & (found <= 1)).all()


def test_shapes_are_kept_and_nothing_is_known_of_nan() -> None:
    mean = np.array([[0.1, np.nan], [0.3, 0.4]])
    found = truncated_normal(mean, np.full((2, 2), 0.1), np.full((2, 2), 0.5))
    assert np.isnan(found).tolist() == [[False, True], [False, False]]
    assert truncated_normal(np.empty(0), 0.1, np.empty(0)).shape == (0,)


def test_scipy_is_not_imported_for_them() -> None:
    code = (
        "import sys; from racing.search.sampler import truncated_normal as draw;"
        "draw(0.5, 0.1, 0.3); sys.exit('scipy.special' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
