"""The tables of methods and of sentences: all that they have is used, and nothing is missing."""

from __future__ import annotations

from itertools import chain

import pytest

from racing.analysis.compare import notes
from racing.analysis.compare.methods import (
    CORRECTIONS,
    _said,
    at_terminal,
    option,
    sentence,
    sentences,
)
from racing.analysis.compare.paired import PAIRED
from racing.analysis.compare.unpaired import UNPAIRED

BY_KIND = {
    "correction": CORRECTIONS,
    **{
        f"{word} {kind}": methods
        for word, design in (("paired", PAIRED), ("unpaired", UNPAIRED))
        for kind, methods in (
            ("omnibus", design.omnibus), ("test", design.tests), ("posterior", design.posteriors),
            ("estimate", design.also),
        )
    },
}  # fmt: skip


def test_each_row_is_a_method_and_each_method_has_a_row():
    named = {(kind, name) for kind, methods in BY_KIND.items() for name in methods}
    assert {row for row in _said() if row[0] != "number"} == named


def test_each_method_says_what_it_is_and_where_it_comes_from():
    for one in chain.from_iterable(methods.values() for methods in BY_KIND.values()):
        assert one.noun
        assert one.why
        assert one.source or one is CORRECTIONS["none"]


def test_each_caveat_has_its_sentences():
    tables = (getattr(notes, name) for name in vars(notes) if name[0] == "_" and name.isupper())
    due = {kind for one in tables if isinstance(one, dict) for kind in one}
    assert sentences()["caveats"].keys() == due | {"all-equal"}


@pytest.mark.parametrize(
    ("text", "argument"),
    [
        ("--missing average", "missing='average'"),
        ("--missing average,drop-instances", "missing=('average', 'drop-instances')"),
        ("--rope 0.06", "rope=0.06"),
        ("--maximize", "direction='maximize'"),
        ("--unpaired", "paired=False"),
    ],
)
def test_an_option_is_called_as_its_caller_gives_it(text, argument):
    assert option(text) == argument
    assert option(text, "groups=") == "groups="
    with at_terminal():
        assert option(text) == option(text, "groups=") == text
    assert option(text) == argument


def test_sentences_name_options_as_their_caller_gives_them():
    said = sentence("captions", "left-out", which="Some are")
    assert said == "Some are not shown (document(most_rows=None) shows everything)."
    with at_terminal():
        assert "(--all-rows shows everything, --tables" in sentence(
            "captions", "left-out", which=""
        )
    fact = sentence("refused", "no-control", test="--json", other="sign")
    assert fact == "test: --json needs a control (control='NAME'); for all pairs use sign"
