"""Neighbours differ in one choice; distances are a metric on parameters that are always active."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from racing.space import Categorical, Integer, Ordinal, Real, Space
from tests.space.spaces import MIXED, SMALL, spaces


@settings(max_examples=40, deadline=None)
@given(spaces(), st.integers(0, 50))
def test_neighbours_are_allowed_and_differ_in_one_choice(space: Space, seed: int) -> None:
    rng = np.random.default_rng(seed)
    units = space.encoding.draw(rng, 30)
    units = units[space.encoding.allowed(units)]
    for values in space.decode(units[:1]):
        for near in space.neighbours(values, rng):
            space.check(near)
            changed = {n for n in near if n in values and near[n] != values[n]}
            moved = {
                n
                for n in changed
                if not set(space.structure.parents[n]) & (changed | _flipped(near, values))
            }
            assert len(moved) <= 1
            assert space.key(near) != space.key(values)


def _flipped(a: dict[str, object], b: dict[str, object]) -> set[str]:
    return set(a) ^ set(b)


def test_categories_take_every_level_and_ordinals_the_next_ones() -> None:
    space = Space({"c": Categorical(list("abc")), "o": Ordinal([1, 2, 4, 8])})
    found = space.neighbours({"c": "b", "o": 1}, np.random.default_rng(1))
    assert found == [{"c": "a", "o": 1}, {"c": "c", "o": 1}, {"c": "b", "o": 2}]


def test_distances_by_hand() -> None:
    space = Space(
        {"c": Categorical(list("ab")), "x": Real(0, 10, when="c == a"), "n": Integer(1, 4)}
    )
    a = {"c": "a", "x": 2.0, "n": 1}
    assert space.distance(a, a) == 0
    assert space.distance(a, {"c": "a", "x": 7.0, "n": 3}) == pytest.approx((0.5 + 0.5) / 3)
    assert space.distance(a, {"c": "b", "n": 1}) == pytest.approx(2 / 3)


@pytest.mark.parametrize("space", [SMALL, MIXED])
def test_distances_are_symmetric_and_bounded(space: Space) -> None:
    from racing.space.nearby import distances

    units = space.encode(space.sample(np.random.default_rng(3), 20))
    apart = distances(space, units, units)
    assert np.array_equal(apart, apart.T)
    assert np.all(np.diag(apart) == 0)
    assert np.all((apart >= 0) & (apart <= 1))
    off = ~np.eye(20, dtype=bool)
    assert np.all(apart[off] > 0)
