"""Rom's correction: his table, its exact level, and its definition."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.polynomial import Polynomial
from scipy.special import factorial

from racing.base.errors import InputError
from racing.stats import holm, rom, rom_critical_values

p_values = st.lists(st.floats(0, 1), min_size=1, max_size=8)


def test_rom_s_critical_values_are_those_of_his_table():
    """Rom (1990), table 1, to four digits."""
    assert rom_critical_values(5, 0.05) == pytest.approx(
        [0.05, 0.025, 0.01688, 0.01271, 0.01019], abs=5e-6
    )
    assert rom_critical_values(3, 0.01) == pytest.approx([0.01, 0.005, 0.003342], abs=5e-7)


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.3])
@pytest.mark.parametrize("h", [1, 2, 3, 6, 12])
def test_rom_keeps_its_level_exactly_for_independent_p_values(h, alpha):
    """P(no rejection) = h!·∫ 1 over u_1 < ... < u_h with u_i above its critical value."""
    volume = Polynomial([1.0])
    for critical in rom_critical_values(h, alpha)[::-1]:
        inner = volume.integ()
        volume = inner - inner(critical)
    assert factorial(h) * volume(1.0) == pytest.approx(1 - alpha, rel=1e-8)


@pytest.mark.parametrize("h", [61, 70, 90])
def test_leaving_out_terms_changes_no_critical_value(h, monkeypatch):
    module = import_module("racing.stats.corrections")
    short = rom_critical_values(h, 0.9)
    monkeypatch.setattr(module, "_ALL_TERMS", 1000)
    assert short == pytest.approx(rom_critical_values(h, 0.9), rel=1e-12)


@settings(max_examples=40)
@given(p=p_values)
def test_an_adjusted_p_value_is_the_least_level_that_rejects(p):
    """Rom's step-up rule itself, just above and just below the level."""
    adjusted = rom(p)
    order = np.sort(p)
    for level in {float(a) for a in adjusted if 1e-6 < a < 0.89}:
        for alpha in (level * (1 - 1e-6), level * (1 + 1e-6)):
            critical = rom_critical_values(len(p), alpha)[::-1]
            enough = np.flatnonzero(order <= critical)
            last = order[enough[-1]] if enough.size else -1.0
            assert ((adjusted <= alpha) == (np.array(p) <= last)).all()


def test_a_thousand_p_values_are_no_weaker_than_holm():
    p = np.random.default_rng(0).uniform(size=1000) ** 4
    assert (rom(p) <= holm(p) + 1e-12).all()


def test_more_than_a_thousand_are_refused():
    with pytest.raises(InputError, match="hommel"):
        rom(np.full(1001, 0.5))
