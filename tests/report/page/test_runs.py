"""Pages of comparisons of runs: what they show of one problem and of several."""

from __future__ import annotations

import json

import numpy as np

import racing
from racing.analysis.compare.profiles import profiles
from racing.report.page import compared_data, html


def compared(problems=1):
    rng = np.random.default_rng(0)
    data = {
        f"p{q}": {n: rng.normal(i, 1, 12) for i, n in enumerate("abc")} for q in range(problems)
    }
    return racing.compare(data["p0"] if problems == 1 else data, paired=False)


def test_one_problem_has_a_diagram():
    found = compared()
    data = compared_data(found, name="runs.csv", profiles=profiles(found.table))
    json.dumps(data, allow_nan=False)
    assert [one["id"] for one in data["pictures"]] == [
        "runs", "finalists", "comparisons", "distributions", "to-keep-in-mind", "why",
    ]  # fmt: skip
    assert data["summary"]["headline"] == "a was shown to be better than all others."
    assert data["pictures"][0]["title"] in html(data)


def test_several_problems_have_a_map_of_effects():
    found = compared(problems=3)
    data = compared_data(found, name="runs.csv")
    pictures = {one["id"]: one for one in data["pictures"]}
    assert set(pictures) == {"runs", "effects-by-problem", "comparisons", "to-keep-in-mind", "why"}
    plot = pictures["effects-by-problem"]["figure"]["plots"][0]
    assert plot["x"][0]["levels"] == ["p0", "p1", "p2"]
    assert len(plot["marks"][0]["cells"]) == 3
    summary = data["summary"]
    assert summary["headline"] == "a was shown to be better than c on all 3 problems."
    believed = "With posterior probability above 0.95 on each problem: a is better than c on all 3"
    assert summary["sentences"][0] == f"{believed} problems."
    assert [one[:3] for one in summary["sentences"][1:]] == ["p0:", "p1:", "p2:"]
    assert len(pictures["comparisons"]["table"]["rows"]) == 9
