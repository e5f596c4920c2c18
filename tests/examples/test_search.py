"""The random search that lets a race say what to fit next."""

from __future__ import annotations

import numpy as np
import pytest

import racing
from examples.search.random_search import DEFAULT, Data, load, report, sampled, search


@pytest.fixture(scope="module")
def data() -> tuple[Data, Data]:
    return load(100)


@pytest.fixture(scope="module")
def race(data: tuple[Data, Data]) -> racing.Race:
    return search(data[0], settings=10, repeats=2, seed=1)


def test_the_race_saves_fits_and_tells_the_best(race: racing.Race) -> None:
    assert race.done
    assert len(race.candidates) == 11
    assert race.outcomes < 11 * 10
    assert race.winner in race.survivors


def test_the_same_seed_gives_the_same_search(data: tuple[Data, Data], race: racing.Race) -> None:
    again = search(data[0], settings=10, repeats=2, seed=1)
    assert again.verdicts == race.verdicts
    assert again.winner == race.winner


def test_the_costs_are_the_errors_on_the_folds(data: tuple[Data, Data], race: racing.Race) -> None:
    instance = race.instance(0)
    train, rest = instance.problem  # type: ignore[misc]
    error = data[0].error(DEFAULT, train, data[0].rows(rest))
    assert race.results.costs[0, 0] == error
    assert len(np.intersect1d(train, rest)) == 0


def test_the_winner_is_no_worse_on_held_out_data_than_the_worst_tried(
    data: tuple[Data, Data], race: racing.Race
) -> None:
    rows = np.arange(100)
    errors = [data[0].error(one.values, rows, data[1]) for one in race.candidates]
    assert race.winner is not None
    assert data[0].error(race.winner.values, rows, data[1]) < np.median(errors)


def test_settings_are_plain_values_and_depend_on_the_seed() -> None:
    settings = list(sampled(5, 1))
    assert settings == list(sampled(5, 1)) != list(sampled(5, 2))
    assert {type(value) for one in settings for value in one.values()} <= {int, float, bool, str}


def test_the_report_says_what_was_saved(data: tuple[Data, Data], race: racing.Race) -> None:
    assert f"{race.outcomes} fits instead of 110" in report(race, *data)
