"""`--fill` with a target: recorded, resumed, and known to the next choice."""

from __future__ import annotations

import numpy as np
import pytest

from racing.analysis.portfolio.choice import portfolio
from racing.analysis.portfolio.fill import Filling, fill, next_cells, potentials
from racing.analysis.portfolio.table import fills_of, read_costs
from racing.analysis.portfolio.team import certain_scores
from racing.base.errors import InputError, LogError
from racing.core.budget import Budget
from racing.core.candidate import Candidate
from racing.core.experiment import Instance
from racing.core.stop import Stop
from racing.log import SQLiteLog, replay
from racing.runner.run import run
from racing.stats.teams import best_team, value
from tests.analysis.portfolio.kit import NAN, kinds_log, types_world, write_kinds
from tests.runs_kit import calls, interrupted_after


@pytest.fixture
def log(kept):
    return kept(kinds_log)


def cells(log):
    return int((~np.isnan(read_costs([log]).costs)).sum())


def test_its_costs_are_known_to_the_next_choice(log):
    known, before = cells(log), len(calls(log.parent))
    assert fill([log], 70, size=3)
    assert len(calls(log.parent)) == before + 70
    assert cells(log) == known + 70
    found = portfolio(log, size=3)
    assert sorted(one.candidate.values["x"] for one in found.members) == [0, 2, 5]


def test_a_failure_that_it_finds_costs_its_penalty(tmp_path):
    path = write_kinds(tmp_path, on_failure={"penalty": 9})
    code = (tmp_path / "target.py").read_text().rstrip()
    (tmp_path / "target.py").write_text(f"{code} + 0 / ((seed + values['x']) % 3)\n")
    run(path, log=tmp_path / "log.sqlite")
    before = (read_costs([tmp_path / "log.sqlite"]).costs == 9).sum()
    fill([tmp_path / "log.sqlite"], 60, size=3)
    costs = read_costs([tmp_path / "log.sqlite"]).costs
    assert not np.isinf(costs).any()
    assert (costs == 9).sum() > before


def test_the_same_again_evaluates_nothing_and_a_larger_number_goes_on(log):
    fill([log], 20, size=3)
    before = calls(log.parent)
    fill([log], 20, size=3)
    assert calls(log.parent) == before
    fill([log], 29, size=3)
    assert len(calls(log.parent)) == len(before) + 9
    assert len(fills_of(log)) == 1


def test_an_interrupted_one_goes_on_to_the_same_costs(tmp_path):
    whole, parts = (kinds_log(tmp_path / name) for name in ("whole", "parts"))
    fill([whole], 25, size=3)
    assert not fill([parts], 25, size=3, options=interrupted_after(7))
    assert fill([parts], 25, size=3)
    np.testing.assert_array_equal(read_costs([whole]).costs, read_costs([parts]).costs)
    assert len(calls(tmp_path / "parts")) == len(calls(tmp_path / "whole"))


def test_another_size_takes_over_what_is_known(log):
    fill([log], 16, size=3)
    before = len(calls(log.parent))
    fill([log], 8, size=2)
    assert [path.name for path, _ in fills_of(log)] == ["log.fill.sqlite", "log.fill2.sqlite"]
    lines = calls(log.parent)
    assert len(lines) == len(set(lines)) == before + 8
    fill([log], 20, size=3)
    assert len(set(calls(log.parent))) >= before + 8


def test_a_target_that_changed_is_refused(log):
    target = log.parent / "target.py"
    target.write_text(target.read_text() + "\n# another\n")
    with pytest.raises(InputError, match=r"target\.py changed since the run"):
        fill([log], 8, size=3)


@pytest.mark.parametrize("evaluations", [0, -3, 2.5])
def test_a_number_that_is_none_is_refused(log, evaluations):
    with pytest.raises(InputError, match="fill must be a whole number"):
        fill([log], evaluations)


def test_a_size_that_cannot_be_is_refused_before_anything_is_written(log):
    with pytest.raises(InputError, match="from 1 to 6"):
        fill([log], 8, size=9)
    assert not fills_of(log)


def test_its_log_is_no_run(log):
    fill([log], 8, size=3)
    with (
        SQLiteLog.open(fills_of(log)[0][0], write=False) as book,
        pytest.raises(LogError, match="--fill"),
    ):
        replay(book)


# --- a filling depends on its arguments and outcomes alone, and brings the team nearer the best ---


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


def drive(one, truth):
    """Answer one after the other; which cells were run."""
    ran = []
    while not one.done:
        (asked,) = one.ask(1)
        ran.append((asked.instance.step, asked.candidate.id - 1))
        one.tell(asked, truth[ran[-1]], seconds=0.5)
    return ran


def test_it_runs_what_is_missing_once_and_is_charged():
    truth, known = world(1)
    one = filling(known, 60)
    cells = drive(one, truth)
    assert len(cells) == len(set(cells)) == one.spent.evaluations == 60
    assert one.spent.target_time == 30
    assert one.stopped is Stop.EVALUATIONS
    assert all(np.isnan(known[cell]) for cell in cells)


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


def test_an_extension_goes_on_from_what_is_known():
    truth, known = world(5)
    one = filling(known, 13)
    first = drive(one, truth)
    one.extend(Budget(evaluations=40))
    second = drive(one, truth)
    assert len(first) == 13
    assert len(second) == 27
    assert not set(first) & set(second)


# --- cells are run where they can change the team, and nowhere else ---


def half_known():
    """#1 and #2 are complete; #3 is best on half of what it ran, #4 was always bad."""
    rng = np.random.default_rng(1)
    costs = 0.1 * rng.normal(size=(40, 4)) + [1.0, 1.2, 0.0, 3.0]
    costs[::2, 2] = 2.0
    costs[10:, 2:] = NAN
    return costs


def test_what_was_good_where_it_ran_comes_first_and_what_was_bad_has_no_potential():
    found = potentials(half_known(), 2, "mean")
    assert np.isinf(found[:2]).all()
    assert found[2] > 0 > found[3]


def test_only_missing_cells_are_chosen_and_no_more_than_may_be():
    costs = half_known()
    cells = next_cells(costs, 2, "mean", 100)
    assert cells == [(row, 2) for row in range(10, 14)]
    assert next_cells(costs, 2, "mean", 3) == cells[:3]


def test_a_complete_matrix_needs_none():
    assert next_cells(types_world(20, 5, types=2, seed=1), 2, "mean", 100) == []


def test_a_candidate_that_never_ran_is_tried():
    costs = np.column_stack([np.arange(9.0), np.arange(9.0)[::-1], np.full(9, NAN)])
    assert next_cells(costs, 1, "rank", 2) == [(0, 2), (1, 2)]


def test_doubt_counts_in_favour():
    costs = np.column_stack([np.ones(60), np.full(60, 2.0), np.full((60,), NAN)])
    costs[:, 0] += 0.01 * np.arange(60)
    few, many = costs.copy(), costs.copy()
    few[:4, 2] = [0.5, 1.5, 1.6, 1.7]
    many[:40, 2] = [0.5, 1.5, 1.6, 1.7] * 10
    few_bound, many_bound = (potentials(one, 1, "mean")[2] for one in (few, many))
    assert few_bound / 56 > many_bound / 20
