"""The structure of a space: parents, order, and what is wrong with its expressions."""

from __future__ import annotations

from racing.space import Boolean, Categorical, Integer, Parameter
from racing.space.structure import make_structure

PARAMETERS: dict[str, Parameter] = {
    "tabu": Integer(1, "2 * size", when="kind == ts"),
    "size": Integer(1, 9),
    "kind": Categorical(["ts", "ils"]),
    "fast": Boolean(),
}


def test_parents_come_first_and_the_rest_stays_as_given() -> None:
    found, errors = make_structure(PARAMETERS, ["fast and size > 5"])
    assert errors == []
    assert found.order == ("size", "kind", "tabu", "fast")
    assert found.parents["tabu"] == ("kind", "size")
    assert found.parents["fast"] == ()
    assert found.named == {"kind", "size"}
    assert set(found.conditions) == set(found.bounds) == {"tabu"}
    assert found.clause_texts() == ("fast and size > 5",)


def test_a_space_without_expressions_is_flat() -> None:
    found, _ = make_structure({"a": Integer(0, 1)}, [])
    assert found.is_flat
    assert not make_structure({"a": Integer(0, 1)}, ["a == 1"])[0].is_flat


def test_a_circle_is_an_error_that_names_it() -> None:
    circle: dict[str, Parameter] = {
        "a": Integer(0, 1, when="b == 1"),
        "b": Integer(0, 1, when="a == 1"),
    }
    _, [error] = make_structure(circle, [])
    assert "a → b → a" in str(error)
    _, [error] = make_structure({"a": Integer(0, 1, when="a == 1")}, [])
    assert "depends on itself" in str(error)


def test_all_errors_are_found_each_with_its_place() -> None:
    wrong = {**PARAMETERS, "tabu": Integer(1, "2 * sise", when="kind == tss")}
    _, errors = make_structure(wrong, ["slow", 3])  # type: ignore[list-item]
    places = [error.path for error in errors]
    assert places == [("tabu", "when"), ("tabu", "high"), ("forbidden", 0), ("forbidden", 1)]
