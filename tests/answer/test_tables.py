"""Tables as CSV files, and as LaTeX: marks are escaped, names stay letter by letter."""

from __future__ import annotations

import csv
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from racing.answer.document import Paragraph, TextTable, quoted
from racing.answer.tables import escape_latex, escape_name, latex, write_tables

FORMULAS = ("=1+1", "--opt", "1e5", "−3", "a,b")


def test_csv_files_hold_every_row_and_no_formula(tmp_path):
    said = (
        Paragraph("Not a table."),
        TextTable("ranks", (">name", ""), tuple((quoted(name), "*") for name in FORMULAS)),
    )
    (ranks,) = write_tables(said, tmp_path / "out")
    assert ranks.name == "ranks.csv"
    with ranks.open(encoding="utf-8") as file:
        head, *rows = csv.reader(file)
    assert head == ["name", "shown to differ"]
    assert [row[0] for row in rows] == ["'=1+1", "'--opt", "1e5", "-3", "a,b"]


# --- LaTeX ---


NAMES = ("a_b", "c&d", "50%", "x^2", "\\m", "1e5", "[x", "*y", "--opt", "a`b", "\x1b[31m")
TABLE = TextTable(
    "ranks",
    ("name", ">rank"),
    tuple((quoted(name), str(at)) for at, name in enumerate(NAMES)),
    "Ranks of `a_b` and others.",
    frozenset({(0, 1)}),
)


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("a_b & 50% of $x$", r"a\_b \& 50\% of \$x\$"),
        ("4.5e-07", r"$4.5\cdot 10^{-7}$"),
        ("x1e-5y", "x1e-5y"),
        ("α ≤ 0.05", r"$\alpha$ $\le$ 0.05"),
        ("p = 2e-05 of `2e-05`", r"p = $2\cdot 10^{-5}$ of 2e-05"),
    ],
)
def test_text_is_escaped(text, source):
    assert escape_latex(text) == source


@given(name=st.text(alphabet="\\&%$#_{}~^`\"<>|[]*-,' ab1", max_size=10))
def test_braces_of_escaped_names_balance(name):
    out = re.sub(r"\\[{}]", "", escape_name(name))
    assert out.count("{") == out.count("}")
    assert not re.search(r"(?<!\\)[&%#_~^]", re.sub(r"\$[^$]*\$", "", out).replace("\\$", ""))


@pytest.mark.parametrize("longtable", [False, True])
def test_tables_are_whole_and_names_letter_by_letter(longtable):
    out = latex([TABLE], longtable=longtable)
    kind = "longtable" if longtable else "table"
    assert out.count(rf"\begin{{{kind}}}") == out.count(rf"\end{{{kind}}}") == 1
    assert out.count(r"\endfirsthead") == longtable
    assert r"\label{tab:ranks}" in out
    assert r"\textbf{0}" in out
    assert "1e5" in out
    assert r"-{}-opt" in out
    assert r"a\textasciigrave{}b" in out
    for wrong in (r"\\ [", r"\\ *", "$1\\cdot 10^{5}$", "\x1b"):
        assert wrong not in out
    assert not re.search(r"\\\\\n\s*[\[*]", out), "an argument of the line break before"
    rows = [line for line in out.splitlines() if line.endswith(r" \\") and "caption" not in line]
    assert all(len(re.findall(r"(?<!\\)&", line)) == 1 for line in rows)
