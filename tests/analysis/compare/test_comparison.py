"""A comparison: defaults, tests, corrections, sizes, estimates, and what follows from p-values."""

from __future__ import annotations

import json

import numpy as np
import pytest

from racing.analysis.compare import as_table, compare
from racing.analysis.compare.choices import resolve
from racing.analysis.compare.methods import CORRECTIONS
from racing.analysis.compare.paired import OMNIBUS, TESTS, counts
from racing.answer.json import as_data
from racing.base.errors import InputError
from racing.stats import (
    adjust,
    akinshin_gamma,
    aligned_ranks,
    bergmann_hommel,
    cohens_d,
    contrast_estimation,
    holm,
    median_difference,
    plackett_luce,
    shaffer,
    vargha_delaney,
    wilcoxon,
)
from tests.analysis.compare.comparisons import kinds, said, said_of, some
from tests.stats.columns import of_every_pair


def test_matrices_hold_the_p_value_of_each_pair_on_both_sides():
    c = compare(some())
    for matrix, values in ((c.pvalues, c.family.pvalues), (c.adjusted, c.family.adjusted)):
        np.testing.assert_array_equal(matrix, matrix.T)
        np.testing.assert_array_equal(matrix[c.family.first, c.family.second], values)


def test_pairs_not_shown_to_differ_are_joined():
    c = compare(some())
    np.testing.assert_array_equal(c.significant, c.family.adjusted <= c.choices.alpha)
    joined = c.joined[c.family.first, c.family.second]
    np.testing.assert_array_equal(joined, ~c.significant)


def test_the_order_is_that_of_mean_ranks_and_groups_hold_joined_pairs_only():
    c = compare(some())
    assert list(c.order) == np.argsort(c.mean_ranks, kind="stable").tolist()
    assert c.groups
    assert all(c.joined[i, j] for group in c.groups for i in group for j in group if i != j)
    assert {frozenset(bar) for bar in c.bars} <= {frozenset(group) for group in c.groups}


def test_all_pairs_by_default_are_wilcoxon_with_bergmann_hommel(demsar):
    c = compare(demsar)
    p = of_every_pair(wilcoxon, demsar.costs).pvalue
    np.testing.assert_array_equal(c.pvalues, p)
    np.testing.assert_allclose(c.adjusted, bergmann_hommel(p))
    assert c.choices.omnibus == "iman-davenport"
    assert c.omnibus.ties == "corrected"
    assert [tuple(c.names[i] for i in g) for g in c.groups] == [
        ("C4.5+m+cf", "C4.5+m", "C4.5+cf"),
        ("C4.5+cf", "C4.5"),
    ]


def test_many_algorithms_get_shaffer_and_a_control_gets_holm(demsar):
    many = compare(some(m=16, n=8))
    np.testing.assert_allclose(many.family.adjusted, shaffer(many.family.pvalues))
    c = compare(demsar, control="C4.5")
    np.testing.assert_allclose(c.family.adjusted, holm(c.family.pvalues))
    assert c.groups is None
    assert {c.names[j] for j in c.family.second} == {"C4.5"}


def test_two_algorithms_get_a_posterior_and_no_omnibus_test(demsar):
    table = as_table(demsar.costs[:, :2])
    c = compare(table)
    assert c.omnibus is None
    assert c.posterior.test == "signed-rank"
    assert c.posterior.better[1, 0] > 0.9


@pytest.mark.parametrize(
    "scores",
    [
        np.zeros((5, 3)),
        np.ones((1, 2)),
        np.tile(np.arange(4.0), (6, 1)),
        np.full((4, 3), np.inf),
        np.where(np.eye(5, 3, dtype=bool), np.inf, 1.0),
        np.array([[1e75, -1e75, 0.0], [1e-308, 5e-324, 0.0], [1e308, 1e76, 0.0]]),
    ],
    ids=["constant", "single", "rows alike", "all failed", "some failed", "huge and tiny"],
)
@pytest.mark.parametrize("test", ["wilcoxon", "sign", "mean-ranks", "nemenyi", "conover"])
def test_degenerate_tables_have_answers_without_nan(scores, test):
    c = compare(scores, test=test)
    assert not np.isnan(c.adjusted).any()
    assert "nan" not in said(c)


