"""Placements against their definition, on small samples with every kind of tie."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from racing.stats._groups import Groups, Placements

SAMPLE = st.lists(st.sampled_from([0.0, 1.0, 2.0, 5.0, np.inf]), min_size=1, max_size=6)
SAMPLES = st.lists(SAMPLE, min_size=1, max_size=4)


def wins(x, y):
    """h of every pair of runs."""
    a, b = np.array(x)[:, None], np.array(y)
    return (a < b) + (a == b) / 2


@given(SAMPLES)
def test_by_definition(samples):
    placed = Placements.of(Groups.of(samples))
    for i, x in enumerate(samples):
        for j, y in enumerate(samples):
            h = wins(x, y)
            rows = h.sum(axis=1)
            assert placed.u()[i, j] == h.sum()
            assert placed.a()[i, j] == pytest.approx(h.mean())
            assert placed.squares()[i, j] == pytest.approx((rows**2).sum())
            assert placed.scatter()[i, j] == pytest.approx(((rows - rows.mean()) ** 2).sum())
            assert placed.ties()[i, j] == (h == 0.5).sum()
            assert placed.tied()[i, j] == (h == 0.5).all()


@given(SAMPLES)
def test_tie_sums_of_pairs(samples):
    placed = Placements.of(Groups.of(samples))
    for i, x in enumerate(samples):
        for j, y in enumerate(samples):
            if i != j:
                _, counts = np.unique(np.concatenate([x, y]), return_counts=True)
                assert placed.tie_sums()[i, j] == np.sum(counts**3 - counts)


@given(SAMPLES)
def test_the_two_directions_add_up(samples):
    placed = Placements.of(Groups.of(samples))
    assert (placed.u() + placed.u().T == placed.pairs).all()
    assert (np.diag(placed.a()) == 0.5).all()
