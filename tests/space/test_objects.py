"""Python objects as values: every object has one name, and every name leads back to its object."""

from __future__ import annotations

import math
from enum import StrEnum
from pathlib import PurePosixPath

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from racing.base.errors import InputError
from racing.space.objects import Objects

PLAIN = st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
TUPLES = st.tuples(st.integers(0, 9), st.integers(0, 9))


@given(st.lists(PLAIN | st.none() | TUPLES, min_size=3, max_size=8))
def test_names_lead_back_to_their_objects(choices: list[object]) -> None:
    texts = {one for one in choices if isinstance(one, str)}
    if "None" in texts or any(text.startswith("(") for text in texts):
        return
    objects = Objects()
    named = objects.parameters({"p": choices})["p"]["categorical"]
    assert all(isinstance(one, str | int | float) for one in named)
    assert [objects.behind({"p": one})["p"] for one in named] == choices


@given(st.dictionaries(st.text(min_size=1), PLAIN))
def test_plain_values_are_their_own_names(values: dict[str, object]) -> None:
    objects = Objects()
    assert objects.values(values) == values
    assert objects.behind(values) == values
    assert not objects


def test_what_can_be_a_name() -> None:
    objects = Objects()
    named = objects.values(
        {"f": max, "c": dict, "t": (3, 4), "n": None, "a": np.array([1, 2]), "s": np.float64(0.5)}
    )
    assert named == {
        "f": "max", "c": "dict", "t": "(3, 4)", "n": "None", "a": "array([1, 2])", "s": 0.5,
    }  # fmt: skip
    assert type(named["s"]) is float
    assert objects.behind({"f": "max", "other": "max", "n": "None"}) == {
        "f": max, "other": "max", "n": None,
    }  # fmt: skip


class Colour(StrEnum):
    RED = "#f00"


def test_a_member_and_a_path_have_the_names_that_their_user_gave() -> None:
    objects = Objects()
    given = {"c": Colour.RED, "f": PurePosixPath("data/a.csv")}
    assert objects.values(given) == {"c": "RED", "f": "data/a.csv"}
    assert objects.held == {"c.RED": Colour.RED, "f.data/a.csv": given["f"]}
    assert objects.behind({"c": "RED"})["c"] is Colour.RED


def test_lists_mappings_and_distributions_are_parameters() -> None:
    given = {
        "depth": [None, 3, 5],
        "model": {"categorical": {"wide": (1, 9), "narrow": (4, 5)}, "default": (4, 5)},
        "effort": {"ordinal": [None, 1], "default": None, "when": "depth == 3"},
        "C": stats.loguniform(0.01, 100),
        "share": stats.uniform(1, 2),
        "k": stats.randint(2, 10),
        "x": {"real": [0, 1], "default": 0.5},
    }
    assert Objects().parameters(given) == {
        "depth": {"categorical": ["None", 3, 5]},
        "model": {"categorical": ["wide", "narrow"], "default": "narrow"},
        "effort": {"ordinal": ["None", 1], "default": "None", "when": "depth == 3"},
        "C": {"real": [0.01, 100.0], "log": True},
        "share": {"real": [1.0, 3.0]},
        "k": {"integer": [2, 9]},
        "x": {"real": [0, 1], "default": 0.5},
    }


def test_the_default_of_named_choices_may_be_their_name() -> None:
    given = {"m": {"categorical": {"a": max, "b": None}, "default": "a"}}
    assert Objects().parameters(given)["m"]["default"] == "a"
    given = {"m": {"categorical": {"a": max, "b": None}, "default": None}}
    assert Objects().parameters(given)["m"]["default"] == "b"
    assert Objects().parameters({"m": {"categorical": [1, 2], "default": None}})["m"] == {
        "categorical": [1, 2], "default": None,
    }  # fmt: skip


class Same:
    """An object whose text says nothing of what it is."""

    def __repr__(self) -> str:
        return "Same()"


class Told:
    """An object without a text of its own."""


@pytest.mark.parametrize(
    ("parameter", "message"),
    [
        ([lambda x: x, 1, 2], "has no name that stays the same"),
        ([Told(), 1, 2], "has no name that stays the same"),
        (["a" * 3, ("long",) * 40, 1], "has no name that stays the same"),
        ([None, "None", 1], "two different values have the name 'None'"),
        (["None", None, 1], "two different values have the name 'None'"),
        ([math.sin, np.sin, 1], "two different values have the name 'sin'"),
        (stats.norm(0, 1), "the distribution norm is not a parameter"),
    ],
)
def test_what_cannot_be_told_apart_is_refused(parameter: object, message: str) -> None:
    with pytest.raises(InputError, match=r"^p: ") as caught:
        Objects().parameters({"p": parameter})
    assert message in str(caught.value)


def test_objects_that_are_described_wholly_by_their_text_are_one() -> None:
    objects = Objects()
    assert objects.values({"m": Same()}) == objects.values({"m": Same()}) == {"m": "Same"}


@pytest.mark.parametrize("given", [[0, 1], (0.5, 2), [], 3, "text"])
def test_what_may_be_a_range_is_left_to_the_reader_of_parameters(given: object) -> None:
    assert Objects().parameters({"p": given}) == {"p": given}
