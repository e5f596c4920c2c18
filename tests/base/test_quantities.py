"""Kinds of numbers: what each admits."""

from __future__ import annotations

import math
from typing import get_args

import numpy as np
import pytest

from racing.base import quantities
from racing.base.errors import InputError
from racing.base.quantities import Quantity, cost_of, score_of
from racing.rules import Bets, Sign

KINDS = {
    name: next(part for part in get_args(kind) if isinstance(part, Quantity))
    for name, kind in vars(quantities).items()
    if get_args(kind) and any(isinstance(part, Quantity) for part in get_args(kind))
}

ADMITTED = {
    "Count": ([1, 10**9], [0, -1]),
    "Jobs": ([-1, 1, 8], [0, -2]),
    "Natural": ([0, 1], [-1]),
    "RunSeed": ([0, 2**63 - 1], [-1, 2**63]),
    "ExitStatus": ([0, 255], [-1, 256]),
    "Factor": ([1, 10.5], [0.999]),
    "Level": ([1e-9, 0.5, 0.999], [0, 1, -0.1, 2]),
    "HalfLevel": ([1e-9, 0.499], [0, 0.5, 1]),
    "Risk": ([1e-9, 0.5], [0, 0.501, 1]),
    "Correlation": ([0, 0.999], [-1e-9, 1]),
    "Share": ([0, 1], [-1e-9, 1.001]),
    "Positive": ([1e-300, math.inf], [0, -1e-300]),
    "NonNegative": ([0, 5], [-1e-300]),
    "Seconds": ([0.001, 1e6], [0, -1]),
    "Bytes": ([1, 2**40], [0]),
    "Rate": ([0.001, 1e6], [0, -1]),
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


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Sign(alpha=5), "alpha must be a number above 0 and below 1; got 5"),
        (lambda: Sign(alpha="0.05"), 'alpha must be a number above 0 and below 1; got "0'),
        (lambda: Sign(alpha=True), "alpha must be a number above 0 and below 1; got true"),
        (lambda: Sign(gate="fridman"), 'gate must be .*friedman.*; got "fridman"'),
        (lambda: Bets(range=0), "range must be a number above 0; got 0"),
    ],
)
def test_rules_refuse_in_python_what_a_file_may_not_say(make, message):
    with pytest.raises(InputError, match=message):
        make()


def test_what_is_allowed_is_taken():
    assert Bets(range=None).range is None
    assert Sign(alpha=np.float64(0.01)).alpha == 0.01


def test_costs_are_scores_in_the_users_direction_and_back():
    assert score_of(-3.0, "maximize") == cost_of(-3.0, "maximize") == 3.0
    assert score_of(-3.0, "minimize") == cost_of(-3.0, "minimize") == -3.0
    assert str(score_of(0.0, "maximize")) == "0.0"  # not -0.0
    assert cost_of(np.array([1.0, -np.inf]), "maximize").tolist() == [-1.0, np.inf]
