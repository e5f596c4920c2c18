"""Worlds of few levels of cost know the truth about what they make."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import rankdata

from benchmarks.racing_lab.levels import SIZES, families

TEN = [family for family in families() if family.name.endswith(", 10 candidates")]


@pytest.mark.parametrize("family", TEN, ids=lambda family: family.name)
def test_truths_are_those_of_a_long_run(family):
    """Within five standard errors of 60,000 instances."""
    sample = replace(family.world, rows=60_000).sample(np.random.default_rng(3))
    costs = sample.costs
    assert 0 <= costs.min() < costs.max() <= 1
    np.testing.assert_allclose(costs.mean(axis=0), sample.mean, atol=5 * 0.5 / 60_000**0.5)
    ranks = rankdata(costs, axis=1).mean(axis=0)
    np.testing.assert_allclose(ranks, sample.rank, atol=5 * 3 / 60_000**0.5)
    a, b = costs[:, 0], costs[:, 1]
    wins = (a < b).mean() + (a == b).mean() / 2
    assert sample.alike(0, 1) == pytest.approx(wins, abs=5 * 0.5 / 60_000**0.5)
    assert sample.alike(0, 1) + sample.alike(1, 0) == pytest.approx(1)


def test_every_size_has_the_same_worlds_in_both_halves():
    names = {(f.name.rsplit(", ", 1)[0], f.half) for f in families()}
    assert len(families()) == len(SIZES) * len(names)
    assert {half for _, half in names} == {"tune", "report"}


def test_hard_items_are_hard_for_everybody():
    easy, hard = (
        next(f.world for f in TEN if f.name.startswith(name)).sample(np.random.default_rng(1)).costs
        for name in ("right in 92–98 %, 10", "right in 92–98 %, hard")
    )
    assert hard.mean(axis=1).std() > 1.5 * easy.mean(axis=1).std()
