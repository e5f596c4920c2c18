"""`racing portfolio` and `racing test --portfolio`: what they print, and what they refuse."""

from __future__ import annotations

import json

import pytest
import yaml

from tests.analysis.portfolio.kit import kinds_log, search_log, write_team_search
from tests.runs_kit import calls

NEW = [f"{kind}-new-{k}" for k in range(4) for kind in ("sat", "php", "k")]


@pytest.fixture
def log(kept):
    return kept(kinds_log)


def test_it_prints_the_team_its_members_and_every_size(racing, log):
    said = racing("portfolio", log, "--size", 3, "--by", "family")
    assert said.code == 0
    assert said.out.startswith("The team: #")
    for title in ("The team\n", "The best team of each size", "A candidate for each family"):
        assert title in said.out
    data = racing("portfolio", log, "--size", 3, "--json").data
    assert data["size"]["size"] == 3
    assert data["by_family"] is None


def test_fill_evaluates_once_and_the_next_choice_knows(racing, log):
    before = len(calls(log.parent))
    first = racing("portfolio", log, "--size", 3, "--fill", 40, "--quiet", "--json")
    assert len(calls(log.parent)) == before + 40
    assert racing("portfolio", log, "--size", 3, "--fill", 40, "--quiet", "--json").out == first.out
    assert racing("portfolio", log, "--size", 3, "--json").out == first.out
    assert len(calls(log.parent)) == before + 40


def test_it_exports_and_writes(racing, log, tmp_path):
    listed = yaml.safe_load(racing("portfolio", log, "--size", 2, "--export", "yaml").out)
    assert listed == json.loads(racing("portfolio", log, "--size", 2, "--export", "json").out)
    said = racing("portfolio", log, "--html", tmp_path / "t.html", "--svg", tmp_path / "f")
    assert "t.html" in said.err
    assert (tmp_path / "t.html").exists()
    assert (tmp_path / "f" / "where.svg").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--size", "0"], "must be a whole number from 1 to 6"),
        (["--size", "7"], "must be a whole number from 1 to 6"),
        (["--size", "two"], "invalid int value"),
        (["--fill", "0"], "fill must be a whole number"),
        (["--fill", "-5"], "fill must be a whole number"),
        (["--by", "("], "is not a regular expression"),
        (["--by", "-"], "instances are of one family"),
        (["--by", "no.csv:kind"], "no.csv: no such file"),
        (["--export", "xml"], "invalid choice"),
        (["--export", "commands"], "the target is no program"),
        (["--svg", "target.py"], "target.py"),
        (["--html", "no/such/page.html"], "cannot be written"),
    ],
)
def test_bad_input_is_refused(racing, log, monkeypatch, arguments, said):
    monkeypatch.chdir(log.parent)
    found = racing("portfolio", log, *arguments)
    assert found.code == 2
    assert said in found.err
    assert not log.with_suffix(".fill.sqlite").exists()


def test_what_is_no_run_is_refused(racing, log, tmp_path):
    assert racing("portfolio", tmp_path / "none.sqlite").code == 4
    racing("portfolio", log, "--size", 3, "--fill", 8, "--quiet")
    said = racing("show", log.with_suffix(".fill.sqlite"))
    assert said.code != 0
    assert "racing portfolio RUN" in said.err


def test_a_team_is_tested_on_unseen_instances(racing, log):
    said = racing("test", log, *NEW, "--portfolio", 3, "--quiet")
    assert said.code == 0
    assert said.out.startswith("On 12 unseen problems, the team ")
    data = racing("test", log, *NEW, "--portfolio", 3, "--quiet", "--json").data
    assert (len(data["tested"]["result"]), len(data["tested"]["instances"])) == (3, 12)
    for option in (["--against", "#1"], ["--by", "family"]):
        refused = racing("test", log, *NEW, "--portfolio", 3, *option)
        assert refused.code == 2
        assert "--portfolio: not with" in refused.err


def test_of_a_search_for_a_team_the_team_is_tested(racing, kept):
    log = kept(search_log)
    team = racing("show", log, "--json").data["search"]["team"]
    data = racing("test", log, *NEW, "--quiet", "--json").data
    assert data["tested"]["result"] == [one["candidate"] for one in team["members"]]
    assert sum(one["best_on"] for one in team["members"]) >= team["instances"] > 0
    assert "The team\n  member" in racing("show", log).out
    assert data["tested"]["others"][0] == team["single"]
    said = racing("test", log, *NEW, "--quiet").out
    assert "the team is " in said
    shown = racing("show", log)
    assert said.strip() in shown.out
    assert racing("show", log, "--json").data["tests"] == [data["tested"]]
    single = racing("test", log, *NEW, "--against", "default", "--quiet")
    assert f"\n{team['single']['name']}: mean " in single.out


def test_a_search_for_a_team_tests_it_on_the_test_instances_of_its_scenario(racing, tmp_path):
    path = write_team_search(tmp_path)
    told = yaml.safe_load(path.read_text()) | {"test_instances": {"list": NEW}}
    path.write_text(yaml.safe_dump(told))
    said = racing("run", path, "--log", tmp_path / "run.sqlite", "--quiet", "--json").data
    assert len(said["test"]["tested"]["result"]) == 2
