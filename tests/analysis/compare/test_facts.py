"""A comparison as JSON."""

from __future__ import annotations

import json

from racing.analysis.compare import compare
from racing.answer.json import as_data
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
