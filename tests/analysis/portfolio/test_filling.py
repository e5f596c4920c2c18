"""A filling is a function of its arguments and outcomes, and brings the team nearer the best."""

from __future__ import annotations

import numpy as np
import pytest

from racing.analysis.portfolio.fill import Filling
from racing.analysis.portfolio.team import certain_scores
from racing.base.errors import RaceError
from racing.core.budget import Budget
from racing.core.candidate import Candidate
from racing.core.decider import Entrant
from racing.core.experiment import Experiment, Instance
from racing.core.stop import Stop
from racing.stats.teams import best_team, value
from tests.analysis.portfolio.kit import NAN, types_world


def world(seed, n=50, m=8):
    """What is true, and what is known: the first candidates everywhere, the others of six rows."""
    truth = types_world(n, m, types=3, seed=seed)
    known = truth.copy()
    known[6:, 2:] = NAN
    return truth, known


def filling(known, budget, size=2):
    candidates = [Candidate(j + 1, {"x": j}) for j in range(known.shape[1])]
    instances = [Instance(7 * i, f"i{i}", i) for i in range(len(known))]
    return Filling(candidates, instances, known, size=size, budget=budget, objective="mean")


def drive(one, truth, *, workers=1, seed=0):
    """Answer in any order; which cells were run."""
    rng, out, ran = np.random.default_rng(seed), [], []
    while not one.done:
        out += one.ask(workers - len(out))
        asked = out.pop(rng.integers(len(out)))
        ran.append((asked.instance.step, asked.candidate.id - 1))
        one.tell(asked, truth[ran[-1]], seconds=0.5)
    return ran


@pytest.mark.parametrize("workers", [2, 5, 20])
def test_neither_the_number_of_workers_nor_the_order_changes_what_is_run(workers):
    truth, known = world(1)
    alone, many = filling(known, 60), filling(known, 60)
    cells = drive(alone, truth)
    assert sorted(drive(many, truth, workers=workers, seed=workers)) == sorted(cells)
    np.testing.assert_array_equal(alone.costs, many.costs)
    assert len(cells) == len(set(cells)) == alone.spent.evaluations == 60
    assert alone.spent.target_time == 30
    assert alone.stopped is Stop.EVALUATIONS
    assert all(np.isnan(known[cell]) for cell in cells)


def test_what_was_told_before_is_not_run_again():
    truth, known = world(2)
    whole, first = filling(known, 45), filling(known, 19)
    expected, begun = drive(whole, truth), drive(first, truth)
    again = filling(known, 45)
    for row, column in begun:
        asked = Experiment(again.candidates[column], again.instance(row))
        again.tell(asked.outcome(truth[row, column]))
    rest = drive(again, truth)
    assert sorted([*begun, *rest]) == sorted(expected)


def test_what_is_lost_is_asked_for_again():
    known = world(3)[1]
    one = filling(known, 20)
    asked = one.ask()
    one.lost(*asked[:2])
    assert {e.key for e in one.ask()} == {e.key for e in asked[:2]}


def test_it_ends_where_nothing_can_change():
    truth, known = world(4, n=8)
    one = filling(known, 1000)
    drive(one, truth)
    assert one.stopped is Stop.INSTANCES


@pytest.mark.parametrize("size", [2, 3])
def test_it_closes_most_of_the_distance_to_the_team_that_all_costs_choose(size):
    before, after = [], []
    for seed in range(12):
        truth, known = world(seed, n=60)
        best = value(truth, best_team(truth, size))
        one = filling(known, 100, size=size)
        drive(one, truth)
        for costs, gaps in ((known, before), (one.costs, after)):
            gaps.append(value(truth, best_team(certain_scores(costs, "mean"), size)) - best)
    assert np.mean(after) < 0.5 * np.mean(before)


def test_what_does_not_belong_to_it_is_refused():
    known = world(1)[1]
    one = filling(known, 20)
    stranger = Entrant(candidate=Candidate(1, {"x": 9}))
    with pytest.raises(RaceError, match="the log of another filling"):
        one.restore([stranger])
    asked = one.ask()[0]
    one.tell(asked, 1.0)
    with pytest.raises(RaceError, match="told before"):
        one.tell(asked, 1.0)
    with pytest.raises(RaceError, match="not over yet"):
        one.extend(Budget(evaluations=30))


def test_an_extension_goes_on_from_what_is_known():
    truth, known = world(5)
    one = filling(known, 13)
    first = drive(one, truth)
    one.extend(Budget(evaluations=40))
    second = drive(one, truth)
    assert len(first) == 13
    assert len(second) == 27
    assert not set(first) & set(second)
