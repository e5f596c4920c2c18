"""The names of parameters: what they may be, and how expressions write them."""

from __future__ import annotations

import re

import pytest

from racing.space import Categorical, Real, Space
from racing.space.expressions import Name, parse, render
from racing.space.parameter import PATTERN, name_error

ODD = ["balancing:strategy", "@1:F:q", "3resolve", "sp-var-dec", "a.b", "_x", "ß", "and", "2-opt"]


@pytest.mark.parametrize("name", ODD)
def test_names_of_public_files_are_names(name: str) -> None:
    assert name_error(name) is None
    assert re.fullmatch(PATTERN, name)


@pytest.mark.parametrize("name", ["", "a b", "1e5", "12", "1.5", "a=b", "a|b", "-a", ":a", "`a`"])
def test_what_is_no_name_is_refused(name: str) -> None:
    assert "cannot name a parameter" in str(name_error(name))


@pytest.mark.parametrize("name", ODD)
def test_expressions_quote_names_and_read_them_back(name: str) -> None:
    text = render(parse(f"`{name}` > 0.5 and active(`{name}`)"))
    assert parse(text, {name}) == parse(f"`{name}` > 0.5 and active(`{name}`)")
    space = Space({name: Real(0, 1), "x": Real(0, 1, when=text)}, forbidden=[f"`{name}` < 0.1"])
    assert "x" in space.complete({name: 0.7, "x": 0.5})
    assert "x" not in space.complete({name: 0.3})


def test_plain_names_stand_without_quotes() -> None:
    assert [render(Name(name)) for name in ("a.b", "min-pert", "@1", "if", "in")] == [
        "a.b", "min-pert", "`@1`", "if", "`in`",
    ]  # fmt: skip


def test_a_name_in_full_needs_no_quotes() -> None:
    space = Space({"a:b": Categorical(["x", "y"]), "c": Real(0, 1, when="a:b == x")})
    assert "c" not in space.complete({"a:b": "y"})


def test_a_name_quoted_as_text_is_told_how_to_be_written() -> None:
    with pytest.raises(ValueError, match="for the parameter, write `a:b`"):
        Space({"a:b": Real(0, 1), "c": Real(0, 1, when="'a:b' > 0.5")})


def test_all_bad_names_are_told_at_once() -> None:
    with pytest.raises(ValueError, match=r"'a b' cannot(.|\n)*'c d' cannot"):
        Space({"a b": Real(0, 1), "c d": Real(0, 1)})
