"""Figures of runs: files of every format, the same each time, and what is on them."""

from __future__ import annotations

import numpy as np
import pytest

import racing
from racing.analysis.compare import as_runs
from racing.analysis.compare.profiles.data import profiles
from racing.analysis.compare.profiles.stopped import stopped_at
from racing.base.errors import InputError
from racing.report.figures.runs import draw_steps, draw_strips
from racing.report.pictures.profiles import profile_pictures

pytest.importorskip("matplotlib", reason="figures need the extra racing[plot]")

TIMES = {
    "p$": {"a": [1.0, 2, 3, 70], "b": [4.0, 5, 60]},
    "q": {"a": [2.0, 2, 80, 90], "b": [80.0, 80, 900]},
}


def test_strips(tmp_path):
    table = stopped_at(as_runs(TIMES), 60)
    found = racing.compare(table, paired=False)
    drawn = draw_strips(found, tmp_path / "strips.svg").read_text()
    for words in ("a (4)", "b (3)", "3 failed", "1 failed", "p$"):
        assert f"<!-- {words} -->" in drawn
    again = draw_strips(found, tmp_path / "again.svg").read_text()
    assert again == drawn


def test_steps(tmp_path):
    for picture in profile_pictures(profiles(stopped_at(as_runs(TIMES), 60))):
        drawn = draw_steps(picture, tmp_path / f"{picture.id}.svg").read_text()
        assert f"<!-- {picture.data['x']} -->" in drawn
        assert drawn.count("<!-- a -->") == 1  # one legend for all panels
    up = profiles(as_runs({"a": np.arange(9.0), "b": np.arange(5.0)}, direction="maximize"))
    assert draw_steps(profile_pictures(up)[0], tmp_path / "up.png").stat().st_size > 1000


def test_a_file_of_another_kind(tmp_path):
    found = racing.compare({"a": [1, 2], "b": [2, 3]}, paired=False)
    with pytest.raises(InputError, match="ends in"):
        draw_strips(found, tmp_path / "strips.gif")
