"""Parameters: their scales, their association with the standing, and where runs fail."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import spearmanr

from racing.report.parameters import effects, regions, scale_of
from racing.report.pictures import pictures
from racing.space import Categorical, Integer, Ordinal, Real
from tests.report.kit import told

# --- association of parameters with the standing, and where runs fail -------------------------


def a_run(*, crash: bool = False):
    rng = np.random.default_rng(1)
    values = [
        {"size": float(j), "kind": ["a", "b", "c"][j % 3], "same": 7, "noise": float(rng.random())}
        for j in range(24)
    ]
    costs = np.arange(24.0) + rng.normal(size=(8, 24))
    if crash:
        costs[:, [v["kind"] == "b" for v in values]] = np.inf
    return told(costs, rule="none", values=values)


def test_what_matters_comes_first_and_what_is_the_same_everywhere_is_left_out():
    found = effects(a_run())
    assert found[0].name == "size"
    assert {one.name for one in found} == {"size", "kind", "noise"}
    assert next(one for one in found if one.name == "kind").kind == "category"
    assert all(0 <= one.association <= 1 for one in found)


@pytest.mark.parametrize(
    ("values", "log"),
    [
        ((0.01, 0.1, 1.0, 10.0, 100.0, 1000.0), True),
        ((1, 2, 3, 4, 5, 6), False),  # no more than one order of magnitude
        ((0.001, 0.2, 0.4, 0.6, 0.8, 1.0), False),  # spread evenly, though the least is tiny
        ((0.0, 0.1, 1.0, 10.0, 100.0, 1000.0), False),
        ((-10.0, 0.1, 1.0, 10.0, 100.0, 1000.0), False),
        ((True, False, True, False, True, False), False),
    ],
)
def test_an_axis_is_logarithmic_for_values_that_differ_by_factors(values, log):
    costs = np.arange(6.0) + np.random.default_rng(1).normal(size=(8, 6))
    (found,) = effects(told(costs, rule="none", values=[{"x": one} for one in values]))
    assert found.scale.log is log


def test_the_association_of_numbers_is_spearman_s():
    for one in effects(a_run()):
        if one.kind == "number":
            rho = spearmanr(one.values, one.standing).statistic
            assert one.association == pytest.approx(rho**2)


def test_the_region_where_runs_fail_is_found():
    found = regions(a_run(crash=True))
    assert (found[0].name, found[0].where, found[0].share) == ("kind", "= b", 1.0)
    assert found[0].overall == pytest.approx(1 / 3)
    assert found[0].evaluations == 8 * 8


def test_without_failures_there_is_no_region():
    assert regions(a_run()) == ()


def test_parameters_that_are_not_always_active():
    values = [{"x": 1.0}, {"x": 2.0, "y": 1}, {"x": 3.0, "y": 2}, {"x": 0.5, "y": 3}]
    found = {one.name: one for one in effects(told(np.ones((4, 4)), rule="none", values=values))}
    assert [*found["y"].of] == [2, 3, 4]


def test_the_chance_of_an_association_is_that_of_parameters_without_effect():
    """About 5 in 100 made-up parameters have a chance below .05."""
    rng = np.random.default_rng(4)
    values = [
        {f"p{k}": float(x) if k % 2 else "abc"[int(3 * x)] for k, x in enumerate(rng.random(400))}
        for _ in range(16)
    ]
    found = effects(told(rng.normal(size=(6, 16)), rule="none", values=values))
    for kind in ("number", "category"):
        chances = [one.chance for one in found if one.kind == kind]
        assert len(chances) == 200
        assert 0.02 < np.mean(np.array(chances) < 0.05) < 0.09


def test_what_may_be_chance_is_not_said_to_matter():
    def said(costs: np.ndarray, **values: list[float]) -> str:
        given = [dict(zip(values, row, strict=True)) for row in zip(*values.values(), strict=True)]
        run = told(costs, rule="none", values=given)
        return next(one.sentence for one in pictures(run) if one.id == "effects")

    few, many = np.array([[2.0, 1.0, 3.0, 4.0, 6.0, 5.0]]), np.arange(20.0)[None, :]
    own = said(few, x=[1.0, 4.0, 3.0, 2.0, 5.0, 6.0])
    assert own.startswith("No parameter is shown to matter by itself: x accounts for ")
    assert "may be chance among 6 candidates" in own
    clear = said(np.repeat(many, 8, axis=0), x=list(range(20)))
    assert clear.startswith("x matters: by itself it accounts for 100 % ")


# --- scales: the space's domain where there is one, so that they are the same in every run ----

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
