"""Kinds of numbers: what each admits."""

from __future__ import annotations

import math
from typing import get_args

import pytest

from racing import quantities
from racing.quantities import Quantity

KINDS = {
    name: next(part for part in get_args(kind) if isinstance(part, Quantity))
    for name, kind in vars(quantities).items()
    if get_args(kind) and any(isinstance(part, Quantity) for part in get_args(kind))
}

ADMITTED = {
    "Count": ([1, 10**9], [0, -1]),
    "Jobs": ([-1, 1, 8], [0, -2]),
    "Natural": ([0, 1], [-1]),
    "Level": ([1e-9, 0.5, 0.999], [0, 1, -0.1, 2]),
    "HalfLevel": ([1e-9, 0.499], [0, 0.5, 1]),
    "Positive": ([1e-300, math.inf], [0, -1e-300]),
    "NonNegative": ([0, 5], [-1e-300]),
    "Seconds": ([0.001, 1e6], [0, -1]),
    "Bytes": ([1, 2**40], [0]),
}


def test_every_kind_has_a_row_here():
    assert ADMITTED.keys() == KINDS.keys()


@pytest.mark.parametrize("name", KINDS)
def test_what_a_kind_admits(name):
    yes, no = ADMITTED[name]
    assert [v for v in yes if not KINDS[name].admits(v)] == []
    assert [v for v in [*no, math.nan] if KINDS[name].admits(v)] == []


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_says_what_it_allows(name):
    assert KINDS[name].allowed
