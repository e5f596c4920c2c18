"""Wins of every column over every other agree with counting, however the rows are added."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from racing.stats.sign import add_rows, no_wins, with_rows


def counted(costs: np.ndarray) -> np.ndarray:
    return (costs[:, :, None] < costs[:, None, :]).sum(axis=0)


@pytest.mark.parametrize("block", [1, 1 << 18])
@pytest.mark.parametrize("n", [1, 5, 300])
def test_counts_are_those_of_the_definition(
    monkeypatch: pytest.MonkeyPatch, block: int, n: int
) -> None:
    monkeypatch.setattr(sys.modules["racing.stats.sign"], "_BLOCK", block)
    costs = np.random.default_rng(n).integers(0, 6, (n, 7)).astype(float)  # with ties
    costs[0, :2] = np.inf
    wins = with_rows(no_wins(7), n)
    add_rows(wins, costs)
    assert (wins == counted(costs)).all()


def test_rows_can_be_added_in_parts() -> None:
    costs = np.random.default_rng(1).random((600, 4))
    wins = no_wins(4)
    for end in (100, 255, 256, 600):
        wins = with_rows(wins, end)
        start = {100: 0, 255: 100, 256: 255, 600: 256}[end]
        add_rows(wins, costs[start:end])
        assert (wins == counted(costs[:end])).all()


def test_cells_are_as_wide_as_the_rows_need_and_never_get_narrower() -> None:
    assert with_rows(no_wins(2), 255).dtype == np.uint8
    wide = with_rows(no_wins(2), 256)
    assert wide.dtype == np.uint16
    assert with_rows(wide, 3).dtype == np.uint16
