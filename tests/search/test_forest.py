"""The forest: trees that learn, and a sampler that is screened by them."""

from __future__ import annotations

import numpy as np
import pytest

from racing.search.history import History, Past
from racing.search.model import Cooled, Forest
from racing.search.model.tree import first_best, guesses
from racing.search.state import State

# --- trees -----------------------------------------------------------------------------------


def grown(points, scores, queries, *, weights=None, leaf=3, seed=1):
    weights = np.ones(len(scores)) if weights is None else weights
    rng = np.random.default_rng(seed)
    return guesses(points, scores, weights, queries, leaf=leaf, rng=rng)


def test_a_guess_lies_between_the_scores():
    rng = np.random.default_rng(3)
    for seed in range(40):
        points, scores = rng.random((30, 4)), rng.normal(size=30)
        found = grown(points, scores, rng.random((9, 4)), leaf=1 + seed % 5, seed=seed)
        assert (found >= scores.min() - 1e-12).all()
        assert (found <= scores.max() + 1e-12).all()


def test_with_one_point_a_leaf_the_points_themselves_are_known():
    rng = np.random.default_rng(4)
    points, scores = rng.random((40, 3)), rng.normal(size=40)
    assert grown(points, scores, points, leaf=1) == pytest.approx(scores)


def test_a_tree_that_may_not_split_says_the_weighted_mean():
    rng = np.random.default_rng(5)
    points, scores, weights = rng.random((9, 2)), rng.normal(size=9), rng.random(9)
    mean = np.average(scores, weights=weights)
    for these in ({"leaf": 5}, {"points": np.ones((9, 2)), "leaf": 1}):
        options = {"points": points, **these}
        found = grown(options["points"], scores, points, weights=weights, leaf=options["leaf"])
        assert found == pytest.approx(np.full(9, mean))


def test_leaves_are_no_smaller_than_asked():
    points = np.linspace(0, 1, 40)[:, None]
    for seed in range(20):
        found = grown(points, np.arange(40.0), points, leaf=6, seed=seed)
        assert min(np.unique(found, return_counts=True)[1]) >= 6


def test_the_split_is_the_one_with_the_least_squared_error():
    # Of the four columns the third alone tells the scores apart, whatever its threshold.
    rng = np.random.default_rng(6)
    points = rng.random((60, 4))
    points[:, 2] = np.repeat([0.0, 1.0], 30)
    scores = np.repeat([0.0, 5.0], 30)
    assert grown(points, scores, points, leaf=20).tolist() == scores.tolist()


def test_the_error_is_weighted():
    rng = np.random.default_rng(8)
    for _ in range(30):  # each of five columns halves the points in its own way
        points = np.array([rng.permutation(np.repeat([0.0, 1.0], 6)) for _ in range(5)]).T
        scores, weights = rng.normal(size=12), rng.exponential(size=12)
        best, means = np.inf, None
        for column in points.T:
            sides = [column == side for side in (0.0, 1.0)]
            middle = [np.average(scores[side], weights=weights[side]) for side in sides]
            guess = np.where(sides[0], *middle)
            error = float(weights @ (scores - guess) ** 2)
            if error < best:
                best, means = error, guess
        assert grown(points, scores, points, weights=weights, leaf=6) == pytest.approx(means)


def test_what_is_equal_but_for_rounding_is_decided_by_order():
    assert first_best(np.array([2.0, 0.3, 0.1 + 0.2, 0.3 - 1e-12])) == 1
    assert first_best(np.array([-1.0, -1.0 - 1e-6])) == 1
    assert first_best(np.array([0.0, 0.0])) == 0


# --- the sampler screened --------------------------------------------------------------------


def learnt(points, costs, *, elite, objective="mean", progress=0.0) -> State:
    """A state with one elite, of cost 0, and these points decided on one instance."""
    points = np.atleast_2d(np.array(points, dtype=float))
    history = History(points.shape[1], objective, rows=lambda rows: rows)
    for point, cost in zip(points, costs, strict=True):
        history.add(point, [0], np.array([cost]))
    return State(
        decisions=len(points),
        progress=progress,
        elites=(1,),
        points=np.array([elite], dtype=float),
        costs=np.zeros((1, 1)),
        noise=1.0,
        past=Past(history, len(history)),
    )


def drawn(model, state, choices, n=300):
    rng = np.random.default_rng(1)
    return [model.draw(state, np.array(choices), rng) for _ in range(n)]


STEADY = Cooled(uniform=0.0)


