"""A candidate for each family: the best there, and told where it was not chosen."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from racing.analysis.portfolio.choice import family_table
from racing.analysis.portfolio.crossfit import folds_of
from racing.base.errors import InputError
from racing.core.experiment import Instance
from tests.analysis.portfolio.kit import known_costs

KINDS = ["a", "b", "b"] * 14


def world(noise=0.2):
    rng = np.random.default_rng(6)
    wants = np.array([0 if kind == "a" else 2 for kind in KINDS])
    return np.abs(np.arange(4)[None, :] - wants[:, None]) + noise * rng.normal(size=(42, 4))


def known(costs, kinds=KINDS):
    instances = tuple(Instance(k, f"i{k}", k, family=kind) for k, kind in enumerate(kinds))
    return known_costs(
        costs, instances=instances, first=SimpleNamespace(header=SimpleNamespace(scenario={}))
    )


def test_each_family_has_its_best_candidate_beside_the_single_best():
    costs = world()
    found = family_table(known(costs), costs, "family")
    assert [(row.family, row.candidate.id, row.instances) for row in found.families] == [
        ("a", 1, 14),
        ("b", 3, 28),
    ]
    assert found.families[0].single_best == costs[np.array(KINDS) == "a", 2].mean()
    assert found.gain.low > 0


@pytest.mark.parametrize("seed", range(6))
def test_it_is_told_on_instances_that_did_not_choose(seed):
    costs = np.random.default_rng(seed).normal(size=(42, 4))
    folds = folds_of([f"i{k}" for k in range(42)])
    labels, told = np.array(KINDS), []
    for row in range(42):
        rest = (folds != folds[row]) & (labels == labels[row])
        told.append(costs[row, np.argmin(costs[rest].mean(axis=0))])
    assert family_table(known(costs), costs, "family").score.mean == pytest.approx(np.mean(told))


def test_where_families_want_the_same_no_gain_is_shown():
    costs = np.arange(4)[None, :] + np.random.default_rng(1).normal(size=(42, 4))
    assert family_table(known(costs), costs, "family").gain.low <= 0


def test_one_family_is_refused():
    with pytest.raises(InputError, match="one family"):
        family_table(known(world(), ["a"] * 42), world(), "family")
