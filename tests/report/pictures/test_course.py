"""How a run went: the leaders in turn, and who left and why."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import racing
from racing.report import history
from racing.report.forms import Line
from racing.report.pictures import pictures
from racing.report.pictures.course import best_so_far, dropped, incumbents
from racing.report.run_tables import in_words
from tests.report.kit import marks, told
from tests.report.states import STATES
from tests.worlds import normal_world

# --- the incumbent: the leaders in turn, each measured by all that the run knows --------------


def test_it_ends_with_the_winner_and_changes_at_each_step():
    run = told(normal_world(9, 30, seed=4, noise=0.3))
    found = incumbents(run)
    ids = [one.candidate for one in found]
    assert ids[-1] == run.winner.id
    assert all(one != other for one, other in pairwise(ids))
    assert [one.evaluations for one in found] == sorted(one.evaluations for one in found)


def test_a_gain_is_the_mean_over_shared_instances_without_failures():
    costs = normal_world(4, 12, seed=1, noise=0.2)
    costs[:, 0] += 5
    costs[3, 0] = np.inf
    run = told(costs, rule="none")
    last = incumbents(run)[-1]
    _, shared = run.matrices.pair(last.candidate, 1)
    shared = shared[np.isfinite(shared).all(axis=1)]
    assert last.instances == len(shared) == 11
    assert last.gain == pytest.approx((shared[:, 1] - shared[:, 0]).mean())
    assert last.cost == pytest.approx(shared[:, 0].mean())
    default, best = marks(best_so_far(run), Line)
    assert best.y[0][-1] == pytest.approx(last.gain)
    assert (best.y[1][-1], default.y[1][-1]) == pytest.approx(shared.mean(axis=0), rel=1e-5)
    assert not any(default.y[0])


def test_a_line_of_one_place_is_not_drawn_but_said():
    early = told(normal_world(6, 9, seed=4), stop_after=7, finish=False)
    found = best_so_far(early)
    assert not found.figure
    assert found.sentence.startswith("#2 has led so far; ")
    first = told(normal_world(6, 9, seed=4), stop_after=1, finish=False)
    for one in pictures(first):
        assert one.figure is None or one.figure.begun
    assert best_so_far(told(normal_world(6, 30, seed=4), rule="none")).figure


def test_before_anything_ran_there_is_none():
    assert incumbents(STATES["not begun"]()) == ()


# --- what is said of those who left must hold in the costs ------------------------------------


@pytest.mark.parametrize("seed", [4, 5])
def test_who_left_is_told_with_the_best_of_those_that_stayed_and_numbers_that_hold(seed):
    run = told(normal_world(9, 40, seed=seed, noise=0.3))
    rows, alive = [*dropped(run).table.rows], set(run.candidates)
    by_name = {run.called(id): id for id in alive}
    for number, verdict in enumerate(run.race.verdicts, start=1):
        left = {out.candidate for out in verdict.eliminated}
        own = [row for row in rows if row[0] == number]
        assert {by_name[row[2]] for row in own if row[3] == "left"} == left
        costs, ranks = (of[: verdict.instances] for of in (run.matrices.costs, run.matrices.ranks))
        lead = costs[:, run.matrices.column[verdict.leader]]
        means = {id: np.nanmean(ranks[:, run.matrices.column[id]]) for id in alive}
        best = sorted(alive - left, key=means.__getitem__)[:3] if left else []
        assert {by_name[row[2]] for row in own if row[3] == "stayed"} == {*best}
        assert [row[4] for row in own] == sorted(row[4] for row in own)
        for _, instances, name, _, mean, wins, losses, *_ in own:
            cost = costs[:, run.matrices.column[by_name[name]]]
            assert instances == verdict.instances
            assert mean == pytest.approx(means[by_name[name]], rel=1e-3)
            assert (wins, losses) == ((cost < lead).sum(), (cost > lead).sum())
        alive -= left
    assert rows
    assert alive == {one.id for one in run.survivors}


def test_nobody_leaves_under_the_rule_that_drops_nobody():
    assert dropped(told(normal_world(4, 10, seed=6), rule="none")).table is None


def test_a_gap_without_noise_is_said_in_words():
    """The default is behind in a metric that has no noise, and equal in the other."""
    kinds = {"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0, "default": 5.0}
    found = racing.minimize(
        lambda values, instance, seed: {"time": kinds[values["kind"]], "size": 1.0},
        [{"kind": kind} for kind in kinds], range(30), budget=60,
        metrics={"time": "minimize", "size": "minimize"}, objective={"front": ["time", "size"]},
    )  # fmt: skip
    run = history(found.log)
    last = [row[-3:] for row in dropped(run).table.rows if row[-3] == "gap"]
    assert last
    assert {value for _, value, _ in last} == {"the same on every instance"}
    assert in_words("gap", 2.5) == in_words("p-value", 1e9) == ""
