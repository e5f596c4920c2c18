"""Outcomes check themselves, also those that are read back from a file."""

from __future__ import annotations

import json
import math
import sys
from dataclasses import asdict

import pytest

from racing.base.errors import InputError
from racing.base.quantities import MOST_COST
from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Instance, Outcome, Status

EXPERIMENT = Experiment(Candidate(3, {"x": 1}), Instance(2, "a", 7))


@pytest.mark.parametrize("outcome", [EXPERIMENT.outcome(-0.0), EXPERIMENT.failure(Status.TIMEOUT)])
def test_an_outcome_survives_json(outcome):
    again = Outcome(**json.loads(json.dumps(asdict(outcome))) | {"earlier": ()})
    assert again == outcome
    assert again.failed is outcome.failed
    assert type(again.status) is Status


def test_a_status_is_one_of_the_words():
    with pytest.raises(InputError, match="status must be one of 'ok', 'censored'"):
        Outcome(1, 0, cost=1.0, status="fine")  # type: ignore[arg-type]


@pytest.mark.parametrize("cost", [math.nan, math.inf, -math.inf, 1.1e75, -sys.float_info.max])
def test_what_is_no_cost_is_a_failure(cost):
    for found in (EXPERIMENT.outcome(cost), EXPERIMENT.outcome(1.0, metrics=(2.0, cost))):
        assert (found.cost, found.metrics, found.status) == (math.inf, (), Status.UNREADABLE)
        assert found.message.startswith(f"unreadable: {cost} is ")
    assert EXPERIMENT.outcome(-MOST_COST).cost == -MOST_COST


def test_fourth_powers_of_a_million_differences_have_a_sum():
    assert math.isfinite(1e6 * (2 * MOST_COST) ** 4)