@pytest.mark.parametrize("objective", ["mean", "rank"])
def test_draws_go_where_the_decided_were_good(objective):
    rng = np.random.default_rng(2)
    points = rng.random((100, 3))
    state = learnt(points, points[:, 1] - 0.5, elite=[0.5] * 3, objective=objective)
    forest = np.mean([one.point for one in drawn(Forest(sampler=STEADY), state, [0] * 3)], axis=0)
    plain = np.mean([one.point for one in drawn(STEADY, state, [0] * 3)], axis=0)
    assert plain == pytest.approx([0.5] * 3, abs=0.05)
    assert forest[1] < 0.3
    assert forest[[0, 2]] == pytest.approx([0.5] * 2, abs=0.06)


def test_noise_makes_it_draw_where_the_sampler_does():
    rng = np.random.default_rng(3)
    means = []
    for _ in range(20):  # of searches that learnt nothing but noise
        state = learnt(rng.random((80, 2)), rng.normal(size=80), elite=[0.5, 0.5])
        means += [one.point for one in drawn(Forest(sampler=STEADY), state, [0, 0], n=40)]
    assert np.mean(means, axis=0) == pytest.approx([0.5, 0.5], abs=0.06)


def test_nothing_is_screened_while_little_is_known():
    state = learnt(np.random.default_rng(4).random((11, 2)), np.zeros(11), elite=[0.2, 0.7])
    ours, theirs = (drawn(model, state, [0, 0]) for model in (Forest(), Cooled()))
    assert [one.point.tolist() for one in ours] == [one.point.tolist() for one in theirs]
    bare = State(
        decisions=0,
        progress=0.0,
        elites=(1,),
        points=np.zeros((1, 2)),
        costs=np.zeros((1, 1)),
        noise=1.0,
    )
    assert drawn(Forest(), bare, [0, 0], n=3)[0].parent == 1


def test_uniform_draws_are_not_screened():
    points = np.random.default_rng(5).random((60, 1))
    state = learnt(points, points[:, 0], elite=[0.5])
    found = drawn(Forest(sampler=Cooled(uniform=0.5)), state, [0], n=800)
    free = [one.point[0] for one in found if one.origin == "uniform"]
    assert len(free) / len(found) == pytest.approx(0.5, abs=0.06)
    assert np.mean(free) == pytest.approx(0.5, abs=0.06)


def test_categories_and_what_they_switch_off_are_told_apart():
    rng = np.random.default_rng(6)
    level = rng.integers(3, size=120)
    inner = np.where(level == 2, rng.random(120), np.nan)
    costs = np.where(level == 2, inner, np.where(level == 1, 0.5, 2.0))
    state = learnt(np.column_stack([level, inner]), costs, elite=[1.0, np.nan])
    # As in a space: what is drawn for the second column counts with level 2 alone.
    state.past.history.rows = lambda rows: np.column_stack(  # type: ignore[union-attr]
        [np.floor(3 * rows[:, 0]), np.where(rows[:, 0] >= 2 / 3, rows[:, 1], np.nan)]
    )
    found = np.array([one.point for one in drawn(Forest(sampler=STEADY), state, [3, 0])])
    counts = np.bincount(np.floor(3 * found[:, 0]).astype(int), minlength=3) / len(found)
    assert counts[0] < 0.03
    assert found[np.floor(3 * found[:, 0]) == 2, 1].mean() < 0.3


def test_inactive_is_no_value_of_a_parameter():
    rng = np.random.default_rng(9)
    inner = np.where(rng.random(100) < 0.5, np.nan, rng.uniform(0.4, 0.6, size=100))
    state = learnt(inner[:, None], np.where(np.isnan(inner), 0.0, 2.0), elite=[0.5])
    state.past.history.rows = lambda rows: np.where(  # type: ignore[union-attr]
        rows > 0.7, np.nan, 0.4 + 0.2 * rows
    )
    found = np.array([one.point[0] for one in drawn(Forest(sampler=STEADY), state, [0])])
    plain = np.array([one.point[0] for one in drawn(STEADY, state, [0])])
    assert (plain > 0.7).mean() < 0.4
    assert (found > 0.7).mean() > 0.9


def test_a_draw_is_a_function_of_the_state_and_the_generator():
    points = np.random.default_rng(7).random((50, 2))
    state = learnt(points, points.sum(axis=1), elite=[0.4, 0.4])
    once, again = (
        Forest().draw(state, np.array([0, 0]), np.random.default_rng(9)) for _ in range(2)
    )
    assert once.point.tolist() == again.point.tolist()
