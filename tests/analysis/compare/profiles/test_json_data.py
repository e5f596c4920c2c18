"""Profiles as plain data: every step, in the user's direction."""

from __future__ import annotations

import json

from racing.analysis.compare import as_runs
from racing.analysis.compare.profiles.data import profiles
from racing.analysis.compare.profiles.json_data import profile_data
from racing.analysis.compare.profiles.stopped import stopped_at


def test_every_step_is_there():
    table = stopped_at(as_runs({"a": [1.0, 2, 70], "b": [4.0, 5, 6]}), 60)
    found = json.loads(json.dumps(profile_data(profiles(table))))
    (panel,) = found["panels"]
    a = panel["algorithms"][0]
    assert a["distribution"]["scores"] == [1, 2]
    assert a["solved"]["times"] == [1, 2]
    assert a["solved"]["solved"] == 2
    assert a["par"]["value"] == 201
    assert found["cutoff"] == 60
    assert found["performance"] is None


def test_scores_in_the_direction_of_the_user():
    up = profiles(as_runs({"a": [1.0, 2], "b": [4.0, 5]}, direction="maximize"))
    a = profile_data(up)["panels"][0]["algorithms"][0]
    assert a["distribution"]["scores"] == [2, 1]
    assert a["solved"] is a["par"] is None
