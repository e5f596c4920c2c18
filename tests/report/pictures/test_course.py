"""How a run went: the leaders in turn, and who left and why."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import racing
from racing.report import history
from racing.report.forms import Line
from racing.report.pictures import pictures
from racing.report.pictures.course import best_so_far, dropped, incumbents, looks
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


def test_looks_have_everybody_judged_with_numbers_that_hold():
    run = told(normal_world(9, 40, seed=4, noise=0.3))
    found = looks(run)
    assert found
    alive = set(run.candidates)
    for look in found:
        assert {one.candidate for one in look.standing} == alive
        left = {out.candidate for out in look.verdict.eliminated}
        assert left <= {one.candidate for one in look.standing}
        costs = run.matrices.costs[: look.verdict.instances]
        lead = costs[:, run.matrices.column[look.verdict.leader]]
        for one in look.standing:
            own = costs[:, run.matrices.column[one.candidate]]
            ranks = run.matrices.ranks[: look.verdict.instances, run.matrices.column[one.candidate]]
            assert one.mean_rank == pytest.approx(np.nanmean(ranks))
            assert (one.wins, one.losses) == ((own < lead).sum(), (own > lead).sum())
            assert one.wins + one.ties + one.losses == look.verdict.instances
        alive -= left
    assert alive == {one.id for one in run.survivors}


def test_the_best_comes_first():
    for look in looks(told(normal_world(7, 30, seed=5, noise=0.3))):
        means = [one.mean_rank for one in look.standing]
        assert means == sorted(means)


def test_nobody_leaves_under_the_rule_that_drops_nobody():
    assert looks(told(normal_world(4, 10, seed=6), rule="none")) == ()


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
