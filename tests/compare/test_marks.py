"""Names of any kind come through every format: terminal, Markdown, LaTeX, CSV, JSON."""

from __future__ import annotations

import csv
import json
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from racing.compare import as_table, compare
from racing.compare.latex import escape_latex, escape_name, latex
from racing.compare.marks import bare, parts, printable, quoted
from racing.compare.plain import as_data
from racing.compare.report import document
from racing.compare.setting import markdown, text
from racing.compare.tables import write_tables

NASTY = ["a`b", "[0]", "*x*", "1e5", "--opt", "=1+1", "a|b", "``", "x\x1b[31my", "50% & $m_1$"]


@pytest.fixture(scope="module")
def nasty():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(8, len(NASTY))) + np.arange(len(NASTY))
    return compare(as_table(X, names=NASTY), test="mean-ranks", correction="holm")


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


def test_markdown_stays_well_formed(nasty):
    out = markdown(document(nasty))
    assert "``a`b``" in out
    assert "``` `` ```" in out
    for line in out.splitlines():
        if line.startswith("|"):
            unescaped = re.findall(r"(?<!\\)\|", line)
            assert len(unescaped) in (5, 9), line


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


def test_long_tables_and_the_best_in_bold(nasty):
    out = latex(document(nasty), longtable=True)
    assert out.startswith("% \\usepackage{booktabs}\n% \\usepackage{longtable}\n")
    assert out.count(r"\begin{longtable}") == out.count(r"\end{longtable}") == 2
    assert out.count(r"\endfirsthead") == out.count(r"\endhead") == 2
    assert r"\begin{table}" not in out
    best = f"{min(nasty.mean_ranks):.2f}"
    assert rf"\textbf{{{best}}}" in out
    assert f"**{best.replace('.', '.')}**" in markdown(document(nasty))


def test_csv_files_hold_every_row_and_no_formula(nasty, tmp_path):
    ranks, comparisons = write_tables(nasty, tmp_path / "out")
    with comparisons.open(encoding="utf-8") as file:
        assert len(list(csv.reader(file))) == 1 + 45
    with ranks.open(encoding="utf-8") as file:
        names = [row[0] for row in list(csv.reader(file))[1:]]
    assert "'=1+1" in names
    assert "'--opt" in names
    assert "1e5" in names


def test_json_has_the_names_as_given(nasty):
    data = json.loads(json.dumps(as_data(nasty), default=str))
    assert {a["name"] for a in data["algorithms"]} == set(NASTY)
