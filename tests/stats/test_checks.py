"""What may enter the statistics, and how everything else is refused."""

from __future__ import annotations

import numpy as np
import pytest

from racing.base.errors import InputError
from racing.base.quantities import Count, Level
from racing.stats import _samples
from racing.stats._checks import (
    Alternative,
    as_column,
    as_costs,
    as_vector,
    checked,
)
from racing.stats._samples import Paired


@pytest.mark.parametrize(
    "X", [[[1, 2], [3, 4]], ((1.0, np.inf),), [[True, False]], np.ones((2, 3), np.float32)]
)
def test_real_tables_become_float64(X: object) -> None:
    table = as_costs(X)  # type: ignore[arg-type]
    assert table.dtype == np.float64
    np.testing.assert_array_equal(table, np.asarray(X, dtype=float))


def test_a_float64_table_is_not_copied() -> None:
    X = np.ones((2, 3))
    assert as_costs(X) is X


@pytest.mark.parametrize(
    ("X", "says"),
    [
        ([1.0, 2.0], r"shape \(2,\)"),
        (np.ones((2, 2, 2)), r"shape \(2, 2, 2\)"),
        (3.0, r"shape \(\)"),
        (np.empty((0, 3)), r"\(0, 3\)"),
        (np.empty((3, 0)), r"\(3, 0\)"),
        ([[1.0, np.nan], [np.nan, 2.0]], "row 0, column 1"),
        ([[1.0, 2.0], [-np.inf, 2.0]], "row 1, column 0 is infinitely good"),
        ([["1", "2"]], "'1'"),
        ([[1.0, None]], "None at row 0, column 1"),
        (np.array([[1, 2.0]], dtype=object), "astype"),
        ([[1j, 2.0]], "complex"),
        ([[1.0, 2.0], [3.0]], "equal length"),
        (np.array([["2020-01-01"]], dtype="datetime64[D]"), "datetime64"),
        (np.ma.masked_invalid([[1.0, np.nan]]), "masked"),
    ],
)
def test_everything_else_is_refused_by_name(X: object, says: str) -> None:
    with pytest.raises(InputError, match=says) as caught:
        as_costs(X, name="costs")  # type: ignore[arg-type]
    assert str(caught.value).startswith("costs")


def test_scores_come_back_as_costs() -> None:
    assert as_costs([[1.0, -np.inf]], direction="max").tolist() == [[-1.0, np.inf]]
    with pytest.raises(InputError, match="row 0, column 1 is infinitely good"):
        as_costs([[1.0, np.inf]], direction="max")
    with pytest.raises(InputError, match="direction must be min or max"):
        as_costs([[1.0]], direction="down")


def test_pairs_keep_their_lengths() -> None:
    one = Paired.of([1, 2], [3.0, np.inf])
    assert (one.x.tolist(), one.y.tolist(), one.shape) == ([[1.0, 2.0]], [[3.0, np.inf]], ())
    many = Paired.of([[1, 2], [3, 4], [5, 6]], [0, 1])
    assert (many.y.tolist(), many.shape, many.n) == ([[0.0, 1.0]] * 3, (3,), 2)
    assert many.shaped(np.array([7, 8, 9])).tolist() == [7, 8, 9]
    assert one.shaped(np.array([7.5])) == 7.5
    with pytest.raises(InputError, match="equal length"):
        Paired.of([1, 2], [3])
    with pytest.raises(InputError, match="of shapes that fit"):
        Paired.of(np.ones((2, 4)), np.ones((3, 4)))
    with pytest.raises(InputError, match="y: NaN at position 1"):
        Paired.of([1, 2], [3, np.nan])
    with pytest.raises(InputError, match=r"x: .*row 1, column 0 is infinitely good"):
        Paired.of([[1, 2], [-np.inf, 2]], [3, 4])
    with pytest.raises(InputError, match="one or more"):
        Paired.of([], [])


@pytest.mark.parametrize("block", [1, 7, 1 << 18])
def test_blocks_have_every_pair_once_in_order(monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    monkeypatch.setattr(_samples, "_BLOCK", block)
    x = np.arange(30.0).reshape(5, 2, 3)
    (sums,) = Paired.of(x, 1 + x).each(lambda a, b: ((a + b).sum(axis=1),))
    assert (sums == (2 * x + 1).sum(axis=2)).all()


def test_a_vector_has_one_axis() -> None:
    with pytest.raises(InputError, match="one or more"):
        as_vector([])
    with pytest.raises(InputError, match="shape"):
        as_vector([[1.0]])


def test_means_refuse_infinities() -> None:
    with pytest.raises(InputError, match="finite for ANOVA; got inf at row 1, column 0"):
        as_costs([[1.0, 2.0], [np.inf, 1.0]], means_for="ANOVA")
    assert as_costs([[1.0, 2.0]], means_for="ANOVA").shape == (1, 2)


def test_small_arguments() -> None:
    assert as_column(np.int64(2), 3) == 2
    for bad in (3, -1, 1.0, True, "C4.5"):
        with pytest.raises(InputError, match="control"):
            as_column(bad, 3)  # type: ignore[arg-type]


@checked
def some_test(
    X: float, k: Count = 1, *, side: Alternative = "better", alpha: Level | None = None, n: int = 0
) -> tuple[object, ...]:
    return X, k, side, alpha, n


def test_a_checked_function_takes_what_its_annotations_say() -> None:
    assert some_test(-1.0, np.int64(3), n=-2) == (-1.0, 3, "better", None, -2)  # type: ignore[arg-type]
    assert some_test(k=2, X=0.0, alpha=0.1) == (0.0, 2, "better", 0.1, 0)
    with pytest.raises(InputError, match="k must be a whole number, 1 or more; got 0"):
        some_test(0.0, 0)
    with pytest.raises(InputError, match="side must be two-sided, better or worse"):
        some_test(0.0, side="left")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="alpha must be a number above 0 and below 1"):
        some_test(0.0, alpha=1.0)
    for bad in (0, -0.1, float("nan"), "0.05", True):
        with pytest.raises(InputError, match="alpha"):
            some_test(0.0, alpha=bad)  # type: ignore[arg-type]
    for some in (1.5, True, None):
        with pytest.raises(InputError, match="k must be"):
            some_test(0.0, some)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="positional"):
        some_test(0.0, 1, "better")  # type: ignore[call-arg]
