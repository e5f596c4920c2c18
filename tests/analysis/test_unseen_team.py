"""A team on unseen instances, against the single best and the default."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from racing.analysis import unseen
from racing.analysis.trial import finished_tests
from racing.analysis.unseen import Task, holdout, recorded, takes_seeds
from racing.answer.gain import gain
from racing.base.errors import InputError
from racing.core.candidate import Candidate
from racing.evaluate.command import Command
from racing.log import SQLiteLog, replay
from racing.report.history import read_history
from racing.report.pictures import pictures
from racing.report.pictures.result import tested as beside
from racing.runner.run import run
from racing.scenario import InstanceSource, Problem, Scenario
from tests.analysis.portfolio.kit import kinds_log, search_log, write_kinds
from tests.runs_kit import calls, interrupted_after

NEW = [f"{kind}-new-{k}" for k in range(8) for kind in ("sat", "php", "k")]


def target_cost(x, name, seed):
    """As the target of the kit."""
    wants = {"sat": 0, "php": 5, "k": 2}[name.split("-")[0]]
    return abs(x - wants) + (seed * 7919 + x * 104729) % 1009 / 1009


def as_gain(pairs, over):
    return gain(
        pairs, mean=True, name="the team", over=over, of="unseen", problems=NEW,
        skewed=True if over.startswith("one run") else "perhaps",
    )  # fmt: skip


@pytest.fixture
def log(kept):
    return kept(kinds_log, rule="none")


def test_it_is_held_to_the_single_best_and_the_default(log):
    before = len(calls(log.parent))
    found = holdout(log, NEW, team=3)
    assert sorted(one.values["x"] for one in found.result) == [0, 2, 5]
    assert list(map(str, found.others)) == ["#3", "#1"]
    assert found.instances == tuple(NEW)
    made = calls(log.parent)[before:]
    assert len(made) == len(set(made)) == (3 + 2 * 2) * len(NEW), "two are members too"
    column = [str(one) for one in found.result].index("#3")
    pairs = np.column_stack([found.costs.min(axis=1), found.costs[:, column]])
    assert found.once[0] == as_gain(pairs, "one run of #3")
    assert found.once[0].low > 0
    assert found.once[1].estimate > 0


@pytest.mark.parametrize("told_seeds", [True, False])
def test_a_team_of_a_race_is_told_with_the_race(log, monkeypatch, told_seeds):
    monkeypatch.setattr(unseen, "takes_seeds", lambda scenario: told_seeds)
    found = holdout(log, NEW, team=3)
    history = read_history(log)
    assert [(one.kind, one.gains) for one in history.tests] == [("team", found.gains)]
    assert all(f" {one}" in " ".join(history.answer.sentences) for one in found.result)
    assert str(found) in " ".join(history.answer.sentences)
    assert history.answer.gain.name != "the team", "the race is not for one"
    assert history.next.startswith("use the team: `racing portfolio ")
    assert "held-out" in [one.id for one in pictures(history)]


def test_groups_of_held_out_instances_count_once_each(log):
    groups = [name.partition("-")[0] for name in NEW]
    listed = [Problem(name, group=group) for name, group in zip(NEW, groups, strict=True)]
    found = holdout(log, InstanceSource(list=listed), team=3)
    assert (found.gain.instances, found.gain.problems, found.gain.observations) == (24, 3, 3)
    assert found.gain.where == "24 instances of 3 unseen problems"


def test_each_member_has_a_seed_of_its_own_and_the_others_have_them_all(log):
    before = len(calls(log.parent))
    holdout(log, NEW, team=3)
    made = [line.split() for line in calls(log.parent)[before:]]
    for name in NEW:
        seeds = {x: {seed for own, one, seed in made if (own, one) == (x, name)} for x in "025"}
        assert len(seeds["5"]) == 1
        assert seeds["5"] < seeds["0"] == seeds["2"], "those are the default and the single best"
        assert len(seeds["2"]) == 3


def test_what_it_is_held_to_runs_as_often(log):
    found = holdout(log, NEW, team=3)
    made = [line.split() for line in calls(log.parent)]
    cost = {(x, name, seed): target_cost(int(x), name, int(seed)) for x, name, seed in made}
    own = {
        int(one.values["x"]): seeds
        for one, seeds in zip(found.result, seeds_of_laps(log), strict=True)
    }
    swapped = {**own, 0: own[2], 2: own[0]}  # the single best and the default ran with all seeds
    ways = [[[cost[str(x), name, str(seeds[name])] for x, seeds in way.items()] for name in NEW]
            for way in (own, swapped)]  # fmt: skip
    best = np.mean([np.min(way, axis=1) for way in ways], axis=0)
    np.testing.assert_array_equal(found.costs[:, :3], ways[0])
    for x, told in ((2, found.gains[0]), (0, found.gains[1])):
        runs = [[c for (own, name, _), c in cost.items() if (own, name) == (str(x), one)]
                for one in NEW]  # fmt: skip
        assert {len(own) for own in runs} == {3}
        pairs = np.column_stack([best, [min(own) for own in runs]])
        assert told == as_gain(pairs, told.over)
    assert 0 < found.gain.estimate < found.once[0].estimate
    assert [one.over for one in found.gains] == [
        "the best of 3 runs of #3",
        "the best of 3 runs of #1",
    ]


def seeds_of_laps(log):
    """Of each member, the seed of each instance."""
    with_seeds = finished_tests(log, "member")
    return [
        {one.name: one.seed for one in map(race.instance, range(len(NEW)))} for race in with_seeds
    ]


def of_equals(folder, cost, **parts):
    """The test of a team of three whose candidates do not differ."""
    path = write_kinds(folder, rule="none", **parts)
    (folder / "target.py").write_text(
        f"import random\ndef solve(values, instance, seed):\n    return {cost}\n"
    )
    run(path, log=folder / "log.sqlite")
    return holdout(folder / "log.sqlite", NEW, team=3)


def test_several_runs_of_one_configuration_are_no_better_than_as_many(tmp_path):
    found = of_equals(tmp_path, "random.Random(f'{seed} {values}').random()")
    assert found.once[0].low > 0, "the best of three beside one"
    assert found.gain.low < 0 < found.gain.high
    assert not found.gain.better


def test_what_a_seed_does_to_all_alike_is_no_gain_of_either_side(tmp_path):
    found = of_equals(tmp_path, "random.Random(seed).random()")
    assert found.once[0].low > 0
    assert [(one.estimate, one.low, one.high) for one in found.gains] == [(0, 0, 0)]


def test_a_failure_counts_where_all_runs_of_a_side_failed_whatever_its_penalty(tmp_path):
    cost = "seed % 2 + 0 / ('new' not in instance or seed % 3)"  # every third seed fails there
    found = of_equals(tmp_path, cost, on_failure={"penalty": 5})
    races = list(finished_tests(tmp_path / "log.sqlite", "member"))
    seeds = [[race.instance(step).seed for race in races] for step in range(len(NEW))]
    every = sum(all(seed % 3 == 0 for seed in row) for row in seeds)
    assert (found.gain.failures, found.gain.over_failures) == (every, every)
    own = list(map(str, found.result)).index(str(found.others[0]))
    assert found.once[0].over_failures == sum(row[own] % 3 == 0 for row in seeds) > every
    assert found.gain.pairs == len(NEW)


def test_where_the_single_best_is_alone_another_member_runs_too():
    team = tuple(Candidate(id, {"x": id}) for id in (1, 2, 3))
    alone = Task(kind="team", result=team, others=team[1:2])
    ids = [[one.id for one in place] for place in alone.places]
    assert ids == [[1, 2], [2, 1], [3, 2]]
    beside = replace(alone, others=(team[1], Candidate(9, {"x": 9})))
    assert [[one.id for one in place] for place in beside.places] == [[1, 2, 9], [2, 9], [3, 2, 9]]


def test_a_record_of_ones_own_has_further_ones_beside_it(log):
    holdout(log, NEW, team=2, record=log.with_name("mine.sqlite"))
    assert {one.name for one in log.parent.glob("mine*.sqlite")} == {"mine.sqlite", "mine2.sqlite"}


def test_an_instance_with_several_seeds_has_further_runs_for_each(log):
    source = InstanceSource(list=[Problem(name, seeds=(1, 2)) for name in NEW[:6]])
    found = holdout(log, source, team=3)
    assert found.costs.shape == (12, 3)
    assert found.gain.over.startswith("the best of 3 runs of ")
    assert (found.gain.pairs, found.gain.problems) == (12, 6)


def test_a_command_without_a_seed_is_not_run_again(tmp_path):
    told = Scenario.from_dict({"target": {"command": "./solve {instance} {seed} {x}"},
                               "space": {"x": {"real": [0, 1]}}, "budget": 9,
                               "candidates": {"sample": 2}, "instances": ["a"]})  # fmt: skip
    assert takes_seeds(told)
    assert not takes_seeds(replace(told, target=Command("./solve {instance} {x}")))


def test_calling_again_evaluates_nothing(log):
    first = holdout(log, NEW, team=2)
    before = calls(log.parent)
    again = holdout(log, NEW, team=2)
    assert calls(log.parent) == before
    np.testing.assert_array_equal(first.costs, again.costs)
    holdout(log, NEW, team=3)
    assert (log.parent / "log.member4.sqlite").exists()


def test_an_interrupted_one_goes_on_with_the_member_that_it_was_at(log):
    before = len(calls(log.parent))
    assert holdout(log, NEW, team=3, options=interrupted_after(60)) is None
    assert log.with_name("log.member2.sqlite").exists()
    assert holdout(log, NEW, team=3) is not None
    made = calls(log.parent)[before:]
    assert len(made) == len(set(made)) == (3 + 2 * 2) * len(NEW)


def test_instances_that_the_run_has_met_are_refused(log):
    with pytest.raises(InputError, match="the race has met sat-3"):
        holdout(log, [*NEW, "sat-3"], team=2)


def test_one_candidate_is_no_team(log):
    with pytest.raises(InputError, match="racing test"):
        holdout(log, NEW, team=1)


def test_of_a_search_for_a_team_its_own_is_tested(kept):
    path = kept(search_log)
    with SQLiteLog.open(path, write=False) as book:
        search = replay(book).as_search
    found = holdout(path, NEW)
    assert len(found.result) == 2
    assert found.result == search.team
    assert found.others == (search.single, search.baseline)
    assert found.costs.shape == (len(NEW), 2 + len({*found.others} - {*found.result}))
    assert len(holdout(path, NEW[:9], team=3).result) == 3
    (known,) = recorded(path, search)
    assert known.instances == found.instances, "not the later test of a team chosen anew"
    np.testing.assert_array_equal(known.costs, found.costs)
    assert known.gains == found.gains != found.once
    assert recorded(path.with_name("other.sqlite"), search) == ()
    path.with_name("search.member2.sqlite").rename(path.with_name("kept.sqlite"))
    assert recorded(path, search) == (), "the second member is not there"


def test_a_team_is_drawn_beside_what_it_is_compared_with_and_its_members(kept):
    path = kept(search_log)
    found = holdout(path, NEW)
    names, costs, lost = beside(found)
    team = [f"#{one.id}" for one in found.result if one not in found.others]
    assert names == ["The team", *map(str, found.others), *team]
    np.testing.assert_array_equal(costs[:, 0], found.costs[:, :2].min(axis=1))
    assert lost.shape == costs.shape
    by_name = dict(zip(map(str, (*found.result, *found.others)), found.costs.T, strict=False))
    for name, own in zip(names[1:], costs.T[1:], strict=True):
        np.testing.assert_array_equal(own, by_name[name])
    first, second = pictures(read_history(path))[:2]
    assert (first.id, second.id) == ("where", "held-out")
    assert second.title == f"Unseen problems: The team against {found.others[0]}"
    medians = second.figure.plots[1].marks[-1].x[0]
    assert medians == pytest.approx(np.median(costs, axis=0), rel=1e-3)
    assert first.sentence.endswith(f"of {len(first.table.rows)} instances; ties count twice.")
