"""The case study of García and Herrera (2008): five classifiers on 30 data sets."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from racing.stats import mean_ranks_test

DATA = Path(__file__).parents[1] / "data"
NAMES = ["C4.5", "1NN", "NaiveBayes", "Kernel", "CN2"]


def pvalues() -> np.ndarray:
    """Table 3, from Table 2 with the rank of 1-NN on OptDigits corrected (printed 1, must be 5)."""
    file = DATA / "garcia_herrera_2008_table2_accuracy.csv"
    accuracy = np.loadtxt(file, delimiter=",", skiprows=1, usecols=range(1, 6))
    return mean_ranks_test(-accuracy).pvalues


def adjusted(method: str) -> Iterator[tuple[int, int, float]]:
    """Two classifiers and their adjusted p-value, of each row of Table 5."""
    file = DATA / "garcia_herrera_2008_table5_apv.csv"
    for row in np.genfromtxt(file, delimiter=",", names=True, dtype=None, encoding="utf8"):
        i, j = (NAMES.index(name) for name in row["hypothesis"].split(" vs "))
        yield i, j, float(row[method])
