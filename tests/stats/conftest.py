"""The tables of the papers, as arrays; and properties that are checked alike on every machine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

settings.register_profile("racing", deadline=None, derandomize=True)
settings.load_profile("racing")

DATA = Path(__file__).parents[1] / "data"


@pytest.fixture
def table() -> Callable[[str], np.ndarray]:
    """Reads the numbers of a file in tests/data: no header, no first column."""

    def read(name: str) -> np.ndarray:
        rows = (DATA / name).read_text().splitlines()[1:]
        return np.array([[float(cell) for cell in row.split(",")[1:]] for row in rows])

    return read