def test_repetitions_are_averaged_or_used():
    rng = np.random.default_rng(3)
    scores = rng.normal(size=(8, 3, 10)) + np.arange(3)[:, None]
    averaged = compare(scores)
    np.testing.assert_array_equal(
        averaged.family.pvalues, compare(scores.mean(axis=2)).family.pvalues
    )
    assert "repetitions" in kinds(averaged)
    used = compare(scores, repetitions="correlated-t", rho=0.1)
    assert used.posterior.test == "correlated-t"
    assert used.posterior.better[0, 2] > 0.99
    np.testing.assert_allclose(
        used.posterior.better + used.posterior.better.T + used.posterior.rope, 1.0
    )


NAMES = ["A", "B", "C", "D"]


X = np.random.default_rng(0).normal(size=(20, 4)) + np.array([0.0, 0.3, 1.0, 2.0])


@pytest.mark.parametrize("control", [None, "A3"])
@pytest.mark.parametrize("test", TESTS)
def test_every_test_gives_probabilities_and_swaps_sides_with_the_direction(test, control):
    if (test == "tukey" and control) or (test == "dunnett" and not control):
        return
    table = as_table(some().scores > 0) if test == "mcnemar" else some()
    c = compare(table, test=test, control=control)
    turned = 1 - table.scores if test == "mcnemar" else -table.scores
    mirror = compare(turned, direction="maximize", test=test, control=control)
    assert np.all((c.family.pvalues >= 0) & (c.family.adjusted <= 1))
    assert np.all(c.family.adjusted >= c.family.pvalues)
    np.testing.assert_allclose(mirror.family.adjusted, c.family.adjusted)
    np.testing.assert_array_equal(mirror.family.favours, c.family.favours)
    ahead = c.effects.wins - c.effects.losses
    assert np.all((np.sign(ahead) == c.family.favours)[np.abs(ahead) > 6])


@pytest.mark.parametrize("correction", CORRECTIONS)
def test_every_correction_runs(correction):
    test = "mean-ranks" if correction == "nemenyi" else "wilcoxon"
    c = compare(some(), test=test, correction=correction)
    assert np.all(c.family.adjusted >= c.family.pvalues - 1e-15)
    assert said(c)


def test_aligned_ranks_of_all_pairs_and_against_a_control():
    table = as_table(X, names=NAMES)
    c = compare(table, omnibus="aligned-ranks", test="aligned-ranks")
    found = aligned_ranks(X)
    assert c.omnibus.pvalue == found.pvalue
    assert c.choices.correction == "holm"
    assert c.pvalues == pytest.approx(found.comparisons.pvalues)
    assert "depend on which others are in the table" in said_of(c)
    c = compare(table, test="aligned-ranks", control="B", correction="finner")
    against = np.delete(aligned_ranks(X, control=1).comparisons.pvalues, 1)
    assert c.family.adjusted == pytest.approx(adjust(against, "finner"))


@pytest.mark.parametrize("correction", ["finner", "li", "rom"])
def test_the_added_corrections(correction):
    c = compare(X, correction=correction)
    assert c.family.adjusted == pytest.approx(adjust(c.family.pvalues, correction))
    said = said_of(c)
    assert correction.capitalize() + "'s" in said
    assert "assumes independence" in said


def pairs_of(scores, **options):
    return resolve(as_table(scores), **options).pairs


@pytest.mark.parametrize("paired", [True, False])
def test_more_pairs_than_can_be_read_are_refused_but_not_against_a_control(paired):
    scores = {f"a{k}": [float(k % 7), k % 5, k % 3, 1] for k in range(400)}
    options = {} if paired else {"paired": False, "omnibus": "none"}
    with pytest.raises(InputError, match="400 algorithms are 79800 pairs, and at most 50000"):
        compare(scores, **options)
    assert len(pairs_of(scores, control="a3")[0]) == 399
    assert len(pairs_of(dict(list(scores.items())[:316]))[0]) == 49770


