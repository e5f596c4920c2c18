"""Signed ranks: rounded differences, the three rules for zeros, exact tails by enumeration."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.stats import rankdata

from racing.base.errors import InputError
from racing.stats._paired import differences
from racing.stats.wilcoxon import SignedRankSums, sum_distribution

D = np.array([[3.0, -1.0, 0.0, 2.0, -1.0, 0.0, 0.0]])


def test_equal_decimals_have_equal_differences() -> None:
    a, b = np.array([[0.3, 0.1, np.inf]]), np.array([[0.4, 0.2, np.inf]])
    exact = differences(a, b, None)
    assert exact[0, 0] != exact[0, 1]
    rounded = differences(a, b, 12)
    assert rounded[0, 0] == rounded[0, 1] == 0.1
    assert rounded[0, 2] == 0.0, "two failures are equal"


@pytest.mark.parametrize(
    ("rule", "dropped", "shared"), [("wilcox", 3, 0.0), ("pratt", 0, 0.0), ("split", 1, 1.5)]
)
def test_rules_for_zeros(rule: str, dropped: int, shared: float) -> None:
    found = SignedRankSums.of(D, rule)  # type: ignore[arg-type]
    ranks = rankdata(np.abs(D[0])) - dropped
    assert found.plus[0] == ranks[D[0] > 0].sum() + shared
    assert found.minus[0] == ranks[D[0] < 0].sum() + shared
    assert found.n_used[0] == 7 - dropped


def test_sums_of_random_subsets_are_counted() -> None:
    values = np.array([1, 3, 3, 4], dtype=np.int32)
    sums = [sum(v for v, taken in zip(values, mask, strict=True) if taken)
            for mask in product([0, 1], repeat=4)]  # fmt: skip
    expected = np.bincount(sums, minlength=values.sum() + 1) / 16
    assert sum_distribution(values) == pytest.approx(expected)


def test_exact_tails_are_those_of_all_signs() -> None:
    d = np.array([[1.0, 2.0, 2.0, -3.0, 5.0]])
    ranked = SignedRankSums.of(d, "wilcox")
    ranks = rankdata(np.abs(d[0]))
    sums = np.array([np.dot(mask, ranks) for mask in product([0, 1], repeat=5)])
    tails = ranked.tails(ranked.exact("exact"), ranked.z(True))
    two, better, worse = (tails[side][0] for side in ("two-sided", "better", "worse"))
    assert better == pytest.approx((sums >= ranked.plus[0]).mean())
    assert worse == pytest.approx((sums <= ranked.plus[0]).mean())
    assert two == pytest.approx(min(1.0, 2 * min(better, worse)))


def test_exact_is_refused_where_it_takes_gigabytes() -> None:
    ranked = SignedRankSums.of(np.arange(1.0, 2002.0)[None], "split")
    assert not ranked.exact("auto")[0]
    with pytest.raises(InputError, match="up to 2000"):
        ranked.exact("exact")
