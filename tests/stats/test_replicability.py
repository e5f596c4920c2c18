"""Replicability against its definitions and printed values; biased samples against theory."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from racing.base.errors import InputError
from racing.stats.power_study import (
    draw_instances,
    replicability_of_decisions,
    replicability_of_pvalues,
    selection_probabilities,
)


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
