"""The answer is the last number, and nothing that merely looks like one."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from email.utils import formatdate
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from racing import Retry
from racing.base.errors import InputError
from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Instance, Status
from racing.core.failures import OnFailure
from racing.evaluate.answers import (
    CHARACTERS_KEPT,
    LINES_KEPT,
    Attempt,
    Unreadable,
    cost_and_time,
    ignored,
    json_object,
    last_number,
    matched,
    message,
    returned,
    within,
)
from racing.evaluate.evaluator import Evaluator
from racing.evaluate.function import Function


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("5", 5),
        ("5\n", 5),
        ("1e-3", 1e-3),
        ("-1.5E+2", -150),
        (".5", 0.5),
        ("5.", 5),
        ("+7", 7),
        ("inf", math.inf),
        ("Inf", math.inf),
        ("-Infinity", -math.inf),
        ("1e999", math.inf),
        ("3 4", 4),
        ("3\n4\n \n", 4),
        ("the tour has length 12.5.", 12.5),
        ("cost=12.5", 12.5),
        ("Objective: -3", -3),
        ("objective:17", 17),
        ("best cost (17)", 17),
        ("[3, 4]", 4),
        ("…345 17", 17),
    ],
)
def test_the_last_number(text: str, value: float) -> None:
    assert last_number(text) == ({"cost": value}, None, {})


@pytest.mark.parametrize(
    "text",
    [
        "", " \n", "none", "5s", "x86", "information", "…345", "a-5",
        "1000\ncost 3.5s", "cost: 12 ms", "17 µs\n", "3\n4\nDone.",
        "cost 12, found in 5s by x86 solver v2",
    ],
)  # fmt: skip
def test_no_number(text: str) -> None:
    """A last word that is no number is not skipped: what stands before it may be anything."""
    with pytest.raises(Unreadable):
        last_number(text)


@pytest.mark.parametrize("minus", ["\N{MINUS SIGN}", "\N{EN DASH}", "\N{FULLWIDTH HYPHEN-MINUS}"])
def test_a_minus_that_is_none_is_told(minus: str) -> None:
    with pytest.raises(Unreadable, match="its minus is not '-'"):
        last_number(f"7\n{minus}3.5\n")


@pytest.mark.parametrize("text", ["1,234.5", "1.2.3", "12:30:05", "2024-01-05", "5/10", "1_000"])
def test_what_looks_like_a_number_is_not_guessed_at(text: str) -> None:
    with pytest.raises(Unreadable, match="a plain number"):
        last_number(f"17\n{text}\n")


@pytest.mark.parametrize("read", [last_number, cost_and_time, json_object])
@pytest.mark.parametrize(
    "long",
    ["x", "1", "x.", "1e", "-", "\0", "(", "[", "a=", '{"a":', '{"cost":"', "\N{MINUS SIGN}"],
)
def test_a_long_word_is_refused_and_not_searched(read: Callable[[str], object], long: str) -> None:
    """Each of them took up to 40 s; that these end is the test."""
    for text in (long * 60_000, long * 60_000 + "5", "3 " + long * 60_000):
        with pytest.raises(Unreadable) as told:
            read(text)
        assert len(f"{told.value}{told.value.shown}") < 600


def test_a_number_is_as_long_as_a_float_may_be_written() -> None:
    assert last_number("0." + "1" * 98).metrics["cost"] == pytest.approx(1 / 9)
    with pytest.raises(Unreadable, match="a number of at most 100 characters"):
        last_number("0." + "1" * 99)


def test_what_keys_an_object_has_is_told_in_short() -> None:
    with pytest.raises(Unreadable, match=r"must have 'cost'; got 0, 1, 2, 3, 4, 5, 6, 7, …; give"):
        returned(dict.fromkeys(range(10**5)))


@pytest.mark.parametrize("text", ["3.5 17.2", "17\n3.5 17.2\n \n", "1 2 3"])
def test_numbers_that_are_ignored_are_noted(text: str) -> None:
    assert "those before it are ignored" in ignored(text)


@pytest.mark.parametrize("text", ["3.5\n17.2", "17.2", "after 3 s 17.2", "cost 17.2"])
def test_words_that_are_no_numbers_are_not_noted(text: str) -> None:
    assert ignored(text) == ""


@given(st.floats(allow_nan=False), st.text("ab \n.:", max_size=9))
def test_every_float_is_read_back(value: float, before: str) -> None:
    assert last_number(f"{before} {value!r}\n").metrics["cost"] == value


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ('{"cost": 3}', (3, None, {})),
        ('log\n{"cost": 3.5, "seconds": 0.25, "more": [1]}\n\n', (3.5, 0.25, {})),
        ('{"cost": Infinity}', (math.inf, None, {})),
        ('{"cost": 1, "seconds": null}', (1, None, {})),
        ('{"cost": 1, "spent": {"usd": 0.5, "tokens": 8}}', (1, None, {"usd": 0.5, "tokens": 8})),
        ('{"cost": 1, "spent": null}', (1, None, {})),
    ],
)
def test_json(text: str, score: tuple[float, float | None, dict[str, float]]) -> None:
    assert json_object(text) == ({"cost": score[0]}, *score[1:])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "got nothing"),
        ('{"cost": 3}\nbye', "last line must be JSON"),
        ("[1]", "must be a JSON object"),
        ("3", "must be a JSON object"),
        ("[" * 100_000, "must be JSON"),
        ('{"cost": NaN}', "cost must be a number; got nan"),
        ('{"cost": null}', "cost must be a number; got None"),
        ('{"cost": "5"}', 'cost must be a number; got "5"'),
        ('{"cost": 1' + "0" * 400 + "}", "too large"),
        ('{"cost": 1, "seconds": -1}', "got -1"),
        ('{"cost": 1, "seconds": Infinity}', "seconds must be a number from 0 .*; got inf"),
        ('{"cost": 1, "seconds": "2"}', 'seconds must be a number; got "2"'),
        ('{"cost": 1, "seconds": true}', "seconds must be a number; got true"),
        ("{}", "must have 'cost'; got no keys; give it, or declare metrics"),
    ],
)
def test_unusable_json(text: str, says: str) -> None:
    with pytest.raises(Unreadable, match=says):
        json_object(text)


SOLVER = """\
iteration 1: cost: 90, gap 12 %
iteration 2: cost: 17.5 (gap 3%)
seconds used: 0.25; cost per second: low
"""


@pytest.mark.parametrize(
    ("pattern", "names", "values", "seconds"),
    [
        (r"cost: (\S+)", None, {"cost": 17.5}, None),
        (r"gap (.*?)%", None, {"cost": 3}, None),
        (r"^iteration (\d)", None, {"cost": 2}, None),
        (r"used: (?P<seconds>\S+)|cost: (\S+)", None, {"cost": 17.5}, 0.25),
        (r"cost: (\S+)", ["quality"], {"quality": 17.5}, None),
        (r"cost: (?P<cost>\S+)|gap (?P<gap>\d+)", ["gap", "cost"], {"gap": 3, "cost": 17.5}, None),
    ],
)
def test_a_regular_expression_finds_the_last_of_each(
    pattern: str, names: list[str] | None, values: dict[str, float], seconds: float | None
) -> None:
    found = matched(SOLVER, pattern, names)
    assert (found.metrics, found.seconds) == (values, seconds)


@pytest.mark.parametrize(
    ("pattern", "says"),
    [
        (r"cost is (\S+)", "finds no cost"),
        (r"cost per second: (\S+)", 'finds for cost must be a plain number .*; got "low"'),
        (r"iteration (.*)", "must be a plain number"),
    ],
)
def test_a_regular_expression_that_finds_no_number(pattern: str, says: str) -> None:
    with pytest.raises(Unreadable, match=says):
        matched(SOLVER, pattern)


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        (5, 5),
        (2.5, 2.5),
        (math.inf, math.inf),
        (np.float32(0.5), 0.5),
        (np.int64(4), 4),
        (np.array(3.0), 3),
        (np.array([3.0]), 3),
        (Fraction(1, 4), 0.25),
        (True, 1),
        (np.bool_(False), 0),
        ({"cost": True}, 1),
        ({"cost": np.float64(2)}, 2),
    ],
)
def test_returned(answer: Any, value: float) -> None:
    assert returned(answer) == ({"cost": value}, None, {})


@pytest.mark.parametrize("answer", [None, "5", [1.0], (1, 2), 1j, np.array([1.0, 2]), math.nan, {}])
def test_not_returned(answer: Any) -> None:
    with pytest.raises(Unreadable):
        returned(answer)


def test_what_json_writes_is_read(tmp_path: object) -> None:
    answer = {"cost": 1.25, "seconds": 3}
    assert json_object(json.dumps(answer)) == returned(answer) == ({"cost": 1.25}, 3, {})


@pytest.mark.parametrize(
    ("spent", "why"),
    [
        (5, "spent must be names and amounts"),
        ({"": 1}, 'a key of spent must be a name such as usd; got ""'),
        ({3: 1}, "such as usd; got 3"),
        ({"us dollars": 1}, 'such as usd; got "us dollars"'),
        ({"usd": "1"}, 'spent.usd must be a number; got "1"'),
        ({"usd": -0.1}, "spent.usd must be a number from 0 to 1e\\+12; got -0.1"),
        ({"usd": math.inf}, "spent.usd must be a number from 0 to 1e\\+12; got inf"),
        ({"usd": math.nan}, "spent.usd must be a number; got nan"),
        ({"usd": True}, "spent.usd must be a number; got true"),
    ],
)
def test_what_was_spent_is_names_and_amounts(spent: object, why: str) -> None:
    with pytest.raises(Unreadable, match=why):
        returned({"cost": 1, "spent": spent})


# --- attempts: messages that are safe to print, and answers that reach their bound ----------------


def test_a_message_is_a_headline_a_detail_and_the_last_lines_of_stderr() -> None:
    lines = [f"line {n}" for n in range(50)]
    found = message("crashed", "why", "\n".join(lines)).splitlines()
    assert found == ["crashed", "why", *lines[-LINES_KEPT:]]
    assert message("crashed") == "crashed"
    assert len(message("", "", "x" * 10_000)) == CHARACTERS_KEPT


def test_control_characters_are_not_printed() -> None:
    assert message("crashed", "", "a\x1b[31mb\tc") == "crashed\na\N{REPLACEMENT CHARACTER}[31mb\tc"


def test_an_answer_that_reaches_its_bound_is_censored() -> None:
    assert within(Attempt(score=1.0), None).status is Status.OK
    assert within(Attempt(score=1.0), 2.0).status is Status.OK
    assert within(Attempt(score=2.0), 2.0).status is Status.CENSORED
    failed = Attempt(status=Status.CRASHED)
    assert within(failed, 2.0) is failed


# --- what a target says when its service is busy --------------------------------------------------


@pytest.mark.parametrize(("after", "seconds"), [(2, 2.0), ("1.5", 1.5), (0, 0.0), (None, None)])
def test_how_long_to_wait_is_a_number_or_a_header(after: Any, seconds: float | None) -> None:
    assert Retry(after=after).after == seconds


def test_a_header_may_have_a_date() -> None:
    after = Retry(after=formatdate(time.time() + 100, usegmt=True)).after
    assert after is not None
    assert 90 < after <= 100
    assert Retry(after=formatdate(time.time() - 100, usegmt=True)).after == 0


@pytest.mark.parametrize(
    "options",
    [
        {"after": -1}, {"after": "soon"}, {"after": float("nan")}, {"after": float("inf")},
        {"after": [1]}, {"spent": {"usd": -1}}, {"spent": {"usd": "1"}}, {"spent": {1: 1}},
        {"spent": [1]},
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"^(after must be|Retry: (a key of )?spent)"):
        Retry("busy", **options)


def test_plain_functions_may_raise_it_too() -> None:
    calls: list[int] = []

    def busy_once(values: Any, instance: Any, seed: Any) -> dict[str, Any]:
        calls.append(seed)
        if len(calls) == 1:
            raise Retry("503", after=0.001, spent={"usd": 0.5})
        return {"cost": 3, "spent": {"usd": 0.25}}

    outcome = Evaluator(Function(busy_once), on_failure=OnFailure(patience=9))(
        Experiment(Candidate(1, {}), Instance(0, "a", 7))
    )
    assert (outcome.cost, outcome.refused, outcome.spent) == (3, 1, {"usd": 0.75})
