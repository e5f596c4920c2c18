"""Bergmann-Hommel against the paper, the definition over all partitions, and itself."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtr

from racing.base.errors import InputError
from racing.stats.corrections import bergmann_hommel, exhaustive_set_count, shaffer
from racing.stats.mean_ranks import mean_ranks_test
from tests.stats.garcia_herrera_2008 import adjusted, pvalues
from tests.stats.partitions import equal_pairs

# Garcia and Herrera (2008): 1 - C4.5, 2 - 1NN, 3 - NaiveBayes, 4 - Kernel, 5 - CN2
TABLE_4 = """
    12 13 23 14 24 34 15 25 35 45
    12,34 13,24 14,23 12,35 13,25 15,23 12,45 13,45 23,45 14,25 15,24 14,35 24,35
    12,13,23 12,14,24 13,14,34 23,24,34 12,15,25 13,15,35 23,25,35 14,15,45 24,25,45 34,35,45
    12,13,23,45 12,14,24,35 12,34,35,45 13,14,25,34 13,15,24,35 13,24,25,45 14,15,23,45
    14,23,25,35 15,23,24,34
    12,13,14,15,23,24,25,34,35,45 12,13,14,23,24,34 12,13,15,23,25,35 12,14,15,24,25,45
    13,14,15,34,35,45 23,24,25,34,35,45
