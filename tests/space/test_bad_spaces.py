"""Every bad space is refused with the message that the docs promise."""

from __future__ import annotations

import re

import pytest

from racing.base.errors import SpaceError
from racing.space import Integer, Real, Space
from tests.scenario.doc_tables import DOCS, stale, tables
from tests.space.bad_spaces import CASES, BadSpace


@pytest.mark.parametrize("case", CASES, ids=lambda case: re.sub(r"\W+", " ", case.shown).strip())
def test_it_is_refused_with_a_message_of_its_own(case: BadSpace) -> None:
    said = case.said()
    assert said, "accepted"
    assert len(said) < 400
    assert sum(other.said() == said for other in CASES) <= 3  # no message fits everything


def test_the_docs_hold_exactly_these_messages() -> None:
    page = DOCS / "bad-input.md"
    assert "bad-spaces" in tables(page.read_text(encoding="utf-8"))
    assert not stale(page)


def test_without_the_faults_it_is_accepted() -> None:
    assert BadSpace("{}", "[n > 5]", "[{alg: ils, n: 5, x: 0}]").said() == ""


def test_all_faults_are_told_at_once_with_their_places() -> None:
    with pytest.raises(SpaceError) as caught:
        Space(
            {"a": Real(0, 1, when="b > "), "c": Real("q", 1), "d": Real(0, 1, when="a == x")},
            forbidden=["a > 0.5", "a = 1"],
        )
    assert [(error.path, error.offset) for error in caught.value.errors] == [
        (("a", "when"), 4),
        (("c", "low"), 0),
        (("d", "when"), 5),
        (("forbidden", 1), 2),
    ]
    assert str(caught.value).count("\n") == 3


@pytest.mark.parametrize(
    ("forbidden", "message"),
    [
        (["n > 5", "x >= 0", "n < 4"], "forbidden[1]: x >= 0 leaves no configuration"),
        (["n > 7", "n < 3", "n == 4", "n < 8"],
         "forbidden[3]: n < 8 leaves no configuration beside n > 7"),
        (["n > 4", "n != 7 and n > 1", "n < 5"],
         "forbidden[2]: n < 5 leaves no configuration beside n > 4"),
    ],
)  # fmt: skip
def test_only_the_clause_after_which_nothing_is_left_is_named(
    forbidden: list[str], message: str
) -> None:
    with pytest.raises(SpaceError) as caught:
        Space(
            {"n": Integer(0, 9), "x": Real(0, 1), "y": Real(0, 1, when="n > 3")},
            forbidden=forbidden,
        )
    assert str(caught.value) == message


def test_a_clause_on_a_parameter_that_may_be_inactive_leaves_the_others() -> None:
    space = Space({"n": Integer(0, 9), "y": Integer(0, 1, when="n > 3")}, forbidden=["y >= 0"])
    assert space.size == 4


def test_a_rare_condition_on_numbers_is_found_by_its_constant() -> None:
    space = Space(
        {"x": Real(0, 1), "y": Real(0, 1, when="x == 0.123"), "z": Real(0, 1, when="x >= 1")}
    )
    assert set(space.structure.conditions) == {"y", "z"}
