"""The layout of an encoding: which columns are computed together, and in which order."""

from __future__ import annotations

from racing.space import Categorical, Integer, Parameter, Real
from racing.space.encoding import axes_of, blocks_of, needed, tiers_of
from racing.space.expressions import Compiled, holds
from racing.space.structure import make_structure

PARAMETERS: dict[str, Parameter] = {
    "a": Real(0, 1),
    "kind": Categorical(["x", "y"]),
    "b": Real(2, 3),
    "c": Real(1, 9, log=True),
    "n": Integer(1, "10 * a", when="kind == x"),
    "d": Real(0, 5, when="kind == x"),
}
STRUCTURE, _ = make_structure(PARAMETERS, ["c > 5"])


def test_numbers_alike_in_kind_and_scale_are_one_block() -> None:
    found = {tuple(block.places.tolist()) for block in blocks_of(PARAMETERS, STRUCTURE)}
    assert found == {(0, 2, 5), (3,)}, "neither categories nor bounds that are expressions"


def test_fixed_numbers_have_an_axis_each() -> None:
    axes = axes_of(PARAMETERS, STRUCTURE)
    assert list(axes) == ["a", "b", "c", "d"]
    assert axes["b"].unit(2.5) == 0.5


def test_clauses_and_bounds_need_what_they_name() -> None:
    assert needed(STRUCTURE) == ("a", "c", "n")


def test_a_tier_comes_after_all_that_it_depends_on() -> None:
    place = {name: column for column, name in enumerate(PARAMETERS)}
    conditions: dict[str, Compiled] = {
        name: holds(tree, PARAMETERS) for name, tree in STRUCTURE.conditions.items()
    }
    tiers = tiers_of(STRUCTURE, place, conditions)
    assert [set(tier.names) for tier in tiers[:1]] == [{"a", "kind", "b", "c"}]
    assert {tier.names: tier.dependent for tier in tiers[1:]} == {("n",): "n", ("d",): None}
    assert [place[name] for tier in tiers for name in tier.names] == [
        int(column) for tier in tiers for column in tier.places
    ]
