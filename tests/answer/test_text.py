"""Plain text: widths of signs, folded and cut tables."""

from __future__ import annotations

import pytest

from racing.answer.document import BulletList, Callout, Command, Heading, Sentences, table
from racing.answer.text import cut, text


def test_the_parts_of_a_document():
    said = (
        Heading("Title"),
        Sentences(("One.", "Two `names`, `a b` and `--size`.")),
        Heading("More"),
        BulletList(("a b c", "d")),
        Callout("Next", "hold it to new instances:"),
        Command("racing test 'a b'"),
    )
    assert text(said, width=6) == (
        "Title\n=====\n\nOne.\nTwo names, `a b` and `--size`.\n\nMore\n----\n\n- a b\n  c\n- d\n\n"
        "Next: hold it to new instances:\n\n  racing test 'a b'\n"
    )
    assert text(()) == ""


def test_chinese_signs_take_two_columns_and_accents_none():
    said = text([table("", "", ("a", ">b"), [("日本", 1), ("e\u0301", 10)])])
    assert said.splitlines() == ["a      b", "────  ──", "日本   1", "e\u0301     10"]


def test_a_terminal_folds_the_widest_cells():
    said = [table("", "T", ("name", "text"), [("a", "one two three four"), ("b", "five six")])]
    assert text(said, width=18, fold=True) == (
        "T\n  name  text\n  ────  ──────────\n"
        "  a     one two\n        three four\n  b     five six\n"
    )
    assert max(map(len, text(said, width=18).splitlines())) > 18


def test_rows_that_do_not_fit_become_text():
    columns = ("name", ">many", "because", "")
    said = [table("", "T", columns, [("a", 3, "x" * 20, "one two"), ("b", 4, "", "")])]
    assert text(said, width=18, fold=True) == (
        f"T\n  a · many 3 ·\n    because\n    {'x' * 20}\n    · one two\n  b · many 4\n"
    )


@pytest.mark.parametrize("width", [48, 80, 160])
def test_on_a_terminal_no_word_is_broken_and_no_line_is_too_long(width):
    command = "`racing resume runs/a/long/folder/run.sqlite --budget +20`"
    said = [
        Sentences((f"On 8 unseen problems, #29 is better than default; {command} goes on.",)),
        Callout("Next", f"use the configuration of #29; {command} for the numbers"),
        table("", "The table of some rows", ("candidate", ">after", "because", "numbers"),
              [("#15", 10, "not worthwhile", "gain 1.18e-34 < 3.71e-06")],
              notes=["the last 20 of 29; `racing show --all` has every row"]),
    ]  # fmt: skip
    written = text(said, width=width, fold=True)
    assert command in written, "so that it can be copied whole"
    for one in written.replace(command, "").splitlines():
        assert len(one) <= width
    words = set(text(said, width=999).split())
    assert {word for word in words if "─" not in word} <= set(written.split())


def test_the_last_column_is_cut_where_the_line_ends():
    said = text([table("", "T", ("name", "values"), [("a", "x" * 99)], cut=True)], width=20)
    assert said.splitlines()[-1] == "  a     xxxxxxxxxxx…"
    assert cut("日本日本", 5) == "日本…"
    assert cut("abc", 3) == "abc"
