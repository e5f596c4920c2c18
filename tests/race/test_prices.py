"""Budgets of money and tokens: rows are priced before they begin, whatever the order of arrival."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from racing import Budget, Experiment, Outcome, Race, Stop
from racing.core.budget import Spent
from racing.core.experiment import Reused
from racing.race.limits import Prices, add


def outcome(candidate: int, step: int, **spent: float) -> Outcome:
    return Outcome(candidate, step, 1.0, spent=spent)


def price(experiment: Experiment, seed: int) -> float:
    """Of one evaluation: candidates differ by up to 10 times, and runs by up to 4 times."""
    rng = random.Random(f"{seed} {experiment.key}")
    return 0.01 * (1 + experiment.candidate.id % 10) * rng.uniform(0.5, 2)


def answer(experiment: Experiment, seed: int) -> Outcome:
    cost = random.Random(f"{experiment.key} {seed}").gauss(experiment.candidate.id / 4, 1)
    spent: Mapping[str, float] = {"usd": price(experiment, seed), "tokens": 7.0}
    return replace(experiment.outcome(cost), spent=spent)


def driven(seed: int, budget: Budget, *, jobs: int = 1, first_test: int = 3) -> tuple[Race, float]:
    """A race whose evaluations end in any order, and what was in flight at most, in money."""
    race = Race(
        [{"x": i} for i in range(6)], list(range(60)), budget=budget, seed=seed,
        first_test=first_test,
    )  # fmt: skip
    rng, running, most = random.Random(seed + jobs), list[Experiment](), 0.0
    while not race.done:
        running += race.ask(jobs - len(running))
        most = max(most, sum(price(one, seed) for one in running))
        race.tell(answer(running.pop(rng.randrange(len(running))), seed))
    return race, most


def test_a_survivor_is_priced_by_its_own_mean_and_a_newcomer_by_that_of_all() -> None:
    prices = Prices()
    prices.add([outcome(1, 0, usd=1), outcome(2, 0, usd=3), outcome(1, 1, usd=2)])
    assert prices.expected([1], "usd") == 1.5
    assert prices.expected([1, 2, 9], "usd") == 1.5 + 3 + 2
    assert prices.expected([1], "tokens") == 0


def test_what_was_taken_from_an_earlier_log_is_priced_as_it_was_there_and_not_charged() -> None:
    then = Reused(log="old", spent={"usd": 3}, seconds=8)
    taken = Outcome(1, 0, 1.0, reused=then)
    prices = Prices()
    prices.add([taken])
    assert prices.expected([1, 2], "usd") == 6
    spent = add(Spent(), [taken, outcome(2, 0, usd=1)], 0)
    assert (spent.usd, spent.target_time, spent.evaluations, spent.made) == (1, 0, 2, 1)


def test_a_row_that_is_not_expected_to_fit_is_not_begun() -> None:
    prices = Prices()
    prices.add([outcome(1, 0, usd=1), outcome(2, 0, usd=3)])
    spent = Spent(usd=4, evaluations=2)
    assert prices.refusal([1, 2], spent, Budget(usd=8)) is None
    assert prices.refusal([1, 2], spent, Budget(usd=7.9)) is Stop.USD
    assert prices.refusal([1], spent, Budget(usd=7.9)) is None
    assert prices.refusal([], spent, Budget(usd=4)) is Stop.USD
    assert prices.refusal([1], spent, Budget(tokens=5)) is None
    assert prices.evaluations_left([1], Budget(usd=7), spent) == 3
    assert prices.evaluations_left([1, 2], Budget(usd=7), spent) == 1.5


@settings(max_examples=40)
@given(seed=st.integers(0, 10**6), usd=st.sampled_from([0.05, 0.7, 2.0, 9.0]))
def test_no_result_depends_on_the_order_and_the_excess_was_in_flight(seed: int, usd: float) -> None:
    found = [driven(seed, Budget(usd=usd), jobs=jobs) for jobs in (1, 4, 30)]
    first = found[0][0]
    for race, most in found:
        assert race.verdicts == first.verdicts
        assert (race.stopped, race.winner, race.spent) == (first.stopped, first.winner, first.spent)
        assert race.spent.usd <= usd
        paid = race.spent.usd + sum(one.spent["usd"] for one in race.uncounted)
        assert paid <= usd + most + 1e-9


def test_money_and_tokens_are_limits_beside_others() -> None:
    ends = {
        Stop.USD: Budget(usd=2, evaluations=10_000),
        Stop.TOKENS: Budget(usd=999, tokens=7 * 40),
        Stop.EVALUATIONS: Budget(usd=999, evaluations=40),
    }
    for reason, budget in ends.items():
        race, _ = driven(1, budget, jobs=3)
        assert race.stopped is reason
    race, _ = driven(1, ends[Stop.USD])
    race.extend(Budget(usd=4))
    assert not race.done


def test_while_no_price_is_known_only_the_first_row_is_handed_out() -> None:
    race = Race([{"x": 1}, {"x": 2}], list(range(9)), budget={"usd": 5}, first_test=5)
    first = race.ask()
    assert len(first) == 2
    for one in first:
        race.tell(replace(one.outcome(1.0), spent={"usd": 1.0}))
    assert len(race.ask()) == 2  # of the 3 dollars left, 2 are for this row
    assert race.ask() == []


def test_a_free_service_is_not_limited() -> None:
    race = Race([{"x": 1}, {"x": 2}], list(range(9)), budget={"usd": 5})
    while not race.done:
        for one in race.ask():
            race.tell(one, 1.0)
    assert race.stopped is not Stop.USD


@pytest.mark.parametrize("limit", [0, -1, float("nan"), "five"])
def test_limits_are_above_0(limit: float) -> None:
    with pytest.raises(ValueError, match="usd must be a number above 0"):
        Budget(usd=limit)
