"""Comparisons: what diagrams and matrices show; and that nothing overlaps or is cut off."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from racing.analysis.compare import as_table, compare, read_table
from racing.base.errors import InputError
from racing.report.figures import draw, draw_picture
from racing.report.forms import Matrix, Points, Texts
from racing.report.pictures import diagram as cd
from racing.report.pictures.ranks import blend, mean_ranks, p_values, posteriors, triangle
from tests.report.kit import marks

DATA = Path(__file__).parents[2] / "data"


@pytest.fixture(scope="module")
def demsar():
    return read_table(DATA / "demsar_2006_table6.csv", direction="maximize")


def near_ties(m, n=25, seed=0):
    """Mean ranks in three clusters, within a hair of one another; some are exactly tied."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, m)) + 1.2 * (np.arange(m) % 3)
    if m > 6:
        X[:, 6] = X[:, 3] = X[:, 0]
    names = [f"method {i}" if i % 2 else f"a long name for $method_{i}$, tuned" for i in range(m)]
    return as_table(X, names=names)


def boxes(figure):
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    renderer, axes = canvas.get_renderer(), figure.axes[0]
    names = [*axes.get_yticklabels()] if axes.yaxis.get_visible() else []
    return [
        (t.get_text(), t.get_window_extent(renderer), t.get_rotation())
        for t in (*axes.texts, *names)
        if t.get_text()
    ], figure.bbox


def assert_legible(figure):
    texts, page = boxes(figure)
    for text, box, _ in texts:
        assert box.x0 >= 0, f"{text} is cut off on the left"
        assert box.x1 <= page.x1, f"{text} is cut off on the right"
        assert box.y0 >= 0, f"{text} is cut off below"
        assert box.y1 <= page.y1, f"{text} is cut off above"
    level = [(text, box) for text, box, rotation in texts if rotation in (0, 90)]
    for (one, a), (two, b) in combinations(level, 2):
        apart = a.x1 <= b.x0 or b.x1 <= a.x0 or a.y1 <= b.y0 or b.y1 <= a.y0
        assert apart, f"{one} overlaps {two}"


@pytest.mark.parametrize("m", [2, 3, 10, 30])
@pytest.mark.parametrize("test", ["wilcoxon", "nemenyi", "bonferroni-dunn"])
def test_labels_never_overlap(m, test):
    table = near_ties(m)
    control = table.names[1] if test == "bonferroni-dunn" else None
    shown = cd.diagram(compare(table, test=test, control=control))
    assert len(shown.labels) == m
    assert_legible(draw(cd.diagram_figure(shown)))


@pytest.mark.parametrize("m", [2, 3, 10, 30])
def test_matrices_are_legible(m):
    c = compare(near_ties(m, n=12), bayes="sign")
    assert_legible(draw(p_values(c).figure))
    assert_legible(draw(posteriors(c).figure))


def test_all_pairs_as_in_figure_1a(demsar):
    shown = cd.diagram(compare(demsar, test="nemenyi", alpha=0.1))
    assert shown.critical_difference == pytest.approx(1.12, abs=0.005)
    assert shown.interval is None
    right = [label.name for label in shown.labels if label.side == "right"]
    assert right == ["C4.5+m+cf", "C4.5+m"]
    assert all(bar.whole for bar in shown.bars)
    assert len(shown.bars) == 2


def test_against_a_control_as_in_figure_1b(demsar):
    shown = cd.diagram(compare(demsar, test="bonferroni-dunn", control="C4.5"))
    low, high = shown.interval
    assert low == pytest.approx(3.143 - 1.168, abs=0.001)
    assert high == 4  # the axis ends there
    assert shown.bars == ()
    assert [label.name for label in shown.labels if label.control] == ["C4.5"]


def test_a_control_without_one_critical_difference_gets_dots(demsar):
    shown = cd.diagram(compare(demsar, control="C4.5"))
    assert shown.critical_difference is None
    (bar,) = shown.bars
    assert not bar.whole
    assert bar.ranks == pytest.approx((2.929, 3.143), abs=0.001)


def test_a_group_that_is_no_interval_has_a_dot_on_every_member():
    n = 40
    rng = np.random.default_rng(1)
    base = rng.normal(size=n)
    noisy = rng.normal(scale=8, size=n)  # so noisy that it differs from nobody
    X = np.column_stack([base, base + 0.1, noisy, base + 0.2])
    c = compare(X)
    shown = cd.diagram(c)
    thin = [bar for bar in shown.bars if not bar.whole]
    assert c.joined[2].sum() == 4
    assert thin
    assert all(len(bar.ranks) == 2 for bar in thin)


def test_bars_in_one_row_do_not_touch():
    shown = cd.diagram(compare(near_ties(30), test="nemenyi"))
    for one, two in combinations(shown.bars, 2):
        if one.row == two.row:
            assert one.ranks[-1] < two.ranks[0] or two.ranks[-1] < one.ranks[0]


