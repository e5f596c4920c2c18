"""Pages of comparisons by several metrics: the answer, the means, the statements, the chart."""

from __future__ import annotations

import json

import numpy as np
import pytest

import racing
from racing.analysis.compare import MetricComparison, as_table
from racing.base.plain import json_text
from racing.report.figures import draw_picture
from racing.report.forms import Intervals, Line, Points
from racing.report.page import compared_data
from racing.report.pictures.front import front_of, placed
from tests.report.kit import marks
from tests.report.states import EVIL

NAMES = ("slow", "knee$", EVIL, "poor")
MEANS = {"quality": (0.0, 1.0, 4.0, 5.0), "time": (8.0, 4.0, 2.0, 9.0), "memory": (3.0, 2.0, 1, 4)}


def compared(
    *metrics: str, failed: tuple[tuple[int, int], ...] = (), noise: float = 0.5, **options: object
) -> MetricComparison:
    tables = {}
    for at, metric in enumerate(metrics or ("quality", "time")):
        scores = MEANS[metric] + noise * np.random.default_rng(at).normal(size=(20, 4))
        for where in failed:
            scores[where] = np.inf
        tables[metric] = as_table(scores, names=NAMES)
    return racing.compare_metrics(tables, **options)  # type: ignore[arg-type]


def pictures(found: MetricComparison) -> dict[str, dict]:
    data = json.loads(json_text(compared_data(found, name="quality and time")))
    return {one["id"]: one for one in data["pictures"]}


def test_the_answer_comes_first_then_means_and_statements():
    found = compared()
    data = compared_data(found, name="quality and time")
    summary = data["summary"]
    assert summary["headline"].startswith("slow, knee$ and ")
    assert summary["headline"].endswith(" are on the front; the best compromise is knee$.")
    assert "dominates poor." in summary["sentences"][0]
    assert summary["sentences"][1].startswith("These 3 statements are all true with posterior")
    assert data["run"]["state"].endswith("quality: lower is better; time: lower is better.")
    (means,) = summary["tables"]
    assert means["title"] == "Means"
    assert means["columns"] == [
        "algorithm", "front", ">P(on the front)", ">quality [95 %]", ">time [95 %]",
    ]  # fmt: skip
    assert [row[1] for row in means["rows"]] == ["yes", "knee", "yes", ""]
    assert list(pictures(found)) == ["front", "statements", "to-keep-in-mind", "why"]
    assert len(pictures(found)["statements"]["table"]["rows"]) == len(found.statements) == 3
    assert len(pictures(found)["to-keep-in-mind"]["items"]) == len(found.notes)


def test_the_chart_has_means_intervals_of_the_front_and_the_knee():
    found = compared()
    points = {one.id: one for one in placed(found)}
    assert [id for id, one in points.items() if one.kind == "best"] == [found.knee] == [1]
    for id, one in points.items():
        assert one.means == pytest.approx(found.means[id], rel=1e-9)
        assert one.failed is None
        if id == 3:
            assert one.halves is None
        else:
            assert one.halves == pytest.approx(found.high[id] - found.means[id], rel=1e-9)
    picture = front_of(found)
    flat, upright = marks(picture, Intervals)
    assert flat.high[0] == pytest.approx(sorted(found.high[:3, 1]), rel=1e-9)
    assert upright.along == "y"
    (row, *_) = picture.table.rows
    ends = [found.means[0, 0], found.low[0, 0], found.high[0, 0]]
    assert row[3:6] == pytest.approx(ends, rel=1e-5)
    assert [mark.step for mark in marks(picture, Line)] == ["after"]


def test_who_failed_more_often_is_marked_and_who_never_ran_has_no_point():
    never = tuple((at, 0) for at in range(20))
    found = compared(failed=(*never, (3, 2)))
    data = compared_data(found, name="quality and time")
    assert data["summary"]["headline"] == "knee$ is alone on the front: it dominates all that " + (
        "failed as seldom."
    )
    front = pictures(found)["front"]
    assert [(one.id, one.failed) for one in placed(found)] == [(1, None), (3, None), (2, 1)]
    assert [one.colour for one in marks(front_of(found), Points)] == ["dropped", "fail", "winner"]
    assert front["table"]["columns"][3] == "failed"
    assert front["table"]["rows"][-1] == ["slow", "", "unlikely", 20, *[None] * 6]
    assert data["summary"]["tables"][0]["rows"][-1][3:] == ["20", "–", "–"]
    assert "Orange triangles" in front["reading"]
    assert "Orange" not in pictures(compared())["front"]["reading"]


def test_where_nothing_is_said_there_is_no_table_of_statements():
    found = compared(noise=50.0)
    assert found.statements == ()
    assert list(pictures(found)) == ["front", "to-keep-in-mind", "why"]
    sentences = compared_data(found, name="x")["summary"]["sentences"]
    assert sentences == ["No statement that one dominates another can be believed at this level."]


def test_many_algorithms_and_three_metrics():
    rng = np.random.default_rng(4)
    found = racing.compare_metrics({name: rng.normal(size=(8, 60)) for name in ("a", "b", "c")})
    data = compared_data(found, name="three")
    (means,) = data["summary"]["tables"]
    assert (means["title"], len(means["rows"])) == ("Means, without 40 others", 20)
    assert len(pictures(found)["front"]["table"]["rows"]) == 60
    assert "steps" not in pictures(found)["front"]["reading"]


def test_the_figure_of_the_front(tmp_path):
    pytest.importorskip("matplotlib", reason="figures need the extra racing[plot]")
    found = compared(failed=((3, 3),))
    drawn = draw_picture(front_of(found), tmp_path / "front.svg").read_text()
    for words in ("slow", "knee$", "poor", "time", "quality", "best compromise", "failed more"):
        assert f"<!-- {words}" in drawn
    three = draw_picture(
        front_of(compared("quality", "time", "memory")), tmp_path / "3.svg"
    ).read_text()
    assert "<!-- poor -->" not in three
    assert "failed more" not in three
