"""What holds of every writer and any document."""

from __future__ import annotations

from html.parser import HTMLParser
from itertools import pairwise

import pytest
from hypothesis import given
from markdown_it import MarkdownIt

from racing.answer.document import Paragraph, TextTable, bare, literal, parts, quoted, table
from racing.answer.html import html
from racing.answer.markdown import markdown
from racing.answer.tables import latex
from racing.answer.text import text
from racing.base.plain import columns, narrowest, printable
from tests.answer.documents import NASTY, documents, letters, tables, words

WRITERS = {
    "text": text,
    "narrow": lambda said: text(said, width=20, fold=True),
    "markdown": markdown,
    "latex": latex,
    "longtable": lambda said: latex(said, longtable=True),
    "html": html,
}


@pytest.mark.parametrize("writer", WRITERS)
@given(said=documents)
def test_no_control_character_passes(writer, said):
    written = WRITERS[writer](said)
    assert printable(written) == written
    written.encode()


@given(name=letters)
def test_a_name_between_marks_is_read_back(name):
    said = f"{quoted(name)} was better than {quoted('other')}."
    read = parts(said)
    assert read[1::2] == [literal(name).replace("\ue060", "`"), "other"]
    assert read[0::2] == ["", " was better than ", "."]
    assert len(bare(said).splitlines()) == 1


class Read(HTMLParser):
    """The text of HTML, and its tags; every tag that is opened is closed."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.said: list[str] = []
        self.open: list[str] = []
        self.feed(source)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.said.append(data)


TAGS = {
    *("h2", "h3", "p", "br", "ul", "li", "pre", "code", "strong", "figure", "svg", "figcaption"),
    *("table", "caption", "thead", "tbody", "tr", "th", "td"),
}


def letters_of(said: str) -> str:
    """The text without spaces, which writers may set in other ways."""
    return "".join(said.split())


@given(said=documents)
def test_html_has_no_tags_but_its_own(said):
    assert set(Read(html(said)).tags) <= TAGS


@given(said=words)
def test_html_says_the_words_letter_by_letter(said):
    assert letters_of("".join(Read(html([Paragraph(said)])).said)) == letters_of(bare(said))


@given(said=words)
def test_markdown_says_the_words_letter_by_letter(said):
    rendered = MarkdownIt("commonmark").render(markdown([Paragraph(said)]))
    read = Read(rendered)
    assert letters_of("".join(read.said)) == letters_of(bare(said))
    assert set(read.tags) <= {"p", "code", "br"}


@given(said=tables())
def test_a_table_of_markdown_has_its_cells(said):
    rendered = MarkdownIt("commonmark").enable("table").render(markdown([said]))
    read = Read(rendered)
    assert read.tags.count("td") == len(said.columns) * len(said.rows)
    assert set(read.tags) <= TAGS
    cells = "".join(bare(cell) for row in said.rows for cell in row)
    assert letters_of("".join(read.said)).endswith(
        letters_of(cells + "".join(map(bare, said.notes)))
    )


@given(said=tables())
def test_the_lines_of_a_table_are_as_wide_as_one_another(said):
    lines = text([TextTable("", said.columns, said.rows)]).split("\n")
    assert len(lines) == len(said.rows) + 3
    assert all("─" in line or len(said.columns) for line in lines[1:2])


def test_a_table_goes_through_every_writer():
    said = [
        table(
            "costs", f"Costs of {quoted('<a>')}", ("name", ">cost", "of"),
            [(quoted("a`b|c"), -0.25, 3), (quoted("b"), None, "x_1")],
            notes=(f"without {quoted('it')}",),
        )
    ]  # fmt: skip
    assert text(said) == (
        "Costs of <a>\n"
        "  name    cost  of\n"
        "  ─────  ─────  ───\n"
        "  a`b|c  −0.25  3\n"
        "  b          –  x_1\n"
        "  without it\n"
    )
    assert markdown(said) == (
        "**Costs of `<a>`**\n\n"
        "| name | cost | of |\n"
        "| :--- | ---: | :--- |\n"
        "| ``a`b\\|c`` | −0.25 | 3 |\n"
        "| `b` | – | x\\_1 |\n\n"
        "without `it`\n"
    )
    assert html(said).startswith(
        "<table><caption>Costs of <code>&lt;a&gt;</code></caption><thead><tr><th>name</th>"
        '<th style="text-align:right">cost</th><th>of</th></tr></thead><tbody><tr>'
        "<td><code>a`b|c</code></td>"
    )
    assert r"a\textasciigrave{}b\textbar{}c & $-$0.25 & 3 \\" in latex(said)


@given(said=tables())
def test_the_rules_of_a_terminal_keep_a_wide_table_in_its_window(said):
    room = 14 * len(said.columns)
    folded = text([TextTable("", said.columns, said.rows)], width=room, fold=True)
    wide = [line for line in folded.splitlines() if len(line) > room]
    assert all(narrowest(line) == columns(line) for line in wide), "a long word alone is not broken"


def test_hard_words_reach_the_reader_whole():
    said = text([Paragraph(" ".join([NASTY] * 20))], width=30)
    assert letters_of(said) == letters_of(bare(NASTY) * 20)
    assert all(len(a) <= 30 for a, _ in pairwise(said.splitlines()))
