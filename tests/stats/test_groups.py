"""Independent samples: what may enter, and sums over them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from racing.base.errors import InputError
from racing.stats._samples import Groups, Placements, tie_sum


def test_samples_stay_in_order():
    groups = Groups.of([[3, 1], [2.0], (np.inf, 1)])
    assert groups.costs.tolist() == [3, 1, 2, np.inf, 1]
    assert (groups.k, groups.total) == (3, 5)
    assert groups.labels.tolist() == [0, 0, 1, 2, 2]
    assert groups.ranks().tolist() == [4, 1.5, 3, 5, 1.5]
    assert groups.sums(groups.ranks()).tolist() == [5.5, 3, 6.5]
    assert [part.tolist() for part in groups.split(groups.costs)] == [[3, 1], [2], [np.inf, 1]]


def test_sums_of_tables():
    groups = Groups.of([[1, 2], [3]])
    assert groups.sums(np.arange(6.0).reshape(2, 3)).tolist() == [[1, 2], [7, 5]]


def test_tie_sums():
    assert tie_sum(np.array([1.0, 2.5, 2.5, 5, 5, 5])) == (8 - 2) + (27 - 3)
    assert tie_sum(np.arange(4.0)) == 0


def test_an_iterator_of_samples_is_enough():
    assert Groups.of(iter([[1], [2]])).k == 2


@pytest.mark.parametrize(
    ("samples", "says"),
    [
        ([], "got none"),
        ([[1.0], []], r"samples\[1\].*one or more"),
        ([[1.0], [np.nan]], r"samples\[1\]: NaN at position 0"),
        ([[1.0], [-np.inf]], "infinitely good"),
        ([[1.0], ["a"]], r"samples\[1\].*real numbers"),
        ([1.0, 2.0], r"samples\[0\].*vector"),
        (np.ones((3, 2)), r"list\(X\.T\)"),
        ({"a": [1.0]}, "list of vectors"),
        ("ab", "list of vectors"),
        (3, "list of vectors"),
    ],
)
def test_refusals(samples, says):
    with pytest.raises(InputError, match=says):
        Groups.of(samples)


def test_too_few_runs_for_a_variance():
    with pytest.raises(InputError, match=r"samples\[1\].*2 or more runs; got 1"):
        Groups.of([[1, 2], [3]], least=2)


# --- placements against their definition, on small samples with every kind of tie ----------------


SAMPLE = st.lists(st.sampled_from([0.0, 1.0, 2.0, 5.0, np.inf]), min_size=1, max_size=6)
SAMPLES = st.lists(SAMPLE, min_size=1, max_size=4)


def wins(x, y):
    """h of every pair of runs."""
    a, b = np.array(x)[:, None], np.array(y)
    return (a < b) + (a == b) / 2


@given(SAMPLES)
def test_by_definition(samples):
    placed = Placements.of(Groups.of(samples))
    for i, x in enumerate(samples):
        for j, y in enumerate(samples):
            h = wins(x, y)
            rows = h.sum(axis=1)
            assert placed.u()[i, j] == h.sum()
            assert placed.a()[i, j] == pytest.approx(h.mean())
            assert placed.squares()[i, j] == pytest.approx((rows**2).sum())
            assert placed.scatter()[i, j] == pytest.approx(((rows - rows.mean()) ** 2).sum())
            assert placed.ties()[i, j] == (h == 0.5).sum()
            assert placed.tied()[i, j] == (h == 0.5).all()


@given(SAMPLES)
def test_tie_sums_of_pairs(samples):
    placed = Placements.of(Groups.of(samples))
    for i, x in enumerate(samples):
        for j, y in enumerate(samples):
            if i != j:
                _, counts = np.unique(np.concatenate([x, y]), return_counts=True)
                assert placed.tie_sums()[i, j] == np.sum(counts**3 - counts)
