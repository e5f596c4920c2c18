"""A team as plain data: in the user's direction, and fit for JSON."""

from __future__ import annotations

import json

import racing
from racing.base.plain import json_text
from racing.report.portfolio_data import portfolio_data
from racing.runner.run import run
from tests.analysis.portfolio.kit import kinds_log, write_kinds


def test_it_has_the_team_the_sizes_and_what_they_are_worth(tmp_path):
    found = racing.portfolio(kinds_log(tmp_path, rule="none"), size=3, by="family")
    data = json.loads(json_text(portfolio_data(found)))
    assert [one["values"]["x"] for one in data["team"]] == [
        one.candidate.values["x"] for one in found.members
    ]
    assert data["gain"]["low"] == found.size.gain.low > 0
    assert [one["size"] for one in data["sizes"]] == [1, 2, 3]  # which no larger team beats
    assert (data["shown"], data["complete"], data["measure"]) == (True, 1.0, "score")
    assert [one["family"] for one in data["by_family"]["families"]] == ["k", "php", "sat"]
    assert data["answer"][0].startswith("The team: ")


def test_scores_that_are_maximized_are_told_as_they_were_given(tmp_path):
    log = tmp_path / "log.sqlite"
    run(write_kinds(tmp_path, rule="none", direction="maximize"), log=log)
    data = portfolio_data(racing.portfolio(log, size=2))
    score, single = data["score"], data["single_best"]["score"]
    assert score["low"] < score["mean"] < score["high"]
    assert score["mean"] > single["mean"] > 0
    assert data["gain"]["mean"] > 0
    assert data["virtual_best"] >= score["mean"]
