from __future__ import annotations

import pytest

from racing.cli.run_text import unspent


def test_what_was_evaluated_of_an_instance_under_way_is_not_unspent():
    data = {
        "left": {
            "evaluations": 344.0,
            "target_time": None,
            "wall_time": None,
            "usd": None,
            "tokens": None,
        },
        "spent": {"decided": 56, "under_way": 3, "speculative": 0, "wasted": 0, "ended": 0},
    }
    assert unspent(data) == "; unspent: 341 of 400 evaluations"


FRONT = """\
target: {python: target.py:solve}
metrics: {quality: maximize, time: minimize}
objective: {front: [quality, time]}
space: {x: {real: [0, 1], default: 0.9}}
candidates: {grid: {x: [0.1, 0.5, 0.9]}}
instances: {list: [a, b, c, d, e, f, g, h]}
rule: none
execution: {engine: in-process}
"""


def test_several_metrics_are_named_wherever_one_is_told(racing, tmp_path):
    (tmp_path / "target.py").write_text(
        "def solve(values, instance, seed):\n"
        "    return {'quality': values['x'] ** 0.5, 'time': values['x']}\n"
    )
    (tmp_path / "front.yaml").write_text(FRONT)
    log = tmp_path / "log.sqlite"
    said = racing("run", tmp_path / "front.yaml", "--log", log)
    assert "Best compromise: #2 (quality 0.7071, time 0.5 over 8 instances)" in said.out
    alone = "nly quality is looked at here, and the objective asks for more."
    assert f"O{alone}" in racing("portfolio", log).out
    assert f"Note: o{alone}" in racing("explain", log).out
    said = racing("test", log, *(f"x{k}" for k in range(7)), "--quiet")
    answer = said.out.splitlines()[:2]
    assert answer[0].startswith("On 7 instances that the run has not seen, 2 of the 2 shown are on")
    shown = racing("show", log).out.splitlines()
    assert all(line in shown for line in answer)
    assert any(line.startswith("Next: `racing export ") for line in shown)


LIMITED = FRONT.replace(
    "objective: {front: [quality, time]}",
    "objective: {minimize: time, subject_to: ['quality >= 2', 'time <= 5']}",
)


@pytest.mark.parametrize("keys", ["rule: none\n", "search: true\nbudget: 60\n"])
def test_no_winner_is_named_where_nobody_meets_the_constraints(racing, tmp_path, keys):
    (tmp_path / "target.py").write_text(
        "def solve(values, instance, seed):\n"
        "    return {'quality': values['x'] ** 0.5, 'time': values['x']}\n"
    )
    (tmp_path / "limited.yaml").write_text(LIMITED.replace("rule: none\n", keys))
    log = tmp_path / "log.sqlite"
    said = racing("run", tmp_path / "limited.yaml", "--log", log)
    assert "Winner" not in said.out
    assert "No candidate meets all constraints; nearest: #" in said.out
    assert "It misses quality >= 2: mean " in said.out
    assert "It misses time <= 5" not in said.out
    shown = racing("show", log).out.splitlines()
    assert shown[2].startswith("No candidate meets all constraints; ")
    assert shown[2].endswith(" is nearest.")
