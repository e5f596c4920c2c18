"""Tables, numbers and the result on stdout."""

from __future__ import annotations

import contextlib
import io
import json
import math
import os
import random
import re

import pytest

from racing.cli.console import count, fit, number, results_alone, say_json, table


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (math.nan, "–"),
        (-0.0, "0"),
        (1234.56, "1235"),
        (1e-7, "1e-07"),
        (math.inf, "inf"),
    ],
)
def test_numbers_have_four_digits_and_a_dash_for_none(value, text):
    assert number(value) == text


def test_counts_have_their_noun():
    assert [count(n, "instance") for n in (0, 1, 2)] == ["0 instances", "1 instance", "2 instances"]


def test_a_table_keeps_every_cell_and_sets_numbers_to_the_right(capsys):
    table("Title", ["name", ">cost"], [["a", "1.5"], ["longer [b]name[/b]", "10"]])
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "Title"
    assert "name" in lines[2]
    assert "longer [b]name[/b]" in lines[-1]
    assert lines[-2].endswith("1.5")
    assert lines[-1].endswith(" 10")
    assert len(lines[-1]) == len(lines[-2])


def test_the_last_column_is_cut_where_the_width_ends(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    table("Title", ["name", "values"], [["a", "x" * 100]], cut_last=True)
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.endswith("…")
    assert len(last) <= 40
    assert fit("y" * 50) == "y" * 39 + "…"


def test_control_characters_are_not_printed(capsys):
    table("Title", ["name"], [["\x1b[2J"]])
    assert "\x1b" not in capsys.readouterr().out


class Terminal(io.StringIO):
    """What a terminal would show."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("cut_last", [False, True])
def test_a_table_is_the_same_on_a_terminal_with_room_for_it(monkeypatch, cut_last):
    monkeypatch.setenv("COLUMNS", "300")
    rng, signs = random.Random(1), ["a", "b", "[b]", "─", "é", "ö", "日", "e\u0301", "😀", "|"]
    for _ in range(50):
        columns = [rng.choice(["", ">"]) + "".join(rng.choices(signs, k=3)) for _ in range(4)]
        rows = [
            ["".join(rng.choices(signs, k=rng.randrange(12))) for _ in columns]
            for _ in range(rng.randrange(5))
        ]
        shown = []
        for stream in (Terminal(), io.StringIO()):
            with contextlib.redirect_stdout(stream):
                table("Title", columns, rows, cut_last=cut_last)
            lines = re.sub(r"\x1b\[[0-9;]*m", "", stream.getvalue()).splitlines()
            shown.append([line.rstrip() for line in lines])  # a style ends after its space
        assert shown[0] == shown[1]


def test_json_is_one_object_with_infinities_as_text(capsys):
    say_json({"cost": math.inf, "none": math.nan, "n": 1})
    assert json.loads(capsys.readouterr().out) == {"cost": "inf", "none": None, "n": 1}


def test_what_is_written_to_the_descriptor_of_stdout_goes_to_stderr_meanwhile(capfd):
    with results_alone():
        os.write(1, b"from C\n")
    os.write(1, b"result\n")
    out, err = capfd.readouterr()
    assert out == "result\n"
    assert err == "from C\n"
