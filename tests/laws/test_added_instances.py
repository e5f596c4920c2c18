"""Instances that are added to a run: what comes after does not depend on workers, order, kills."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from racing.base.errors import InputError, RaceError
from racing.core.budget import Budget
from racing.core.instances import Instances
from racing.core.stop import Stop
from racing.log import SQLiteLog
from racing.race import Race
from racing.rules import RULES
from racing.rules.rule import Rule
from racing.runner.loop import RunOptions
from racing.runner.run import resume, run
from racing.search import IteratedRacing, Search, Settings
from tests.runs_kit import calls, decision, interrupted_after, killed, write_scenario, write_search
from tests.search.kit import a_search, line_space, noisy
from tests.search.kit import facts as facts_of_search
from tests.search.kit import finish as finish_search
from tests.search.kit import replay as tell_all
from tests.search.kit import shuffled_finish as shuffled_search
from tests.worlds import Remembered, facts, finish, hard_world, replay, shuffled_finish

SEEDS = ((), (), (7, 8), (9,))


@pytest.mark.parametrize("repeat", [False, True])
@pytest.mark.parametrize("order", ["shuffled", "listed"])
@pytest.mark.parametrize("begun", [0, 2, 5, 11])
@pytest.mark.parametrize("seeds", [(), SEEDS])
def test_added_problems_come_next_alone_and_then_the_rest(repeat, order, begun, seeds):
    before = Instances("abcd", order=order, repeat=repeat, seeds=seeds, groups="xxyy")
    if not repeat and begun > before.limit:
        return
    end = before.limit or next(n for n in range(4 + bool(seeds), 99, 4) if n >= begun)
    more = Instances("efg", seeds=((), (5, 6), ()), groups="yzz")
    grown = before.grown(more, begun)
    old = [before.at(step, 3) for step in range(grown.start)]
    assert [grown.at(step, 3) for step in range(grown.start)] == old
    assert grown.start == begun
    first = [grown.at(grown.start + step, 3) for step in range(4)]
    assert sorted(one.name for one in first) == ["e", "f", "f", "g"]
    assert sorted(one.seed for one in first if one.name == "f") == [5, 6]
    assert [grown.group_at(one.step, 3) for one in old] == [
        before.group_at(one.step, 3) for one in old
    ]
    rest = [grown.at(step, 3).name for step in range(begun + 4, end + 4)]
    assert rest == [before.at(step, 3).name for step in range(begun, end)]
    assert grown.limit == (None if repeat else end + 4)
    if repeat:
        later = [grown.at(end + 4 + step, 3) for step in range(14)]
        assert sorted(one.name for one in later[:7]) == list("abcdefg")
        assert len({one.seed for one in later}) == 14
        assert not {one.seed for one in later} & {5, 6, 7, 8, 9}
    again = grown.grown(Instances("h", groups="w"), grown.start + 4)
    assert [again.at(step, 3) for step in range(again.start)] == [
        grown.at(step, 3) for step in range(again.start)
    ]
    assert again.at(again.start, 3).name == "h"
    assert again.at(again.start, 3).number == 8


# --- races -----------------------------------------------------------------------------------


def a_race(rule: Rule, costs: np.ndarray, **options: Any) -> Race:
    """A race over the first 12 rows of the matrix."""
    columns = [{"column": j} for j in range(costs.shape[1])]
    return Race(columns, range(12), rule=rule, seed=4, **options)


@pytest.mark.parametrize("rule", list(RULES))
@pytest.mark.parametrize("budget", [Budget(), Budget(evaluations=70)], ids=["none", "evaluations"])
def test_a_race_goes_on_alike_for_all_workers_and_after_any_crash(rule, budget):
    costs = hard_world(9, 30, seed=4)
    later = budget if budget.evaluations is None else Budget(evaluations=140)
    same = Remembered(RULES[rule]())  # most of the time would go into judging the same again

    def grown(workers: int, rule: Rule) -> tuple[Race, list, list]:
        race = a_race(rule, costs, budget=budget)
        told = shuffled_finish(race, costs, workers=workers, seed=workers)
        if not race.stopped.by_instances:
            with pytest.raises(RaceError, match="more instances change nothing: few enough"):
                race.extend(later, range(12, 30))
            return race, told, []
        race.extend(later, range(12, 30))
        return race, told, shuffled_finish(race, costs, workers=workers, seed=1, speculate=workers)

    alone, told, after = grown(1, same)
    assert facts(grown(6, RULES[rule]())[0]) == facts(alone)
    if not after:
        return
    assert {alone.instance(one.step).problem for one in after} - {*range(12)}
    for crash in range(list(RULES).index(rule) % 11, len(after), 11):
        race = replay(a_race(same, costs, budget=budget), told)
        race.extend(later, range(12, 30))
        assert facts(finish(replay(race, after[:crash]), costs)) == facts(alone)


def test_a_race_that_had_all_from_the_start_of_the_stage_is_the_same():
    """With a rule that has no outlook, and the instances as listed, there is no other race."""
    costs = hard_world(9, 30, seed=4)
    stream = Instances(range(12), order="listed")
    race = Race([{"column": j} for j in range(9)], stream, rule=RULES["sign"](), seed=4)
    whole = Race(
        [{"column": j} for j in range(9)], stream.grown(Instances(range(12, 30)), 12),
        rule=RULES["sign"](), seed=4,
    )  # fmt: skip
    finish(race, costs)
    race.extend(race.budget, Instances(range(12, 30)))
    assert facts(finish(race, costs)) == facts(finish(whole, costs))


# --- searches --------------------------------------------------------------------------------

SEARCHES = {
    "repeating": lambda: a_search(),
    "set aside": lambda: a_search(instances=range(24), budget=Budget(evaluations=200)),
    "without end": lambda: a_search(instances=Instances(range(9)), budget=Budget(evaluations=900)),
    "set aside by share": lambda: a_search(
        instances=Instances(range(12)), settings=Settings(set_aside=0.25),
        budget=Budget(evaluations=900),
    ),
    "iterated": lambda: IteratedRacing(
        line_space(), Instances(range(12), repeat=True), budget=200, seed=2
    ),
}  # fmt: skip
MORE = [f"new {k}" for k in range(16)]


@pytest.mark.parametrize("kind", SEARCHES)
def test_a_search_goes_on_alike_for_all_workers_and_after_any_crash(kind):
    target = noisy()

    def grown(workers: int) -> tuple[Search, list, list]:
        search = SEARCHES[kind]()
        told = shuffled_search(search, target, workers=workers, seed=workers)
        search.extend(search.spent.evaluations + 200, MORE)
        return search, told, shuffled_search(search, target, workers=workers, seed=9)

    alone, told, after = grown(1)
    assert facts_of_search(grown(9)[0]) == facts_of_search(alone)
    names = {alone.instance(outcome.step).name for outcome in after}
    assert names & set(MORE)
    for crash in range(0, len(after), 40):
        search = tell_all(SEARCHES[kind](), told)
        search.extend(alone.budget, MORE)
        again = finish_search(tell_all(search, after[:crash]), target)
        assert facts_of_search(again) == facts_of_search(alone)


def test_of_added_problems_their_share_is_set_aside_and_nothing_comes_back():
    search = finish_search(a_search(instances=range(24), budget=Budget(evaluations=200)), noisy())
    before = search.set_aside
    search.extend(500, MORE)
    assert before < search.set_aside
    assert len(search.set_aside) == 10  # a quarter of 40; six of the first 24
    assert {number for number in search.set_aside if number <= 24} == before
    finish_search(search, noisy())
    assert search.gain is not None
    assert search.done


def test_a_search_whose_seed_changes_nothing_is_refused_more():
    def target(experiment):
        bad = abs(experiment.candidate.values["x"] - 0.3)
        return experiment.outcome(bad + experiment.instance.number)

    search = finish_search(a_search(line_space(), instances=range(2)), target)
    assert search.notes
    with pytest.raises(RaceError, match="the seed changes no cost of its instances"):
        search.extend(300, MORE)


# --- runs ------------------------------------------------------------------------------------

ADDED = [f"i{k}" for k in range(25, 40)]


@pytest.mark.parametrize("write", [write_scenario, write_search])
def test_a_run_is_killed_and_resumed_after_adding(tmp_path, write):
    parts: dict[str, Any] = {"noise": 8.0, "instances": 9} if write is write_scenario else {}

    def ended(folder: Path, **more: Any) -> Path:
        run(write(folder, **parts, **more), log=folder / "log.sqlite")
        return folder / "log.sqlite"

    whole, log = ended(tmp_path / "whole"), ended(tmp_path / "killed")
    budget = {} if write is write_scenario else {"budget": 90}
    added = resume(whole, instances=ADDED, **budget)
    assert added.done
    assert added.instances.limit != 9
    resume(log, instances=ADDED, **budget, options=interrupted_after(3))
    done = resume(log, options=interrupted_after(11))
    while not done.done:
        done = resume(log, options=RunOptions(jobs=3), pool="threading")
    assert decision(log) == decision(whole)
    assert len(set(calls(log.parent))) == len(calls(log.parent))
    with SQLiteLog.open(log, write=False) as book:
        (extension,) = book.extensions()
        assert [one["name"] for one in extension.instances] == ADDED
        assert extension.after < len(book.outcomes())
        assert {one.name for one in book.instances()} & set(ADDED)


def test_a_run_that_is_not_over_goes_on_with_them(tmp_path):
    log = tmp_path / "log.sqlite"
    path = write_scenario(tmp_path, noise=8.0, instances=12, rule="none", candidates=4)
    run(path, log=log, options=interrupted_after(21))
    race = resume(log, instances=["i12", "i13"])
    assert race.instances_seen == 14
    assert len(calls(tmp_path)) == 4 * 14
    with SQLiteLog.open(log, write=False) as book:
        assert book.extensions()[0].finish.stopped == Stop.MORE_INSTANCES
    search = tmp_path / "search.sqlite"
    run(write_search(tmp_path / "s"), log=search, options=interrupted_after(70))
    assert resume(search, instances=ADDED).done


def test_kill_9_after_adding(tmp_path):
    folder, log = tmp_path / "killed", tmp_path / "killed" / "log.sqlite"
    parts: dict[str, Any] = {"noise": 8.0, "instances": 9, "rule": "none"}
    path = write_scenario(folder, **parts)
    run(path, log=log)
    resume(log, instances=ADDED, options=interrupted_after(2))
    write_scenario(folder, pause=0.01, **parts)
    resume(log, accept_changed_target=True, options=interrupted_after(1))
    killed(folder, path, log, times=3, calls_apart=range(4, 20), command=("resume", log, "--quiet"))
    assert resume(log).done
    whole = tmp_path / "whole"
    run(write_scenario(whole, **parts), log=whole / "log.sqlite")
    resume(whole / "log.sqlite", instances=ADDED)
    assert decision(log) == decision(whole / "log.sqlite")


def test_adding_none_is_to_resume(tmp_path):
    path = write_scenario(tmp_path, instances=9, noise=8.0)
    run(path, log=tmp_path / "log.sqlite", options=interrupted_after(20))
    run(path, log=tmp_path / "whole.sqlite")
    resume(tmp_path / "log.sqlite", instances=[])
    assert decision(tmp_path / "log.sqlite") == decision(tmp_path / "whole.sqlite")


def test_what_changes_nothing_is_refused_and_leaves_the_log_as_it_was(tmp_path):
    log = tmp_path / "log.sqlite"
    path = write_scenario(tmp_path, noise=8.0, instances=9, budget=40, rule="none")
    run(path, log=log)
    for instances, words in (
        (["i3"], "the run has the instance i3 already; leave it out"),
        (["new", "new"], 'the instance "new" is given twice'),
        ([object()], "is an object of Python, and a log has names"),
        (["new"], "more instances change nothing: the budget of evaluations does not cover"),
        ("more/*", 'no file matches "more/."'),
    ):
        with pytest.raises(InputError, match=words):
            resume(log, instances=instances)
    with SQLiteLog.open(log, write=False) as book:
        assert book.extensions() == []
        assert book.finished is not None
    assert resume(log, instances=["new"], budget=40).instances_seen == 10
