"""Scales: the space's domain where there is one, so that they are the same in every run."""

from __future__ import annotations

import numpy as np
import pytest

from racing.report.parameters import effects, scale_of
from racing.space import Categorical, Integer, Ordinal, Real
from tests.report.kit import told

SPACE = {
    "x": {"real": [0.001, 10], "log": True},
    "kind": {"ordinal": ["low", "middle", "high"]},
}


def test_two_runs_over_one_space_have_the_same_scales():
    costs = np.arange(6.0) + np.random.default_rng(1).normal(size=(8, 6))
    found = []
    for factor in (0.01, 0.9):
        values = [{"x": (j + 1) * factor, "kind": ["low", "high"][j % 2]} for j in range(6)]
        run = told(costs, rule="none", values=values, scenario={"space": SPACE})
        found.append({one.name: one.scale for one in effects(run)})
    assert found[0] == found[1]
    assert (found[0]["x"].ends, found[0]["x"].log) == ((0.001, 10.0), True)
    assert found[0]["kind"].levels == ("low", "middle", "high"), "in the order of the space"


@pytest.mark.parametrize(
    ("values", "parameter", "ends", "levels", "log"),
    [
        ((2, 5), Integer(1, 9), (1.0, 9.0), None, False),
        ((2.0, 5.0), Real(1, 900), (1.0, 900.0), None, False),
        ((2.0, 5.0), Real(1, "n"), (2.0, 5.0), None, False),  # a bound that depends on another
        ((2, 8), Ordinal((1, 2, 4, 8)), (1.0, 8.0), None, False),
        (("b",), Categorical(("b", "a")), None, ("b", "a"), False),
        (("b", "a"), None, None, ("a", "b"), False),
        ((3, 1), None, (1.0, 3.0), None, False),
        ((11.0, 5.0), Real(1, 9), (1.0, 11.0), None, False),  # from an older space
    ],
)
def test_the_scale_of_values(values, parameter, ends, levels, log):
    found = scale_of(values, parameter)
    assert (found.ends, found.levels, found.log) == (ends, levels, log)
