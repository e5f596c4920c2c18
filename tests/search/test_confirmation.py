"""The confirmation: who wins, by all that both have met, and what is told of it."""

from __future__ import annotations

import numpy as np
import pytest

from racing.core.budget import Budget
from racing.core.experiment import Experiment, Outcome
from racing.search import Search, Settings
from tests.search.kit import (
    Target,
    a_search,
    facts,
    finish,
    line_space,
    noisy,
    own_number,
    shuffled_finish,
)

SIZE = 200


def flattering(experiment: Experiment) -> Outcome:
    """The default is best, but looks bad until the confirmation."""
    x, step = float(experiment.candidate.values["x"]), experiment.instance.step
    at_default = x == 0.9
    cost = 1.0 - 0.01 * x + 0.001 * (step % 3)
    if at_default:
        cost = 1.05 if step < 3 else 0.0
    return experiment.outcome(cost, seconds=1.0)


def disappointing(search: Search) -> Target:
    """A target whose default is a little ahead of all others until the confirmation."""

    def target(experiment: Experiment) -> Outcome:
        x, step = float(experiment.candidate.values["x"]), experiment.instance.step
        cost = np.random.default_rng([own_number(experiment.candidate.values), step]).normal()
        if x == 0.9:
            cost = 90.0 if search.phase == "confirmation" else -2.0
        return experiment.outcome(cost, seconds=1.0)

    return target


def line(**settings: object) -> Search:
    settings.setdefault("budget", Budget(evaluations=SIZE))
    return a_search(line_space(), instances=range(100), **settings)


def test_the_default_wins_back_if_it_is_ahead_by_all_that_both_have_met():
    search = finish(line(), flattering)
    assert search.winner == search.baseline
    assert search.elites == search.survivors == (search.baseline,)
    assert search.found != search.baseline
    assert search.gain.estimate < 0  # of what was found, which was settled before
    assert search.gain.high < 0
    last = search.verdicts[-1]
    assert last.leader == search.baseline.id
    assert last.eliminated[-1].candidate == search.found.id
    assert last.instances == len(last.steps) == search.instances_seen
    assert [one.candidate for one in search.ranking()] == [search.baseline]


def test_the_probability_that_decided_is_in_the_verdict():
    search = finish(line(), flattering)
    *behind, last = search.verdicts[-1].eliminated
    told = [(one.against, one.measure, one.value) for one in behind]
    places = range(len(behind) + 1, 1, -1)
    assert told == [(search.found.id, "place", place) for place in places], "not compared"
    assert (last.measure, last.value, last.threshold) == ("probability worse", search.worse, 0.05)
    assert search.worse > 0.99


def test_the_best_other_wins_over_a_default_that_was_ahead():
    search = line(settings=Settings(confirm=0.2, retire=1e-300))
    finish(search, disappointing(search))
    assert search.verdicts[-1].eliminated[-1].candidate == search.baseline.id
    assert search.winner == search.found == search.elites[0] != search.baseline
    assert search.gain.estimate > 50


def test_a_winner_that_stays_ahead_changes_nothing():
    search = finish(a_search(budget=Budget(evaluations=500)), noisy())
    assert search.winner == search.found == search.elites[0]
    assert all(search.winner.id != e.candidate for v in search.verdicts[-1:] for e in v.eliminated)


def test_the_order_of_arrival_does_not_choose():
    alone = finish(line(), flattering)
    for seed in range(3):
        search = line()
        shuffled_finish(search, flattering, workers=7, seed=seed)
        assert facts(search) == facts(alone)


def test_an_extension_goes_on_from_the_elites_before_the_default_won():
    search = finish(line(), flattering)
    found = search.found
    search.extend(2 * SIZE)
    assert search.phase == "running"
    assert found in search.elites
    finish(search, flattering)
    assert search.winner == search.baseline


@pytest.mark.parametrize("instances", [{"list": [1, 2, 3, 4, 5], "repeat": True}, range(100)])
def test_an_extension_by_two_evaluations_keeps_the_confirmation(instances):
    search = finish(a_search(line_space(), instances=instances, budget=SIZE), noisy())
    found, pairs = search.found, search.gain.pairs
    search.extend(SIZE + 2)
    finish(search, noisy())
    assert not search.unconfirmed
    assert (search.found, search.gain.pairs) in [(found, pairs), (found, pairs + 1)]


def test_the_finalists_race_on_and_the_others_leave():
    settings = Settings(finish=0.2, finalists=2, confirm=0.0)
    search = finish(a_search(settings=settings), noisy())
    assert len(search.elites) <= 2
    assert search.winner == search.ranking()[0].candidate
