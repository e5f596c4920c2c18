"""Standard deviations and probabilities, from race to race."""

from __future__ import annotations

import numpy as np
import pytest

from racing.search.coding import Coding
from racing.search.iterated.newcomers import Shape
from racing.space import Categorical, Integer, Ordinal, Real, Space

KINDS = {"x": Real(0, 1), "kind": Categorical(["a", "b", "c", "d"]), "b": Categorical([0, 1])}
SHAPE = Shape.of(Coding(Space(KINDS)))
POINT = np.array([0.3, 2.0, np.nan])


def step(model, *, iteration=2, iterations=4, drawn=8, elitist=True):
    moved = min((iteration - 1) / iterations, 1.0)
    return SHAPE.updated(model, POINT, drawn, moved, elitist=elitist)


def test_it_begins_with_half_of_the_domain_and_all_categories_alike():
    model = SHAPE.first()
    assert model.widths.tolist() == [0.5, 0, 0]
    assert model.weights.tolist() == [[0, 0, 0, 0], [0.25] * 4, [0.5, 0.5, 0, 0]]


def test_the_width_falls_with_the_number_of_new_configurations():
    once, twice = step(SHAPE.first()), step(step(SHAPE.first()))
    assert once.widths[0] == pytest.approx(0.5 * (1 / 8) ** (1 / 3))
    assert twice.widths[0] == pytest.approx(0.5 * (1 / 8) ** (2 / 3))


def test_the_elites_own_category_becomes_more_likely():
    # p · (1 − 1/4) + 1/4 for the third of four
    model = step(SHAPE.first(), elitist=False)
    assert model.weights[1] == pytest.approx([0.1875, 0.1875, 0.4375, 0.1875])
    # clamped at 0.2^(1/3) = 0.585: no effect yet
    assert step(SHAPE.first()).weights[1] == pytest.approx(model.weights[1])


def test_no_category_takes_all_in_elitist_racing():
    model = step(SHAPE.first(), iteration=4)
    most, rest = 0.2 ** (1 / 3), 0.0625
    assert model.weights[1] == pytest.approx(np.array([rest, rest, most, rest]) / (most + 3 * rest))
    free = step(SHAPE.first(), iteration=4, elitist=False)
    assert free.weights[1] == pytest.approx([rest, rest, 0.8125, rest])


def test_what_the_elite_has_inactive_keeps_its_probabilities():
    assert step(SHAPE.first()).weights[2].tolist() == [0.5, 0.5, 0, 0]


def test_beyond_the_planned_races_only_the_limit_keeps_others_alive():
    model = step(SHAPE.first(), iteration=9, iterations=4)
    assert model.weights[1] == pytest.approx([0, 0, 1, 0])


def test_a_restart_widens_but_never_beyond_the_first_step():
    narrow = step(step(step(SHAPE.first())))
    wide = SHAPE.restarted(narrow, 8)
    # sd · 8^(2/3) = 0.5 · 8^(−1), against 0.5 · (1/8)^(1/3)
    assert wide.widths[0] == pytest.approx(min(0.5 / 8 * 8 ** (2 / 3), 0.5 * (1 / 8) ** (1 / 3)))
    first = SHAPE.restarted(step(SHAPE.first()), 8)
    assert first.widths[0] == pytest.approx(0.5 * (1 / 8) ** (1 / 3))


def test_a_restart_brings_categories_nearer_to_the_likeliest():
    # 0.9 p + 0.1 max p
    model = SHAPE.restarted(step(SHAPE.first(), elitist=False), 8)
    raised = 0.9 * np.array([0.1875, 0.1875, 0.4375, 0.1875]) + 0.1 * 0.4375
    assert model.weights[1] == pytest.approx(raised / raised.sum())
    assert model.weights[2].tolist() == [0.5, 0.5, 0, 0]
    assert model.weights[0].tolist() == [0, 0, 0, 0]


def test_models_are_left_as_they_were():
    model = SHAPE.first()
    step(model)
    SHAPE.restarted(model, 4)
    assert model.weights[1].tolist() == [0.25] * 4
    assert model.widths[0] == 0.5


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
    widths = dict(zip(SPACE, Shape.of(Coding(SPACE)).widths, strict=True))
    # (u − l) / 2; of whole numbers on the scale [l, u + 1], of n levels (n − 1) / 2 cells
    assert widths == pytest.approx(
        {
            "real": 0.5, "log": 0.5, "whole": 4.5 / 10, "even": 2 / 5, "wholelog": 0.5,
            "size": 1.5 / 4, "kind": 0, "fixed": 0, "upto": 0.5,
        }
    )  # fmt: skip


def test_categories_are_counted_and_what_is_fixed_is_not():
    shape = Shape.of(Coding(SPACE))
    assert shape.choices.tolist() == [0, 0, 0, 0, 0, 0, 3, 1, 0]
    assert shape.parameters == 8
