"""Ten wrong spaces: `racing.minimize` and `RaceSearchCV` refuse them in the same words."""

from __future__ import annotations

from typing import Any

import pytest
from scipy.stats import norm

import racing
from racing.base.errors import InputError
from racing.sklearn import RaceSearchCV
from tests.sklearn.worlds import Scripted, X, y

WRONG: list[tuple[Any, str]] = [
    ({"reel": [0, 1]}, "must have one of real, integer, .*; did you mean 'real'"),
    ({"real": [1, 0]}, "the lower end must be below the upper end, 0.0; got 1.0"),
    ({"real": [0, 1], "log": True}, "the lower end must be above 0 for .* scale; got 0.0"),
    ({"real": [0, 1], "default": 2}, "the default must be a number from 0.0 to 1.0; got 2.0"),
    ({"real": [0, 1], "when": "z == 1"}, "unknown name 'z'; known: quality"),
    ({"real": [0, 1], "lg": True}, "unknown key; did you mean 'log'"),
    ({"integer": [0.5, 3]}, "must be a whole number or an expression; got 0.5"),
    ({"categorical": ["a", "a"]}, 'the values must differ; got "a" twice'),
    ({"categorical": [lambda x: x, max]}, "has no name that stays the same; name the choices"),
    ({"real": norm(0, 1)}, r"must be \[low, high\]"),
]


@pytest.mark.parametrize(("wrong", "words"), WRONG, ids=range(len(WRONG)))
def test_a_wrong_space_is_refused_in_the_same_words(wrong: Any, words: str) -> None:
    with pytest.raises(InputError, match=words) as there:
        racing.minimize(lambda values, *_: 0.0, {"quality": wrong}, range(9), budget=100)
    with pytest.raises(InputError, match=words) as here:
        RaceSearchCV(Scripted(), {"quality": wrong}, budget=100).fit(X, y)
    assert str(here.value) == str(there.value)
    assert "quality" in str(here.value)


@pytest.mark.parametrize(
    ("space", "words"),
    [
        ({}, "space must be a mapping from parameters to their domains"),
        ({"x": [0.1, 1.0]}, r"a range is {real: \[0.1, 1.0\]}, a choice is {categorical"),
        ({"x": norm()}, "the distribution norm is not a parameter"),
    ],
)
def test_what_may_mean_two_things_is_refused_where_both_are_possible(space, words) -> None:
    with pytest.raises(InputError, match=words):
        racing.minimize(lambda values, *_: 0.0, space, range(9), budget=100)
