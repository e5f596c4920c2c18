"""Comparisons: what diagrams and matrices show; and that nothing overlaps or is cut off."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from racing.analysis.compare import as_table, compare, read_table
from racing.base.errors import InputError
from racing.report.figures import draw, draw_picture
from racing.report.forms import Intervals, Line, Matrix, Points, Texts
from racing.report.pictures.diagram import diagram
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


def drawn(figure, form):
    """The marks of one form of a diagram."""
    return [one for one in figure.plots[0].marks if isinstance(one, form)]


def names(figure):
    """What stands beside the axis: name → its mark, the best first, then from the worst on."""
    beside = [one for one in drawn(figure, Texts) if abs(one.dx) == 6]
    return {one.texts[0][:: -1 if one.dx < 0 else 1].split("  ")[1][:: -1 if one.dx < 0 else 1]: one
            for one in beside}  # fmt: skip


def bars(figure):
    """Bars that join neighbours, and the dots of the others."""
    return [one for one in drawn(figure, Line) if one.width == 4.5], drawn(figure, Points)


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
    shown = diagram(compare(table, test=test, control=control))
    assert len(names(shown)) == m
    assert_legible(draw(shown))


@pytest.mark.parametrize("m", [2, 3, 10, 30])
def test_matrices_are_legible(m):
    c = compare(near_ties(m, n=12), bayes="sign")
    assert_legible(draw(p_values(c).figure))
    assert_legible(draw(posteriors(c).figure))


def test_all_pairs_as_in_figure_1a(demsar):
    shown = diagram(compare(demsar, test="nemenyi", alpha=0.1))
    assert "CD = 1.12" in [one.texts[0] for one in drawn(shown, Texts)]
    assert drawn(shown, Intervals) == []
    right = [name for name, label in names(shown).items() if label.anchor == "start"]
    assert right == ["C4.5+m+cf", "C4.5+m"]
    assert [*map(len, bars(shown))] == [2, 0]


def test_against_a_control_as_in_figure_1b(demsar):
    shown = diagram(compare(demsar, test="bonferroni-dunn", control="C4.5"))
    (interval,) = drawn(shown, Intervals)
    assert interval.low[0][0] == pytest.approx(3.143 - 1.168, abs=0.001)
    assert interval.high == ((None,),), "the axis ends there"
    assert bars(shown) == ([], [])
    assert [name for name, label in names(shown).items() if label.bold] == ["C4.5"]


def test_a_control_without_one_critical_difference_gets_dots(demsar):
    shown = diagram(compare(demsar, control="C4.5"))
    assert not [one for one in drawn(shown, Texts) if one.texts[0].startswith("CD")]
    whole, (dots,) = bars(shown)
    assert whole == []
    assert dots.x[0] == pytest.approx((2.929, 3.143), abs=0.001)


def test_a_group_that_is_no_interval_has_a_dot_on_every_member():
    n = 40
    rng = np.random.default_rng(1)
    base = rng.normal(size=n)
    noisy = rng.normal(scale=8, size=n)  # so noisy that it differs from nobody
    X = np.column_stack([base, base + 0.1, noisy, base + 0.2])
    c = compare(X)
    shown = diagram(c)
    _, thin = bars(shown)
    assert c.joined[2].sum() == 4
    assert thin
    assert all(len(dots.x[0]) == 2 for dots in thin)


def test_bars_in_one_row_do_not_touch_and_reach_no_algorithm_outside_their_group():
    c = compare(near_ties(30), test="nemenyi")
    whole, _ = bars(diagram(c))
    assert whole
    for one, two in combinations(whole, 2):
        if one.y == two.y:
            assert one.x[0][1] < two.x[0][0] or two.x[0][1] < one.x[0][0]
    groups = [{float(c.mean_ranks[i]) for i in group} for group in c.bars]
    for bar in whole:
        low, high = bar.x[0]
        assert {float(rank) for rank in c.mean_ranks if low <= rank <= high} in groups


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
    shown = diagram(compare(demsar, test="bonferroni-dunn", control="C4.5"))
    (interval,) = drawn(shown, Intervals)
    assert [end[0][0] is None for end in (interval.low, interval.high)] == [False, True]
    figure = draw(shown)
    texts, _ = boxes(figure)
    assert any("CD = 1.17" in text for text, _, _ in texts)
    assert_legible(figure)
    inside = diagram(compare(near_ties(9, n=200), test="bonferroni-dunn", control="method 1"))
    (interval,) = drawn(inside, Intervals)
    assert None not in (*interval.low[0], *interval.high[0])


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
    shown = diagram(c)
    whole, thin = bars(shown)
    assert len({one.y for one in whole} | {one.y[0][:2] for one in thin}) <= 25
    left_out = len(c.bars) - len(whole) - len(thin)
    assert f"{left_out} further bars" in shown.note or not left_out
    for figure in (draw(shown), draw(p_values(c).figure)):
        width, height = figure.get_size_inches()
        assert width < 24
        assert height < 26
        assert len(figure.axes[0].patches) < 100, "cells are one picture"
