"""Finner's, Li's and Rom's corrections: published values, definitions, and order of strength."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from racing.base.errors import InputError
from racing.stats import adjust, finner, hochberg, li, rom, sidak

# García et al. (2010): FH-GBML, IS-CHC+1NN and NNEP against PDFC, by Friedman's ranks, and by
# aligned ranks
FRIEDMAN = [5.699411623331527e-5, 0.057346851901366444, 0.057346851901366444]
ALIGNED = [2.3602680011265347e-7, 0.02821169615547655, 0.029930144495582865]


@pytest.mark.parametrize(
    ("method", "p", "printed"),
    [
        (finner, FRIEDMAN, [1.70982e-4, 0.08477, 0.08477]),
        (li, FRIEDMAN, [6.045773104701031e-5, 0.057346851901366444, 0.057346851901366444]),
        (rom, FRIEDMAN, [1.70982e-4, 0.05735, 0.05735]),
        (finner, ALIGNED, [7.080802332248837e-7, 0.04201766339344748, 0.04201766339344748]),
        (li, ALIGNED, [2.4330901671248775e-7, 0.02826025995228252, 0.029930144495582865]),
        (rom, ALIGNED, [7.080804003379604e-7, 0.029930144495582865, 0.029930144495582865]),
    ],
)
def test_the_values_that_garcia_et_al_print(method, p, printed):
    assert method(p) == pytest.approx(printed, rel=1e-4)


p_values = st.lists(st.floats(0, 1), min_size=1, max_size=8)


@given(p=p_values)
def test_their_order_of_strength(p):
    p = np.array(p)
    assert (rom(p) <= hochberg(p) + 1e-12).all()
    assert (finner(p) <= sidak(p) + 1e-12).all()
    for method in (finner, li, rom):
        adjusted = method(p)
        assert (adjusted >= p).all()
        assert (adjusted <= 1).all()
        assert (np.diff(adjusted[np.argsort(p, kind="stable")]) >= -1e-12).all()


@given(p=p_values, alpha=st.sampled_from([0.01, 0.05, 0.2]))
def test_li_is_the_two_step_rule(p, alpha):
    p = np.array(p)
    largest = p.max()
    rejected = p <= alpha if largest <= alpha else p <= alpha * (1 - largest) / (1 - alpha)
    if largest <= alpha:
        rejected = np.ones_like(rejected)
    clear = np.abs(li(p) - alpha) > 1e-9
    assert ((li(p) <= alpha) == rejected)[clear].all() or largest == 1.0


@given(p=p_values)
def test_finner_is_the_step_down_rule(p):
    order = np.argsort(p, kind="stable")
    h, worst = len(p), 0.0
    for i, k in enumerate(order, start=1):
        worst = max(worst, 1 - (1 - p[k]) ** (h / i))
        assert finner(p)[k] == pytest.approx(worst, abs=1e-12)


def test_edges():
    for name in ("finner", "li", "rom"):
        assert adjust([], name).size == 0
        assert adjust([0.04], name).tolist() == pytest.approx([0.04])
        assert adjust([0.0, 0.0], name).tolist() == [0.0, 0.0]
        assert adjust([1.0, 1.0], name).tolist() == [1.0, 1.0]
        with pytest.raises(InputError, match="from 0 to 1"):
            adjust([1.1], name)
    assert li([0.0, 0.5, 1.0]).tolist() == [0.0, 1.0, 1.0]
    assert finner([1e-300] * 3) == pytest.approx(np.full(3, 3e-300))