"""


def exhaustive_sets(k: int) -> list[tuple[tuple[int, int], ...]]:
    """Straight from the meaning: the pairs of equals of every partition, the empty set left out."""
    return [pairs for pairs in equal_pairs(k) if pairs]


def by_definition(p: np.ndarray) -> np.ndarray:
    """min{v, 1}, v = max{|I| min{p_j, j in I} : I exhaustive, i in I}."""
    adjusted = np.zeros(p.shape)
    for pairs in exhaustive_sets(len(p)):
        i, j = np.array(pairs).T
        adjusted[i, j] = np.maximum(adjusted[i, j], len(pairs) * p[i, j].min())
    adjusted = np.minimum(adjusted + adjusted.T, 1.0)
    np.fill_diagonal(adjusted, 1.0)
    return adjusted


def symmetric(k: int, p: np.ndarray) -> np.ndarray:
    matrix = np.ones((k, k))
    i, j = np.triu_indices(k, 1)
    matrix[i, j] = matrix[j, i] = p
    return matrix


def from_positions(x: np.ndarray) -> np.ndarray:
    """p-values as of mean ranks: by distance only."""
    return 2 * ndtr(-np.abs(np.subtract.outer(x, x)))


class TestPublished:
    def test_table_1(self):
        printed = {4: 14, 5: 51, 6: 202, 7: 876, 8: 4139, 9: 21146}
        assert {k: exhaustive_set_count(k) for k in printed} == printed
        assert [k * (k - 1) // 2 for k in printed] == [6, 10, 15, 21, 28, 36]
        for k in range(1, 8):
            assert len(set(exhaustive_sets(k))) == exhaustive_set_count(k)

    def test_table_4(self):
        """The table announces 51 sets and shows 48; the three it leaves out are named here."""
        ours = {",".join(sorted(f"{i + 1}{j + 1}" for i, j in s)) for s in exhaustive_sets(5)}
        printed = {",".join(sorted(s.split(","))) for s in TABLE_4.split()}
        assert printed < ours
        assert ours - printed == {"15,34", "25,34", "12,15,25,34"}
        assert len(ours) == exhaustive_set_count(5) == 51

    def test_table_5(self):
        """The print enforces monotonicity; row 6 is .03034 by the formula and .0319 in print."""
        p = pvalues()
        monotone, definition = bergmann_hommel(p), bergmann_hommel(p, monotone=False)
        for i, j, printed in adjusted("bergmann_hommel"):
            assert monotone[i, j] == pytest.approx(printed, rel=3e-4, abs=6e-5)
            if (i, j) != (1, 2):
                assert definition[i, j] == monotone[i, j]
        assert definition[1, 2] == pytest.approx(0.03034, abs=5e-6)

    def test_case_study(self):
        """ "It rejects the hypotheses [1-8]"; three groups of classifiers remain."""
        found = bergmann_hommel(pvalues())
        kept = {(i, j) for i, j in combinations(range(5), 2) if found[i, j] > 0.05}
        assert kept == {(0, 2), (1, 4)}


class TestDefinition:
    @pytest.mark.parametrize("k", range(2, 8))
    def test_all_partitions(self, k):
        rng = np.random.default_rng(k)
        for power in (1, 3, 6):
            for decimals in (16, 1):  # with one decimal: ties and zeros
                p = symmetric(k, np.round(rng.random(k * (k - 1) // 2) ** power, decimals))
                expected = by_definition(p)
                for algorithm in ("auto", "subsets"):
                    ours = bergmann_hommel(p, algorithm=algorithm, monotone=False)
                    np.testing.assert_allclose(ours, expected, rtol=1e-14, atol=0)

    @pytest.mark.parametrize("k", range(2, 8))
    def test_all_partitions_of_points_on_a_line(self, k):
        rng = np.random.default_rng(100 + k)
        for spread in (0.3, 1.0, 3.0):
            for decimals in (16, 0):
                p = from_positions(np.round(spread * rng.normal(size=k), decimals))
                ours = bergmann_hommel(p, algorithm="intervals", monotone=False)
                np.testing.assert_allclose(ours, by_definition(p), rtol=1e-14, atol=0)

    @settings(max_examples=40, deadline=None)
    @given(st.integers(0, 2**32 - 1))
    def test_both_algorithms_agree(self, seed):
        """On points on a line, and on matrices that merely fall away from the diagonal."""
        rng = np.random.default_rng(seed)
        k = int(rng.integers(2, 9))
        distance = np.zeros((k, k))
        for gap in range(1, k):
            for a in range(k - gap):
                least = max(distance[a, a + gap - 1], distance[a + 1, a + gap])
                distance[a, a + gap] = least + rng.exponential() * (rng.random() < 0.7)
        line = np.sort(rng.normal(size=k)) * rng.choice([0.5, 1.0, 3.0])
        order = rng.permutation(k)
        for p in (np.exp(-0.5 * (distance + distance.T)), from_positions(line)):
            p = p[np.ix_(order, order)]
            for monotone in (True, False):
                a, b = (
                    bergmann_hommel(p, algorithm=algorithm, monotone=monotone, positions=order)
                    for algorithm in ("subsets", "intervals")
                )
                np.testing.assert_allclose(a, b, rtol=1e-14, atol=0)

    def test_both_algorithms_agree_on_13(self):
        p = from_positions(np.random.default_rng(0).normal(size=13) * 1.3)
        a, b = (bergmann_hommel(p, algorithm=name) for name in ("subsets", "intervals"))
        np.testing.assert_allclose(a, b, rtol=1e-14, atol=0)

    def test_monotone_is_the_running_maximum_in_order_of_p(self):
        p = np.array([0.01, 0.02, 0.02, 0.04, 0.2, 0.001])
        plain, monotone = bergmann_hommel(p, monotone=False), bergmann_hommel(p)
        for value, ours in zip(p, monotone, strict=True):
            assert ours == plain[p <= value].max()


class TestProperties:
    @settings(max_examples=50, deadline=None)
    @given(st.lists(st.floats(0, 1), min_size=10, max_size=10))
    def test_between_raw_and_shaffer(self, p):
        p = np.array(p)
        definition, monotone = bergmann_hommel(p, monotone=False), bergmann_hommel(p)
        assert np.all(p <= definition)
        assert np.all(definition <= monotone)
        assert np.all(monotone <= shaffer(p) + 1e-15)
        assert np.all(np.diff(monotone[np.argsort(p)]) >= 0)

    def test_relabelling_relabels(self):
        rng = np.random.default_rng(4)
        p, order = symmetric(8, rng.random(28) ** 3), rng.permutation(8)
        swapped = bergmann_hommel(p[np.ix_(order, order)])
        np.testing.assert_array_equal(swapped, bergmann_hommel(p)[np.ix_(order, order)])

    def test_controls_the_familywise_error(self):
        """Two groups of equals far apart; a false rejection is one within a group. 1,000 tables."""
        rng = np.random.default_rng(5)
        centre = np.array([0.0, 0.0, 0.0, 9.0, 9.0])
        within = np.array([0, 1, 2, 3]), np.array([1, 2, 0, 4])
        tables = [from_positions((centre + rng.normal(size=5)) / np.sqrt(2)) for _ in range(1000)]
        ours = sum(bergmann_hommel(p)[within].min() <= 0.05 for p in tables)
        by_shaffer = sum(shaffer(p)[within].min() <= 0.05 for p in tables)
        assert by_shaffer <= ours <= 1000 * (0.05 + 3 * np.sqrt(0.05 * 0.95 / 1000))


class TestSizes:
    def test_mean_ranks_of_thirty(self):
        rng = np.random.default_rng(8)
        costs = rng.normal(size=(40, 30)) + 0.08 * np.arange(30)
        result = mean_ranks_test(costs)
        adjusted = bergmann_hommel(result.pvalues)
        assert np.all(adjusted <= shaffer(result.pvalues) + 1e-15)
        again = bergmann_hommel(result.pvalues, positions=result.means)
        np.testing.assert_array_equal(adjusted, again)

    def test_vector_and_matrix_agree(self):
        p = pvalues()
        upper = np.triu_indices(5, 1)
        np.testing.assert_array_equal(bergmann_hommel(p)[upper], bergmann_hommel(p[upper]))

    def test_two(self):
        assert bergmann_hommel([0.03]).tolist() == [0.03]
        assert bergmann_hommel([[1.0, 0.0], [0.0, 1.0]]).tolist() == [[1.0, 0.0], [0.0, 1.0]]

    @pytest.mark.parametrize("value", [0.0, 1e-300, 0.001, 1.0])
    def test_all_equal(self, value):
        for algorithm in ("subsets", "intervals"):
            adjusted = bergmann_hommel(np.full(28, value), algorithm=algorithm)
            np.testing.assert_allclose(adjusted, min(1.0, 28 * value))

    def test_identical_columns(self):
        p = mean_ranks_test(np.ones((5, 30))).pvalues
        assert np.all(bergmann_hommel(p) == 1.0)

    def test_pvalues_that_underflow(self):
        x = np.array([0.0, 1.0, 100.0, 101.0, 200.0, 203.0, 300.0])
        np.testing.assert_allclose(
            bergmann_hommel(from_positions(x), positions=x, algorithm="intervals"),
            bergmann_hommel(from_positions(x), algorithm="subsets"),
        )


class TestRefusals:
    def test_too_many(self):
        p = np.random.default_rng(1).random(19 * 18 // 2)
        with pytest.raises(InputError, match="Shaffer"):
            bergmann_hommel(p)
        with pytest.raises(InputError, match="Shaffer"):
            bergmann_hommel(from_positions(np.arange(101.0)))

    def test_intervals_that_do_not_apply(self):
        p = np.array([0.1, 0.9, 0.2, 0.2, 0.1, 0.9])
        with pytest.raises(InputError, match="positions"):
            bergmann_hommel(p, algorithm="intervals")
        with pytest.raises(InputError, match="positions"):
            bergmann_hommel(
                from_positions(np.arange(4.0)), algorithm="intervals", positions=[0, 2, 1, 3]
            )

    @pytest.mark.parametrize("positions", [[1.0, 2.0], ["a", "b", "c"], [1.0, np.nan, 2.0]])
    def test_positions(self, positions):
        with pytest.raises(InputError, match="positions"):
            bergmann_hommel([0.1, 0.2, 0.3], positions=positions)

    def test_algorithm(self):
        with pytest.raises(InputError, match=r"must be .* or "):
            bergmann_hommel([0.1], algorithm="brute")
