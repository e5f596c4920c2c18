"""Plain text: widths of signs, folded and cut tables."""

from __future__ import annotations

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
    said = [table("", "T", ("name", "text"), [("a", "one two three four"), ("b", "x" * 20)])]
    assert text(said, width=18, fold=True) == (
        "T\n  name  text\n  ────  ──────────\n"
        "  a     one two\n        three four\n  b     xxxxxxxxxx\n        xxxxxxxxxx\n"
    )
    assert max(map(len, text(said, width=18).splitlines())) > 18


def test_the_last_column_is_cut_where_the_line_ends():
    said = text([table("", "T", ("name", "values"), [("a", "x" * 99)], cut=True)], width=20)
    assert said.splitlines()[-1] == "  a     xxxxxxxxxxx…"
    assert cut("日本日本", 5) == "日本…"
    assert cut("abc", 3) == "abc"
