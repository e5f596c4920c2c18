"""Demšar's study of tests, repeated on a printed table and on tables whose answer is known."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.power_study import (
    TESTS,
    draw_instances,
    one_by_one,
    power_study,
    replicability_of_decisions,
    replicability_of_pvalues,
    selection_probabilities,
)
from racing.base.errors import InputError
from racing.stats.sign import sign_test
from racing.stats.t_tests import paired_t
from racing.stats.wilcoxon import wilcoxon

FILE = Path(__file__).parents[1] / "data" / "benavoli_2016_table2.csv"


@pytest.fixture(scope="module")
def errors() -> np.ndarray:
    """Error rates in 0..1 of seven classifiers on 54 data sets (Benavoli et al., 2016, Table 2)."""
    return 1 - np.loadtxt(FILE, delimiter=",", skiprows=1, usecols=range(1, 8)) / 100


def test_demsar_findings(errors):
    """More bias, more rejections; Wilcoxon's p-values are lower and vary less than the sign's."""
    study = power_study(
        errors, 0, 3, rng=np.random.default_rng(1), biases=[0, 10, 20], repetitions=300
    )
    assert study.tests == ("t", "t-relative", "wilcoxon", "sign")
    assert np.all(np.diff(study.rejections, axis=0) >= 0)
    assert np.all(np.diff(study.mean_pvalues, axis=0) < 0)
    wilcoxon_p, sign_p = study.mean_pvalues[:, 2], study.mean_pvalues[:, 3]
    assert np.all(wilcoxon_p < sign_p)
    assert np.all(study.replicability_of_pvalues[:, 2] > study.replicability_of_pvalues[:, 3])
    assert np.all(study.rejections[1:, 2] > study.rejections[1:, 3])


@pytest.mark.parametrize("name", TESTS)
def test_every_test_runs(errors, name):
    study = power_study(
        errors, 2, 5, rng=np.random.default_rng(0), biases=15, tests=name, repetitions=5
    )
    assert study.tests == (name,)
    assert 0 <= study.mean_pvalues[0, 0] <= 1


def test_batches_equal_single_tests(errors):
    tables = errors[np.random.default_rng(4).integers(0, 54, (20, 10))]
    single = {
        "t": lambda x, y: paired_t(x, y).pvalue,
        "t-relative": lambda x, y: paired_t(x, y, difference="relative").pvalue,
        "wilcoxon": lambda x, y: wilcoxon(x, y).pvalue,
        "sign": lambda x, y: sign_test(x, y).pvalue,
    }
    for name, test in single.items():
        expected = [test(table[:, 1], table[:, 4]) for table in tables]
        np.testing.assert_allclose(TESTS[name](tables, 1, 4), expected)


def test_a_test_of_ones_own_and_the_measures(errors):
    seen = []

    def mine(table, i, j):
        assert table.shape == (10, 7)
        seen.append(float(np.mean(table[:, i] < table[:, j])))
        return seen[-1]

    study = power_study(
        errors,
        1,
        0,
        rng=np.random.default_rng(2),
        biases=[5.0],
        repetitions=40,
        tests={"mine": one_by_one(mine)},
        alpha=0.6,
    )
    assert study.mean_pvalues[0, 0] == pytest.approx(np.mean(seen))
    assert study.rejections[0, 0] == np.sum(np.array(seen) <= 0.6)
    e = replicability_of_decisions(np.array(seen) <= 0.6)
    assert study.replicability_of_decisions[0, 0] == pytest.approx(e)
    assert study.replicability_of_pvalues[0, 0] == pytest.approx(replicability_of_pvalues(seen))


def test_equal_algorithms_are_rejected_at_the_level():
    """Fresh noise, few of many instances, no bias: close to independent experiments."""
    X = np.random.default_rng(3).normal(10, 1, (4000, 2))
    study = power_study(X, 0, 1, rng=np.random.default_rng(4), biases=0, repetitions=2000)
    shares = dict(zip(study.tests, study.rejections[0] / 2000, strict=True))
    for name in ("t", "t-relative"):
        assert shares[name] == pytest.approx(0.05, abs=3 * np.sqrt(0.05 * 0.95 / 2000))
    assert shares["wilcoxon"] <= 0.065  # exact, .0488
    assert shares["sign"] <= 0.0315  # exact, .0215


def test_bias_by_the_mean_of_the_others(errors):
    others = errors[:, 1:].mean(axis=1)
    study = power_study(
        errors,
        0,
        3,
        rng=np.random.default_rng(5),
        biases=[0, 20],
        differences=others - errors[:, 0],
        tests=["friedman"],
        repetitions=50,
    )
    assert study.mean_pvalues.shape == (2, 1)


def test_repeatable(errors):
    a, b = (
        power_study(errors, 0, 1, rng=np.random.default_rng(7), repetitions=20).mean_pvalues
        for _ in range(2)
    )
    np.testing.assert_array_equal(a, b)


def test_failures_and_constant_columns():
    X = np.ones((30, 3))
    X[4:20, 1] = np.inf
    for pair in ((0, 1), (0, 2)):
        study = power_study(
            X,
            *pair,
            rng=np.random.default_rng(0),
            tests=["wilcoxon", "sign", "friedman"],
            repetitions=10,
        )
        assert not np.isnan(study.mean_pvalues).any()
    with pytest.raises(InputError, match="finite"):
        power_study(X, 0, 1, rng=np.random.default_rng(0), tests=["t"], repetitions=10)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"second": 0}, "another"),
        ({"second": 9}, "column"),
        ({"size": 55}, "size"),
        ({"repetitions": 1}, "repetitions"),
        ({"tests": ["z"]}, "tests"),
        ({"tests": []}, "tests"),
        ({"alpha": 5}, "alpha"),
        ({"biases": "much"}, "biases"),
        ({"biases": [np.nan]}, "bias"),
        ({"differences": [1.0]}, "differences"),
    ],
)
def test_refusals(errors, options, says):
    settings = {"second": 1, "repetitions": 5, "rng": np.random.default_rng(0), **options}
    with pytest.raises(InputError, match=says):
        power_study(errors, 0, **settings)


# --- replicability against its definitions and printed values; biased samples against theory -----


class TestDecisions:
    @given(st.lists(st.booleans(), min_size=2, max_size=15))
    def test_definition(self, rejected):
        """R(e) is the share of the pairs of experiments that decide alike, and 1 - 2 var(e)."""
        alike = [a == b for a, b in combinations(rejected, 2)]
        assert replicability_of_decisions(rejected) == pytest.approx(np.mean(alike))
        variance = np.var(np.array(rejected, float), ddof=1)
        assert replicability_of_decisions(rejected) == pytest.approx(1 - 2 * variance)

    @pytest.mark.parametrize(
        ("rejections", "printed"),
        [(0, 1.00), (200, 0.68), (400, 0.52), (600, 0.52), (800, 0.68), (1000, 1.00)],
    )
    def test_axis_of_demsar_figure_3(self, rejections, printed):
        decisions = np.arange(1000) < rejections
        assert replicability_of_decisions(decisions) == pytest.approx(printed, abs=5e-3)

    def test_least_value_is_below_one_half(self):
        """The paper says .5; for ten experiments it is 4/9."""
        assert replicability_of_decisions([0, 1] * 5) == pytest.approx(4 / 9)
        assert replicability_of_decisions([0, 1]) == 0.0

    @pytest.mark.parametrize("bad", [[], [True], [0.04, 0.2], ["yes", "no"], [[0, 1]], [0, np.nan]])
    def test_refusals(self, bad):
        with pytest.raises(InputError, match="rejected"):
            replicability_of_decisions(bad)


class TestPvalues:
    def test_formula(self):
        p = np.random.default_rng(1).random(50)
        expected = 1 - 2 * np.sum((p - p.mean()) ** 2) / 49
        assert replicability_of_pvalues(p) == pytest.approx(expected)

    def test_extremes(self):
        assert replicability_of_pvalues([0.2, 0.2, 0.2]) == 1.0
        assert replicability_of_pvalues([0.0, 1.0] * 500) == pytest.approx(0.5 - 0.5 / 999)

    @pytest.mark.parametrize("bad", [[], [0.1], [0.1, np.nan], [0.1, 1.2], ["a", "b"]])
    def test_refusals(self, bad):
        with pytest.raises(InputError):
            replicability_of_pvalues(bad)


class TestSelection:
    def test_proportional_to_the_logistic(self):
        d = np.array([-0.2, 0.0, 0.05, 0.3])
        p = selection_probabilities(d, bias=15)
        expected = 1 / (1 + np.exp(-15 * d))
        np.testing.assert_allclose(p, expected / expected.sum())

    @pytest.mark.parametrize("d", [[0.5, -3.0, np.inf], [7.0], [-np.inf, np.inf]])
    def test_no_bias_is_uniform(self, d):
        np.testing.assert_allclose(selection_probabilities(d, bias=0), 1 / len(d))

    def test_far_out(self):
        np.testing.assert_allclose(
            selection_probabilities([np.inf, 1e308, -1e308, -np.inf], bias=20), [0.5, 0.5, 0, 0]
        )
        np.testing.assert_allclose(selection_probabilities([-1000.0, -1000.0], bias=20), [0.5, 0.5])

    def test_draws_follow_successive_sampling(self):
        """Two of four: the chance of every ordered pair is p_i p_j / (1 - p_i)."""
        d, repetitions = np.array([-0.1, 0.0, 0.1, 0.4]), 40_000
        rng = np.random.default_rng(2)
        rows = draw_instances(d, bias=5, size=2, repetitions=repetitions, rng=rng)
        p = selection_probabilities(d, bias=5)
        for i in range(4):
            for j in range(4):
                chance = p[i] * p[j] / (1 - p[i]) if i != j else 0.0
                share = np.mean((rows == [i, j]).all(axis=1))
                error = 4 * np.sqrt(chance * (1 - chance) / repetitions)
                assert share == pytest.approx(chance, abs=error + 1e-12)

    def test_draws_are_distinct_and_repeatable(self):
        def draw(seed):
            return draw_instances(
                [0.1, np.inf, -np.inf, 0.0],
                bias=3,
                size=4,
                repetitions=20,
                rng=np.random.default_rng(seed),
            )

        assert np.array_equal(np.sort(draw(1), axis=1), np.tile(np.arange(4), (20, 1)))
        assert np.array_equal(draw(1), draw(1))
        assert not np.array_equal(draw(1), draw(2))

    def test_refusals(self):
        options = {"repetitions": 3, "rng": np.random.default_rng(0)}
        with pytest.raises(InputError, match="size"):
            draw_instances([0.1, 0.2], bias=1, size=3, **options)
        with pytest.raises(InputError, match="bias"):
            draw_instances([0.1, 0.2], bias=np.inf, size=1, **options)
        for bad in ([], [np.nan], ["a"], [[0.1]]):
            with pytest.raises(InputError, match="differences"):
                draw_instances(bad, bias=1, size=1, **options)
