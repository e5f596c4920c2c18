"""What a comparison makes of itself with pictures: a diagram and a page."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import racing
from racing.analysis.compare import Comparison
from racing.base.errors import InputError

pyplot = pytest.importorskip("matplotlib.pyplot")


def compared() -> Comparison:
    scores = np.random.default_rng(1).normal([0, 1, 2], 1, size=(20, 3))
    return racing.compare(dict(zip("abc", scores.T, strict=True)))


def notes(figure) -> str:
    return " ".join(text.get_text() for text in figure.texts)


def test_a_diagram_has_a_footnote_that_fits_and_can_be_left_out() -> None:
    figure = compared().cd_diagram()
    assert "Bars join algorithms not shown to differ" in notes(figure).replace("\n", " ")
    figure.draw_without_rendering()
    wide = figure.bbox.width
    for text in figure.texts:
        box = text.get_window_extent()
        assert 0 <= box.x0 <= box.x1 <= wide
    assert notes(compared().cd_diagram(footnote=False)) == ""


def test_a_diagram_is_drawn_on_axes_of_ones_own() -> None:
    figure, ax = pyplot.subplots(layout="constrained")
    assert compared().cd_diagram(ax) is figure
    assert len(ax.lines) > 2
    assert notes(figure) == ""
    pyplot.close(figure)


def test_runs_have_the_diagram_of_their_only_problem() -> None:
    runs = {"a": [1.0, 2, 3, 4, 5], "b": [3.0, 4, 5, 6, 7, 8]}
    assert racing.compare(runs, paired=False).cd_diagram().axes
    two = racing.compare({"p": runs, "q": runs}, paired=False)
    with pytest.raises(InputError, match="2 problems; choose one"):
        two.cd_diagram()


def test_every_comparison_writes_a_page_that_says_why_these_tests(tmp_path: Path) -> None:
    runs = {"a": [1.0, 2, 3, 4, 5], "b": [3.0, 4, 5, 6, 7, 8]}
    table = np.random.default_rng(1).normal(size=(9, 3))
    for found in (
        compared(),
        racing.compare(runs, paired=False),
        racing.compare({"p": runs, "q": runs}, paired=False),
        racing.compare_metrics({"x": table, "y": -table}),
    ):
        path = found.report(tmp_path / "page.html")
        assert "Why these tests" in path.read_text(encoding="utf-8")
    with pytest.raises(InputError, match="cannot be written"):
        compared().report(tmp_path / "no" / "page.html")
