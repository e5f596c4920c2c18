"""The sequence is SciPy's, point by point."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from scipy.stats import qmc

from racing.space.sampling import BITS, Sobol, directions


@pytest.mark.parametrize("dimension", [1, 2, 3, 7, 40, 200])
@pytest.mark.parametrize("seed", [1, 2])
def test_the_points_are_those_of_scipy(dimension, seed):
    ours, theirs = Sobol(dimension, rng := np.random.default_rng(seed)), _scipy(dimension, seed)
    for n in (16, 16, 32, 64, 128):
        assert (ours.take(n) == theirs.random(n)).all()
    assert ours.taken == 256
    assert rng.random() == np.random.default_rng(seed).random(), "it is only asked for a child"


def _scipy(dimension, seed):
    return qmc.Sobol(dimension, scramble=True, rng=np.random.default_rng(seed))


def test_every_interval_of_each_coordinate_has_one_point():
    points = Sobol(5, np.random.default_rng(3)).take(64)
    for column in points.T:
        assert sorted(np.floor(64 * column)) == list(range(64))


def test_the_first_dimension_is_van_der_corput():
    """Niederreiter (1992): the digits of k, mirrored at the point."""
    assert directions(1)[0].tolist() == [1 << (BITS - 1 - k) for k in range(BITS)]


def test_more_dimensions_than_there_are_polynomials_are_refused():
    with pytest.raises(ValueError, match="at most 21201 dimensions"):
        directions(30_000)


def test_a_search_draws_its_first_configurations_without_the_statistics_of_scipy():
    code = (
        "import sys; from racing.space import Real, Space; import numpy as np;"
        "Space({'x': Real(0, 1)}).initial(np.random.default_rng(1), 9);"
        "sys.exit('scipy.stats' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
