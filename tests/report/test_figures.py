"""Figures for papers: a file for each picture that has something to show, from the same forms."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

import racing
from racing.analysis.compare.profiles import profiles
from racing.analysis.compare.result_table import stopped_at
from racing.base.errors import InputError
from racing.base.plain import printable
from racing.log import SQLiteLog
from racing.report import history
from racing.report.figures import draw, draw_picture, write_figures
from racing.report.forms import Axis, Figure, Intervals, Line, Plot, Points
from racing.report.pictures import pictures
from racing.report.pictures.runs import every_run, profile_pictures
from tests.analysis.compare.comparisons import as_runs
from tests.report.kit import told, told_search
from tests.report.states import STATES, hostile
from tests.worlds import normal_world

pytest.importorskip("matplotlib", reason="figures need the extra racing[plot]")

TIMES = {
    "p$": {"a": [1.0, 2, 3, 70], "b": [4.0, 5, 60]},
    "q": {"a": [2.0, 2, 80, 90], "b": [80.0, 80, 900]},
}


@pytest.mark.parametrize("state", ["not begun", "everything crashed", "one survivor", "front"])
def test_every_picture_that_is_drawn_becomes_a_file(tmp_path, state):
    found = pictures(STATES[state]())
    files = write_figures(found, tmp_path, ".svg")
    assert [file.stem for file in files] == [one.id for one in found if one.figure]
    assert all(b"<svg" in file.read_bytes() for file in files)


def test_the_figures_of_a_search(tmp_path):
    with SQLiteLog.open(told_search(tmp_path), write=False) as log:
        files = write_figures(pictures(history(log)), tmp_path / "figures", ".svg")
    assert {"family", "sampling", "survivors"} <= {file.stem for file in files}


def test_hostile_names_are_drawn_as_they_are(tmp_path):
    files = write_figures(pictures(hostile()), tmp_path, ".png")
    assert all(file.read_bytes().startswith(b"\x89PNG") for file in files)


def test_control_characters_make_no_broken_svg(tmp_path):
    nasty = "\x1b[2J\x00\x9b\ufffe$-->"
    run = told(
        normal_world(8, 14, seed=3, noise=0.2), name=nasty,
        values=[{nasty: f"{nasty}{j}", "n": float(j)} for j in range(8)],
    )  # fmt: skip
    files = write_figures(pictures(run), tmp_path, ".svg")
    assert len(files) > 5
    for file in files:
        ElementTree.parse(file)
        assert printable(text := file.read_text(encoding="utf-8")) == text


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="file"):
        write_figures(pictures(STATES["1 instance"]()), tmp_path / "file" / "deep", ".svg")


def test_a_figure_is_drawn_on_axes_of_ones_own():
    from matplotlib.figure import Figure as Sheet

    sheet = Sheet()
    left, right = sheet.subplots(1, 2)
    line = Line(x=((0.0, 1.0, None, 3.0),), y=((2.0, 4.0, 1.0, 3.0),), step="after")
    figure = Figure(plots=(Plot(x=(Axis(name="$x"),), marks=(line,)),))
    assert draw(figure, ax=left) is sheet
    (drawn,) = left.lines
    assert np.isnan(drawn.get_xdata()[2])
    assert drawn.get_drawstyle() == "steps-post"
    assert left.get_xlabel() == "$x"
    assert left.get_xlim() == pytest.approx((0, 3.12))
    assert not right.lines


def test_the_first_choice_of_an_axis_is_drawn_and_a_spread_one_panel_by_panel():
    x = (Axis(name="a"), Axis(name="b", kind="log"))
    points = Points(x=((1.0, 2.0), (10.0, 99.0)), y=((5.0, None),))
    (one,) = draw(Figure(plots=(Plot(x=x, marks=(points,)),))).axes
    assert one.get_xlabel() == "a"
    assert one.lines[0].get_xydata().tolist() == [[1.0, 5.0]]
    panels = draw(Figure(plots=(Plot(x=x, marks=(points,), spread=True),))).axes
    assert [(axes.get_xlabel(), axes.get_xscale()) for axes in panels] == [
        ("a", "linear"), ("b", "log"),
    ]  # fmt: skip
    assert panels[1].lines[0].get_xydata().tolist() == [[10.0, 5.0]]


def test_an_end_that_there_is_not_reaches_the_edge():
    marks = (Intervals(at=((1.0,),), low=((0.0,),), high=((None,),)),)
    (axes,) = draw(Figure(plots=(Plot(x=(Axis(ends=(-1.0, 9.0)),), marks=marks),))).axes
    assert list(axes.lines[0].get_xdata()) == [0.0, 9.0]
    assert [line.get_marker() for line in axes.lines[1:]] == ["|", ">"]


def test_runs_and_steps_of_each_problem(tmp_path):
    found = racing.compare(stopped_at(as_runs(TIMES), 60), paired=False)
    drawn = draw_picture(every_run(found), tmp_path / "strips.svg").read_text()
    for words in ("a (4, 1 failed)", "b (3, 1 failed)", "b (3, 3 failed)", "p$"):
        assert f"<!-- {words} -->" in drawn
    for picture in profile_pictures(profiles(stopped_at(as_runs(TIMES), 60))):
        drawn = draw_picture(picture, tmp_path / f"{picture.id}.svg").read_text()
        assert f"<!-- {picture.figure.plots[0].x[0].name} -->" in drawn
        assert drawn.count("<!-- a -->") == 1, "one legend for all panels"
