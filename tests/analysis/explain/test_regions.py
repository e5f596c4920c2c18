"""Where runs fail, and where nothing was tried."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from racing.analysis.explain.regions import regions
from racing.space import Categorical, Integer, Real, Space

SPACE = Space(
    {
        "kind": Categorical(["p", "q", "r"], default="p"),
        "x": Real(0, 10, default=5.0),
        "rate": Real(1e-4, 1, log=True, default=0.01),
        "n": Integer(1, 9, default=3, when="kind == q"),
    }
)


@pytest.fixture(scope="module")
def sample():
    return SPACE.sample(np.random.default_rng(1), 120)


def test_nothing_is_named_where_nothing_fails_and_all_was_tried(sample):
    ran = np.full(len(sample), 3)
    assert regions(SPACE, sample, ran, np.zeros(len(sample), dtype=int)) == ()


def test_a_level_that_crashes_is_named_with_its_counts(sample):
    ran = np.full(len(sample), 4)
    failed = np.array([4 if one["kind"] == "r" else 0 for one in sample])
    (found,) = regions(SPACE, sample, ran, failed)
    inside = [one for one in sample if one["kind"] == "r"]
    assert (found.kind, found.name, found.level) == ("failing", "kind", "r")
    assert (found.configurations, found.evaluations) == (len(inside), 4 * len(inside))
    assert found.failures == 4 * len(inside)
    assert found.elsewhere == 0.0


def test_a_range_that_crashes_is_named_on_the_parameters_scale(sample):
    ran = np.full(len(sample), 2)
    failed = np.array([int(one["rate"] > 10**-0.8) for one in sample])
    (found,) = regions(SPACE, sample, ran, failed)
    assert (found.name, found.level) == ("rate", None)
    assert found.low == pytest.approx(10**-0.8)
    assert found.high == pytest.approx(1.0)


def test_failures_by_chance_are_no_region(sample):
    named = 0
    for seed in range(40):
        failed = (np.random.default_rng(seed).random(len(sample)) < 0.2).astype(int)
        named += bool(regions(SPACE, sample, np.ones(len(sample), dtype=int), failed))
    assert named <= 4  # 5 % of 40 by the correction, and discrete tests are cautious


def pairs_in(found):
    return [one for one in found if one.other is not None]


def test_two_parts_that_fail_only_together_are_named_together():
    tried = SPACE.sample(np.random.default_rng(1), 300)
    failed = np.array([int(one["x"] > 8 and one["kind"] == "r") for one in tried])
    ran = np.ones(len(tried), dtype=int)
    (found,) = pairs_in(regions(SPACE, tried, ran, failed))
    assert (found.name, found.level) == ("kind", "r")
    assert (found.other.name, found.other.low, found.other.high) == ("x", 8.0, 10.0)
    assert found.configurations == found.evaluations == found.failures == failed.sum()
    assert found.elsewhere == 0.0
    assert found.p_value < 1e-5


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_a_part_that_fails_alone_makes_no_pair(share):
    named = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        tried = SPACE.sample(rng, 200)
        alone = np.array([one["kind"] == "r" for one in tried])
        failed = rng.random(len(tried)) < np.where(alone, share, 0.1)
        found = regions(SPACE, tried, np.ones(len(tried), dtype=int), failed.astype(int))
        named += bool(pairs_in(found))
    assert named <= 2


def test_the_only_parameter_has_no_pair():
    tried = [{"n": n} for n in range(6)] * 9
    failed = np.array([int(one["n"] == 3) for one in tried])
    (found,) = regions(Space({"n": Integer(0, 5)}), tried, np.ones(54, dtype=int), failed)
    assert found.other is None


def test_the_p_value_is_fishers(sample):
    ran, bad = np.ones(len(sample), dtype=int), np.zeros(len(sample), dtype=int)
    inside = [i for i, one in enumerate(sample) if one["kind"] == "q"]
    bad[inside[:9]] = 1
    (found,) = regions(SPACE, sample, ran, bad)
    n, k = len(sample), len(inside)
    tail = comb(k, 9) / comb(n, 9)
    parts = 3 + 5 + 5 + 5  # levels of kind, cells of x, rate and n
    assert found.p_value <= parts * tail
    assert found.p_value >= tail


def test_ranges_and_levels_that_nobody_tried_are_named(sample):
    kept = [one for one in sample if not 2 < one["x"] < 6 and one["kind"] != "q"]
    none = np.zeros(len(kept), dtype=int)
    found = {one.name: one for one in regions(SPACE, kept, none + 1, none)}
    assert set(found) == {"kind", "x", "n"}
    assert found["kind"].level == "q"
    assert all(one.kind == "unexplored" for one in found.values())
    below = max(one["x"] for one in kept if one["x"] <= 2)
    above = min(one["x"] for one in kept if one["x"] >= 6)
    assert (found["x"].low, found["x"].high) == pytest.approx((below, above))
    assert (found["n"].low, found["n"].level) == (None, None)


def test_a_few_configurations_leave_gaps_by_chance():
    few = SPACE.sample(np.random.default_rng(2), 6)
    none = np.zeros(6, dtype=int)
    assert not [one for one in regions(SPACE, few, none + 1, none) if one.name in ("x", "rate")]


def unexplored(space, tried):
    none = np.zeros(len(tried), dtype=int)
    return [(one.low, one.high) for one in regions(space, tried, none + 1, none)]


def test_whole_numbers_that_were_tried_are_in_no_gap():
    space = Space({"n": Integer(0, 5)})
    everything = [{"n": n} for n in range(6)] * 20
    assert unexplored(space, everything) == []
    assert unexplored(space, [one for one in everything if one["n"] not in (2, 3)]) == [(2, 3)]
    assert unexplored(space, [one for one in everything if one["n"] > 1]) == [(0, 1)]
    assert unexplored(space, [one for one in everything if one["n"] < 3]) == [(3, 5)]
    steps = Space({"n": Integer(0, 20, step=4)})
    tried = [{"n": n} for n in (0, 4, 16, 20)] * 20
    assert unexplored(steps, tried) == [(8, 12)]
