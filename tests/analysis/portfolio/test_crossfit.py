"""What a team is worth: the instances that tell it choose nothing, and the interval holds."""

from __future__ import annotations

import numpy as np
import pytest

from racing.analysis.portfolio.crossfit import (
    FOLDS,
    LEAST,
    folds_of,
    gain_of,
    held_out,
    held_out_teams,
    knee,
    mean_of,
    sizes,
)
from racing.analysis.portfolio.team import best_of, best_team, value
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


@pytest.mark.parametrize("size", [2, 3])
def test_the_interval_of_a_team_holds(size):
    hits = []
    for seed in range(150):
        scores = types_world(2060, 8, types=3, seed=seed)
        few, folds = scores[:60], folds_of(range(60))
        found = mean_of(held_out_teams(few, folds, size), folds)
        hits.append(found.low <= value(scores[60:], best_team(few, size)) <= found.high)
    assert 0.91 <= np.mean(hits) <= 0.99


def test_where_one_candidate_is_best_everywhere_a_team_is_hardly_ever_shown():
    rng, shown = np.random.default_rng(1), []
    for _ in range(150):
        scores = np.repeat(rng.normal(size=(40, 1)), 6, axis=1)
        scores[:, 1:] += np.abs(rng.normal(size=(40, 5))) * (rng.random((40, 5)) < 0.5) + 0.02
        found = sizes(scores, range(40), 2, least=2)
        shown.append(found[1].gain.low > 0)
    assert np.mean(shown) <= 0.05


def test_the_gain_of_two_choices_has_a_wider_interval_than_a_mean():
    values, folds = np.random.default_rng(1).normal(size=50), folds_of(range(50))
    alone, gain = mean_of(values, folds), gain_of(values, folds)
    assert gain.mean == alone.mean
    ratio = (gain.high - gain.low) / (alone.high - alone.low)
    assert ratio == pytest.approx(np.sqrt(1 + 10 / 9))


def test_too_few_problems_tell_nothing():
    scores = types_world(30, 4, types=2, seed=1)
    found = sizes(scores, [k % (LEAST - 1) for k in range(30)], 2)
    assert np.isinf(found[1].gain.low)
    assert knee(found, [k % (LEAST - 1) for k in range(30)]).size == 1


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
    assert found[0].gain.mean == 0
