"""The tables that several modules of tests look at."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from racing.analysis.compare import ResultTable, as_table, compare, read_table
from tests.analysis.compare.comparisons import DATA, NASTY


@pytest.fixture(scope="session")
def demsar() -> ResultTable:
    """Table 6 of Demšar (2006)."""
    return read_table(DATA / "demsar_2006_table6.csv", direction="maximize")


@pytest.fixture
def file(tmp_path: Path) -> Callable[..., Path]:
    """Write a file of the given content."""

    def write(content: str | bytes, name: str = "t.csv") -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


@pytest.fixture(scope="session")
def nasty():
    """A comparison of algorithms whose names are hard to print."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(8, len(NASTY))) + np.arange(len(NASTY))
    return compare(as_table(X, names=NASTY), test="mean-ranks", correction="holm")
