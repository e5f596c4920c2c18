"""The command `racing init`."""

from __future__ import annotations

import random

import pytest
import yaml

from racing.cli.starter.target import JOBS, changed, lateness, problem, solve


def test_init_writes_a_race_that_ends_with_a_winner(racing, tmp_path):
    said = racing("init", tmp_path / "new")
    assert said.code == 0
    assert said.out.splitlines() == [str(tmp_path / "new" / n) for n in ("race.yaml", "target.py")]
    assert f"racing run {tmp_path / 'new' / 'race.yaml'}" in said.err
    done = racing("run", tmp_path / "new" / "race.yaml", "--jobs", 1, "--json")
    assert done.code == 0
    assert done.data["winner"]["name"] != "default"
    log = tmp_path / "new" / "runs" / "race.sqlite"
    better = racing("test", log, *(f"day-{k}" for k in range(31, 39)), "--jobs", 1)
    assert "is better than default on unseen problems." in better.out


def test_init_leaves_the_rule_to_racing(racing, tmp_path):
    racing("init", tmp_path)
    assert yaml.safe_load((tmp_path / "race.yaml").read_text())["rule"] == "auto"


def test_init_overwrites_nothing(racing, tmp_path):
    (tmp_path / "target.py").write_text("mine")
    said = racing("init", tmp_path)
    assert said.code == 2
    assert "target.py: there already" in said.err
    assert (tmp_path / "target.py").read_text() == "mine"
    assert not (tmp_path / "race.yaml").exists()


def test_init_into_a_folder_that_cannot_be_made(racing, tmp_path):
    (tmp_path / "file").write_text("")
    said = racing("init", tmp_path / "file")
    assert said.code == 2
    assert "cannot be written" in said.err


def test_init_defaults_to_the_current_folder(racing, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert racing("init", "--json").data == {"files": ["race.yaml", "target.py"]}


# --- the target of `racing init`: its cost and its moves, against definitions ---


def test_the_cost_is_the_weighted_lateness_of_every_job():
    jobs = [(3, 5, 2), (4, 5, 1), (2, 4, 10)]
    ends = [3, 7, 9]
    late = [max(end - due, 0) * weight for end, (_, due, weight) in zip(ends, jobs, strict=True)]
    assert lateness(jobs) == sum(late) == 2 + 50


def test_an_instance_is_the_same_each_time_and_differs_from_others():
    assert problem("day-1") == problem("day-1") != problem("day-2")
    assert len(problem("day-1")) == JOBS


@pytest.mark.parametrize("move", ["swap", "insert", "reverse"])
def test_a_move_keeps_the_jobs_and_changes_their_order(move):
    jobs = problem("day-1")
    rng = random.Random(4)
    for _ in range(50):
        neighbour = changed(jobs, move, rng)
        assert sorted(neighbour) == sorted(jobs)
        assert neighbour is not jobs


def test_the_answer_is_no_worse_than_the_given_order_and_follows_the_seed():
    values = {"start": 50.0, "end": 0.5, "move": "insert"}
    cost = solve(values, "day-3", 7)
    assert cost == solve(values, "day-3", 7)
    assert 0 <= cost <= lateness(problem("day-3"))
