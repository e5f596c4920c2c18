"""Races of saved tables run again: the same races, held against what they came to."""

from __future__ import annotations

from pathlib import Path

from benchmarks.racing_lab import again, saved


def test_a_rule_that_has_not_changed_comes_to_the_same(tmp_path: Path):
    again.main(
        tmp_path, races=3, jobs=1, seed=1, command="a test", case="normal · tune", only=["sign"]
    )
    rows = saved.load("again", tmp_path).rows
    assert [(row["table"], row["objective"]) for row in rows] == [
        ("synthetic", "rank"),
        ("synthetic", "mean"),
    ]
    for row in rows:
        assert row["races"] == 3
        assert row["regret"] == row["regret_then"] > 0
        assert row["difference"] == row["evaluations"] == 0
