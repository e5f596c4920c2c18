"""The loops of one's own that people copy."""

from __future__ import annotations

import asyncio

import pytest

import racing
from examples.embed import asynchronous, cma_es, evolution, optuna_study, random_search
from examples.embed.holt import error, series, true_error

GOOD = 1.50
"""Mean error on held-out series; the best there is has 1.42, the median of random ones 1.7."""


def test_the_errors_depend_on_series_and_configuration_alone():
    values = {"level": 0.3, "trend": 0.1}
    assert error(values, 5, 1) == error(values, 5, 2) != error(values, 6)
    assert (series(3) == series(3)).all()
    assert true_error(values) < GOOD < true_error({"level": 1.0, "trend": 1.0})


def test_a_random_search_whose_race_picks_the_survivors():
    found = random_search.search(configurations=30, series=30)
    assert found.spent.evaluations < 0.5 * 30 * 30
    assert true_error(found.best) < GOOD


def test_generations_that_race():
    best = evolution.evolve(generations=4, budget=120)
    assert true_error(best) < GOOD
    assert best == evolution.evolve(generations=4, budget=120)


def test_a_generation_keeps_as_many_as_can_be_parents():
    race = evolution.survivors(random_search.sampled(12, 2), range(60), parents=3, budget=400)
    assert len(race.survivors) == 3
    assert race.stopped is racing.Stop.SURVIVORS


def test_cma_es_on_the_ranks_of_a_race():
    best, evaluations = cma_es.search(generations=6, budget=100)
    assert evaluations <= 6 * 100
    assert true_error(best) < GOOD


def test_everybody_has_a_rank_and_the_last_dropped_stand_first():
    race = racing.Race(random_search.sampled(10, 1), range(60), objective="mean", budget=150)
    for experiment in race:
        race.tell(experiment, error(experiment.candidate.values, experiment.instance.problem))
    order = cma_es.ranked(race)
    assert sorted(order) == list(range(1, 11))
    assert order[0] == race.winner.id
    first = next(verdict for verdict in race.verdicts if verdict.eliminated)
    assert order[-1] == first.eliminated[0].candidate


def test_coroutines_give_the_race_that_a_plain_loop_gives():
    race = asynchronous.search(configurations=15, limit=4)
    plain = racing.Race(random_search.sampled(15, seed=1), range(40), objective="mean")
    for experiment in plain:
        plain.tell(experiment, error(experiment.candidate.values, experiment.instance.problem))
    assert race.verdicts == plain.verdicts
    assert race.winner == plain.winner
    assert race.done


def test_a_cancelled_or_failed_loop_can_go_on():
    race = racing.Race(random_search.sampled(15, seed=1), range(40), objective="mean")

    async def broken(experiment: racing.Experiment) -> float:
        if race.outcomes >= 20:
            raise ConnectionError
        return await asynchronous.measured(experiment)

    with pytest.raises(ConnectionError):
        asyncio.run(asynchronous.drive(race, broken, limit=4))
    assert race.pending == ()
    asyncio.run(asynchronous.drive(race, asynchronous.measured, limit=4))
    assert race.verdicts == asynchronous.search(configurations=15, limit=8).verdicts


def test_a_study_pruned_and_confirmed():
    study = optuna_study.study(trials=20)
    steps = sum(len(trial.intermediate_values) for trial in study.trials)
    assert steps < 0.7 * 20 * optuna_study.SERIES
    found = optuna_study.confirmation(study, budget=200)
    assert true_error(found.params) < GOOD


@pytest.mark.parametrize("module", [random_search, cma_es, asynchronous], ids=lambda m: m.__name__)
def test_each_can_be_run(module, capsys):
    module.main()
    assert "best: {'level': " in capsys.readouterr().out
