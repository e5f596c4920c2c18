"""Figures for papers: a file for each picture that has something to show, from the same data."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from racing.base.errors import InputError
from racing.base.plain import printable
from racing.log import SQLiteLog
from racing.report import history
from racing.report.figures.charts import write_figures
from racing.report.pictures import pictures
from tests.report.kit import told, told_search
from tests.report.states import STATES, hostile
from tests.worlds import normal_world

TABLES = {"failures"}  # better read than drawn


@pytest.mark.parametrize("state", ["not begun", "everything crashed", "one survivor", "1 instance"])
def test_every_picture_that_shows_something_becomes_a_file(tmp_path, state):
    run = STATES[state]()
    files = write_figures(run, tmp_path, ".svg")
    shown = {one.id for one in pictures(run) if one.chart} - TABLES
    assert {file.stem for file in files} == shown
    assert all(b"<svg" in file.read_bytes() for file in files)


def test_the_figures_of_a_search(tmp_path):
    with SQLiteLog.open(told_search(tmp_path), write=False) as log:
        files = write_figures(history(log), tmp_path / "figures", ".svg")
    assert {"family", "sampling", "survivors"} <= {file.stem for file in files}


def test_hostile_names_are_drawn_as_they_are(tmp_path):
    files = write_figures(hostile(), tmp_path, ".png")
    assert all(file.read_bytes().startswith(b"\x89PNG") for file in files)


def test_control_characters_make_no_broken_svg(tmp_path):
    nasty = "\x1b[2J\x00\x9b\ufffe$-->"
    run = told(
        normal_world(8, 14, seed=3, noise=0.2), name=nasty,
        values=[{nasty: f"{nasty}{j}", "n": float(j)} for j in range(8)],
    )  # fmt: skip
    files = write_figures(run, tmp_path, ".svg")
    assert len(files) > 5
    for file in files:
        ElementTree.parse(file)
        assert printable(text := file.read_text(encoding="utf-8")) == text


def test_the_same_run_gives_the_same_files(tmp_path):
    run = STATES["1 instance"]()
    first, second = (write_figures(run, tmp_path / name, ".svg") for name in "ab")
    assert [file.read_bytes() for file in first] == [file.read_bytes() for file in second]


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="file"):
        write_figures(STATES["1 instance"](), tmp_path / "file" / "deep", ".svg")
