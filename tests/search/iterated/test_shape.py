"""A space as the models see it."""

from __future__ import annotations

import pytest

from racing.search.iterated.shape import Shape
from racing.space import Categorical, Integer, Ordinal, Real, Space

SPACE = Space(
    {
        "real": Real(-5, 5),
        "log": Real(0.001, 10, log=True),
        "whole": Integer(1, 10),
        "even": Integer(0, 8, step=2),
        "wholelog": Integer(1, 100, log=True),
        "size": Ordinal(["s", "m", "l", "xl"]),
        "kind": Categorical(["a", "b", "c"]),
        "fixed": Categorical(["only"]),
        "upto": Integer(1, "whole"),
    }
)


def test_numbers_begin_with_half_of_their_domain():
    widths = dict(zip(SPACE, Shape.of(SPACE).widths, strict=True))
    # (u − l) / 2; of whole numbers on the scale [l, u + 1], of n levels (n − 1) / 2 cells
    assert widths == pytest.approx(
        {
            "real": 0.5, "log": 0.5, "whole": 4.5 / 10, "even": 2 / 5, "wholelog": 0.5,
            "size": 1.5 / 4, "kind": 0, "fixed": 0, "upto": 0.5,
        }
    )  # fmt: skip


def test_categories_are_counted_and_what_is_fixed_is_not():
    shape = Shape.of(SPACE)
    assert shape.choices.tolist() == [0, 0, 0, 0, 0, 0, 3, 1, 0]
    assert shape.parameters == 8
