"""Reports set as Markdown."""

from __future__ import annotations

import re

from racing.analysis.compare import as_table, compare
from racing.analysis.compare.latex import latex
from racing.analysis.compare.report import document
from racing.analysis.compare.setting import markdown
from tests.analysis.compare.comparisons import some


def test_markdown_keeps_names_as_they_are():
    table = as_table(some().scores, names=["a|b", "*c*", "d", "e", "f"])
    out = markdown(document(compare(table)))
    assert "`a\\|b`" in out
    assert "`*c*`" in out
    assert all(line.count("|") >= 2 for line in out.splitlines() if line.startswith("|"))


def test_markdown_stays_well_formed(nasty):
    out = markdown(document(nasty))
    assert "``a`b``" in out
    assert "``` `` ```" in out
    for line in out.splitlines():
        if line.startswith("|"):
            unescaped = re.findall(r"(?<!\\)\|", line)
            assert len(unescaped) in (5, 9), line


def test_long_tables_and_the_best_in_bold(nasty):
    out = latex(document(nasty), longtable=True)
    assert out.startswith("% \\usepackage{booktabs}\n% \\usepackage{longtable}\n")
    assert out.count(r"\begin{longtable}") == out.count(r"\end{longtable}") == 2
    assert out.count(r"\endfirsthead") == out.count(r"\endhead") == 2
    assert r"\begin{table}" not in out
    best = f"{min(nasty.mean_ranks):.2f}"
    assert rf"\textbf{{{best}}}" in out
    assert f"**{best.replace('.', '.')}**" in markdown(document(nasty))
