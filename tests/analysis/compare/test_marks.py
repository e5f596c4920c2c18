"""Names of any kind are printed as they are, in the terminal and in LaTeX."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from racing.analysis.compare.latex import escape_latex, escape_name, latex
from racing.analysis.compare.marks import bare, parts, printable, quoted
from racing.analysis.compare.report import document
from racing.analysis.compare.setting import text


@given(name=st.text(max_size=12))
def test_a_name_between_marks_is_read_back(name):
    said = f"{quoted(name)} was better than {quoted('other')}."
    assert parts(said)[1::2] == [printable(name).replace("\ue060", "`"), "other"]
    assert "\x1b" not in bare(said)


def test_no_character_that_steers_a_terminal_is_printed(nasty):
    out = text(document(nasty))
    assert "\x1b" not in out
    assert "x\\x1b[31my" in out
    assert "a`b" in out


def test_latex_sets_names_letter_by_letter(nasty):
    out = latex(document(nasty))
    assert "1e5" in out
    for wrong in (r"\\ [", r"\\ *", "$1\\cdot 10^{5}$", "\x1b"):
        assert wrong not in out
    assert not re.search(r"\\\\\n\s*[\[*]", out), "an argument of the line break before"
    assert r"-{}-opt" in out
    assert r"a\textasciigrave{}b" in out
    for line in out.splitlines():
        cells = re.findall(r"(?<!\\)&", line)
        assert not line.endswith(r"\\") or len(cells) in (3, 7), line


@given(name=st.text(alphabet="\\&%$#_{}~^`\"<>|[]*-,' ab1", max_size=10))
def test_braces_of_escaped_names_balance(name):
    out = re.sub(r"\\[{}]", "", escape_name(name))
    assert out.count("{") == out.count("}")
    assert not re.search(r"(?<!\\)[&%#_~^]", re.sub(r"\$[^$]*\$", "", out).replace("\\$", ""))


def test_words_keep_powers_and_names_do_not():
    assert escape_latex("p = 2e-05 of `2e-05`") == r"p = $2\cdot 10^{-5}$ of 2e-05"
    assert escape_latex("α ≤ 0.05") == r"$\alpha$ $\le$ 0.05"
