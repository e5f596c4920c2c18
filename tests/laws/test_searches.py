"""What every search keeps, of a search for one configuration."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from racing.base.errors import RaceError
from racing.core.budget import Budget
from racing.search import Settings
from tests.laws.every_search import Kind, Run, SearchLaws
from tests.search.kit import (
    a_search,
    badness,
    facts,
    finish,
    noisy,
    resumed,
    shuffled_finish,
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


def of(budget: str, target: str = "failing", **options: object) -> Run:
    """A search with this budget, and what answers it."""
    return Run(partial(a_search, budget=BUDGETS[budget], **options), TARGETS[target])


class TestLaws(SearchLaws):
    kind = Kind(
        runs={
            f"{budget}, {target}, {objective}": of(budget, target, objective=objective)
            for budget in BUDGETS
            for target in TARGETS
            for objective in ("mean", "rank")
        },
        few={budget: of(budget) for budget in BUDGETS},
        windows={
            f"{window}, {prepaid}": of(
                "evaluations", "noisy", window=window, settings=Settings(prepaid=prepaid, every=5)
            )
            for window in (1, 2, 7, 40)
            for prepaid in (2, 8)
        },
        extended={budget: of(budget, "noisy") for budget in ("evaluations", "race", "instances")},
        limited={
            f"{budget}, {window}, {prepaid}": of(
                budget, "noisy", window=window, settings=Settings(prepaid=prepaid)
            )
            for budget in ("evaluations", "few", "fewer", "race", "instances")
            for window in (1, 10, 30)
            for prepaid in (1, 2, 8, 100)
        },
        workers=(1, 3, 20),
        apart=10,
        stretches=(1, 17, 60),
        more=300,
    )


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
