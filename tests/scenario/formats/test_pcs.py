"""AClib's .pcs files, old and new."""

import string
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from racing.base.errors import FormatError
from racing.scenario import Scenario
from racing.scenario.formats.pcs import parse_pcs
from racing.space import Categorical, Integer, Ordinal, Real
from racing.space.keys import BESIDE, SpaceKind

OLD = """\
# the old syntax
heuristic {greedy, random, none} [greedy]
noise [0.01, 10] [1]l
steps [1, 1000] [10]il
width [1, 99] [5] i
scale {1, 1.01, 1.066} [1]  # a comment
Conditionals:
noise | heuristic in {random, none}
width | heuristic in {greedy}
width | steps in {10}
Forbidden:
{heuristic=none, scale=1.01}
"""

NEW = """\
heuristic categorical {greedy, random, none} [greedy]
noise real [0.01, 10] [1] log
steps integer [1, 1000] [10] log
size ordinal {s, m, l} [m]
noise | heuristic == random && steps > 3 || size in {l}
size | heuristic != none
{heuristic == none && steps > 500}
{heuristic == greedy || steps < 2}
"""

SCENARIO = {
    "target": {"python": "solve.py:solve"}, "candidates": {"sample": 2}, "budget": 10,
    "instances": {"list": ["u", "v"]},
}  # fmt: skip


def test_the_old_syntax():
    space = parse_pcs(OLD)
    assert space["heuristic"].default == "greedy"
    assert space["noise"].log
    assert isinstance(space["noise"], Real)
    assert isinstance(space["steps"], Integer)
    assert isinstance(space["width"], Integer)
    assert not space["width"].log
    assert space["scale"].levels == (1, 1.01, 1.066)
    assert set(space.default()) == {"heuristic", "steps", "scale", "width"}
    assert set(space.complete({"heuristic": "none", "scale": 1})) >= {"noise"}
    with pytest.raises(ValueError, match="forbidden"):
        space.complete({"heuristic": "none", "scale": 1.01})


def test_the_new_syntax():
    with pytest.raises(FormatError, match="forbidden"):
        parse_pcs(NEW)  # its default is forbidden by the last clause
    space = parse_pcs(NEW.replace("{heuristic == greedy ||", "{heuristic == none &&"))
    assert isinstance(space["heuristic"], Categorical)
    assert isinstance(space["size"], Ordinal)
    assert space["noise"].log
    assert "noise" in space.complete({"heuristic": "random", "steps": 4, "size": "m"})
    assert "noise" not in space.complete({"heuristic": "random", "steps": 3, "size": "m"})
    assert "noise" in space.complete({"heuristic": "greedy", "size": "l"})
    assert "size" not in space.complete({"heuristic": "none"})


BAD = [
    ("a {x, y} [z]", "1:1: a: the default must be one of ['x', 'y']; got 'z'"),
    ("a [1, 5] [9]", "1:1: a: the default must be a number from 1.0 to 5.0; got 9.0"),
    ("a [5, 1] [3]", "1:1: a: the lower end"),
    ("a [x, 1] [3]", "1:1: a: the lower bound must be a number"),
    ("a [0, 1] [0.5]l", "1:1: a:"),
    ("a [1, 9] [2.5]i", "1:1: a.default: must be a whole number; got 2.5"),
    ("a {x, y} [x]\na {x, y} [x]", "2:1: 'a' is also in line 1"),
    ("a {x, y} [x]\nb | a in {x}", "2:5: there is no parameter 'b'"),
    ("a {x, y} [x]\nb {1} [1]\nb | c in {x}", "3:5: there is no parameter 'c'"),
    ("a {x, y} [x]\nb {1} [1]\nb | a in {z}", "3:11: a never is 'z'"),
    ("a {x, y} [x]\nb {1} [1]\nb | a like x", '3:7: unexpected "like"'),
    ("a [1, 5] [2]\n{a = x}", '2:6: a must be a finite number; got "x"'),
    (
        "a [1, 5] [2]\nb [1, 5] [2]\nb | a < 1e400",
        '3:9: a must be a finite number; got "1e400"',
    ),
    ("a [1, 5] [2]\n{a = nan}", '2:6: a must be a finite number; got "nan"'),
    ("a {x, y} [x]\nb {x, y} [x]\na | b in {x}\nb | a in {x}", "3:5: the parameters depend on"),
    ("a {x, y} [x]\nb {1, 2} [1]\nb | a == x && a == y", "3:5: the condition a == x and a == y is"),
    ("a [1, 5] [2]i\n{a > 0}", "2:2: a > 0 leaves no configuration"),
    ("a {x, y} [x]\nvalues [0, 1] [0.5]", "2:1: 'values' cannot name a parameter"),
    ("what is this", "1:1: a line must be a parameter"),
    ("", "1:1: there are no parameters"),
]


@pytest.mark.parametrize(("text", "said"), BAD, ids=[text[-20:] for text, _ in BAD])
def test_a_bad_file_is_refused_with_its_place(text, said):
    with pytest.raises(FormatError) as caught:
        parse_pcs(text, "s.pcs")
    assert said in str(caught.value)


@settings(max_examples=300)
@given(st.text("ab {}[],|=&!<>in.0159\nl#" + string.ascii_lowercase[:3], max_size=60))
def test_no_text_does_anything_but_give_a_space_or_an_error(text):
    with suppress(FormatError):
        assert len(parse_pcs(text)) > 0


def test_names_with_colons_at_signs_and_leading_digits():
    space = parse_pcs(
        "balancing:strategy {none, weighting} [none]\n@1:F:q [0, 1] [0.5]\n3resolve {0, 1} [0]\n"
        "@1:F:q | balancing:strategy in {weighting}\n{3resolve=1, balancing:strategy=none}\n"
    )
    assert list(space) == ["balancing:strategy", "@1:F:q", "3resolve"]
    assert set(space.default()) == {"balancing:strategy", "3resolve"}
    assert space["@1:F:q"].switch == "-@1:F:q "
    data = SpaceKind().write(space)
    whole = {"space": data, "forbidden": BESIDE["forbidden"].write(space.forbidden), **SCENARIO}
    again = Scenario.from_dict(whole).space
    assert list(again) == list(space)
    assert again.structure == space.structure


def test_bad_names_are_told_all_at_once_each_at_its_place():
    with pytest.raises(FormatError) as caught:
        parse_pcs("a {x, y} [x]\nvalues [0, 1] [0.5]\n  1e5 [0, 1] [0.5]\n", "s.pcs")
    places = [error.partition(": ")[0] for error in caught.value.errors]
    assert places == ["s.pcs:2:1", "s.pcs:3:3"]


def test_no_more_than_fifty_errors_are_told():
    with pytest.raises(FormatError) as caught:
        parse_pcs("what\n" * 200)
    assert len(caught.value.errors) == 50
    assert caught.value.errors[-1] == "… and more; the rest was not read"
