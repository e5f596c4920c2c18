"""The phases of a search for a front."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from racing.search import LocalSampler, Proposal
from racing.search.block import Block
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
