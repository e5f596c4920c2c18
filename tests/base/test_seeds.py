"""Every draw has an address: the same address, the same numbers, in any order."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from racing.base.seeds import Purpose, integer, stream


def test_asking_twice_gives_the_same_numbers_in_any_order():
    places = list(itertools.product([1, 2], Purpose, [0, 1, 2]))
    first = {place: stream(*place).random(3).tolist() for place in places}
    second = {place: stream(*place).random(3).tolist() for place in reversed(places)}
    assert first == second


def test_no_two_addresses_share_a_stream():
    addresses = [
        (seed, purpose, *place)
        for seed in (0, 1, 2**40)
        for purpose in Purpose
        for place in ((), (0,), (1,), (0, 0), (0, 1), (1, 0))
    ]
    draws = {tuple(stream(*address).integers(2**62, size=2)) for address in addresses}
    assert len(draws) == len(addresses)


def test_the_numbers_are_pinned_since_logs_depend_on_them():
    assert {purpose.name: int(purpose) for purpose in Purpose} == {
        "INSTANCE_SEED": 1,
        "INSTANCE_ORDER": 2,
        "VERDICT": 3,
        "SAMPLE": 4,
        "CATCH_UP": 5,
        "EVALUATE": 6,
        "CHALLENGER": 7,
        "PROBLEM_SEED": 8,
        "FRONT": 9,
    }
    assert integer(1, Purpose.INSTANCE_SEED, 0) == 1143452584
    assert stream(1, Purpose.INSTANCE_ORDER, 0).permutation(6).tolist() == [0, 5, 3, 2, 1, 4]


@given(seed=st.integers(0, 2**64), place=st.integers(0, 10**6))
def test_seeds_for_targets_are_what_every_solver_accepts(seed, place):
    assert 1 <= integer(seed, Purpose.INSTANCE_SEED, place) <= 2**31 - 1


def test_seeds_for_targets_are_spread_evenly():
    drawn = np.array([integer(5, Purpose.EVALUATE, k) for k in range(4000)])
    counts = np.histogram(drawn, bins=10, range=(1, 2**31))[0]
    assert ((counts - 400) ** 2 / 400).sum() < 27.9  # the .999 quantile of χ² with 9 degrees


def test_a_negative_seed_is_an_error():
    with pytest.raises(ValueError):
        stream(-1, Purpose.SAMPLE)
