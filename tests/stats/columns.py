"""Columns of printed tables, and tests of all ordered pairs of columns by their leading axes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

DATA = Path(__file__).parents[1] / "data"


def columns(file: str, *names: str) -> list[np.ndarray]:
    """Columns of a table of accuracies, as costs."""
    table = np.genfromtxt(
        DATA / file, delimiter=",", names=True, dtype=None, encoding="utf8", deletechars=""
    )
    return [-table[name].astype(float) for name in names]


def of_every_pair(test: Callable[..., Any], X: ArrayLike, **options: Any) -> Any:
    """The test of column i against column j at (i, j)."""
    columns = np.asarray(X).T
    return test(columns[:, None], columns[None], **options)
