"""Tests of all ordered pairs of columns of a table, by their leading axes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike


def of_every_pair(test: Callable[..., Any], X: ArrayLike, **options: Any) -> Any:
    """The test of column i against column j at (i, j)."""
    columns = np.asarray(X).T
    return test(columns[:, None], columns[None], **options)
