"""Profiles as pictures: steps that rise, end where nothing is known, and are not too many."""

from __future__ import annotations

import json

import numpy as np
import pytest

from racing.analysis.compare import as_runs
from racing.analysis.compare.profiles.data import profiles
from racing.analysis.compare.profiles.stopped import stopped_at
from racing.base.errors import InputError
from racing.report.page.data import plain_picture
from racing.report.pictures.profiles import distributions, performance, profile_pictures, solved

TIMES = {
    "p": {"a": [1.0, 2, 3, 70], "b": [4.0, 5, 60]},
    "q": {"a": [2.0, 2, 80, 90], "b": [8.0, 8, 900]},
}
FOUND = profiles(stopped_at(as_runs(TIMES), 60))


def test_all_three_are_fit_for_a_page():
    pictures = profile_pictures(FOUND)
    assert [one.id for one in pictures] == ["distributions", "solved", "performance"]
    for one in pictures:
        json.dumps(plain_picture(one), allow_nan=False)
        for panel in one.data["panels"]:
            for series in panel["series"]:
                shares = [row[1] for row in series["rows"]]
                assert shares == sorted(shares)
                assert len(series["rows"]) <= 400


def test_the_curves_end_at_the_cutoff_and_below_one_where_runs_were_stopped():
    a = solved(FOUND).data["panels"][0]["series"][0]
    assert [row[:2] for row in a["rows"]] == [[1, 0.25], [2, 0.5], [3, 0.75]]
    assert a["end"] == 60
    assert "5 of 14 runs were stopped" in solved(FOUND).sentence


def test_times_that_lie_far_apart_have_a_logarithmic_axis():
    far = profiles(as_runs({"a": [1.0, 500], "b": [2.0, 3]}))
    assert distributions(far).data["panels"][0]["log"]
    assert [one["end"] for one in distributions(far).data["panels"][0]["series"]] == [500, 500]
    assert not distributions(profiles(as_runs({"a": [0.0, 500], "b": [2.0, 3]}))).data["panels"][0][
        "log"
    ]


def test_many_runs_are_thinned_and_keep_their_ends():
    rng = np.random.default_rng(0)
    many = profiles(as_runs({"a": rng.random(5_000), "b": rng.random(10)}))
    rows = distributions(many).data["panels"][0]["series"][0]["rows"]
    assert len(rows) <= 400
    assert rows[-1][1] == 1


def test_what_is_not_there_is_refused_with_the_reason():
    one = profiles(as_runs(TIMES["p"]))
    with pytest.raises(InputError, match="--cutoff TIME"):
        solved(one)
    with pytest.raises(InputError, match=r"no performance profiles: .* there is one"):
        performance(one)
    assert [each.id for each in profile_pictures(one)] == ["distributions"]
