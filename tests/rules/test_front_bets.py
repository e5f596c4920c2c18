"""Bets on a front: the formula on small cases, the promise, and what it drops."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from racing import InputError, Race
from racing.core.verdict import Reason, Verdict
from racing.rules import Bets
from racing.rules.bets import SIZES, log_wealth_against
from racing.rules.rule import Outlook
from tests.rules.test_front import results, world

OUTLOOK = Outlook(objective="mean", goal="front")


def judge(values: np.ndarray, alpha: float = 0.05) -> Verdict:
    return Bets(alpha=alpha)(results(values), OUTLOOK, np.random.default_rng(0))


def wealth(own: np.ndarray, other: np.ndarray) -> float:
    """Of a bettor who stakes on each instance that the other beats, one run after the other."""
    total = 0.0
    for size in SIZES:
        grown = size / SIZES.sum()
        for a, b in zip(own.tolist(), other.tolist(), strict=True):
            grown *= 1 + size * ((b < a) - (a < b))
        total += grown
    return total


def test_the_wealth_is_that_of_single_bets() -> None:
    rng = np.random.default_rng(3)
    values = rng.integers(0, 4, (7, 4, 2)).astype(float)
    values[2, 1] = np.nan  # a failure is beaten by any number
    logs = log_wealth_against(results(values))
    costs = np.where(np.isnan(values), np.inf, values)
    for c, j in itertools.permutations(range(4), 2):
        least = min(wealth(costs[:, c, k], costs[:, j, k]) for k in range(2))
        assert math.exp(logs[c, j]) == pytest.approx(least, rel=1e-9)
    assert np.isneginf(np.diag(logs)).all()


def test_one_that_is_behind_in_everything_leaves_and_one_that_is_ahead_in_one_stays() -> None:
    """c is worse than a in both metrics, b only in the first."""
    rng = np.random.default_rng(1)
    a = rng.normal(size=(40, 2))
    values = np.stack([a, a + np.array([1.0, -1.0]), a + 1.0], axis=1)
    (gone,) = judge(values).eliminated
    assert (gone.candidate, gone.reason, gone.measure, gone.threshold) == (
        3, Reason.DOMINATED, "e-value", 20,
    )  # fmt: skip
    bets = [min(wealth(values[:, 2, k], values[:, j, k]) for k in range(2)) for j in range(2)]
    assert gone.value == pytest.approx(np.mean(bets), rel=1e-9), "not the best of them"
    assert gone.value >= 20
    assert gone.against == 1
    assert judge(values, alpha=1e-12).eliminated == ()


def test_ties_in_one_metric_keep_a_candidate() -> None:
    values = np.tile([[0.0, 0.0], [1.0, 0.0]], (200, 1, 1))
    assert judge(values).eliminated == ()


def test_one_is_behind_a_candidate_that_is_still_in() -> None:
    values = np.tile(np.arange(5.0)[:, None], (60, 1, 2))
    verdict = judge(values)
    gone: set[int] = set()
    for one in verdict.eliminated:
        gone.add(one.candidate)
        assert one.against not in gone
    assert gone == {2, 3, 4, 5}
    assert verdict.leader == 1


def test_one_is_not_behind_a_candidate_that_has_just_left() -> None:
    """The first leaves first, and has as much against the last as the three between have."""
    often, seldom = [1.0, 0.0, 0.0, 0.0, 2.0], [2.0, 1.0, 1.0, 1.0, 0.0]
    values = np.array([often] * 50 + [seldom] * 10)
    logs = log_wealth_against(results(np.stack([values, values], axis=2)))
    assert logs[4, 0] == logs[4, 1]
    first, last = judge(np.stack([values, values], axis=2)).eliminated
    assert (first.candidate, last.candidate) == (1, 5)
    assert last.against == 2


@pytest.mark.parametrize("seed", range(4))
def test_the_numbers_of_candidates_and_the_order_of_metrics_do_not_matter(seed: int) -> None:
    values = world(30, seed)
    out = {e.candidate - 1: e.value for e in judge(values).eliminated}
    assert out
    order = np.random.default_rng(seed).permutation(values.shape[1])
    for changed in (values[:, order], values[:, order, ::-1]):
        again = {int(order[e.candidate - 1]): e.value for e in judge(changed).eliminated}
        assert again == pytest.approx(out)


def test_the_promise_holds_where_candidates_are_equal_in_one_metric() -> None:
    """300 races of six; on half of the instances all others dominate it. α + 3 errors is .087."""
    rng = np.random.default_rng(8)
    lost = 0
    for _ in range(300):
        first = np.sign(rng.random((60, 1)) - 0.5)
        values = np.zeros((60, 6, 2))
        values[:, 1:, 0] = first
        values[:, 1:, 1] = -1.0
        lost += any(
            1 in {e.candidate for e in judge(values[:n]).eliminated} for n in range(5, 61, 5)
        )
    assert lost <= 26


def test_a_race_without_a_budget_ends_with_a_smaller_field() -> None:
    values = world(100, seed=2)
    race = Race(
        [{"x": x} for x in range(values.shape[1])], range(100), rule="bets",
        metrics={"a": {}, "b": {}}, objective={"front": ["a", "b"]},
    )  # fmt: skip
    while not race.done:
        for one in race.ask():
            a, b = values[one.instance.step, one.candidate.id - 1]
            race.tell(one, {"a": a, "b": b})
    assert {one.candidate.id for one in race.front} >= set(range(1, 11))
    assert race.spent.evaluations < 0.7 * values.shape[0] * values.shape[1]


def test_a_range_is_for_one_cost() -> None:
    with pytest.raises(InputError, match="bets on a front are about wins and losses; leave range"):
        Race(
            [{"x": 1}, {"x": 2}], range(9), rule=Bets(range=1.0), metrics={"a": {}, "b": {}},
            objective={"front": ["a", "b"]},
        )  # fmt: skip
