"""Steps between two configurations: alone where that is allowed, together where not."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from racing.analysis.explain.ablation import differing, moves
from racing.space import Boolean, Categorical, Integer, Real, Space

FLAT = Space({"a": Real(0, 1, default=0.5), "b": Integer(1, 9, default=3), "c": Boolean()})
CONDITIONAL = Space(
    {
        "algorithm": Categorical(["ils", "tabu"], default="ils"),
        "kick": Integer(1, 9, default=2, when="algorithm == ils"),
        "tenure": Integer(1, 50, default=10, when="algorithm == tabu"),
        "aspire": Boolean(default=False, when="algorithm == tabu and tenure > 5"),
        "x": Real(0, 1, default=0.1),
    }
)
ORDERED = Space(
    {"low": Integer(0, 9, default=0), "high": Integer(0, 9, default=1), "z": Boolean(default=True)},
    forbidden=["low >= high"],
)


def test_every_parameter_that_differs_can_change_alone_in_a_flat_space():
    one, other = {"a": 0.1, "b": 3, "c": True}, {"a": 0.2, "b": 7, "c": True}
    assert differing(FLAT, one, other) == {"a": (0.1, 0.2), "b": (3, 7)}
    found = moves(FLAT, one, other)
    assert [change.names for change in found] == [("a",), ("b",)]
    assert found[0].values == {"a": 0.2, "b": 3, "c": True}
    assert found[1].values == {"a": 0.1, "b": 7, "c": True}


def test_a_switch_brings_what_it_activates_as_the_target_has_it():
    one = {"algorithm": "ils", "kick": 5, "x": 0.1}
    other = {"algorithm": "tabu", "tenure": 20, "aspire": True, "x": 0.9}
    found = moves(CONDITIONAL, one, other)
    assert [change.names for change in found] == [("algorithm",), ("x",)]
    assert found[0].values == {"algorithm": "tabu", "tenure": 20, "aspire": True, "x": 0.1}
    (last,) = moves(CONDITIONAL, found[0].values, other)
    assert (last.names, last.values) == (("x",), other)


def test_what_is_forbidden_alone_changes_together():
    one, other = {"low": 0, "high": 1, "z": True}, {"low": 5, "high": 8, "z": False}
    found = {change.names: change.values for change in moves(ORDERED, one, other)}
    assert found == {
        ("low", "high"): other | {"z": True},
        ("high",): one | {"high": 8},
        ("z",): one | {"z": False},
    }


def test_where_nothing_smaller_is_allowed_everything_changes_at_once():
    space = Space(
        {"a": Boolean(default=False), "b": Boolean(default=False), "c": Boolean(default=False)},
        forbidden=["a != b", "b != c"],
    )
    one, other = dict.fromkeys("abc", False), dict.fromkeys("abc", True)
    (only,) = moves(space, one, other)
    assert set(only.names) == {"a", "b", "c"}
    assert only.values == other


@pytest.mark.parametrize("space", [FLAT, CONDITIONAL, ORDERED], ids=["flat", "when", "forbidden"])
def test_every_greedy_path_ends_at_the_target_through_allowed_configurations(space):
    rng = np.random.default_rng(1)
    space_rng = np.random.default_rng(2)
    samples = space.sample(space_rng, 12)
    for one, other in product(samples, samples):
        current, steps = one, 0
        while space.key(current) != space.key(other):
            found = moves(space, current, other)
            assert len({space.key(change.values) for change in found}) == len(found)
            chosen = found[int(rng.integers(len(found)))]
            space.check(chosen.values)
            before = differing(space, current, other)
            current, steps = chosen.values, steps + 1
            assert len(differing(space, current, other)) < len(before)
        assert steps <= len(space)
