"""Published tables, names that are hard to print, and random scores with their report."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from racing.analysis.compare import ResultTable, as_table, read_table
from racing.answer.text import text

DATA = Path(__file__).parents[2] / "data"
as_runs, read_runs = partial(as_table, paired=False), partial(read_table, paired=False)
TIMES = {
    "p": {"a": [1.0, 2, 3, 70], "b": [4.0, 5, 60]},
    "q": {"a": [2.0, 2, 80, 90], "b": [8.0, 8, 9]},
}
"""Times of the runs of two algorithms on two problems."""
NASTY = ["a`b", "[0]", "*x*", "1e5", "--opt", "=1+1", "a|b", "``", "x\x1b[31my", "50% & $m_1$"]


def some(n: int = 12, m: int = 5, seed: int = 0) -> ResultTable:
    """n instances of m algorithms, each worse than the one before by 0.6 on average."""
    rng = np.random.default_rng(seed)
    return as_table(rng.normal(size=(n, m)) + 0.6 * np.arange(m), direction="minimize")


def kinds(c: Any) -> list[str]:
    """The kinds of the caveats of a comparison."""
    return [note.kind for note in c.notes]


def said(c: Any, form: Any = text) -> str:
    """The report of a comparison."""
    return str(form(c.document()))


def said_of(c: Any) -> str:
    """The report on one line."""
    return " ".join(said(c).split())
