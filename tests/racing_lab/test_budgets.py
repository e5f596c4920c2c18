"""The table by budget: what it records, and what it says."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.racing_lab import budgets, saved
from benchmarks.racing_lab.__main__ import main
from benchmarks.racing_lab.replay import Setting, replay
from benchmarks.racing_lab.worlds import Normal
from racing.rules import FTest


@pytest.mark.parametrize("objective", ["rank", "mean"])
def test_a_rule_that_is_known_to_drop_nobody_need_not_be_asked(objective, monkeypatch):
    world = Normal(12, 0.5, 40)
    rules = ["successive-halving", "successive-rejects"]
    quick = budgets.one_race(world, objective, 3, only=rules)
    monkeypatch.setattr(budgets, "idle_of", lambda *_: None)
    assert quick == budgets.one_race(world, objective, 3, only=rules)


def test_a_test_at_a_budget_is_what_its_race_had_come_to():
    world = Normal(12, 0.5, 40)
    sample = world.sample(np.random.default_rng(4))
    found = budgets.one_race(world, "mean", 4, only=["f-test"])
    for budget in budgets.BUDGETS:
        how = Setting(objective="mean", evaluations=int(budget * 12))
        race = replay(sample.costs, FTest(), how, seed=4)
        regret, unspent, _ = found["f-test", budget]
        behind = sample.mean[race.winner] - sample.mean.min()
        assert regret == pytest.approx(behind / np.ptp(sample.mean))
        most = min(int(budget * 12), 40 * 12)
        assert unspent == pytest.approx(1 - race.evaluations / most)


def test_every_candidate_of_the_doubled_world_has_a_twin():
    world = budgets.Doubled(Normal(5, 0.5, 30))
    sample = world.sample(np.random.default_rng(1))
    assert sample.costs.shape == (30, 10)
    assert len(np.unique(sample.costs, axis=1).T) == 5
    pairs = [(i, j) for i in range(10) for j in range(i) if sample.mean[i] == sample.mean[j]]
    assert len(pairs) == 5
    for i, j in pairs:
        np.testing.assert_array_equal(sample.costs[:, i], sample.costs[:, j])
    found = budgets.one_race(world, "rank", 1, only=["f-test"])
    assert 0 < found["auto", 20][2] < 0.5
    plain = budgets.one_race(Normal(5, 0.5, 30), "rank", 1, only=["f-test"])
    assert all(on_equals == 0 for _, _, on_equals in plain.values())


def test_cases_can_be_added_to_a_file(tmp_path):
    for case in ("doubles · rank", "doubles · mean", "doubles · rank"):
        arguments = ["budgets", "--small", "--jobs", "1", "--rules", "f-test", "--case", case]
        assert main([*arguments, "--out", str(tmp_path)]) == 0
    rows = saved.load("budgets", tmp_path).rows
    assert {row["objective"] for row in rows} == {"rank", "mean"}
    assert len(rows) == 2 * 2 * len(budgets.BUDGETS)


def test_a_cell_counts_once_and_variants_of_the_default_do_not():
    def row(rule: str, difference: float, budget: float = 3.0) -> dict:
        return {
            "benchmark": "a",
            "objective": "rank",
            "budget": budget,
            "rule": rule,
            "difference": difference,
            "difference_se": 1.0,
        }

    rows = [row("auto", 0), row("f-test", -3), row("sign", -5), row("auto, frugal", -9)]
    assert budgets.beaten(rows) == (1, 1)
    assert budgets.beaten([*rows, row("f-test", -1.9, 6.0), row("sign", 9, 6.0)]) == (1, 2)
