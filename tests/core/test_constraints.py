"""Whether a constraint is met on instances that chose no candidate."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest, ttest_1samp

from racing import Metric, Results
from racing.core.aims import Minimize
from racing.core.constraints import Kept, by_constraints, kept, shares
from racing.core.goal import Goal

METRICS = {"time": Metric(), "success": Metric(direction="maximize")}


def of(limit: str, time: object, success: object) -> Kept:
    """One candidate, with these values on each instance; NaN stands for a failure."""
    goal = Goal(METRICS, Minimize("time", subject_to=(limit,)))
    pair = np.column_stack([np.array(time, float), -np.array(success, float)])
    metrics = np.where(np.isnan(pair).any(axis=1, keepdims=True), np.inf, pair)[:, None]
    found = Results(
        metrics[:, :, 0], np.ones((len(pair), 1), dtype=bool), (1,), np.arange(1),
        metrics=metrics, goal=goal,
    )  # fmt: skip
    return kept(goal, found, 0)[0]


@pytest.mark.parametrize(("times", "trials"), [(0, 5), (3, 9), (40, 40), (99, 100)])
def test_shares_have_the_interval_of_clopper_and_pearson(times: int, trials: int) -> None:
    exact = binomtest(times, trials).proportion_ci(0.9, "exact")
    assert np.allclose(shares(times, trials, 0.9), (exact.low, exact.high))


def test_means_have_the_interval_of_student() -> None:
    times = np.random.default_rng(5).exponential(size=12)
    found = of("time <= 2", times, np.ones(12))
    ends = ttest_1samp(times, 0).confidence_interval(0.95)
    assert np.allclose((found.low, found.high), (ends.low, ends.high))
    assert found.mean == pytest.approx(times.mean())


@pytest.mark.parametrize(
    ("limit", "evidence"),
    [
        ("success >= 0.5", "met"),
        ("success >= 0.95", "open"),
        ("success >= 2", "missed"),
        ("success <= 0.5", "missed"),
    ],
)
def test_seven_of_seven_say_little_of_a_high_share(limit: str, evidence: str) -> None:
    found = of(limit, np.ones(7), np.ones(7))
    assert (found.mean, found.evidence) == (1.0, evidence)
    assert found.low == pytest.approx(0.5904, abs=1e-4)


def test_what_failed_is_left_out_and_too_little_decides_nothing() -> None:
    found = of("time <= 2", [1.0, np.nan, 3.0], [1, np.nan, 1])
    assert (found.mean, found.evidence) == (2.0, "open")
    for times in ([1.5], [1.5, 1.5], [np.nan]):
        few = of("time <= 2", times, np.where(np.isnan(times), np.nan, 1.0))
        assert (few.low, few.high, few.evidence) == (None, None, "open")
    assert few.mean is None
    for many, evidence in ((5, "open"), (6, "met")):
        assert of("time <= 2", np.full(many, 1.5), np.ones(many)).evidence == evidence


@pytest.mark.parametrize(
    ("own", "other", "found"),
    [
        (40, 40, "equal"),  # by their means, both meet it
        (36, 38, "equal"),
        (36, 10, "better"),  # 10 of 40 is far off, and 36 of 40 cannot be as far
        (38, 34, "open"),  # one meets it, but chance may be all
        (20, 5, "better"),  # both miss it, one by more
        (20, 18, "open"),
    ],
)
def test_constraints_decide_where_the_intervals_of_the_violations_are_apart(
    own: int, other: int, found: str
) -> None:
    def solved(times: int) -> list[Kept]:
        return [of("success >= 0.9", np.ones(40), np.arange(40) < times)]

    opposite = {"better": "worse"}.get(found, found)
    assert by_constraints(solved(own), solved(other)) == found
    assert by_constraints(solved(other), solved(own)) == opposite


def test_without_intervals_constraints_decide_nothing() -> None:
    met, missed = ([of("time <= 2", [time, time], np.ones(2))] for time in (1.0, 9.0))
    assert (met[0].met, missed[0].met) == (True, False)
    assert by_constraints(met, missed) == by_constraints(missed, met) == "open"
