"""irace's parameter files: every feature of the grammar, every refusal with its place."""

import string
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from racing.base.errors import FormatError
from racing.scenario.formats import irace_parameters
from racing.scenario.formats.irace_parameters import (
    described,
    parse_parameters,
    read_parameters,
    write_parameters,
)
from racing.space import Boolean, Categorical, Flag, Integer, Ordinal, Real, Space

ACO = """\
# name        switch          type   domain        condition
algorithm    "--"             c      (as, mmas, "ac s")   # which one
localsearch  "--localsearch " c      (0, 1, 2, 3)
alpha        "--alpha="       r      (0.00, 5.00)
ants         "-m "            i,log  (5, 100)
rho          ""               r,log  (0.0001, 1)
rank         '--rank '        i      (1, 100)      | algorithm == "mmas"
nnls         "--nnls "        i      (5, 50)       | localsearch %in% c(1, 2, 3)
deep         "--deep "        o      (low, mid, "very high") | nnls > 10 & !(alpha >= 2)
time         "--time "        c      (5)

[forbidden]
alpha == 0 & rho < 0.5
(localsearch == 3) & algorithm %in% c("as", "mmas")

[global]
digits = 5
"""


def test_every_feature_of_a_parameter_file():
    space = parse_parameters(ACO)
    assert list(space) == [
        "algorithm", "localsearch", "alpha", "ants", "rho", "rank", "nnls", "deep", "time",
    ]  # fmt: skip
    assert space["algorithm"] == Categorical(("as", "mmas", "ac s"), switch="--")
    assert space["localsearch"].levels == (0, 1, 2, 3)
    assert space["alpha"] == Real(0, 5, digits=5, switch="--alpha=")
    assert space["ants"] == Integer(5, 100, log=True, switch="-m ")
    assert space["rho"].log
    assert isinstance(space["deep"], Ordinal)
    assert space["time"].levels == (5,)
    assert len(space.structure.forbidden) == 2


@pytest.mark.parametrize(
    ("values", "active"),
    [
        ({"algorithm": "mmas", "localsearch": 0, "alpha": 1.0}, {"rank"}),
        ({"algorithm": "as", "localsearch": 1, "alpha": 1.0, "nnls": 11}, {"nnls", "deep"}),
        ({"algorithm": "as", "localsearch": 1, "alpha": 1.0, "nnls": 10}, {"nnls"}),
        ({"algorithm": "as", "localsearch": 1, "alpha": 3.0, "nnls": 11}, {"nnls"}),
        ({"algorithm": "as", "localsearch": 0, "alpha": 1.0}, set()),
    ],
)
def test_conditions_decide_what_is_active(values, active):
    space = parse_parameters(ACO)
    always = {"ants": 5, "rho": 0.6, "time": 5}
    rest = {"rank": 1, "nnls": 5, "deep": "mid"}
    given_ = {**always, **{k: v for k, v in rest.items() if k in active}, **values}
    assert set(space.complete(given_)) & set(rest) == active


