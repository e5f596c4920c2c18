"""Statements from a table of costs, by counting on each pair."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.stats import beta, rankdata

from racing.base.errors import InputError
from racing.stats import joint
from racing.stats.joint import (
    as_pairs,
    dirichlet_shapes,
    rank_levels,
    sign_rows,
    stated,
    unique_codes,
)
from racing.stats.ranks import rank_rows
from racing.stats.sign import sign_counts
from racing.stats.sign_posterior import Bound

BOUNDS: tuple[Bound, ...] = ("precise", "lower", "upper")


def table(seed: int, n: int = 9, m: int = 5) -> np.ndarray:
    """Costs with ties, where later columns are worse."""
    rng = np.random.default_rng(seed)
    return rng.integers(0, 4, (n, m)) + np.arange(m) * rng.random() // 0.3


def error(costs: np.ndarray, i: int, j: int, s: float, bound: Bound) -> float:
    """P(the share of wins of i against j is below 1/2)."""
    wins = np.sum(costs[:, i] < costs[:, j]) + s * (bound == "upper")
    losses = np.sum(costs[:, i] > costs[:, j]) + s * (bound == "lower")
    if wins == 0 or losses == 0:
        return 0.5 if wins == losses else float(wins == 0)
    return float(beta.cdf(0.5, wins, losses))


def by_pairs(
    costs: np.ndarray, pairs: list[tuple[int, int]], gamma: float, s: float, bound: Bound
) -> dict[tuple[int, int], float]:
    """Statement -> its marginal error, for the pairs in which the first wins more often."""
    found = {}
    for i, j in pairs:
        ahead = np.sum(costs[:, i] < costs[:, j]) > np.sum(costs[:, i] > costs[:, j])
        if ahead and (wrong := error(costs, i, j, s, bound)) < gamma:
            found[i, j] = wrong
    return found


@pytest.mark.parametrize("bound", BOUNDS)
@pytest.mark.parametrize("gamma", [0.05, 0.3])
@pytest.mark.parametrize("seed", range(5))
def test_all_pairs_with_a_small_error_most_certain_first(
    seed: int, gamma: float, bound: Bound
) -> None:
    costs = table(seed)
    found = stated(costs, None, False, gamma, 0.5, bound)
    every = list(itertools.permutations(range(5), 2))
    expected = by_pairs(costs, every, gamma, 0.5, bound)
    told = list(zip(found.better.tolist(), found.worse.tolist(), strict=True))
    assert sorted(told) == sorted(expected)
    assert found.sorted.errors == pytest.approx([expected[pair] for pair in told])
    assert (np.diff(found.sorted.errors) >= 0).all()
    again = beta.cdf(0.5, np.maximum(found.sorted.a, 1e-300), found.sorted.b)
    assert np.where(found.sorted.b > 0, again, 0.0) == pytest.approx(found.sorted.errors)


@pytest.mark.parametrize("seed", range(5))
def test_equal_errors_are_in_the_order_of_rank_sums(seed: int) -> None:
    costs = table(seed, m=8)
    found = stated(costs, None, False, 0.5, 0.5, "lower")
    sums = rankdata(costs, axis=1).sum(axis=0)
    gaps = sums[found.better] - sums[found.worse]
    for wrong in np.unique(found.sorted.errors):
        assert (np.diff(gaps[found.sorted.errors == wrong]) >= 0).all()


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("cells", [1, 20, 10**6])
def test_given_pairs_keep_their_direction_if_asked(
    directed: bool, cells: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(joint, "_CELLS", cells)
    costs = table(3)
    i, j = np.array([0, 4, 2, 3]), np.array([1, 0, 3, 2])
    found = stated(costs, (i, j), directed, 0.5, 0.5, "precise")
    given = list(zip(i.tolist(), j.tolist(), strict=True))
    if not directed:
        given = [
            (b, a) if np.sum(costs[:, b] < costs[:, a]) > np.sum(costs[:, b] > costs[:, a])
            else (a, b)
            for a, b in given
        ]  # fmt: skip
    told = list(zip(found.better.tolist(), found.worse.tolist(), strict=True))
    assert set(told) == set(by_pairs(costs, given, 0.5, 0.5, "precise"))


def test_wins_that_are_known_need_not_be_counted() -> None:
    costs = table(4)
    one = stated(costs, None, False, 0.3, 0.5, "lower")
    two = stated(costs, None, False, 0.3, 0.5, "lower", sign_counts(costs))
    assert one.better.tolist() == two.better.tolist()
    assert one.worse.tolist() == two.worse.tolist()


@pytest.mark.parametrize("bound", BOUNDS)
def test_a_row_of_signs_says_where_a_statement_is_right(bound: Bound) -> None:
    costs = table(5)
    found = stated(costs, None, False, 0.4, 0.5, bound)
    assert found.better.size > 2
    rows = found.sorted.signs(1, 3)
    for row, i, j in zip(rows, found.better[1:3], found.worse[1:3], strict=True):
        assert row[: len(costs)].tolist() == np.sign(costs[:, j] - costs[:, i]).tolist()
        atom = {"precise": [], "lower": [-1], "upper": [1]}[bound]
        assert row[len(costs) :].tolist() == atom
    assert dirichlet_shapes(9, 0.5, bound).tolist() == [1.0] * 9 + [0.5] * (bound != "precise")


def test_signs_of_failures_are_those_of_their_ranks() -> None:
    costs = np.array([[1.0, np.inf, np.inf], [np.inf, 2.0, 2.0]])
    levels = rank_levels(rank_rows(costs))
    rows = sign_rows(levels, np.array([0, 1]), np.array([1, 2]), "precise")
    assert rows.tolist() == [[1, -1], [0, 0]]


@pytest.mark.parametrize("largest", [0, 5, 10**7])
def test_codes_are_those_of_unique(largest: int) -> None:
    codes = np.append(np.random.default_rng(1).integers(0, largest + 1, 50), largest)
    seen, place = unique_codes(codes)
    expected, inverse = np.unique(codes, return_inverse=True)
    assert seen.tolist() == expected.tolist()
    assert place.tolist() == inverse.tolist()


@pytest.mark.parametrize(
    ("pairs", "says"),
    [
        (([0, 1], [1]), "equally long"),
        (([0.5], [1.0]), "vectors of columns"),
        (([[0]], [[1]]), "vectors of columns"),
        (([0], [3]), "columns from 0 to 2"),
        (([-1], [1]), "columns from 0 to 2"),
        (([0, 2], [1, 2]), "cannot be compared with itself: 2"),
    ],
)
def test_pairs_that_make_no_sense_are_refused(pairs: tuple[list, list], says: str) -> None:
    with pytest.raises(InputError, match=f"^pairs.*{says}"):
        as_pairs(pairs, 3)


def test_no_pairs_are_pairs() -> None:
    i, j = as_pairs(([], []), 3)
    assert i.tolist() == j.tolist() == []
