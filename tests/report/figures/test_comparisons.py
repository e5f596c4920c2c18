"""Figures: what they show, as data; and that nothing in them overlaps or is cut off."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from racing.analysis.compare import as_table, compare, read_table, sample
from racing.base.errors import InputError
from racing.report.figures import critical_difference as cd
from racing.report.figures import pair_matrices, simplex

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
    renderer = canvas.get_renderer()
    return [
        (t.get_text(), t.get_window_extent(renderer), t.get_rotation())
        for t in figure.axes[0].texts
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
    assert_legible(cd.figure_of(shown))


@pytest.mark.parametrize("m", [2, 3, 10, 30])
def test_matrices_are_legible(m):
    c = compare(near_ties(m, n=12), bayes="sign")
    assert_legible(pair_matrices.figure_of(pair_matrices.pvalue_matrix(c)))
    assert_legible(pair_matrices.figure_of(pair_matrices.posterior_matrix(c)))


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
    shown = pair_matrices.posterior_matrix(c)
    assert shown.names == ("C4.5+m+cf", "C4.5+m", "C4.5+cf", "C4.5")
    best, worst = c.order[0], c.order[-1]
    assert float(shown.texts[0][3]) == pytest.approx(c.posterior.better[best, worst], abs=0.001)
    assert pair_matrices.blend(0.5) == "#ffffff"
    with pytest.raises(InputError, match="bayes"):
        pair_matrices.posterior_matrix(compare(demsar))


def test_the_matrix_of_p_values_is_coloured_by_who_is_better(demsar):
    shown = pair_matrices.pvalue_matrix(compare(demsar))
    better, worse = shown.colours[0][3], shown.colours[3][0]
    assert dict(shown.legend)[better] == "row better, p ≤ 0.05"
    assert dict(shown.legend)[worse] == "row worse, p ≤ 0.05"
    assert shown.texts[0][0] == ""


def test_the_simplex_shows_the_shares_of_the_draws(demsar):
    c = compare(demsar, bayes="signed-rank", rope=0.01)
    draws = sample(c, "C4.5+m", "C4.5")
    shown = simplex.simplex(draws, "C4.5+m", "C4.5", rope=0.01)
    i, j = demsar.column("C4.5+m"), demsar.column("C4.5")
    assert sum(shown.shares) == pytest.approx(1.0)
    assert shown.shares[0] == pytest.approx(c.posterior.better[i, j], abs=0.03)
    assert shown.points[:, 1].min() >= 0
    assert_legible(simplex.figure_of(shown))
    with pytest.raises(InputError, match="rope"):
        sample(compare(demsar), "C4.5+m", "C4.5")


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_files_by_their_ending_and_twice_the_same(demsar, tmp_path, ending):
    c = compare(demsar)
    one, two = (cd.draw_critical_difference(c, tmp_path / f"{k}.{ending}") for k in "ab")
    assert one.stat().st_size > 1000
    assert one.read_bytes() == two.read_bytes()


def test_other_endings_and_places_are_refused(demsar, tmp_path):
    c = compare(demsar)
    with pytest.raises(InputError, match=r"\.png, \.svg, \.pdf"):
        cd.draw_critical_difference(c, tmp_path / "a.gif")
    with pytest.raises(InputError, match="cannot be written"):
        cd.draw_critical_difference(c, tmp_path / "none" / "a.png")


def test_an_interval_that_the_axis_cuts_is_drawn_as_cut_and_its_length_is_printed(demsar):
    shown = cd.diagram(compare(demsar, test="bonferroni-dunn", control="C4.5"))
    assert shown.critical_difference == pytest.approx(1.17, abs=0.01)
    assert shown.cut == (False, True)
    figure = cd.figure_of(shown)
    texts, _ = boxes(figure)
    assert any("CD = 1.17" in text for text, _, _ in texts)
    assert_legible(figure)
    inside = cd.diagram(compare(near_ties(9, n=200), test="bonferroni-dunn", control="method 1"))
    assert inside.cut == (False, False)


def test_practically_equal_is_not_the_colour_of_worse(demsar):
    """With a wide rope the row is better with a small probability, and so is the column."""
    c = compare(demsar, bayes="sign", rope=10.0)
    shown = pair_matrices.posterior_matrix(c)
    colour = dict(
        zip(("red", "green", "blue"), pair_matrices._rgb(shown.colours[0][3]), strict=True)
    )
    assert colour["green"] > colour["red"]
    assert ("practically equal" in dict(map(reversed, shown.legend))) is True
    assert pair_matrices.blend(0.2, 0.2, 0.0) == "#ffffff"
    assert pair_matrices.blend(0.75) == pair_matrices.blend(0.75, 0.25)


def test_two_hundred_algorithms_fit_a_page():
    rng = np.random.default_rng(0)
    c = compare(rng.normal(size=(12, 200)) + np.linspace(0, 2, 200), test="sign")
    shown = cd.diagram(c)
    assert max(bar.row for bar in shown.bars) < 25
    assert f"{shown.bars_left_out} further bars" in shown.caption or not shown.bars_left_out
    for figure in (cd.figure_of(shown), pair_matrices.figure_of(pair_matrices.pvalue_matrix(c))):
        width, height = figure.get_size_inches()
        assert width < 24
        assert height < 26
        assert len(figure.axes[0].patches) < 100, "cells are one picture"
