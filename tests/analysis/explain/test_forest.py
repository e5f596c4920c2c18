"""A forest says how good it is: on held-out configurations, not on those it was fitted to."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from racing.analysis.explain.importance import decompose
from racing.analysis.explain.model import fit
from racing.base.errors import InputError, MissingExtra
from racing.space import Boolean, Categorical, Real, Space

SPACE = Space(
    {
        "kind": Categorical(["p", "q", "r"]),
        "x": Real(0, 1),
        "heat": Real(0, 1, when="kind == q"),
        "never": Boolean(when="x > 0.999999"),
    }
)


@pytest.fixture(scope="module")
def rows():
    return SPACE.encoding.draw(np.random.default_rng(3), 300)


def truth(rows):
    return 2.0 * (rows[:, 0] == 1) * np.nan_to_num(rows[:, 2]) + rows[:, 1]


def test_a_known_function_is_found_with_its_conditions(rows):
    pytest.importorskip("sklearn", reason="forests need the extra racing[sklearn]")
    forest = fit(rows, truth(rows), np.ones(len(rows)))
    assert forest.r2 > 0.8
    assert not forest.poor
    assert np.isnan(rows[:, 3]).all()
    exact = {one.name: one for one in decompose([truth], SPACE).parameters}
    found = {one.name: one for one in decompose(forest.trees, SPACE).parameters}
    for name, one in found.items():
        assert abs(one.total - exact[name].total) < 0.15, name
    assert found["never"].total < 0.02


def test_noise_is_told_from_knowledge(rows):
    pytest.importorskip("sklearn", reason="forests need the extra racing[sklearn]")
    noise = np.random.default_rng(4).normal(size=len(rows))
    forest = fit(rows, noise, np.ones(len(rows)))
    assert forest.poor
    assert forest.r2 < 0.1
    assert np.corrcoef(np.mean([t(rows) for t in forest.trees], axis=0), noise)[0, 1] > 0.5


def test_a_configuration_that_ran_often_is_judged_like_any_other(rows):
    """Wherever the costs begin; scikit-learn predicts 0 out of bag for what is in every bag."""
    pytest.importorskip("sklearn", reason="forests need the extra racing[sklearn]")
    weights = np.where(np.arange(len(rows)) < 5, 500.0, 1.0)
    assert fit(rows, 1000 + truth(rows), weights).r2 > 0.7


def test_it_follows_from_its_seed(rows):
    pytest.importorskip("sklearn", reason="forests need the extra racing[sklearn]")
    first, again = (fit(rows, truth(rows), np.ones(len(rows)), seed=5) for _ in range(2))
    assert first.r2 == again.r2
    assert first.r2 != fit(rows, truth(rows), np.ones(len(rows)), seed=6).r2


def test_values_that_do_not_differ_have_no_quality(rows):
    pytest.importorskip("sklearn", reason="forests need the extra racing[sklearn]")
    forest = fit(rows[:20], np.ones(20), np.ones(20))
    assert forest.r2 is None
    assert forest.poor


def test_too_few_configurations_and_a_missing_library_are_refused(rows, monkeypatch):
    with pytest.raises(InputError, match="9 configurations are too few"):
        fit(rows[:9], truth(rows[:9]), np.ones(9))
    monkeypatch.setitem(sys.modules, "sklearn.ensemble", None)
    with pytest.raises(MissingExtra, match=r"racing\[sklearn\]"):
        fit(rows, truth(rows), np.ones(len(rows)))