@pytest.mark.parametrize("omnibus", OMNIBUS)
def test_every_omnibus_test_runs(omnibus):
    c = compare(some(n=6, m=4), omnibus=omnibus)
    assert (c.omnibus is None) == (omnibus == "none")
    assert said(c)


FOUR = np.array([[1.0, 2.0, 2.0], [3.0, 1.0, 5.0], [4.0, 4.0, 6.0], [0.0, 3.0, 1.0]])


@pytest.mark.parametrize("pairs", [([0], [1]), ([0, 0, 1], [1, 2, 2])], ids=["one", "all"])
def test_wins_ties_and_losses_count_every_instance_once(pairs):
    first, second = (np.array(each) for each in pairs)
    won, tied, lost = counts(as_table(FOUR), first, second)
    a, b = FOUR[:, first], FOUR[:, second]
    np.testing.assert_array_equal(won, (a < b).sum(axis=0))
    np.testing.assert_array_equal(tied, (a == b).sum(axis=0))
    np.testing.assert_array_equal(lost, (a > b).sum(axis=0))


def test_effects_are_those_of_the_statistics():
    found = compare(FOUR, control="A1").effects
    other = vargha_delaney(FOUR[:, 1], FOUR[:, 0], paired=True)
    assert found.a[0] == pytest.approx(other.a)
    assert found.a_low[0] == pytest.approx(other.low)
    located = median_difference(FOUR[:, 1], FOUR[:, 0], estimator="hodges-lehmann")
    assert found.difference[0] == pytest.approx(located.estimate)


def test_ranks_have_no_difference_of_scores():
    ranks = np.array([[1.0, 2.0, 3.0], [2.0, 1.0, 3.0], [1.0, 2.0, 3.0]])
    found = compare(ranks, ranked=True).effects
    assert np.isnan(found.difference).all()
    assert not np.isnan(found.a).any()


ALSO = ["contrasts", "plackett-luce", "cohens-d", "akinshin-gamma"]


def test_estimates_are_those_of_the_statistics():
    c = compare(as_table(X, names=NAMES), also=ALSO)
    assert np.array_equal(c.estimates.contrasts.contrasts, contrast_estimation(X).contrasts)
    assert np.array_equal(c.estimates.worths.worths, plackett_luce(X).worths)
    for k, (i, j) in enumerate(zip(c.family.first, c.family.second, strict=True)):
        assert c.estimates.cohens_d[k] == cohens_d(X[:, i], X[:, j])
        assert c.estimates.akinshin_gamma[k] == akinshin_gamma(X[:, i], X[:, j])
    said = said_of(c)
    for head in ("advantage over the mean", "worth (chance to be best)", "Cohen's d", "γ"):
        assert head in said
    data = json.loads(json.dumps(as_data(c.facts())["estimates"]))
    assert len(data["contrasts"]["advantages"]) == len(data["worths"]["worths"]) == 4
    assert len(data["cohens_d"]) == len(data["akinshin_gamma"]) == 6


def test_directions_agree_with_who_is_ahead():
    """Higher is better: the best has the largest advantage and d is positive where it is first."""
    c = compare(as_table(-X, names=NAMES, direction="maximize"), also=ALSO)
    assert c.estimates.contrasts.advantages.argmax() == 0
    assert c.estimates.worths.worths.argmax() == 0
    assert c.estimates.cohens_d[2] > 0


def test_nothing_is_estimated_unless_asked_for():
    c = compare(as_table(X, names=NAMES))
    assert c.estimates.worths is None
    assert set(as_data(c.facts())["estimates"].values()) == {None}
    with pytest.raises(InputError, match="also"):
        compare(X, also=["cohen-d"])
    with pytest.raises(InputError, match="a list of names"):
        compare(X, also="cohens-d")
    with pytest.raises(InputError, match="ranks do not hold"):
        compare(np.array([[1.0, 2.0], [2.0, 1.0]]), ranked=True, also=["cohens-d"])
