"""What is said of those who left must hold in the costs."""

from __future__ import annotations

import numpy as np
import pytest

import racing
from racing.report import history
from racing.report.pictures.course import dropped, looks
from racing.report.run_tables import in_words
from tests.report.kit import told
from tests.worlds import normal_world


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
