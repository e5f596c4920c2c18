"""The phases of a search for a front, and its gains, whose intervals hold all at once."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from racing.answer.gain import gain
from racing.search import LocalSampler, Proposal
from racing.search.block import Block
from racing.search.front import simultaneous
from racing.search.sampler import State
from tests.laws.test_front_searches import a_search, exact, target
from tests.search.kit import finish

Choices = NDArray[np.intp]


def a_state(*, ranked: bool) -> State:
    points = np.array([[0.05, 0.05], [0.5, 0.5], [0.95, 0.95]])
    return State(
        decisions=0, progress=1.0, elites=(1, 2, 3), points=points,
        block=Block(np.zeros((2, 3)), "mean"), noise=0.0, ranked=ranked,
    )  # fmt: skip


def parents(*, ranked: bool) -> np.ndarray:
    sampler, rng = LocalSampler(uniform=0.0), np.random.default_rng(1)
    state, choices = a_state(ranked=ranked), np.zeros(2, dtype=np.intp)
    drawn = [sampler.draw(state, choices, rng).parent for _ in range(900)]
    return np.bincount(np.array(drawn, dtype=int), minlength=4)[1:]


def test_parents_of_a_front_are_drawn_evenly() -> None:
    even, ranked = parents(ranked=False), parents(ranked=True)
    assert (abs(even - 300) < 60).all()
    assert ranked[0] > 400 > 200 > ranked[2]


def test_the_sampler_is_told_that_no_elite_is_best() -> None:
    told = []

    class Sampler:
        def draw(self, state: State, choices: Choices, rng: np.random.Generator) -> Proposal:
            told.append(state.ranked)
            return LocalSampler().draw(state, choices, rng)

    finish(a_search(sampler=Sampler()), target)
    assert set(told) == {False}


def test_some_draws_near_a_front_mix_two_elites() -> None:
    sampler, rng = LocalSampler(uniform=0.0, mixed=1.0), np.random.default_rng(1)
    state, choices = a_state(ranked=False), np.zeros(2, dtype=np.intp)
    points = np.array([sampler.draw(state, choices, rng).point for _ in range(300)])
    apart = abs(points[:, 0] - points[:, 1]) > 0.6
    assert 0.05 < apart.mean() < 0.25
    points = np.array([
        LocalSampler(uniform=0.0, mixed=0.0).draw(state, choices, rng).point for _ in range(300)
    ])  # fmt: skip
    assert (abs(points[:, 0] - points[:, 1]) < 0.6).mean() > 0.99


def test_challengers_are_dropped_as_dominated_with_their_numbers() -> None:
    search = finish(a_search(), exact)
    gone = [e for v in search.verdicts if v.about for e in v.eliminated]
    assert {e.measure for e in gone} >= {"probability undominated"}
    for one in gone:
        if one.measure == "probability undominated":
            assert one.value <= one.threshold < 0.5


def found(fresh: np.ndarray, **options: object):
    options.setdefault("problems", range(len(fresh)))
    training = np.empty((0, *fresh.shape[1:]))
    return simultaneous(fresh, training, rng=np.random.default_rng(1), **options)


def test_means_are_those_of_each_alone_and_intervals_are_wider() -> None:
    fresh = np.random.default_rng(2).normal(size=(20, 4, 2))
    for c, row in enumerate(found(fresh)):
        for k, one in enumerate(row):
            alone = gain(fresh[:, [c, -1], k], mean=True, of="unseen")
            assert (one.estimate, one.pairs) == (alone.estimate, 20)
            assert one.low < alone.low < alone.high < one.high
            assert one.high - one.estimate == pytest.approx(one.estimate - one.low)


def test_one_configuration_in_one_metric_has_at_most_the_interval_of_student() -> None:
    fresh = np.random.default_rng(2).normal(size=(200, 2, 1))
    [[one]] = found(fresh)
    alone = gain(fresh[:, :, 0], mean=True, of="unseen")
    assert one.high - one.low == pytest.approx(alone.high - alone.low, rel=0.1)
    assert one.high - one.low <= alone.high - alone.low + 1e-12


def test_equal_configurations_cost_nothing_more() -> None:
    fresh = np.random.default_rng(2).normal(size=(60, 2, 1))
    alone = found(fresh)[0][0]
    copied = found(np.concatenate([fresh[:, :1]] * 6 + [fresh[:, 1:]], axis=1))
    assert copied[0][0].high == pytest.approx(alone.high, rel=0.05)


@pytest.mark.parametrize(("n", "least"), [(4, 0.94), (30, 0.94)])
def test_all_intervals_hold_at_once_as_often_as_they_say(n: int, least: float) -> None:
    rng, times = np.random.default_rng(n), 100
    held = 0
    for _ in range(times):
        shared = rng.normal(size=(n, 1, 2))
        rows = found(shared + rng.normal(size=(n, 5, 2)))
        held += all(one.low <= 0 <= one.high for row in rows for one in row)
    assert held / times > least - 2 * math.sqrt(0.05 * 0.95 / times)


def test_a_single_problem_has_no_interval() -> None:
    fresh = np.random.default_rng(2).normal(size=(3, 2, 2))
    for one in found(fresh, problems=[7, 7, 7])[0]:
        assert (one.low, one.high) == (-math.inf, math.inf)


def test_seeds_of_a_problem_are_one_observation() -> None:
    fresh = np.random.default_rng(2).normal(size=(6, 3, 2))
    twice = np.repeat(fresh, 2, axis=0)
    one, other = found(fresh), found(twice, problems=np.repeat(range(6), 2).tolist())
    assert one[0][0].high == pytest.approx(other[0][0].high)


def test_failures_are_counted_and_left_out() -> None:
    fresh = np.random.default_rng(2).normal(size=(8, 3, 2))
    fresh[0, 0] = np.inf
    fresh[1, 2] = np.inf
    [[first, _], [second, _]] = found(fresh)
    assert (first.pairs, first.failures, first.over_failures) == (6, 1, 1)
    assert (second.pairs, second.failures, second.over_failures) == (7, 0, 1)
    assert math.isfinite(first.high)
