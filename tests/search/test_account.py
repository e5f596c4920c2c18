"""What is spent, in the order of decisions."""

from __future__ import annotations

import itertools
import math

import pytest

from racing.core.budget import Budget
from racing.core.experiment import Outcome
from racing.core.stop import Stop
from racing.search.account import BudgetAccount

STEPS = itertools.count()  # no outcome is charged twice


def outcomes(n: int, *, seconds: float = 1.0, elapsed: float = 0.0) -> list[Outcome]:
    steps = itertools.islice(STEPS, n)
    return [Outcome(1, step, 0.0, seconds=seconds, elapsed=elapsed) for step in steps]


def test_a_part_of_the_budget_may_be_kept():
    ledger = BudgetAccount(Budget(evaluations=100), kept=0.1)
    assert ledger.charge(outcomes(80)) is None
    assert ledger.refusal(10) is None
    assert ledger.refusal(11) is Stop.EVALUATIONS
    assert ledger.room == 10
    ledger.release(1.0)
    assert ledger.room == 20
    assert ledger.refusal(20) is None


def test_progress_is_the_share_of_the_part_that_is_open():
    ledger = BudgetAccount(Budget(evaluations=100), kept=0.2)
    ledger.charge(outcomes(20))
    assert ledger.progress == 0.25


def test_progress_is_that_of_the_limit_that_is_nearest():
    ledger = BudgetAccount(Budget(evaluations=100, target_time=40.0))
    ledger.charge(outcomes(20))
    assert ledger.progress == 0.5


def test_the_expected_number_of_evaluations_follows_the_time_they_took():
    ledger = BudgetAccount(Budget(target_time=100.0))
    assert ledger.evaluations == math.inf
    assert ledger.expected(outcomes(10, seconds=2.0)) == 50
    ledger.charge(outcomes(10, seconds=2.0))
    assert ledger.evaluations == 50
    assert ledger.room == 40
    ledger.charge(outcomes(20, seconds=0.5))
    assert ledger.evaluations == 100


def test_wall_time_counts_by_when_the_last_came():
    ledger = BudgetAccount(Budget(wall_time=60.0))
    ledger.charge(outcomes(10, seconds=9.0, elapsed=15.0))
    assert ledger.progress == 0.25
    assert ledger.room == 30


@pytest.mark.parametrize("name", ["target_time", "wall_time"])
def test_what_breaks_a_limit_of_time_is_not_charged(name):
    ledger = BudgetAccount(Budget(**{name: 10.0}))
    assert ledger.charge(outcomes(3, seconds=5.0, elapsed=15.0)) is Stop(name)
    assert ledger.spent.evaluations == 0
    assert (ledger.room, ledger.refusal(1)) == (0, Stop(name))
    ledger.extend(Budget(**{name: 30.0}))
    assert ledger.refusal(1) is None


def test_without_time_left_there_is_no_room():
    ledger = BudgetAccount(Budget(target_time=3.0))
    assert ledger.charge(outcomes(3)) is None
    assert ledger.room == 0
    assert ledger.refusal(1) is Stop.TARGET_TIME


def test_money_is_charged_predicted_and_kept_as_time_is():
    account = BudgetAccount(Budget(usd=10.0), kept=0.2)
    paid = [Outcome(1, next(STEPS), 0.0, spent={"usd": 0.5}) for _ in range(12)]
    assert account.charge(paid) is None
    assert (account.spent.usd, account.progress, account.room) == (6, 0.75, 4)
    assert account.refusal(4) is None
    assert account.refusal(5) is Stop.USD
    account.release(1.0)
    assert account.room == 8
    dear = [Outcome(1, next(STEPS), 0.0, spent={"usd": 4.1})]
    assert account.charge(dear) is Stop.USD
    assert account.spent.usd == 6
