"""What a team is worth: the instances that tell it choose nothing, and the interval holds."""

from __future__ import annotations

import numpy as np
import pytest

from racing.analysis.portfolio.crossfit import (
    FOLDS,
    folds_of,
    gain_of,
    held_out,
    held_out_teams,
    knee,
    mean_of,
    reach_of,
    sizes,
)
from racing.answer.gain import FEW
from racing.stats.intervals import numbered
from racing.stats.teams import best_of, best_team, value
from tests.analysis.portfolio.kit import types_world


def test_runs_on_one_problem_are_in_one_fold():
    folds = folds_of(["a", "b", "a", *range(12)])
    assert folds[0] == folds[2]
    assert sorted(set(folds.tolist())) == list(range(FOLDS))


def test_each_fold_is_told_by_what_the_others_choose():
    scores, folds = types_world(40, 7, types=3, seed=2), folds_of(range(40))
    told = held_out_teams(scores, folds, 2)
    for fold in range(FOLDS):
        own = folds == fold
        team = best_team(scores[~own], 2)
        assert (told[own] == best_of(scores[own], team)).all()


def test_the_instances_of_a_fold_choose_nothing_there():
    scores, folds = types_world(40, 7, types=3, seed=2), folds_of(range(40))
    seen = []
    held_out(
        scores, folds, lambda rest, own: seen.append((len(rest), len(own))) or np.zeros(len(own))
    )
    assert seen == [(36, 4)] * FOLDS
    changed = scores.copy()
    own = folds == 3
    changed[own] = -scores[own]
    team = best_team(scores[~own], 2)
    assert (held_out_teams(changed, folds, 2)[own] == best_of(changed[own], team)).all()


def interval(scores, size):
    """Of the score of a team, and the same team."""
    own, team = numbered(range(len(scores))), best_team(scores, size)
    told = held_out_teams(scores, own % FOLDS, size)
    return mean_of(told, best_of(scores, team), own, reach_of(scores, team)), team


@pytest.mark.parametrize("size", [2, 3])
def test_the_interval_of_a_team_holds(size):
    hits = []
    for seed in range(150):
        scores = types_world(2060, 8, types=3, seed=seed)
        found, team = interval(scores[:60], size)
        hits.append(found.low <= value(scores[60:], team) <= found.high)
    assert np.mean(hits) >= 0.93


@pytest.mark.parametrize("share", [0.01, 0.05])
def test_the_interval_of_running_times_holds_where_timeouts_are_rare(share):
    hits, negative = [], 0
    for seed in range(150):
        rng = np.random.default_rng(seed)
        times = rng.lognormal(sigma=1.5, size=(3060, 5))
        hard, often = rng.random((3060, 1)), share * np.array([1, 2, 3, 10, 20])
        scores = np.where(hard < often, 1000.0, times)
        found, team = interval(scores[:60], 2)
        hits.append(found.low <= value(scores[60:], team) <= found.high)
        negative += found.low < 0
    assert np.mean(hits) >= 0.93
    assert not negative


def test_a_candidate_far_worse_than_all_others_does_not_widen_the_interval():
    scores = types_world(60, 200, types=1, seed=1)
    before, _ = interval(scores, 2)
    scores[7, 9] = 1e9
    assert interval(scores, 2)[0].high == pytest.approx(before.high, abs=0.01)


def test_where_one_candidate_is_best_everywhere_a_team_is_hardly_ever_shown():
    rng, shown = np.random.default_rng(1), []
    for _ in range(150):
        scores = np.repeat(rng.normal(size=(40, 1)), 6, axis=1)
        scores[:, 1:] += np.abs(rng.normal(size=(40, 5))) * (rng.random((40, 5)) < 0.5) + 0.02
        found = sizes(scores, range(40), 2, least=2)
        shown.append(found[1].gain.low > 0)
    assert np.mean(shown) <= 0.05


def test_the_gain_of_two_choices_has_a_wider_interval_than_a_mean():
    values, own = np.random.default_rng(1).normal(size=50), numbered(range(50))
    gain = gain_of(values, own)
    assert gain.estimate == values.mean()
    half = np.sqrt((1 + 10 / 9) / 50) * values.std(ddof=1) * 2.2621572  # t with 9 degrees
    assert (gain.low, gain.high) == pytest.approx((gain.estimate - half, gain.estimate + half))


def test_the_gain_may_be_what_a_rare_timeout_of_the_single_best_makes_it():
    values, own = np.full(60, 0.5), numbered(range(60))
    gain = gain_of(values, own, (0.0, 100.0))
    assert gain.low == pytest.approx(0.5)
    assert 4 < gain.high < 10, "60 instances do not exclude a timeout on one of 20"


def test_further_seeds_of_a_problem_make_no_interval_narrower():
    values, own = np.random.default_rng(2).random(20), numbered(range(20))
    again, twice = np.repeat(values, 4), np.repeat(own, 4)
    for alone, several in (
        (gain_of(values, own), gain_of(again, twice)),
        (mean_of(values, values, own, (0, 2)), mean_of(again, again, twice, (0, 2))),
    ):
        assert (several.low, several.high) == pytest.approx((alone.low, alone.high))


def test_too_few_problems_tell_nothing():
    scores = types_world(30, 4, types=2, seed=1)
    found = sizes(scores, [k % (FEW - 1) for k in range(30)], 2)
    assert np.isinf(found[1].gain.low)
    assert knee(found, [k % (FEW - 1) for k in range(30)]).size == 1


def test_sizes_end_with_a_team_that_is_best_everywhere():
    scores = np.add.outer(np.arange(20.0), np.arange(6.0))
    assert [one.size for one in sizes(scores, range(20), 6)] == [1]
    assert [one.size for one in sizes(scores, range(20), 6, least=3)] == [1, 2, 3]


def test_the_knee_is_the_smallest_team_that_no_larger_one_is_shown_to_beat():
    rng = np.random.default_rng(3)
    kind = rng.integers(3, size=90)
    scores = np.abs(np.arange(3)[None, :] - kind[:, None]) * 2.0 + 0.3 * rng.normal(size=(90, 3))
    scores = np.column_stack([scores, scores.max(axis=1, keepdims=True) + rng.random((90, 4))])
    found = sizes(scores, range(90), 6)
    assert knee(found, range(90)).size == 3
    assert sorted(found[2].team) == [0, 1, 2]
    assert found[0].gain.estimate == 0
