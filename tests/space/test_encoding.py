"""The unit scale: exact round trips, cells, activity, forbidden clauses."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from racing.base.errors import InputError
from racing.space import Integer, Ordinal, Real, Space
from tests.space.spaces import MIXED, SMALL, spaces


@pytest.mark.parametrize("space", [SMALL, MIXED])
def test_configurations_survive_the_round_trip(space: Space) -> None:
    configurations = space.sample(np.random.default_rng(1), 60)
    units = space.encode(configurations)
    again = space.decode(units)
    assert again == configurations
    assert [list(values) for values in again] == [list(values) for values in configurations]
    types = [[type(v) for v in values.values()] for values in again]
    assert types == [[type(v) for v in values.values()] for values in configurations]
    assert np.array_equal(space.encode(again), units, equal_nan=True)


@settings(max_examples=80, deadline=None)
@given(spaces(), st.integers(0, 99))
def test_the_round_trip_is_exact_in_every_space(space: Space, seed: int) -> None:
    rng = np.random.default_rng(seed)
    units = space.encoding.draw(rng, 20)
    configurations = space.decode(units)
    assert space.decode(space.encode(configurations)) == configurations
    allowed = space.encoding.allowed(units)
    for values, is_allowed in zip(configurations, allowed, strict=True):
        errors = list(space.errors(values))
        assert bool(errors) is not bool(is_allowed), errors


def test_columns_are_places_cells_and_levels() -> None:
    space = Space(
        {
            "x": Real(0, 4),
            "n": Integer(1, 4),
            "o": Ordinal(["a", "b"]),
            "l": Integer(1, 3, log=True),
        }
    )
    encoding = space.encoding
    assert encoding.kinds == ("number", "number", "ordinal", "number")
    assert encoding.levels == (0, 0, 2, 0)
    [row] = space.encode([{"x": 1.0, "n": 2, "o": "b", "l": 1}])
    assert row[:3].tolist() == [0.25, 0.375, 0.75]
    assert row[3] == pytest.approx(0.5 * np.log(2) / np.log(4))
    edges = np.log([1, 2, 3, 4]) / np.log(4)
    at = np.linspace(0, 1, 400)
    units = np.tile([0.5, 0.5, 0.5, 0.0], (400, 1))
    units[:, 3] = at
    found = [values["l"] for values in space.decode(units)]
    assert found == np.clip(np.searchsorted(edges, at + 1e-12, side="right"), 1, 3).tolist()


def test_dependent_bounds_are_relative_to_the_parent() -> None:
    space = Space({"size": Integer(1, 10), "part": Real(0, "2 * size")})
    [row, other] = space.encode([{"size": 5, "part": 5.0}, {"size": 10, "part": 5.0}])
    assert (row[1], other[1]) == (0.5, 0.25)
    row[0] = 0.05  # size 1
    assert space.decode(row[None]) == [{"size": 1, "part": 1.0}]


@settings(max_examples=40, deadline=None)
@given(spaces(), st.integers(0, 99))
def test_activation_depends_on_parents_alone(space: Space, seed: int) -> None:
    rng = np.random.default_rng(seed)
    units = space.encoding.draw(rng, 20)
    again = space.encoding.activate(units, rng)
    assert np.array_equal(again, units, equal_nan=True)
    full = np.where(np.isnan(units), 0.5, units)
    full[:, [k == "category" for k in space.encoding.kinds]] = np.floor(
        full[:, [k == "category" for k in space.encoding.kinds]]
    )
    cut = space.encoding.activate(full, rng)
    assert np.array_equal(cut, units, equal_nan=True)


def test_order_has_parents_first() -> None:
    space = Space({"b": Integer(1, "a"), "c": Integer(0, 1, when="b > 2"), "a": Integer(2, 5)})
    assert [space.encoding.names[j] for j in space.encoding.order] == ["a", "b", "c"]


def test_what_is_no_value_is_refused() -> None:
    for name, value in (("algorithm", "als"), ("ants", "many"), ("fast", 1)):
        with pytest.raises(InputError, match=f"{name} must be"):
            SMALL.encode([{name: value}])


def test_a_space_can_be_sent_to_another_process() -> None:
    SMALL.encode([SMALL.default()])
    again = pickle.loads(pickle.dumps(SMALL))
    assert again == SMALL
    assert again.sample(np.random.default_rng(1), 5) == SMALL.sample(np.random.default_rng(1), 5)
