"""The exact distribution of H: all assignments one by one, and Kruskal and Wallis' own table."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from racing.base.errors import InputError
from racing.stats.kruskal import between_groups, deal, exact_tail, steps


def enumerated(sizes, ranks):
    """P(between >= observed) over all orders of the ranks."""
    starts = np.cumsum(sizes) - sizes
    every = np.array(list(permutations(ranks)))
    between = between_groups(np.add.reduceat(every, starts, axis=1), sizes)
    observed = between_groups(np.add.reduceat(np.asarray(ranks), starts), sizes)
    return np.mean(between >= observed - 1e-9)


@pytest.mark.parametrize("sizes", [(1, 2), (3, 4), (2, 2, 2), (3, 2, 2), (1, 1, 5), (2, 2, 2, 2)])
def test_all_assignments(sizes):
    rng = np.random.default_rng(sum(sizes))
    n, sizes = sum(sizes), np.array(sizes)
    for ranks in (rng.permutation(n) + 1.0, rng.permutation([1.5, 1.5, *range(3, n + 1)])):
        assert exact_tail(sizes, ranks) == pytest.approx(enumerated(sizes, ranks))


# Kruskal and Wallis (1952), Table 6.1, some rows: H and the probability of at least that.
TABLE = {
    (2, 2, 2): [(4.5714, ".067")],
    (3, 2, 1): [(4.2857, ".100")],
    (3, 3, 3): [(7.2, ".004"), (6.4889, ".011"), (5.6889, ".029"), (5.6, ".050"),
                (5.0667, ".086"), (4.6222, ".100")],
    (5, 5, 5): [(8.0, ".009"), (5.78, ".049"), (5.66, ".051"), (4.56, ".100"), (4.5, ".102")],
}  # fmt: skip


@pytest.mark.parametrize("sizes", TABLE)
def test_the_published_table(sizes):
    n, groups = sum(sizes), np.sort(sizes)
    totals, ways = deal(groups, 2 * np.arange(1, n + 1))
    h = between_groups(totals / 2, groups) / (n * (n + 1) / 12)
    for value, printed in TABLE[sizes]:
        tail = ways[h >= value - 5e-5].sum() / ways.sum()
        assert f"{tail:.3f}".removeprefix("0") == printed, value


def test_all_ways_are_dealt():
    _, ways = deal(np.array([2, 3, 4]), 2 * np.arange(1, 10))
    assert ways.sum() == 1260


def test_too_many_states():
    assert steps(np.array([5, 5, 5])) < steps(np.array([6, 6, 6]))
    with pytest.raises(InputError, match="at most 2e\\+09 steps"):
        exact_tail(np.array([50, 50, 50]), np.arange(1.0, 151))
    with pytest.raises(InputError, match="so many groups"):
        deal(np.ones(40, dtype=int), 2 * np.arange(1, 41))
