"""A comparison as JSON: plain, complete, with the names as given, and not rounded."""

from __future__ import annotations

import json

import numpy as np
import pytest

import racing
from racing.analysis.compare import compare
from racing.answer.json import as_data
from racing.base.errors import InputError
from tests.analysis.compare.comparisons import NASTY


def test_json_is_plain_and_complete(demsar):
    data = json.loads(json.dumps(as_data(compare(demsar, bayes="sign").facts()), default=str))
    assert next(a["name"] for a in data["algorithms"]) == "C4.5+m+cf"
    assert len(data["comparisons"]) == 6
    assert data["comparisons"][0]["ahead"] == "C4.5+m"
    assert data["sources"]["comparisons"].startswith("T, the smaller sum")


def test_json_has_the_names_as_given(nasty):
    data = json.loads(json.dumps(as_data(nasty.facts()), default=str))
    assert {a["name"] for a in data["algorithms"]} == set(NASTY)


def data(problems=1, **options):
    rng = np.random.default_rng(0)
    runs = {
        f"p{q}": {n: rng.normal(i, 1, 12) for i, n in enumerate("abc")} for q in range(problems)
    }
    c = racing.compare(runs["p0"] if problems == 1 else runs, paired=False, **options)
    return c, json.loads(json.dumps(as_data(c.facts()), default=str))


def test_one_problem():
    c, found = data(control="a")
    (problem,) = found["problems"]
    assert found["paired"] is False
    assert found["choices"]["control"] == "a"
    assert problem["problem"] == ""
    assert problem["comparisons"][0]["adjusted_p"] == c.only.family.adjusted[0]
    assert problem["together"]["statements"][0]["better"] == "a"
    assert found["over"] is None
    names = [one["name"] for one in problem["algorithms"]]
    assert names == [c.names[i] for i in c.only.order]


def test_over_problems():
    c, found = data(problems=6)
    assert len(found["problems"]) == 6
    means = {one["name"]: one["relative_effect"][0] for one in found["over"]["effects"]}
    assert means["a"] == pytest.approx(c.over.effects.effects[0])
    assert found["over"]["paired"]["instances"] == 6
    assert {note["kind"] for note in found["notes"]} >= {"problems"}


def test_two_algorithms_have_posteriors():
    rng = np.random.default_rng(0)
    c = racing.compare({n: rng.normal(size=12) for n in "ab"}, paired=False)
    (problem,) = json.loads(json.dumps(as_data(c.facts()), default=str))["problems"]
    assert problem["posterior"]["low"][0][1] <= problem["posterior"]["high"][0][1]
    assert problem["together"] is None


@pytest.mark.parametrize(("what", "rows"), [("algorithms", 3), ("comparisons", 3)])
def test_frames_have_the_rows_of_all_problems(what, rows):
    frame = data(problems=2)[0].to_frame(what)
    assert frame.problem.tolist() == ["p0"] * rows + ["p1"] * rows
    one = data()[0].to_frame(what)
    assert len(one) == rows
    assert "problem" not in one
    with pytest.raises(InputError, match=r'must be algorithms or comparisons; got "problems"'):
        data(problems=2)[0].to_frame("problems")
