"""Only the figures that were asked for are drawn, and only of what they can show."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import racing
from racing.base.errors import RacingError
from racing.cli.compare import ARGUMENTS, _figures
from racing.cli.options import add_options
from racing.report.figures import draw_picture

COSTS = np.random.default_rng(2).normal([0.0, 0.5, 1.0], 0.4, size=(20, 3))
TABLE = pd.DataFrame(COSTS, columns=list("abc"))


def asked(*given: object) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_options(parser, ARGUMENTS)
    return parser.parse_args([str(one) for one in given])


def draw(found: object, profiles: object, args: argparse.Namespace) -> list[Path]:
    return [draw_picture(picture, file) for picture, file in _figures(found, profiles, args)]


@pytest.fixture(scope="module")
def found():
    return racing.compare(TABLE, direction="minimize", bayes="signed-rank", rope=0.1)


def test_nothing_is_drawn_unasked(found, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert draw(found, None, asked()) == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["cd", "heatmap", "pmatrix"])
def test_a_figure_of_all_pairs_is_a_file(found, tmp_path, name):
    files = [tmp_path / f"{each}.svg" for each in "ab"]  # it may be asked for more than once
    assert draw(found, None, asked(f"--{name}", files[0], f"--{name}", files[1])) == files
    assert all("<svg" in file.read_text() for file in files)


def test_a_simplex_is_of_the_two_that_are_named(found, tmp_path):
    file = tmp_path / "simplex.svg"
    assert draw(found, None, asked("--simplex", "a", "c", file)) == [file]
    with pytest.raises(RacingError, match="d"):
        draw(found, None, asked("--simplex", "a", "d", tmp_path / "other.svg"))
    assert [one.name for one in tmp_path.iterdir()] == ["simplex.svg"]
