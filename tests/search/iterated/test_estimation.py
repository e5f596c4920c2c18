"""How long an evaluation takes, where only time is limited."""

from __future__ import annotations

from racing.core.budget import Budget
from racing.search.iterated.settings import IteratedSettings
from tests.search.iterated.kit import iterated
from tests.search.kit import finish, line_space, noisy


def first_batch(**options):
    settings = IteratedSettings(**options)
    search = iterated(line_space(), budget=Budget(target_time=3000.0), settings=settings)
    batch = search.ask()
    return search, batch


def test_two_configurations_on_the_first_instances():
    search, batch = first_batch()
    assert search.phase == "estimation"
    assert len(batch) == 2 * 5
    assert [one.origin for one in search.entrants] == ["given", "sobol"]


def test_then_as_many_as_the_share_of_the_time_allows():
    search, batch = first_batch()
    for experiment in batch:
        search.tell(experiment, 1.0 + experiment.candidate.id, seconds=2.0)
    assert search.phase == "estimation"
    assert len(search.ask()) == 13 * 5  # 5 % of 1500 evaluations are 75: 15 configurations in all


def test_without_a_share_the_first_race_begins_at_once():
    search, batch = first_batch(estimation=0.0)
    for experiment in batch:
        search.tell(experiment, 1.0, seconds=2.0)
    assert search.phase == "iteration"
    assert search.spent.evaluations == 10


def test_they_take_part_in_the_first_race_and_are_charged_once():
    search = finish(iterated(line_space(), budget=Budget(target_time=900.0)), noisy())
    assert search.spent.evaluations == search.outcomes
    assert search.winner is not None
