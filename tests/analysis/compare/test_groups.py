"""Groups against the definition of a maximal clique, on all small graphs and on random ones."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from racing.analysis.compare.groups import MOST, cover, groups, letters


def cliques_by_definition(joined):
    m = len(joined)
    found = [
        set(c)
        for size in range(1, m + 1)
        for c in combinations(range(m), size)
        if all(joined[i, j] for i, j in combinations(c, 2))
    ]
    return sorted(tuple(sorted(c)) for c in found if not any(c < other for other in found))


@st.composite
def graphs(draw, most=7):
    m = draw(st.integers(2, most))
    edges = draw(st.lists(st.booleans(), min_size=m * (m - 1) // 2, max_size=m * (m - 1) // 2))
    joined = np.eye(m, dtype=bool)
    joined[np.triu_indices(m, 1)] = edges
    return joined | joined.T


@settings(max_examples=200)
@given(graphs())
def test_groups_are_the_maximal_cliques(joined):
    assert list(groups(joined)) == cliques_by_definition(joined)


@settings(max_examples=200)
@given(graphs())
def test_a_cover_shows_every_pair_with_maximal_cliques_only(joined):
    found = cover(joined)
    assert set(found) <= set(cliques_by_definition(joined))
    shown = {pair for group in found for pair in combinations(group, 2)}
    assert shown == {(i, j) for i, j in combinations(range(len(joined)), 2) if joined[i, j]}


def test_letters_are_shared_by_those_who_share_a_group():
    marks = letters(((0, 1), (1, 2)), 4)
    assert marks == ("a", "ab", "b", "")
    assert letters(tuple((i,) for i in range(28)), 28)[26:] == ("a1", "b1")


def test_too_many_groups_are_not_listed_but_covered():
    parts = np.repeat(np.arange(10), 3)  # 3^10 maximal cliques
    joined = parts[:, None] != parts
    assert groups(joined) is None
    assert len(cover(joined)) < MOST


@pytest.mark.parametrize("m", [2, 40])
def test_all_alike_is_one_group(m):
    everyone = tuple(range(m))
    assert groups(np.ones((m, m), dtype=bool)) == (everyone,)
    assert cover(np.ones((m, m), dtype=bool)) == (everyone,)