def test_a_bar_never_reaches_an_algorithm_outside_its_group():
    shown = cd.diagram(compare(near_ties(30), test="nemenyi"))
    ranks = [label.rank for label in shown.labels]
    for bar in shown.bars:
        low, high = bar.outside
        assert not any(low < r < bar.ranks[0] or bar.ranks[-1] < r < high for r in ranks)


def test_the_heat_map_shows_the_posterior_in_order_of_rank(demsar):
    c = compare(demsar, bayes="sign")
    (shown,) = marks(posteriors(c), Matrix)
    names = posteriors(c).figure.plots[0].y[0].levels
    assert names == ("C4.5+m+cf", "C4.5+m", "C4.5+cf", "C4.5")
    best, worst = c.order[0], c.order[-1]
    assert float(shown.values[0][3]) == pytest.approx(c.posterior.better[best, worst], abs=0.001)
    assert dict(blend(0.5)) == {"c1": 0.0, "survivor": 0.0}, "the colour of the paper"
    with pytest.raises(InputError, match="bayes"):
        posteriors(compare(demsar))


def test_the_matrix_of_p_values_is_coloured_by_who_is_better(demsar):
    (shown,) = marks(p_values(compare(demsar)), Matrix)
    assert shown.keys[shown.cells[0][3]].label == "row better, p ≤ 0.05"
    assert shown.keys[shown.cells[3][0]].label == "row worse, p ≤ 0.05"
    assert shown.cells[0][0] is None


def test_the_triangle_shows_the_shares_of_the_draws(demsar):
    c = compare(demsar, bayes="signed-rank", rope=0.01)
    found = triangle(c.sample("C4.5+m", "C4.5"), "C4.5+m", "C4.5", rope=0.01)
    i, j = demsar.column("C4.5+m"), demsar.column("C4.5")
    texts = [text for one in marks(found, Texts) for text in one.texts]
    assert texts[::2] == ["C4.5+m better", "practically equal", "C4.5 better"]
    assert sum(map(float, texts[1::2])) == pytest.approx(1.0, abs=0.01)
    assert float(texts[1]) == pytest.approx(c.posterior.better[i, j], abs=0.03)
    (points,) = marks(found, Points)
    assert 1000 < len(points.x[0]) <= 3000
    assert 0 <= min(points.y[0]) < max(points.y[0]) <= 3**0.5 / 2
    assert_legible(draw(found.figure))
    with pytest.raises(InputError, match="rope"):
        compare(demsar).sample("C4.5+m", "C4.5")


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_files_by_their_ending_and_twice_the_same(demsar, tmp_path, ending):
    c = compare(demsar)
    one, two = (draw_picture(mean_ranks(c), tmp_path / f"{k}.{ending}") for k in "ab")
    assert one.stat().st_size > 1000
    assert one.read_bytes() == two.read_bytes()


def test_other_endings_and_places_are_refused(demsar, tmp_path):
    c = compare(demsar)
    with pytest.raises(InputError, match=r"\.png, \.svg, \.pdf"):
        draw_picture(mean_ranks(c), tmp_path / "a.gif")
    with pytest.raises(InputError, match="cannot be written"):
        draw_picture(mean_ranks(c), tmp_path / "none" / "a.png")


def test_an_interval_that_the_axis_cuts_is_drawn_as_cut_and_its_length_is_printed(demsar):
    shown = cd.diagram(compare(demsar, test="bonferroni-dunn", control="C4.5"))
    assert shown.critical_difference == pytest.approx(1.17, abs=0.01)
    assert [end in (shown.low, shown.high) for end in shown.interval] == [False, True]
    figure = draw(cd.diagram_figure(shown))
    texts, _ = boxes(figure)
    assert any("CD = 1.17" in text for text, _, _ in texts)
    assert_legible(figure)
    inside = cd.diagram(compare(near_ties(9, n=200), test="bonferroni-dunn", control="method 1"))
    assert not {*inside.interval} & {inside.low, inside.high}


def test_practically_equal_is_not_the_colour_of_worse(demsar):
    """With a wide rope the row is better with a small probability, and so is the column."""
    c = compare(demsar, bayes="sign", rope=10.0)
    (shown,) = marks(posteriors(c), Matrix)
    parts = dict(shown.keys[shown.cells[0][3]].parts)
    assert parts["survivor"] > 0.5 > parts["c1"]
    assert "practically equal" in [key.label for key in shown.keys]
    assert dict(blend(0.2, 0.2, 0.0)) == {"c1": 0.0, "survivor": 0.0}
    assert blend(0.75) == blend(0.75, 0.25)


def test_two_hundred_algorithms_fit_a_page():
    rng = np.random.default_rng(0)
    c = compare(rng.normal(size=(12, 200)) + np.linspace(0, 2, 200), test="sign")
    shown = cd.diagram(c)
    assert max(bar.row for bar in shown.bars) < 25
    left_out = len(c.bars) - len(shown.bars)
    assert f"{left_out} further bars" in shown.caption or not left_out
    for figure in (draw(cd.diagram_figure(shown)), draw(p_values(c).figure)):
        width, height = figure.get_size_inches()
        assert width < 24
        assert height < 26
        assert len(figure.axes[0].patches) < 100, "cells are one picture"
