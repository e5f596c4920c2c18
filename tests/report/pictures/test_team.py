"""Pictures of a team: the numbers that they show, on a page and as files."""

from __future__ import annotations

import numpy as np
import pytest

import racing
from racing.analysis.portfolio.choice import choose
from racing.report.figures import write_figures
from racing.report.forms import Matrix, Points
from racing.report.page import write_page
from racing.report.page.data import team_page
from racing.report.pictures.team import relative, team_pictures
from tests.analysis.portfolio.kit import NAN, kinds_log, known_costs, types_world
from tests.report.kit import marks


def test_they_show_members_by_instance_and_sizes():
    costs = types_world(40, 5, types=3, seed=4)
    costs[20:, 2] = NAN
    costs[3, 1] = np.inf
    found = choose(known_costs(costs), size=3)
    where, sizes = team_pictures(found)
    (matrix,) = marks(where, Matrix)
    assert matrix.keys[-1].label == "failed"
    for row, column in zip(matrix.cells, found.size.team, strict=True):
        places = relative(found.scores)[:, column]
        assert list(row) == [
            None if np.isnan(cost) else len(matrix.keys) - 1 if np.isinf(cost) else round(20 * at)
            for cost, at in zip(costs[:, column], places, strict=True)
        ]
    (points,) = marks(sizes, Points)
    assert points.x[0] == pytest.approx([one.gain.estimate for one in found.sizes], rel=1e-5)


def test_the_best_place_is_0_and_the_worst_1_and_equal_scores_are_best():
    assert relative(np.array([[1.0, 3.0, 2.0], [4.0, 4.0, 4.0]])).tolist() == [
        [0, 1, 0.5],
        [0, 0, 0],
    ]


@pytest.mark.parametrize("size", [1, 3])
def test_they_are_written_as_a_page_and_as_files(kept, tmp_path, size):
    found = racing.portfolio(kept(kinds_log), size=size)
    page = write_page(tmp_path / "page.html", team_page(found, name="log.sqlite")).read_text()
    assert ("A team of 3." if size == 3 else "One candidate.") in page
    files = write_figures(team_pictures(found), tmp_path / "figures", ".svg")
    assert {file.stem for file in files} == {"where", "sizes"}
    assert all(b"<svg" in file.read_bytes() for file in files)
