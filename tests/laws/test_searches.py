"""What every search keeps: workers, order of arrival, losses and crashes do not matter."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from racing.base.errors import RaceError
from racing.core.budget import Budget
from racing.search import Settings
from tests.search.kit import (
    a_search,
    badness,
    facts,
    finish,
    lossy_finish,
    noisy,
    resumed,
    shuffled_finish,
    watched_finish,
)

BUDGETS = {
    "evaluations": Budget(evaluations=150),
    "few": Budget(evaluations=60),
    "fewer": Budget(evaluations=20),
    "race": Budget(evaluations=9),
    "target_time": Budget(target_time=180.0),
    "instances": Budget(evaluations=150, instances=6),
}
TARGETS = {"noisy": noisy(), "failing": noisy(failing=0.2), "ties": noisy(0.0)}

every_budget = pytest.mark.parametrize("budget", BUDGETS)
every_target = pytest.mark.parametrize("target", TARGETS)


@cache
def alone_with(budget, target, objective):
    """The facts of a search whose evaluations come one after the other."""
    search = a_search(budget=BUDGETS[budget], objective=objective)
    return facts(finish(search, TARGETS[target]))


@every_budget
@every_target
@pytest.mark.parametrize("objective", ["mean", "rank"])
@pytest.mark.parametrize("workers", [1, 3, 20])
def test_workers_and_order_of_arrival_do_not_matter(budget, target, objective, workers):
    search = a_search(budget=BUDGETS[budget], objective=objective)
    shuffled_finish(search, TARGETS[target], workers=workers, seed=workers)
    assert facts(search) == alone_with(budget, target, objective)


@pytest.mark.parametrize("window", [1, 2, 7, 40])
@pytest.mark.parametrize("prepaid", [2, 8])
def test_no_window_makes_the_order_of_arrival_matter(window, prepaid):
    options = {"window": window, "settings": Settings(prepaid=prepaid, every=5)}
    alone = finish(a_search(**options), noisy(), limit=1)
    search = a_search(**options)
    shuffled_finish(search, noisy(), workers=13, seed=window)
    assert facts(search) == facts(alone)


@pytest.mark.parametrize("budget", ["evaluations", "race", "instances"])
def test_an_extension_does_not_depend_on_workers(budget):
    def extended(workers):
        search = a_search(budget=BUDGETS[budget])
        shuffled_finish(search, noisy(), workers=workers, seed=2)
        search.extend(300)
        shuffled_finish(search, noisy(), workers=workers, seed=3)
        return facts(search)

    assert extended(1) == extended(12)


@every_budget
def test_a_crash_after_any_outcome_changes_nothing_and_repeats_nothing(budget):
    target, whole = TARGETS["failing"], a_search(budget=BUDGETS[budget])
    told = shuffled_finish(whole, target, workers=4, seed=7)
    for crash in range(list(BUDGETS).index(budget), len(told), 10):
        after = resumed(a_search(budget=BUDGETS[budget]), whole, told[:crash], target)
        assert facts(after) == facts(whole)


@every_budget
def test_what_is_lost_is_handed_out_again_and_changes_nothing(budget):
    alone = finish(a_search(budget=BUDGETS[budget]), noisy())
    search = lossy_finish(a_search(budget=BUDGETS[budget]), noisy(), 5)
    assert facts(search) == facts(alone)


@pytest.mark.parametrize("budget", ["evaluations", "few", "fewer", "race", "instances"])
@pytest.mark.parametrize("window", [1, 10, 30])
@pytest.mark.parametrize("prepaid", [1, 2, 8, 100])
def test_a_budget_of_evaluations_is_never_exceeded_and_each_is_charged_once(
    budget, window, prepaid
):
    settings = Settings(prepaid=prepaid)
    search = a_search(budget=BUDGETS[budget], window=window, settings=settings)
    told = shuffled_finish(search, noisy(), workers=9, seed=1)
    assert len(told) <= BUDGETS[budget].evaluations
    assert search.spent.evaluations == len(told)
    assert len({outcome.key for outcome in told}) == len(told)


def test_queries_change_nothing():
    alone = finish(a_search(), noisy())
    search = a_search()
    while not search.done:
        for experiment in search.ask(3):
            facts(search)
            assert search.pending
            assert search.unwanted == ()
            assert 0 <= search.progress <= 1
            search.tell(noisy()(experiment))
    assert facts(search) == facts(alone)


def test_entrants_and_verdicts_only_grow_and_no_outcome_is_of_a_stranger():
    watched_finish(a_search(), noisy(), 4)


def test_everybody_who_is_no_elite_in_the_end_was_dropped_once():
    search = finish(a_search(), noisy())
    gone = [e.candidate for verdict in search.verdicts for e in verdict.eliminated]
    assert len(set(gone)) == len(gone)
    assert {one.id for one in search.candidates} == set(gone) | {one.id for one in search.elites}


def test_once_done_outcomes_are_counted_and_change_nothing():
    search = a_search(budget=Budget(target_time=180.0))
    running = []
    while not search.done:
        running += search.ask(20 - len(running))
        search.tell(noisy()(running.pop(0)))
    before = facts(search)
    assert search.pending == search.unwanted == tuple(running)
    assert search.ask() == []
    for number, experiment in enumerate(running, start=search.outcomes + 1):
        search.tell(noisy()(experiment))
        assert search.outcomes == number
    assert facts(search) == before


def test_what_is_told_twice_or_of_strangers_is_refused():
    search = a_search()
    experiment = search.ask(1)[0]
    search.tell(noisy()(experiment))
    with pytest.raises(RaceError, match="told before"):
        search.tell(noisy()(experiment))
    with pytest.raises(RaceError, match="is not out, so it cannot be lost"):
        search.lost(experiment)
    stranger = search.ask(1)[0]
    with pytest.raises(RaceError, match="not in this search"):
        search.tell(replace(stranger.outcome(1.0), candidate=9999))


def _seedless(experiment):
    number = experiment.instance.number
    return experiment.outcome(badness(dict(experiment.candidate.values)) * number + number)


@pytest.mark.parametrize("evaluations", [10, 20, 35, 60, 120])
@pytest.mark.parametrize("problems", [1, 2, 4])
@pytest.mark.parametrize("window", [1, 30])
def test_where_no_seed_changes_a_cost_nothing_depends_on_workers_and_crashes(
    evaluations, problems, window
):
    def begun():
        budget = Budget(evaluations=evaluations)
        return a_search(instances=range(problems), budget=budget, window=window)

    alone, search = finish(begun(), _seedless), begun()
    told = shuffled_finish(search, _seedless, workers=7, seed=evaluations)
    assert len(told) == search.spent.evaluations <= evaluations
    assert facts(search) == facts(alone)
    for crash in range(problems, len(told), 19):
        assert facts(resumed(begun(), search, told[:crash], _seedless)) == facts(search)
