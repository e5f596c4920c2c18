"""The tables of the papers, as arrays."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

DATA = Path(__file__).parents[1] / "data"


@pytest.fixture
def table() -> Callable[[str], np.ndarray]:
    """Reads the numbers of a file in tests/data: no header, no first column."""

    def read(name: str) -> np.ndarray:
        rows = (DATA / name).read_text().splitlines()[1:]
        return np.array([[float(cell) for cell in row.split(",")[1:]] for row in rows])

    return read
