"""The front of a run on held-out instances, against its default."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from racing.analysis.unseen import holdout, recorded
from racing.base.errors import NothingToTest
from racing.cli import main
from racing.log import SQLiteLog, replay
from racing.report.figures import draw
from racing.report.forms import Points
from racing.report.history import read_history
from racing.report.page.data import read_page_data
from racing.report.pictures.front import held_out

TARGET = """
import random

def solve(values, instance, seed):
    own = random.Random(f"{instance} {values}")
    hard = int(instance[1:]) % 5 / 10
    return {
        "quality": (1 - values["x"]) ** 2 + hard + 0.05 * own.gauss(0, 1),
        "speed": 2 - values["x"] - values["waste"] - 0.05 * own.random(),
    }
"""
SCENARIO = """
target: {{python: target.py:solve}}
space: {{x: {{real: [0, 1], default: 0.5}}, waste: {{real: [0, 1], default: {waste}}}}}
candidates: {candidates}
metrics: {{quality: minimize, speed: maximize}}
objective: {objective}
instances: {{list: [{instances}]}}
budget: 200
execution: {{engine: in-process}}
"""
FRONT = "{front: [quality, speed], show: 4}"
HELD = [f"h{k}" for k in range(30, 42)]


WORSE = "{default: true, list: [{x: 0.5, waste: 0.9}]}"


def raced(
    folder: Path,
    *,
    waste: float = 0.3,
    candidates: str = "{default: true, sample: 14}",
    objective: str = FRONT,
) -> Path:
    (folder / "target.py").write_text(TARGET)
    given = ", ".join(f"i{k}" for k in range(20))
    text = SCENARIO.format(waste=waste, candidates=candidates, instances=given, objective=objective)
    (folder / "race.yaml").write_text(text)
    assert (
        main(["run", str(folder / "race.yaml"), "--quiet", "--log", str(folder / "r.sqlite")]) == 0
    )
    return folder / "r.sqlite"


def test_the_shown_front_and_the_default_run_on_every_instance(tmp_path: Path) -> None:
    log = raced(tmp_path)
    found = holdout(log, HELD)
    assert found is not None
    with SQLiteLog.open(log, write=False) as book:
        race = replay(book)
    with SQLiteLog.open(tmp_path / "r.front.sqlite", write=False) as book:
        trial = replay(book)
    front = [one.candidate.id for one in race.front]
    shown = [one.candidate.id for one in found.means]
    assert shown[:4] == [id for id in front if id in shown]
    assert found.best == race.winner.id
    assert found.best in shown
    assert shown[-1] == found.others[0].id == race.candidates[0].id
    assert found.instances == tuple(HELD)
    assert trial.spent.evaluations == 5 * len(HELD)
    last = trial.results
    for place, one in enumerate(found.means):
        quality = last.of("quality").costs[:, place]
        assert one.metrics["quality"] == pytest.approx(quality.mean())
        assert one.metrics["speed"] == pytest.approx(-last.of("speed").costs[:, place].mean())
        if one.candidate not in found.others:
            named = [gain for gain in found.gains if gain.name == str(one.candidate)]
            assert [gain.metric for gain in named] == ["quality", "speed"]
            gained = (last.of("quality").costs[:, 4] - quality).mean()
            assert named[0].estimate == pytest.approx(gained)
            assert named[0].low < named[0].estimate < named[0].high
    means = np.array([[one.metrics["quality"], -one.metrics["speed"]] for one in found.means])
    for place, id in enumerate(shown):
        others = np.delete(means, place, axis=0)
        dominated = (
            (others <= means[place]).all(axis=1) & (others < means[place]).any(axis=1)
        ).any()
        assert (id in found.undominated) == (not dominated)


def test_a_finished_test_is_found_beside_the_log_and_drawn(tmp_path: Path) -> None:
    log = raced(tmp_path)
    assert held_out(read_history(log)).absent
    found = holdout(log, HELD)
    assert found is not None
    with SQLiteLog.open(log, write=False) as book:
        (again,) = recorded(log, replay(book))
    assert again.means == found.means
    assert again.undominated == found.undominated
    assert again.gains == found.gains
    picture = held_out(read_history(log))
    assert picture is not None
    assert f"{len(HELD)} unseen problems" in picture.sentence
    assert picture.figure is not None
    seen = {
        (x, y): called.startswith("yes")
        for mark in picture.figure.plots[0].marks
        if isinstance(mark, Points)
        for x, y, called in zip(mark.x[0], mark.y[0], dict(mark.tip)["on the front"], strict=True)
    }
    assert len(seen) == len({tuple(one.metrics.values()) for one in found.means})
    for one in found.means:
        place = one.metrics["speed"], one.metrics["quality"]
        on_front = next(v for at, v in seen.items() if at == pytest.approx(place, rel=1e-9))
        assert on_front == (one.candidate.id in found.undominated)
    assert draw(picture.figure).axes
    names = [plot.name for plot in picture.figure.plots]
    assert names == ["means", "boxes of quality", "boxes of speed"]
    for plot, costs, sign in zip(picture.figure.plots[1:], found.metrics, (1, -1), strict=True):
        assert plot.marks[-1].x[0] == pytest.approx(sign * np.median(costs, axis=0))
    assert "front-held-out" in [one["id"] for one in read_page_data(log)["pictures"]]


def test_a_record_of_another_run_is_not_taken(tmp_path: Path) -> None:
    log = raced(tmp_path)
    holdout(log, HELD)
    (tmp_path / "other").mkdir()
    other = raced(tmp_path / "other", candidates="{default: true, list: [{x: 0.9, waste: 0.1}]}")
    (tmp_path / "r.front.sqlite").rename(tmp_path / "other" / "r.front.sqlite")
    with SQLiteLog.open(other, write=False) as book:
        assert recorded(other, replay(book)) == ()
    (tmp_path / "other" / "r.front.sqlite").write_text("no log")
    with SQLiteLog.open(other, write=False) as book:
        assert recorded(other, replay(book)) == ()


def test_the_command_tells_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = raced(tmp_path)
    capsys.readouterr()
    assert main(["test", str(log), *HELD]) == 0
    said = capsys.readouterr().out
    assert "On 12 unseen problems, " in said
    assert "Gain over default, above 0 is better (95 % intervals that hold all at once)" in said
    assert main(["test", str(log), *HELD, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    tested = data["tested"]
    assert tested["best"] in [one["id"] for one in tested["result"]]
    assert {one["metric"] for one in tested["gains"]} == {"quality", "speed"}
    assert {one["over"] for one in tested["gains"]} == {"default"}
    assert main(["test", str(log), *HELD, "--against", "default", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["tested"]["others"][0]["name"] == "default"
    assert main(["test", str(log), *HELD, "--by", "folder"]) == 0
    assert "--by: there is no gain by family" in capsys.readouterr().out


def test_a_front_of_the_default_alone_is_nothing_to_test(tmp_path: Path) -> None:
    log = raced(tmp_path, waste=0.0, objective="{front: [speed, quality]}", candidates=WORSE)
    with pytest.raises(NothingToTest):
        holdout(log, HELD)
