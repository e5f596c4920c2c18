"""The table of yes-or-no outcomes: what it records, and what it says."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.racing_lab import answers, saved
from benchmarks.racing_lab.__main__ import main
from benchmarks.racing_lab.levels import families

ACCURATE = next(f for f in families() if f.name == "right in 92–98 %, 10 candidates")


def test_every_rule_gets_the_same_budget_of_the_same_world():
    found = answers.one_race(ACCURATE, 3)
    assert {rule for rule, _ in found} == set(answers.NAMES)
    for (rule, budget), (regret, unspent) in found.items():
        assert regret >= 0
        assert 0 <= unspent < 1
        if rule in (answers.UNIFORM, answers.UCB):
            assert unspent == 0, budget


def test_uniform_takes_the_best_mean_of_what_it_pays_for():
    sample = ACCURATE.world.sample(np.random.default_rng(5))
    found = answers.one_race(ACCURATE, 5, only=["uniform"])
    assert {rule for rule, _ in found} == {"auto", "uniform"}
    best = sample.costs[:20].sum(axis=0).argmin()
    regret = 100 * (sample.mean[best] - sample.mean.min())
    assert found["uniform", 20] == pytest.approx((regret, 0))


def test_accurate_candidates_use_their_budget():
    """That twenty right answers in a row end no race."""
    found = [answers.one_race(ACCURATE, seed, only=["uniform"], budgets=[50]) for seed in range(20)]
    assert np.mean([one["auto", 50][1] for one in found]) < 0.1


def test_worlds_can_be_added_to_a_file(tmp_path):
    for case in ("four levels, 10 ", "rare failures, 10 ", "four levels, 10 "):
        arguments = ["answers", "--small", "--jobs", "1", "--case", case, "--rules", "ucb"]
        assert main([*arguments, "--out", str(tmp_path)]) == 0
    rows = saved.load("answers", tmp_path).rows
    worlds = [
        f.name for f in families() if "four levels, 10 " in f.name or "rare failures, 10 " in f.name
    ]
    assert {row["benchmark"] for row in rows} == set(worlds)
    assert len(rows) == len(worlds) * 2 * 2


def test_a_rule_is_ahead_beyond_two_errors_and_variants_do_not_count():
    def row(rule: str, difference: float) -> dict:
        return {"rule": rule, "difference": difference, "difference_se": 1.0}

    rows = [row("auto", 0), row("ucb", -1.9), row("uniform", -2.1), row("auto, to the end", -9)]
    assert [one["rule"] for one in answers.ahead(rows)] == ["uniform"]


def test_rules_raced_again_keep_the_rows_of_others_and_of_the_default():
    def row(rule: str, regret: float) -> dict:
        return {"benchmark": "a world", "rule": rule, "budget": 2, "regret": regret}

    old = [row("auto", 1), row("ucb", 2)]
    new = [row("auto", 3), row("ucb", 4), row("uniform", 5)]
    kept = answers.replaced(old, new, ["ucb", "uniform"])
    assert {one["rule"]: one["regret"] for one in kept} == {"auto": 1, "ucb": 4, "uniform": 5}
    assert answers.replaced(old, new, None) == new


def test_growing_looks_are_held_against_a_look_each():
    assert answers.base("auto") == answers.base("ucb") == "auto"
    assert answers.base("successive-halving, looks at 25%") == "successive-halving"
    found = answers.one_race(ACCURATE, 4, only=["continuous-rejects, looks at 25%"], budgets=[20])
    assert {rule for rule, _ in found} == {
        "auto", "continuous-rejects", "continuous-rejects, looks at 25%",
    }  # fmt: skip


def test_to_the_end_the_last_two_spend_the_budget():
    wide = next(f for f in families() if f.name == "right in 30–98 %, 10 candidates")
    found = [
        answers.one_race(wide, seed, only=["auto, to the end"], budgets=[50]) for seed in range(6)
    ]
    assert max(one["auto", 50][1] for one in found) > 0.1
    assert max(one["auto, to the end", 50][1] for one in found) < 0.01
