"""The screening rule: its formula, and what it promises."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import norm

from racing.search.challenger import probability_better, rungs, stand


@pytest.mark.parametrize(
    ("instances", "expected"),
    [
        (1, [1]),
        (2, [1, 2]),
        (3, [1, 2, 3]),
        (4, [1, 2, 4]),
        (5, [1, 2, 4, 5]),
        (27, [1, 2, 4, 8, 16, 27]),
        (32, [1, 2, 4, 8, 16, 32]),
    ],
)
def test_rungs_double_and_end_at_all_instances(instances, expected):
    assert rungs(instances) == expected


def test_rungs_may_grow_faster():
    assert rungs(1, 4) == [1]
    assert rungs(16, 4) == [1, 4, 16]
    assert rungs(27, 4) == [1, 4, 16, 27]
    assert rungs(27, 3) == [1, 3, 9, 27]


def test_the_probability_is_that_of_the_formula():
    d = np.array([0.3, -0.1, 0.5])
    v = (4 * 0.2 + ((d - d.mean()) ** 2).sum()) / (3 + 3)
    expected = norm.cdf(-d.mean() / math.sqrt(v / 3))
    assert probability_better(d, 0.2, 4.0) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("d", "expected"), [([1.0], 0.0), ([-1.0, -1.0], 1.0), ([0.0], 0.5)])
def test_without_any_noise_the_sign_decides(d, expected):
    assert probability_better(np.array(d), 0.0, 4.0) == expected


def test_without_a_prior_it_is_the_plain_normal_statistic():
    d = np.array([0.3, -0.1, 0.5, 0.2])
    expected = norm.cdf(-d.mean() / math.sqrt(d.var(ddof=1) / 4))
    assert probability_better(d, 123.0, 0.0) == pytest.approx(expected)


def test_an_equal_challenger_is_dropped_at_a_look_about_as_often_as_the_level():
    rng = np.random.default_rng(1)
    for n in (1, 4, 16):
        out = [probability_better(rng.normal(size=n), 1.0, 4.0) <= 0.1 for _ in range(4000)]
        assert abs(np.mean(out) - 0.1) < 0.025


def test_where_it_stands_is_told():
    d = np.array([0.4, 0.2])
    standing = stand(d, 0.1, [0.5, 0.1, 0.2, 0.9], prior=4.0, least=4)
    assert (standing.n, standing.behind) == (2, pytest.approx(0.3))
    assert standing.median == pytest.approx(0.35)
    assert stand(d, 0.1, [0.5, 0.1, 0.2], prior=4.0, least=4).median == math.inf
