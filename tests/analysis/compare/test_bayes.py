"""Posteriors of a comparison, and their bounds where instances are few."""

from __future__ import annotations

import numpy as np
import pytest

from racing.analysis.compare import compare
from racing.analysis.compare.report import document
from racing.analysis.compare.words import probability
from racing.answer.json import as_data
from racing.answer.text import text
from racing.base.errors import InputError
from racing.stats import (
    dp_sign,
    hierarchical_t,
    prior_bounds,
)
from tests.analysis.compare.comparisons import said, said_of, some

X = np.random.default_rng(0).normal(size=(20, 4)) + np.array([0.0, 0.3, 1.0, 2.0])


@pytest.mark.parametrize("bayes", ["signed-rank", "sign"])
@pytest.mark.parametrize("rope", [0.0, 0.2])
def test_posteriors_are_probabilities_and_repeat(bayes, rope):
    c, again = (compare(some(), bayes=bayes, rope=rope) for _ in range(2))
    total = c.posterior.better + c.posterior.better.T + c.posterior.rope
    np.testing.assert_allclose(total, 1.0, atol=1e-9)
    np.testing.assert_array_equal(c.posterior.better, again.posterior.better)
    assert "How probable is it?" in said(c)


def test_joint_statements_are_listed():
    c = compare(some(n=30), bayes="joint")
    assert c.statements.accepted > 0
    assert "is better than" in said(c)


def test_the_hierarchical_test_of_folds():
    rng = np.random.default_rng(1)
    folds = (
        rng.normal(size=(6, 1, 5))
        + np.array([0.0, 1.0])[:, None]
        + rng.normal(scale=0.2, size=(6, 2, 5))
    )
    c = compare(folds, bayes="hierarchical", rope=0.05, seed=3)
    found = hierarchical_t(
        folds[:, 0], folds[:, 1], rho=0.2, rope=0.05, rng=np.random.default_rng(3)
    )
    assert c.posterior.better[0, 1] == found.p_left
    assert c.posterior.rope[0, 1] == found.p_rope
    said = said_of(c)
    assert "most likely outcome on the next instance" in said
    assert "Corani et al. (2017)" in said
    with pytest.raises(InputError, match="folds of cross-validation"):
        compare(X, bayes="hierarchical")
    with pytest.raises(InputError, match="bound"):
        compare(folds, bayes="hierarchical", bound="lower")


@pytest.mark.parametrize("bayes", ["signed-rank", "sign"])
@pytest.mark.parametrize("n", [1, 3])
def test_a_certain_posterior_has_a_bound_that_is_not(n, bayes):
    c = compare(np.tile([1.0, 2.0], (n, 1)), bayes=bayes)
    assert c.posterior.better[0, 1] == 1.0
    assert c.posterior.low[0, 1] < 0.95
    assert c.posterior.high[0, 1] == 1.0
    said = text(document(c))
    assert "over all priors" in said
    assert "the prior matters" in said
    assert as_data(c.facts())["posterior"]["low"][0][1] < 0.95


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
    bounds = prior_bounds(dp_sign, X[:, 0], X[:, 1])
    assert (lower, upper) == (bounds.p_left[0], bounds.p_left[1])
    assert lower < precise < upper
    assert "what all priors" in text(document(compare(X, bayes="sign", bound="lower")))


def test_joint_statements_take_the_bound():
    X = np.tile([1.0, 2.0], (4, 1))
    assert compare(X, bayes="joint").statements.accepted == 1
    assert compare(X, bayes="joint", bound="lower").statements.accepted == 0


def test_the_error_of_drawn_bounds_is_that_of_the_bounds_too():
    runs = [np.arange(8.0), np.arange(8.0) + 7.5]
    found = compare(runs, paired=False).only.posterior
    ends = [found.better[0, 1], found.low[0, 1], found.high[0, 1]]
    most = max(p * (1 - p) for p in ends)
    assert found.standard_error >= np.sqrt(most / 10_000) > 0.0


def test_probabilities_that_were_drawn_are_never_said_to_be_certain():
    runs = [np.arange(30.0), np.arange(30.0) + 50, np.arange(30.0) + 99]
    c = compare(runs, paired=False)
    assert c.only.statements.joint == 1.0
    assert "true with posterior probability >0.999, whatever the prior" in said_of(c)
    assert probability(1.0) == "1.000"
    assert [probability(p, drawn=True) for p in (0.0, 1.0)] == ["<0.001", ">0.999"]
    certain = compare(np.column_stack([np.zeros(20), np.ones(20)]))
    assert "A1 – A2 1.000" in said_of(certain)
