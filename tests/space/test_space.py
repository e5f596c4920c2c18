"""A space: samples that differ, configurations completed and checked."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from racing.base.errors import InputError
from racing.space import Categorical, Integer, Real, Space

SPACE = Space(
    {
        "alpha": Real(0.01, 5, log=True, default=1.0),
        "ants": Integer(5, 100, default=25),
        "rule": Categorical(["as", "mmas"], default="mmas"),
        "fast": Categorical([True, False]),
    }
)
WHOLE = {"alpha": 1.0, "ants": 25, "rule": "mmas", "fast": True}


def test_it_is_a_mapping_in_the_order_given() -> None:
    assert list(SPACE) == ["alpha", "ants", "rule", "fast"]
    assert SPACE["ants"].default == 25
    assert len(SPACE) == 4
    assert Space({"n": Integer(1, 3), "c": Categorical(["a", ""])}).size == 6


def test_samples_are_plain_values_of_the_space() -> None:
    for values in SPACE.sample(np.random.default_rng(1), 20):
        SPACE.check(values)
        assert list(values) == list(SPACE)
        assert json.loads(json.dumps(values)) == values


def test_the_same_stream_gives_the_same_samples() -> None:
    a, b = (SPACE.sample(np.random.default_rng(7), 5) for _ in range(2))
    assert a == b
    assert a != SPACE.sample(np.random.default_rng(8), 5)


@given(st.integers(1, 6), st.integers(1, 4), st.integers(0, 40), st.integers(0, 99))
def test_samples_differ_until_the_space_is_used_up(a: int, b: int, n: int, seed: int) -> None:
    space = Space({"a": Integer(0, a), "b": Categorical(range(b)), "c": Categorical([True, 1])})
    known = space.sample(np.random.default_rng(seed), 2)
    fresh = space.sample(np.random.default_rng(seed), n, exclude=known)
    distinct = {space.key(values) for values in (*known, *fresh)}
    assert len(distinct) == len(known) + len(fresh)
    assert len(fresh) == min(n, space.size - len(known))


def test_rare_members_are_found_too() -> None:
    space = Space({"n": Integer(1, 2000, log=True)})
    found = space.sample(np.random.default_rng(1), 2000)
    assert sorted(values["n"] for values in found) == list(range(1, 2001))


def test_a_continuum_of_few_numbers_comes_to_an_end() -> None:
    space = Space({"x": Real(1.0, float(np.nextafter(1.0, 2.0)))})
    assert len(space.sample(np.random.default_rng(1), 10)) == 2


def test_defaults() -> None:
    with pytest.raises(InputError, match="no default for fast; give each parameter one"):
        SPACE.default()
    space = Space({"alpha": SPACE["alpha"], "ants": SPACE["ants"]})
    assert space.default() == {"alpha": 1.0, "ants": 25}


def test_completing_takes_defaults_order_and_types_from_the_space() -> None:
    full = SPACE.complete({"fast": False, "alpha": 2, "ants": 7.0})
    assert full == {"alpha": 2.0, "ants": 7, "rule": "mmas", "fast": False}
    assert list(full) == list(SPACE)
    assert [type(value) for value in full.values()] == [float, int, str, bool]


def test_all_faults_are_told_at_once() -> None:
    with pytest.raises(InputError) as caught:
        SPACE.check({"alpha": 9, "ant": 10, "rule": True})
    assert str(caught.value) == (
        "alpha must be a number from 0.01 to 5.0; got 9; "
        "ant: unknown parameter; did you mean 'ants'?; "
        "rule must be one of as, mmas; got true; "
        "ants: missing; fast: missing, and the space has no default for it"
    )
    SPACE.check(WHOLE)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({}, "a space must have one parameter or more"),
        ({"name": Real(0, 1)}, "'name' cannot name a parameter: lists of candidates use it"),
        (
            {"1e5": Real(0, 1)},
            "'1e5' cannot name a parameter: start with a letter, a digit, _ or @",
        ),
        ({"a b": Real(0, 1)}, "'a b' cannot name a parameter"),
        ({"": Real(0, 1)}, "'' cannot name a parameter"),
        ({3: Real(0, 1)}, "the name of a parameter must be text; got 3"),
        ({"a": (0, 1)}, "parameter 'a' must be Real, Integer, …; got (0, 1)"),
    ],
)
def test_what_is_no_space(parameters: dict[str, Real], message: str) -> None:
    with pytest.raises(InputError) as caught:
        Space(parameters)
    assert message in str(caught.value)


def test_equal_spaces_are_equal() -> None:
    again = Space(dict(SPACE))
    assert again == SPACE
    assert hash(again) == hash(SPACE)
    assert Space({"a": Real(0, 1)}) != Space({"a": Real(0, 1, log=False, default=0.5)})
