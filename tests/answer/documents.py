"""Documents of any parts, with words of any characters."""

from __future__ import annotations

from hypothesis import strategies as st

from racing.answer.document import (
    BulletList,
    Callout,
    Command,
    Figure,
    Heading,
    Paragraph,
    Sentences,
    TextTable,
    quoted,
)

NASTY = (
    "\x1b]0;title\x07 \x9b2J \u202eturned \x00 \ud800 <b>&amp; `x` ``|*_# \\ 日本 é 1e-05 -- [a](b)"
)

letters = st.text(max_size=12) | st.sampled_from(
    [
        NASTY,
        "- a",
        "1. b",
        "1) c",
        "+ d",
        "# e",
        "> f",
        "---",
        "    code",
        "=1+1",
        "a\nb",
        "|",
        "$x$",
    ]
)
names = letters.map(quoted)
words = st.lists(letters.map(lambda text: text.replace("`", "'")) | names, max_size=3).map(" ".join)


@st.composite
def tables(draw: st.DrawFn) -> TextTable:
    """A table of one to four columns."""
    n = draw(st.integers(1, 4))
    heads = draw(st.lists(words, min_size=n, max_size=n))
    return TextTable(
        "key",
        tuple(f"{draw(st.sampled_from(['', '>']))}{head}" for head in heads),
        tuple(draw(st.lists(st.tuples(*[words] * n), max_size=4))),
        caption=draw(words),
        best=frozenset({(0, 0)}) if draw(st.booleans()) else frozenset(),
        title=draw(st.just("") | names),
        notes=tuple(draw(st.lists(words, max_size=2))),
        cut=draw(st.booleans()),
    )


several = st.lists(words, max_size=3).map(tuple)
documents = st.lists(
    st.one_of(
        words.map(Heading),
        words.map(Paragraph),
        several.map(Sentences),
        several.map(BulletList),
        letters.map(Command),
        st.builds(Callout, letters, words),
        words.map(lambda caption: Figure(caption, "<svg></svg>")),
        tables(),
    ),
    max_size=5,
)
