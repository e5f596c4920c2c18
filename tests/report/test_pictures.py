"""Every picture in every state: words, a table, and data that JSON can hold."""

from __future__ import annotations

import pytest

from racing.base.plain import json_text
from racing.report.forms import Matrix, Points, Shared
from racing.report.page.data import plain_picture
from racing.report.picture import MOST_ROWS, shown, table
from racing.report.pictures import pictures
from racing.report.pictures.ranks import CELLS, ROWS
from tests.report.kit import marks, told
from tests.report.states import STATES, hostile
from tests.worlds import normal_world


def test_before_anything_ran_no_picture_pretends_to_show_something():
    assert [one.id for one in pictures(STATES["not begun"]()) if one.figure] == []


def test_what_is_left_out_is_said():
    found = {one.id: one for one in pictures(STATES["10,000 candidates"]())}
    (matrix,) = marks(found["ranks"], Matrix)
    assert 0 < sum(len(row) for row in matrix.cells) <= CELLS
    assert len(matrix.cells) == ROWS
    assert f"the best {ROWS}" in found["ranks"].sentence
    assert "The best" in found["configurations"].table.note
    assert found["budget"].table.rows


def test_the_heat_map_has_the_places_of_the_matrix():
    run = told(normal_world(5, 12, seed=1))
    (matrix,) = marks(next(one for one in pictures(run) if one.id == "ranks"), Matrix)
    for id, row in zip(run.order, matrix.cells, strict=True):
        own = run.matrices.among_all[:, run.matrices.column[id]]
        assert list(row) == [None if place != place else round(20 * place) for place in own]


def test_scores_of_a_maximized_run_are_scores_again():
    run = STATES["maximized"]()
    found = next(one for one in pictures(run) if one.id == "against-default")
    winner = run.winner.id
    _, costs = run.matrices.pair(winner, 1)
    scores = (-costs[:, 0]).tolist()
    assert [row[2] for row in found.table.rows] == pytest.approx(scores, rel=1e-4)
    drawn = {
        row: y for one in marks(found, Points) for row, y in zip(one.rows, one.y[0], strict=True)
    }
    assert [drawn[k] for k in range(len(scores))] == pytest.approx(scores, rel=1e-4)


def test_names_are_short_and_printable():
    for one in pictures(hostile()):
        text = json_text(plain_picture(one, Shared())) + one.sentence
        assert "\x1b" not in text
        assert "\u202e" not in text
    assert len(shown("x" * 10_000)) == 80
    assert shown("a\nb") == "a ⏎ b"


def test_long_tables_say_how_many_rows_there_were():
    found = table(("n",), ((k,) for k in range(MOST_ROWS + 5))).for_page()
    assert len(found.rows) == MOST_ROWS
    assert str(MOST_ROWS + 5) in found.note
