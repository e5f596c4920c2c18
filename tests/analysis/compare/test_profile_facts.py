"""Profiles as plain data: every step, in the user's direction."""

from __future__ import annotations

import json

from racing.analysis.compare.profiles import in_scores, profiles
from racing.analysis.compare.result_table import stopped_at
from racing.answer.json import as_data
from tests.analysis.compare.comparisons import as_runs


def test_every_step_is_there():
    table = stopped_at(as_runs({"a": [1.0, 2, 70], "b": [4.0, 5, 6]}), 60)
    found = json.loads(json.dumps(as_data(in_scores(profiles(table)))))
    (panel,) = found["panels"]
    assert panel["distributions"][0]["values"] == [1, 2]
    assert panel["solved"][0]["times"] == [1, 2]
    assert panel["solved"][0]["solved"] == 2
    assert panel["par"][0]["value"] == 201
    assert found["cutoff"] == 60
    assert found["performance"] is None


def test_scores_in_the_direction_of_the_user():
    up = profiles(as_runs({"a": [1.0, 2], "b": [4.0, 5]}, direction="maximize"))
    (panel,) = as_data(in_scores(up))["panels"]
    assert panel["distributions"][0]["values"] == [2, 1]
    assert panel["solved"] == panel["par"] == []
