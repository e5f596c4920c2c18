"""Trees: what is below a node, and which are equal."""

from __future__ import annotations

from racing.space.expressions import Name, Number, names, parse

TREE = parse("min(a, 2) > b and c in [x, y]")


def test_a_walk_meets_every_node_once_from_left_to_right() -> None:
    assert next(TREE.walk()) is TREE
    found = [node.name for node in TREE.walk() if isinstance(node, Name)]
    assert found == ["a", "b", "c", "x", "y"]
    assert sum(isinstance(node, Number) for node in TREE.walk()) == 1


def test_children_are_those_directly_below() -> None:
    left, right = TREE.children()
    assert left.at < right.at
    assert {*names(left), *names(right)} == set(names(TREE))


def test_the_place_in_the_text_does_not_count_for_equality() -> None:
    assert parse("a  >  1") == parse("a>1")
    assert parse("a > 1") != parse("a > 2")
    assert hash(parse("a > 1")) == hash(parse("(a > 1)"))
