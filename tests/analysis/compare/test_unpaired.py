"""Comparisons of runs: the statistics that they report, problems by themselves and together."""

from __future__ import annotations

import numpy as np
import pytest

import racing
from racing.analysis.compare import RunComparison
from racing.analysis.compare.unpaired import TESTS
from racing.base.errors import InputError, TableError
from racing.stats import (
    brunner_munzel,
    conover_iman,
    dp_kruskal,
    dp_rank_sum,
    dunn,
    holm,
    kruskal,
    mann_whitney,
    prior_bounds,
    relative_effects,
    steel,
    steel_dwass,
)

UPPER = np.triu_indices(3, 1)


def runs(seed=0, shift=0.8):
    rng = np.random.default_rng(seed)
    return {name: rng.normal(shift * i, 1 + i / 3, 12 + 4 * i) for i, name in enumerate("abc")}


def compared(data=None, **options):
    return racing.compare(runs() if data is None else data, paired=False, **options)


def test_the_defaults_are_kruskal_wallis_and_brunner_munzel_with_holm():
    c, costs = compared().only, list(runs().values())
    assert c.omnibus.pvalue == kruskal(costs).pvalue
    p = brunner_munzel(costs).pvalue[UPPER]
    np.testing.assert_array_equal(c.family.pvalues, p)
    np.testing.assert_allclose(c.family.adjusted, holm(p))
    sized = brunner_munzel(costs)
    np.testing.assert_array_equal(c.effects.a, sized.a[UPPER])
    np.testing.assert_array_equal(c.effects.a_low, sized.low[UPPER])


def test_mean_ranks_are_expected_ranks_among_one_run_of_each():
    small = {"a": [1.0, 4.0], "b": [2.0, 3.0, 3.0], "c": [3.0, 5.0]}
    c = compared(small).only
    seen = []
    for x in small["a"]:
        for y in small["b"]:
            for z in small["c"]:
                three = np.array([x, y, z])
                seen.append((three[:, None] > three).sum(1) + (three[:, None] == three).sum(1) / 2)
    np.testing.assert_allclose(c.mean_ranks, np.mean(seen, axis=0) + 0.5)
    np.testing.assert_allclose(c.relative.effects, relative_effects(list(small.values())).effects)


@pytest.mark.parametrize("test", TESTS)
def test_the_pairs_of_every_test(test):
    costs, control = list(runs().values()), 1 if test == "steel" else None
    c = compared(test=test, control=None if control is None else "b").only
    p = {
        "brunner-munzel": lambda: brunner_munzel(costs).pvalue,
        "brunner-munzel-permutation": lambda: (
            brunner_munzel(costs, method="permutation", rng=np.random.default_rng(1)).pvalue
        ),
        "mann-whitney": lambda: mann_whitney(costs).pvalue,
        "mann-whitney-exact": lambda: mann_whitney(costs, method="exact").pvalue,
        "dunn": lambda: dunn(costs).pvalues,
        "conover-iman": lambda: conover_iman(costs).pvalues,
        "steel-dwass": lambda: steel_dwass(costs).pvalues,
        "steel": lambda: np.column_stack([steel(costs, control=1).pvalues] * 3),
    }[test]()
    np.testing.assert_array_equal(c.family.pvalues, p[c.family.first, c.family.second])
    whole = test in ("steel", "steel-dwass")
    adjusted = c.family.pvalues if whole else holm(c.family.pvalues)
    np.testing.assert_allclose(c.family.adjusted, adjusted)
    ahead = np.sign(c.effects.a - 0.5)
    np.testing.assert_array_equal(c.family.favours, ahead)
    if c.family.statistic_name != "U":
        np.testing.assert_array_equal(np.sign(c.family.statistic), ahead)


def test_the_posteriors():
    costs = list(runs().values())
    c = compared().only
    found = dp_kruskal(costs, rng=np.random.default_rng(1))
    assert c.statements.accepted == found.accepted
    assert c.posterior is None
    two = compared({name: runs()[name] for name in "ab"}).only
    bounds = prior_bounds(dp_rank_sum, costs[:2], rng=np.random.default_rng(1))
    assert two.statements is None
    np.testing.assert_array_equal(two.posterior.better, bounds.p_left[0])
    np.testing.assert_array_equal(two.posterior.high, bounds.p_left[1])


def test_higher_scores_are_negated_costs():
    up = compared({name: -x for name, x in runs().items()}, direction="maximize").only
    np.testing.assert_array_equal(up.family.pvalues, compared().only.family.pvalues)
    assert up.order == compared().only.order
    np.testing.assert_allclose(up.medians, -compared().only.medians)


def test_problems_by_themselves_and_together():
    data = {f"p{q}": runs(seed=q) for q in range(6)}
    c = compared(data)
    assert isinstance(c, RunComparison)
    alone = compared(data["p2"]).only
    np.testing.assert_array_equal(c.problems[2].family.pvalues, alone.family.pvalues)
    effects = np.array([one.relative.effects for one in c.problems])
    np.testing.assert_allclose(c.over.effects.effects, effects.mean(axis=0))
    np.testing.assert_array_equal(c.over.paired.table.scores, effects)
    assert c.over.paired.table.direction == "maximize"
    with pytest.raises(InputError, match="there are 6 problems; choose one"):
        c.only  # noqa: B018
    few = compared({p: data[p] for p in ("p0", "p1")})
    assert few.over.paired is None
    assert compared(data["p0"]).over is None


def test_a_control():
    c = compared(control="b").only
    assert {c.names[j] for j in c.family.second} == {"b"}
    assert c.groups is None


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"p": {"a": [1], "b": [2]}}, "one run of each.*leave out paired=False"),
        ({"a": [1, 2], "b": [2]}, "b: one run shows no spread; at least two"),
    ],
)  # fmt: skip
def test_too_few_runs(data, message):
    with pytest.raises(TableError, match=message):
        compared(data)


def test_options_of_paired_tables_are_refused():
    for option in ({"ranked": True}, {"groups": ["x"]}, {"also": ["cohens-d"]}, {"rho": 0.1}):
        with pytest.raises(
            InputError, match=r"for a paired table; leave it out, or say paired=True$"
        ):
            compared(**option)
