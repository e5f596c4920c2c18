"""Contrast estimation: the definition by loops, and what must hold of it."""

from __future__ import annotations

import numpy as np
import pytest

from racing.base.errors import InputError
from racing.stats import contrast_estimation
from tests.stats.garcia_2010 import COSTS


def by_the_book(costs):
    m = costs.shape[1]
    z = [[np.median([row[j] - row[i] for row in costs]) for j in range(m)] for i in range(m)]
    means = [sum(row) / m for row in z]
    return np.array([[means[i] - means[j] for j in range(m)] for i in range(m)])


@pytest.mark.parametrize("seed", range(5))
def test_the_definition(seed):
    costs = np.random.default_rng(seed).normal(size=(6 + seed, 5))
    assert contrast_estimation(costs).contrasts == pytest.approx(by_the_book(costs))


def test_of_the_classifiers_of_garcia_et_al():
    found = contrast_estimation(COSTS)
    assert found.contrasts == pytest.approx(by_the_book(COSTS))
    assert found.contrasts[0] == pytest.approx([0.0, 0.0225, 0.0198, 0.0592], abs=1e-4)
    assert found.advantages.argmax() == 0


def test_contrasts_add_up_and_recover_shifts():
    rng = np.random.default_rng(0)
    found = contrast_estimation(rng.normal(size=(9, 1)) + np.array([3.0, 1.0, 2.0]))
    assert found.contrasts == pytest.approx(np.array([[0, -2, -1], [2, 0, 1], [1, -1, 0]]))
    c = contrast_estimation(rng.normal(size=(9, 4))).contrasts
    assert c[0, 1] + c[1, 2] == pytest.approx(c[0, 2])
    assert c == pytest.approx(-c.T)


def test_failures_are_refused():
    with pytest.raises(InputError, match="finite for contrast estimation"):
        contrast_estimation([[1.0, np.inf]])