def test_the_grammar_of_conditions():
    text = """\
a "" r (0, 10)
b "" i (1, 20)
c "" c (x, y, 1e-3, 0.5)
d1 "" i (1, 2) | a * 2 - 1 >= 3 & b %% 3 == 0
d2 "" i (1, 2) | is.na(d1)
d3 "" i (1, 2) | max(a, b) > 5 | c != "x"
d4 "" i (1, 2) | c %in% c("x", 0.001) && sqrt(b) < 3 || -a > -1
d5 "" i (1, 2) | (b %/% 2)^2 < 9 & floor(a) == ceiling(a)
d6 "" i (1, 2) | TRUE
d7 "" i (1, 2) | c == 0.50
"""
    space = parse_parameters(text)
    rng = np.random.default_rng(3)
    for config in space.sample(rng, 400):
        a, b, c = config["a"], config["b"], config["c"]
        wanted = {
            "d1": a * 2 - 1 >= 3 and b % 3 == 0,
            "d3": max(a, b) > 5 or c != "x",
            "d4": (c in ("x", "1e-3") and b**0.5 < 3) or -a > -1,
            "d5": (b // 2) ** 2 < 9 and a == int(a),
            "d6": True,
            "d7": c == "0.5",
        }
        wanted["d2"] = not wanted["d1"]
        assert {name: name in config for name in wanted} == wanted


def test_domains_that_depend_on_parameters():
    text = 'n "" i (1, 10)\nk "" i (1, "2 * n")\nr "" r ("n / 2", "max(n, 5) + 1")\n'
    for config in parse_parameters(text).sample(np.random.default_rng(1), 200):
        n = config["n"]
        assert 1 <= config["k"] <= 2 * n
        assert n / 2 <= config["r"] <= max(n, 5) + 1


def test_reals_are_rounded_to_the_digits():
    four = parse_parameters('a "" r (0, 1)\n').sample(np.random.default_rng(1), 50)
    two = parse_parameters('a "" r (0, 1)\n[global]\ndigits = 2\n').sample(
        np.random.default_rng(1), 50
    )
    assert all(round(each["a"], 4) == each["a"] for each in four)
    assert all(round(each["a"], 2) == each["a"] for each in two)


BAD = [
    ('a "" i (1, 5', "1:13: this must be a comma or a closing bracket"),
    ('a "" i 1, 5)', "1:8: this must be the domain in brackets"),
    ("a i (1, 5)", "1:3: this must be the switch in quotes"),
    ('a "--a i (1, 5)', "1:3: this must be the switch in quotes"),
    ('a "--#a" i (1, 5)', "1:3: this must be the switch in quotes"),
    ('"a" "" i (1, 5)', "1:1: this must be a parameter's name"),
    ('a "" q (1, 5)', "1:6: this must be a type; known: c, o, i, r, i,log, r,log; got 'q'"),
    ('a "" c,log (1, 5)', "1:6: this must be a type; known: c, o, i, r, i,log, r,log; got 'c,log'"),
    ('a "" i (1, 5) mode == "x"', "1:15: this must be a condition after |"),
    ('a "" i (1, 5) |', "1:16: this must be a condition; got the end of the line"),
    ('a "" i (1, 5, 7)', "1:1: a must have two ends"),
    ('a "" i (5, 1)', "1:1: a: the lower end must be below the upper end, 1; got 5"),
    ('a "" i (1.5, 3)', "1:9: a: must be a whole number or an expression; got 1.5"),
    ('a "" r (0, 0.99999)', "1:12: a: 0.99999 has more than 4 decimal places"),
    ('a "" r (0, 1e400)', "1:12: a: must be a number or an expression; got inf"),
    ('a "" r (0, 1)\nb "" r (0, 1) | a > 1e400', "2:21: the number is too large"),
    ('a "" r (0, 1)\nb "" r (0, 1) | a < Inf', "2:21: the number is too large"),
    (
        'a "" r (0, 1)\nb "" r (0, 1) | a %in% c(2, 0x' + "f" * 300 + ")",
        "the number is too large",
    ),
    ('a "" r (0, 1)\nb "" r (0, "a * 1e400")', "2:17: the number is too large"),
    ('a "" r (0, 1)\n[forbidden]\na == 1e400', "3:6: the number is too large"),
    (
        'a "" i,log (1, 1e99999999999999999999)',
        "a: must be a whole number",
    ),
    ('a "" r,log (0, 1)', "1:1: a:"),
    ('a "" c (x, y, x)', '1:1: a: the values must differ; got "x" twice'),
    ('a "" c (x,, y)', "1:11: this must be a value"),
    ('a "" c (x, y)\na "" c (x, y)', "2:1: 'a' is also in line 1"),
    ('a "" c (x, y) | b == 1', "1:17: there is no parameter 'b'"),
    ('a "" c (x, y)\nb "" i (1, 2) | a == z', "2:22: there is no parameter 'z'"),
    ('a "" c (x, y)\nb "" i (1, 2) | a == "z"', "2:22: a never is 'z'"),
    ('a "" c (x, y)\nb "" i (1, 2) | a %in% c("z")', "2:26: a never is 'z'"),
    ('a "" c (x, y)\nb "" i (1, 2) | a %in% x', "2:24: after in must be a list such as c("),
    ('a "" r (0, 1)\nb "" i (1, 2) | a = 1', "2:19: unknown operator =; write =="),
    ('a "" r (0, 1)\nb "" i (1, 2) | a <- 1', "2:1"),
    (
        'a "" r (0, 1)\nb "" i (1, 2) | a > 0 &',
        "2:24: this must be a name, a number",
    ),
    ('a "" r (0, 1)\nb "" i (1, 2) | (a > 0', "2:23: this must be ) or an operator; got the end"),
    ('a "" r (0, 1)\nb "" i (1, 2) | a', "2:17: this must be a condition; got a number"),
    ('a "" r (0, 1)\nb "" i (1, 2) | nchar(a) > 1', "2:17: unknown function 'nchar'"),
    ('a "" r (0, 1)\nb "" i (1, 2) | round(a, 1) > 1', "2:17: round must have 1 argument; got 2"),
    ('a "" r (0, 1)\nb "" i (1, 2) | a > 0 @ 1', "2:23: unexpected character '@'"),
    ('a "" i (1, 2) | b == 1\nb "" i (1, 2) | a == 1', "circle"),
    ('a "" i (1, 2)\nb "" i (1, 2) | a > 5', "2:17"),
    ('a "" c (x, y)\nb "" i (1, "a")', "2:"),
    ('a "" i (1, "2 * b")', "1:17: there is no parameter 'b'"),
    ('a "" c (x, y)\n[forbidden]\na == 1', "3:6: a never is '1'"),
    ('a "" c (x, y)\n[forbid]\na == x', "2:1: unknown section [forbid]"),
    ('a "" c (x, y)\n[global]\nplaces = 3', "3:1: unknown setting 'places = 3'"),
    ('a "" c (x, y)\n[global]\ndigits = 99', "3:1: unknown setting 'digits = 99'"),
    ('name "" c (x, y)', "name"),
    ("", "there are no parameters"),
]


@pytest.mark.parametrize(("text", "said"), BAD, ids=[text[-24:] for text, _ in BAD])
def test_a_bad_file_is_refused_with_its_place(text, said):
    with pytest.raises(FormatError) as caught:
        parse_parameters(text, "p.txt")
    message = str(caught.value)
    assert message.startswith("p.txt")
    assert said in message.replace("p.txt:", "")


def test_all_errors_are_told_at_once():
    with pytest.raises(FormatError) as caught:
        parse_parameters('a "" q (1)\nb "" i (1.5, 2)\n[forbidden]\nc == 1\n', "p.txt")
    assert len(caught.value.errors) == 3


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(FormatError, match="no such file"):
        read_parameters(tmp_path / "none.txt")


def test_written_files_are_read_back_as_the_same_space():
    space = parse_parameters(ACO)
    assert parse_parameters(write_parameters(space)) == space


def test_what_irace_cannot_say_is_refused():
    space = Space(
        {
            "a": Real(0.1, 0.9, logit=True),
            "b": Real(0, 1, step=0.1),
            "c-d": Real(0, 1),
            "c.d": Real(0, 1),
        }
    )
    with pytest.raises(FormatError) as caught:
        write_parameters(space)
    assert len(caught.value.errors) == 3


WORDS = st.sampled_from(
    ["a", "b", '"--a "', "''", "c", "o", "i", "r", "i,log", "(", ")", ",", "1", "2", "0.5", "x",
     "|", "&", "==", "%in%", "c(", "!", "-", "[forbidden]", "[global]", "digits", "=", "\n", "#"]
)  # fmt: skip


@settings(max_examples=400)
@given(st.lists(WORDS, max_size=40).map(" ".join) | st.text(string.printable, max_size=80))
def test_no_text_does_anything_but_give_a_space_or_an_error(text):
    with suppress(FormatError):
        assert len(parse_parameters(text)) > 0


EXPRESSIONS = st.recursive(
    st.sampled_from(["a > 1", "b == 3", 'c == "x"', 'c %in% c("x", "y")', "is.na(d)", "TRUE"]),
    lambda inner: st.one_of(
        inner.map(lambda e: f"!({e})"),
        st.tuples(inner, st.sampled_from(["&", "|"]), inner).map(
            lambda t: f"({t[0]}) {t[1]} {t[2]}"
        ),
    ),
    max_leaves=8,
)


@settings(max_examples=60)
@given(EXPRESSIONS)
def test_conditions_survive_writing_and_reading(expression):
    text = 'a "" r (0, 5)\nb "" i (1, 9)\nc "" c (x, y, z)\nd "" i (1, 5) | a > 2\n'
    try:
        space = parse_parameters(text + f"[forbidden]\n{expression}\n")
    except FormatError:
        return  # it forbids everything, or nothing
    again = parse_parameters(write_parameters(space))
    units = space.encode(space.sample(np.random.default_rng(0), 64))
    assert (again.encoding.allowed(units) == space.encoding.allowed(units)).all()


def test_conditions_on_truth_values_are_on_levels_in_irace():
    """R refuses a text as a condition, and "true" is not TRUE there."""
    space = Space(
        {
            "b": Boolean(),
            "f": Flag(switch="--fast"),
            "x": Real(0, 1, when="b"),
            "y": Real(0, 1, when="not b and f or x > 0.5"),
            "z": Real(0, 1, when="b == true and f == false"),
            "w": Real(0, 1, when="b in [true]"),
        },
        forbidden=["f and b"],
    )
    text = write_parameters(space)
    conditions = [line.partition(" | ")[2] for line in text.splitlines() if " | " in line]
    assert conditions == [
        'b == "true"',
        '!b == "true" & f == "--fast" | x > 0.5',
        'b == "true" & f == ""',
        'b %in% c("true")',
    ]
    assert '\nf == "--fast" & b == "true"\n' in text
    assert parse_parameters(text, "parameters.txt")  # and it is read again


def notes(text):
    return described(text, "p.txt").notes


TWICE = 'm "" c (x, y)\na "--alpha " r (0, 1) | m == "x"\nb "--alpha " r (1, 2) | m {}\n'


def test_one_switch_for_two_parameters_is_noted_only_where_both_can_be_active():
    assert notes(TWICE.format('== "y"')) == ()
    (note,) = notes(TWICE.format('%in% c("x", "y")'))
    assert note.startswith('p.txt:3:1: b has the switch "--alpha " of a, and both can be active')
    assert notes('a "" i (1, 2)\nb "" i (1, 2)\n') == ()  # positional arguments


def test_a_fixed_parameter_with_another_value_switches_off_what_depends_on_it():
    text = (
        'm "" c (x)\na "" i (1, 5) | m == "y"\nb "" i (1, 5) | a > 2 & m == "x"\n'
        'c "" i (1, 5) | !(m == "y")\nd "" i (1, 5) | m %in% c("y", "z") | c > 2\n'
        'e "" i (1, 5) | is.na(a)\n[forbidden]\na == 1 & c == 1\n'
    )
    found = described(text, "p.txt")
    assert found.notes == (
        "p.txt:2:17: a is never active, as m is always x",
        "p.txt:3:17: b is never active, as a never is and m is always x",
    )
    drawn = found.space.sample(np.random.default_rng(0), 50)
    assert {name for each in drawn for name in each} == {"m", "c", "d", "e"}
    assert all(("d" in each) == (each["c"] > 2) for each in drawn)
    again = described(write_parameters(found.space))
    assert again.notes == ()
    assert again.space.sample(np.random.default_rng(0), 50) == drawn


def test_notes_are_logged_by_whoever_reads_a_file_in_python(tmp_path, caplog):
    file = tmp_path / "p.txt"
    file.write_text('m "" c (x)\na "" i (1, 5) | m == "y"\n', encoding="utf-8")
    read_parameters(file)
    assert "a is never active" in caplog.text


@pytest.mark.parametrize("name", ["3resolve", "_x", "T", "NA", "if", "Inf", "a-b", "x.", "in"])
def test_written_names_are_read_back(name):
    space = Space({name: Integer(1, 9), "z": Real(0, 1, when=f"`{name}` > 3")})
    again = parse_parameters(write_parameters(space))
    assert list(again) == [name.replace("-", "."), "z"]
    assert "z" not in again.complete({next(iter(again)): 2})


def test_thousands_of_values_take_no_longer_each():
    values = [f"v{i}" for i in range(20_000)]
    space = parse_parameters(f'a "" c ({", ".join(values)})\nb "" i (1, 2) | a == "v7"\n')
    assert space["a"].place("v19999") == 19_999


def test_a_long_chain_that_is_never_active_is_told_link_by_link(monkeypatch):
    asked = []
    can = irace_parameters._can
    monkeypatch.setattr(irace_parameters, "_can", lambda *parts: asked.append(1) or can(*parts))
    links = "".join(f'p{k} "" c (a, b) | p{k - 1} == "a"\n' for k in range(2, 200))
    found = described(f'p0 "" c (a)\np1 "" c (a, b) | p0 != "a"\n{links}')
    assert len(found.notes) == 199
    assert "p199 is never active, as p198 never is" in found.notes[-1]
    assert len(asked) <= 2 * 200


def test_an_end_of_many_digits_is_read():
    space = parse_parameters('a "" r (0, 1e30)\nb "" r (0, 12345678901234567890123456789.5)')
    assert (space["a"].high, space["b"].high) == (1e30, 12345678901234567890123456789.5)
