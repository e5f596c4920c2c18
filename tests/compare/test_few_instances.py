"""Where instances are few the prior matters: bounds are shown, and can be the answer."""

from __future__ import annotations

import numpy as np
import pytest

from racing.compare import as_table, compare
from racing.compare.plain import as_data
from racing.compare.report import document
from racing.compare.setting import text
from racing.errors import InputError
from racing.stats import dp_sign_bounds, joint_comparisons


@pytest.mark.parametrize("bayes", ["signed-rank", "sign"])
@pytest.mark.parametrize("n", [1, 3])
def test_a_certain_posterior_has_a_bound_that_is_not(n, bayes):
    c = compare(np.tile([1.0, 2.0], (n, 1)), bayes=bayes)
    assert c.posterior.better[0, 1] == 1.0
    assert c.posterior.low[0, 1] < 0.95
    assert c.posterior.high[0, 1] == 1.0
    said = text(document(c))
    assert "over all priors" in said
    assert "the prior has a say" in said
    assert as_data(c)["posterior"]["low"][0][1] < 0.95


def test_the_default_for_two_algorithms_shows_them():
    c = compare(np.array([[1.0, 2.0]] * 3))
    assert "over all priors" in text(document(c))


def test_many_instances_need_none():
    c = compare(np.tile([1.0, 2.0], (31, 1)), bayes="sign")
    assert c.posterior.low is None
    assert "over all priors" not in text(document(c))


def test_the_bound_can_be_the_answer():
    X = np.array([[1.0, 2.0]] * 4 + [[2.0, 1.0]])
    precise, lower, upper = (
        compare(X, bayes="sign", bound=b).posterior.better[0, 1]
        for b in ("precise", "lower", "upper")
    )
    bounds = dp_sign_bounds(X[:, 0], X[:, 1])
    assert (lower, upper) == (bounds.p_left[0], bounds.p_left[1])
    assert lower < precise < upper
    assert "what all priors" in text(document(compare(X, bayes="sign", bound="lower")))


def test_joint_statements_take_the_bound():
    X = np.tile([1.0, 2.0], (4, 1))
    assert compare(X, bayes="joint").joint.accepted == 1
    assert compare(X, bayes="joint", bound="lower").joint.accepted == 0
    found = joint_comparisons(X, rng=np.random.default_rng(1), bound="lower")
    assert found.accepted == 0


def test_a_bound_needs_a_posterior_that_has_one():
    X = np.random.default_rng(0).normal(size=(5, 3))
    with pytest.raises(InputError, match="bound"):
        compare(X, bound="lower")
    with pytest.raises(InputError, match="lower"):
        compare(X, bayes="sign", bound="lowest")


def test_wins_that_are_known_change_no_joint_statement():
    from racing.stats import sign_counts

    X = np.random.default_rng(0).normal(size=(30, 6)) + np.arange(6) / 3
    one, two = (
        joint_comparisons(X, rng=np.random.default_rng(1), wins=w) for w in (None, sign_counts(X))
    )
    assert one.accepted == two.accepted
    assert np.array_equal(one.better, two.better)
    with pytest.raises(InputError, match="wins"):
        joint_comparisons(X, rng=np.random.default_rng(1), wins=np.ones((2, 2), dtype=int))


def test_masked_scores_are_refused():
    X = np.ma.masked_array([[1.0, 2.0], [3.0, 4.0]], [[True, False], [False, False]])
    with pytest.raises(InputError, match="masked"):
        as_table(X)
    assert as_table(np.ma.masked_array([[1.0, 2.0]])).n == 1


@pytest.mark.parametrize("control", [0, 7, True, None.__class__, 1.5])
def test_a_control_that_is_no_name_is_told_so(control):
    with pytest.raises(InputError, match="name of an algorithm"):
        compare(np.array([[1.0, 2.0], [2.0, 3.0]]), control=control)


def test_a_column_number_is_told_its_name():
    with pytest.raises(InputError, match='column 0 is "A1"'):
        compare(np.array([[1.0, 2.0], [2.0, 3.0]]), control=0)
