"""The best team, by brute force, and near it where there are too many sets."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from racing.stats import teams as module
from racing.stats.teams import best_of, best_team, value
from tests.analysis.portfolio.kit import types_world


def brute(scores, size):
    return min(
        scores[:, list(one)].min(axis=1).mean()
        for one in combinations(range(scores.shape[1]), size)
    )


@pytest.mark.parametrize("size", [1, 2, 3, 6])
@pytest.mark.parametrize("seed", range(4))
def test_it_has_the_lowest_mean_of_the_best_score(size, seed):
    scores = types_world(15, 6, types=3, seed=seed)
    found = best_team(scores, size)
    assert len(set(found)) == size
    assert value(scores, found) == pytest.approx(brute(scores, size), abs=1e-12)


@pytest.mark.parametrize("seed", range(8))
def test_with_too_many_sets_it_is_near_the_best_and_cannot_be_improved_by_an_exchange(
    seed, monkeypatch
):
    monkeypatch.setattr(module, "EXACT", 0)
    scores = types_world(30, 9, types=4, seed=seed)
    found = best_team(scores, 3)
    now, single = value(scores, found), value(scores, best_team(scores, 1))
    assert single - now >= 0.9 * (single - brute(scores, 3))
    for member in found:
        rest = [one for one in found if one != member]
        assert all(value(scores, [*rest, other]) >= now - 1e-9 for other in range(9))


def test_members_are_different_also_where_one_is_best_everywhere(monkeypatch):
    monkeypatch.setattr(module, "EXACT", 0)
    scores = np.add.outer(np.arange(5.0), [3, 1, 2, 4])
    assert [len(set(best_team(scores, size))) for size in (1, 2, 3, 4)] == [1, 2, 3, 4]
    assert best_team(scores, 3)[0] == 1


def test_members_come_in_the_order_in_which_they_add():
    scores = np.array([[0.0, 9, 5], [9, 0, 5], [9, 0, 5], [9, 9, 9]])
    assert best_team(scores, 2) == (1, 0)
    assert best_team(scores, 3) == (1, 0, 2)


def test_a_member_that_was_best_alone_is_exchanged(monkeypatch):
    scores = np.array([[2.0, 0.0, 5.0], [2.0, 5.0, 0.0]])  # the first is the best single one
    monkeypatch.setattr(module, "EXACT", 0)
    assert sorted(best_team(scores, 2)) == [1, 2]


def test_a_team_has_at_most_all():
    assert best_team(np.array([[1.0, 0.0]]), 3) == (1, 0)


def test_no_member_is_as_good_as_nothing():
    assert np.isinf(best_of(np.ones((3, 2)), ())).all()
