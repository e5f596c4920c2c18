"""Points become configurations, each once."""

from __future__ import annotations

import numpy as np

from racing.search.coding import Coding
from racing.search.sampler import Proposal
from racing.space import Categorical, Integer, Real, Space
from tests.search.kit import mixed_space


def fresh(coding: Coding, rng: np.random.Generator):
    return coding.fresh(lambda: Proposal(rng.random(coding.dimension), parent=4), (7, 0))


def test_a_draw_is_a_valid_configuration_with_its_point():
    coding, rng = Coding(mixed_space()), np.random.default_rng(1)
    for _ in range(50):
        draw = fresh(coding, rng)
        assert coding.space.complete(draw.values) == draw.values
        active = [name in draw.values for name in coding.space]
        assert (~np.isnan(draw.point) == active).all()
        assert (draw.parent, draw.origin, draw.address) == (4, "model", (7, 0))


def test_choices_are_those_of_categories():
    space = Space({"c": Categorical(["a", "b", "c"]), "n": Integer(1, 9), "x": Real(0, 1)})
    assert Coding(space).choices.tolist() == [3, 0, 0]


def test_each_configuration_is_drawn_once_until_there_is_none():
    coding, rng = Coding(Space({"n": Integer(1, 6)})), np.random.default_rng(2)
    found = [fresh(coding, rng).values["n"] for _ in range(6)]
    assert sorted(found) == [1, 2, 3, 4, 5, 6]
    assert fresh(coding, rng) is None


def test_what_was_given_is_not_drawn():
    coding, rng = Coding(Space({"n": Integer(1, 3)})), np.random.default_rng(2)
    assert coding.untried([{"n": 2}, {"n": 2}]) == [{"n": 2}]
    assert sorted(fresh(coding, rng).values["n"] for _ in range(2)) == [1, 3]
    assert len(coding.tried) == 3


def test_forbidden_draws_are_drawn_again():
    space = Space({"x": Real(0, 1), "y": Real(0, 1)}, forbidden=["x + y > 1"])
    coding, rng = Coding(space), np.random.default_rng(3)
    for _ in range(50):
        values = fresh(coding, rng).values
        assert values["x"] + values["y"] <= 1
