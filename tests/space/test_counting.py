"""Sizes and lists against brute force."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from racing.base.errors import InputError
from racing.space import (
    Boolean,
    Categorical,
    Flag,
    Integer,
    Ordinal,
    Parameter,
    Real,
    Space,
)
from tests.space.spaces import SMALL, spaces


def brute_force(space: Space, most: int = 300) -> set[Any] | None:
    """The configurations among all combinations of values and absences that `check` accepts."""
    choices = []
    for parameter in space.values():
        if parameter.levels is not None:
            values: list[Any] = list(parameter.levels)
        elif math.isnan(parameter.size):
            values = list(range(-2, 20))
        else:
            numeric: Any = parameter
            step = numeric.step or (
                10.0 ** -(numeric.digits or 0) if isinstance(numeric, Real) else 1
            )
            count = int(parameter.size)
            values = [parameter.admit(round(numeric.low + k * step, 6)) for k in range(count)]
        choices.append([*values, None])
    if math.prod(map(len, choices)) > most:
        return None
    found = set()
    for row in itertools.product(*choices):
        values = {n: v for n, v in zip(space, row, strict=True) if v is not None}
        if not list(space.errors(values)):
            found.add(space.key(values))
    return found


@settings(max_examples=40, deadline=None)
@given(spaces(finite=True))
def test_size_and_list_are_those_of_brute_force(space: Space) -> None:
    expected = brute_force(space)
    if expected is None:
        return
    listed = space.enumerate()
    assert space.size == len(listed) == len(expected)
    assert {space.key(values) for values in listed} == expected


def test_a_conditional_space_by_hand() -> None:
    space = Space(
        {
            "a": Boolean(),
            "b": Integer(1, 3, when="a"),
            "c": Integer(1, "b"),
            "d": Flag(),
        },
        forbidden=["b == 3 and d"],
    )
    # without a: d alone, 2; with a: c has b values, 1 + 2 + 3 without d, 1 + 2 with d
    assert space.size == 2 + 6 + 3
    assert len(space.enumerate()) == 11


def test_the_small_space() -> None:
    assert len(SMALL.enumerate()) == SMALL.size
    for values in SMALL.enumerate():
        SMALL.check(values)


def test_independent_parts_multiply_without_being_listed() -> None:
    many = {f"c{i}": Categorical(list(range(10))) for i in range(12)}
    flags = {f"f{i}": Boolean(when=f"c{i} == 3") for i in range(12)}
    assert Space({**many, **flags}).size == 11**12


def test_reals_are_a_continuum_but_for_digits_and_steps() -> None:
    assert Space({"x": Real(0, 1)}).size == math.inf
    assert Space({"x": Real(0, 1, digits=2)}).size == 101
    assert Space({"x": Real(0, 1, step=0.25), "o": Ordinal([1, 2])}).size == 10
    assert Space({"a": Flag(), "x": Real(0, 1, when="a")}).size == math.inf
    with pytest.raises(InputError, match="inf configurations; at most 100000 can be listed"):
        Space({"x": Real(0, 1)}).enumerate()


def test_a_very_large_space_has_an_upper_bound() -> None:
    chain = {"c0": Integer(0, 9999)}
    chain |= {f"c{i}": Integer(0, 9999, when=f"c{i - 1} > 3") for i in (1, 2, 3)}
    size = Space(chain).size
    exact = 4 + 9996 * (4 + 9996 * (4 + 9996 * 10000))
    assert exact <= size < math.inf


def test_all_of_a_small_space_can_be_sampled() -> None:
    rng = np.random.default_rng(5)
    drawn = SMALL.sample(rng, 10_000)
    assert len(drawn) == SMALL.size
    assert {SMALL.key(v) for v in drawn} == {SMALL.key(v) for v in SMALL.enumerate()}
    rest = SMALL.sample(rng, 10_000, exclude=drawn[:-7])
    assert {SMALL.key(v) for v in rest} == {SMALL.key(v) for v in drawn[-7:]}


def test_thousands_of_dependent_parameters_are_counted_in_a_moment() -> None:
    chain: dict[str, Parameter] = {"p0": Boolean()}
    chain |= {f"p{i}": Boolean(when=f"p{i - 1}") for i in range(1, 3000)}
    assert Space(chain).size == math.inf  # an upper bound; the exact number is 3001
    few = dict(list(chain.items())[:50])
    assert Space(few).size == 51
