"""LaTeX: marks are escaped, powers of ten are set, and tables are closed."""

from __future__ import annotations

import numpy as np
import pytest

from racing.analysis.compare import as_table, compare
from racing.analysis.compare.latex import escape_latex, latex
from racing.analysis.compare.report import document


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("a_b & 50% of $x$", r"a\_b \& 50\% of \$x\$"),
        ("4.5e-07", r"$4.5\cdot 10^{-7}$"),
        ("x1e-5y", "x1e-5y"),
        ("α ≤ 0.05", r"$\alpha$ $\le$ 0.05"),
    ],
)
def test_text_is_escaped(text: str, source: str) -> None:
    assert escape_latex(text) == source


def test_names_are_escaped_and_tables_closed() -> None:
    costs = np.random.default_rng(0).normal(size=(12, 5)) + 0.6 * np.arange(5)
    table = as_table(costs, names=["a_b", "c&d", "50%", "x^2", "\\m"], direction="minimize")
    out = latex(document(compare(table)))
    assert r"a\_b" in out
    assert r"\toprule" in out
    assert out.count(r"\begin{table}") == out.count(r"\end{table}") == 2
