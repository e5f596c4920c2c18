"""Who leaves a race for a front."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from racing import InputError, Metric, Race, Results, stats
from racing.core.aims import Front
from racing.core.fronts import pooled_noise
from racing.core.goal import Goal
from racing.core.verdict import Reason, Verdict
from racing.rules import RULES, Auto, Bayes, Sign
from racing.rules.plan import front_places
from racing.rules.rule import Outlook

COUNTS = st.integers(1, 60)


def results(values: NDArray[np.float64], *, rope: float = 0.0) -> Results:
    """Of (n, k, 2) values; NaN is a failure."""
    goal = Goal({"a": Metric(rope=rope), "b": Metric()}, Front(("a", "b")))
    metrics = np.where(np.isnan(values), np.inf, values)
    k = metrics.shape[1]
    return Results(
        metrics[:, :, 0], np.ones(metrics.shape[:2], dtype=bool), tuple(range(1, k + 1)),
        np.arange(k), metrics=metrics, goal=goal,
    )  # fmt: skip


def judge(values: NDArray[np.float64], *, left: float, instances: float = 100) -> Verdict:
    outlook = Outlook(objective="mean", instances=instances, evaluations=left, goal="front")
    return Auto()(results(values), outlook, np.random.default_rng(0))


def world(n: int, seed: int = 0, noise: float = 0.3) -> NDArray[np.float64]:
    """Ten on a curve, thirty behind it."""
    rng = np.random.default_rng(seed)
    x = np.r_[np.linspace(0, 1, 10), rng.random(30)]
    behind = np.r_[np.zeros(10), 1 + rng.random(30)]
    truth = np.stack([x + behind, (1 - x) ** 2 + behind], axis=1)
    return truth + noise * rng.normal(size=(n, 40, 2))


@given(k=COUNTS, least=COUNTS, n=COUNTS, budget=st.integers(0, 2000), ahead=st.integers(0, 200))
@settings(max_examples=150, deadline=None)
def test_places_are_the_most_that_can_be_paid(k, least, n, budget, ahead):
    """By the sum of the docstring, instance by instance."""
    found = front_places(k, least=least, n=n, evaluations=budget, instances=ahead)

    def cost(kept: int) -> float:
        end = n + min(ahead, budget // least)
        return sum(max(least, kept * n / j) for j in range(n, end))

    if k <= least or k * ahead <= budget:
        assert found == k
        return
    assert least <= found <= k
    assert found == least or cost(found) <= budget + 1e-6
    assert found == k or cost(found + 1) > budget - 1e-6


@pytest.mark.parametrize("n", [3, 8, 20])
@pytest.mark.parametrize("seed", range(5))
def test_whoever_may_still_be_on_the_front_stays(n: int, seed: int) -> None:
    values = world(n, seed)
    left = 40 * 10
    out = {e.candidate - 1 for e in judge(values, left=left).eliminated}
    means, noise = values.mean(axis=0), pooled_noise(values)
    h = left / 40
    reach = 1.645 * math.sqrt(2) * math.sqrt(h / (n * (n + h))) * math.sqrt(1 + 5 / n)
    for c in range(40):
        others = [j for j in range(40) if j != c]
        gap = max(min((means[c] - means[j]) / noise) for j in others)
        assert c not in out or gap >= reach
    assert len(out) == 40 - front_places(
        40,
        least=sum(
            max(min((means[c] - means[j]) / noise) for j in range(40) if j != c) < reach
            for c in range(40)
        ),
        n=n, evaluations=left, instances=100,
    )  # fmt: skip


def test_a_verdict_says_which_dominates_and_by_how_much() -> None:
    verdict = judge(world(12), left=40 * 3)
    assert verdict.eliminated
    values = world(12).mean(axis=0)
    for one in verdict.eliminated:
        assert str(one.reason) == "dominated"
        assert one.measure == "gap"
        assert one.value >= one.threshold
        assert (values[one.against - 1] < values[one.candidate - 1]).all()


def test_whoever_failed_more_often_leaves_first() -> None:
    values = world(12)
    values[3, :5] = np.nan
    verdict = judge(values, left=40 * 3)
    last = [one for one in verdict.eliminated if one.measure == "failures"]
    assert {one.candidate for one in last} == set(range(1, 6))
    assert {(one.value, one.threshold, one.against) for one in last} == {(1, 0, verdict.leader)}


@pytest.mark.parametrize("left", [math.inf, 400])
@pytest.mark.parametrize("seed", range(5))
def test_where_all_can_see_all_instances_only_what_cannot_come_back_leaves(
    left: float, seed: int
) -> None:
    values, n, h = world(9, seed), 9, 10
    out = {e.candidate - 1 for e in judge(values, left=left, instances=h).eliminated}
    means, noise = values.mean(axis=0), pooled_noise(values)
    reach = 2.576 * math.sqrt(2 * h / (n * (n + h)) * (1 + 5 / n))
    gaps = [max(min((means[c] - means[j]) / noise) for j in range(40) if j != c) for c in range(40)]
    assert out == {c for c, gap in enumerate(gaps) if gap >= reach}
    assert out


def test_a_race_without_a_budget_finds_the_front_of_all_instances_with_fewer_evaluations() -> None:
    same, saved = 0, 0
    for seed in range(20):
        values = world(30, seed)
        fronts = []
        for rule in ("none", "auto"):
            race = Race(
                [{"c": c} for c in range(40)], range(30), rule=rule,
                metrics={"a": {}, "b": {}}, objective={"front": ["a", "b"]},
            )  # fmt: skip
            for one in race:
                a, b = values[one.instance.step, one.candidate.id - 1].tolist()
                race.tell(one, {"a": a, "b": b})
            fronts.append({standing.candidate.id for standing in race.front})
            saved += (30 * 40 - race.spent.evaluations) / (30 * 40) / 20
        same += fronts[0] == fronts[1]
    assert same == 20
    assert saved > 0.3


def test_nothing_leaves_after_one_instance() -> None:
    assert judge(world(1), left=50).eliminated == ()


@pytest.mark.parametrize("rule", sorted(set(RULES) - {"auto", "bayes", "bets", "none", "sign"}))
def test_other_rules_refuse_a_front(rule: str) -> None:
    asked: Any = {"metrics": {"a": {}, "b": {}}, "objective": {"front": ["a", "b"]}, "budget": 90}
    with pytest.raises(
        InputError, match="which only the rules auto, bayes, bets, none and sign can judge"
    ):
        Race([{"x": x} for x in range(9)], range(40), rule=rule, **asked)


def judged_by(rule: Any, values: NDArray[np.float64], **options: Any) -> Verdict:
    outlook = Outlook(objective="mean", instances=100, evaluations=math.inf, goal="front")
    return rule(results(values, **options), outlook, np.random.default_rng(0))


@pytest.mark.parametrize("seed", range(5))
def test_sign_drops_what_another_beats_in_the_sign_tests_of_all_metrics(seed: int) -> None:
    values = world(14, seed)
    verdict = judged_by(Sign(alpha=0.02), values)
    costs = np.where(np.isnan(values), np.inf, values)
    p = np.ones((40, 40))
    for c, j in itertools.permutations(range(40), 2):
        p[c, j] = max(
            stats.sign_p(
                int((costs[:, j, k] < costs[:, c, k]).sum()),
                int((costs[:, j, k] > costs[:, c, k]).sum()),
                alternative="better",
            )
            for k in range(2)
        )
    out = {e.candidate - 1: e for e in verdict.eliminated}
    assert set(out) == {c for c in range(40) if p[c].min() < 0.02 and c + 1 != verdict.leader}
    assert out
    for c, one in out.items():
        assert one.reason is Reason.DOMINATED
        assert one.value == pytest.approx(p[c].min())
        assert p[c, one.against - 1] == p[c].min()


@pytest.mark.parametrize("seed", range(3))
def test_bayes_drops_what_a_joint_statement_calls_dominated(seed: int) -> None:
    values = world(14, seed)
    verdict = judged_by(Bayes(), values, rope=0.1)
    rng = np.random.default_rng(0)
    joint = stats.joint_dominance(values, rng=rng, ropes=[0.1, 0.0])
    dropped = [e.candidate - 1 for e in verdict.eliminated]
    assert dropped == [c for c in joint.dominated if c + 1 != verdict.leader]
    assert dropped
    assert {e.reason for e in verdict.eliminated} == {Reason.DOMINATED}
    assert all(e.value > 0.95 for e in verdict.eliminated)


def test_a_failure_counts_as_the_worst_cost_so_far_in_the_statements_of_bayes() -> None:
    values = world(14)
    failing = values.copy()
    failing[:, 3] = np.nan
    worst = np.nanmax(failing, axis=(0, 1))
    dropped = {e.candidate for e in judged_by(Bayes(), failing).eliminated}
    assert 4 in dropped
    assert dropped == {
        e.candidate
        for e in judged_by(Bayes(), np.where(np.isnan(failing), worst, values)).eliminated
    }


@pytest.mark.parametrize(
    ("rule", "what"),
    [
        ({"name": "sign", "gate": "iman-davenport"}, "have no omnibus test; leave gate out"),
        ({"name": "bayes", "s": 2.0}, "bayes takes only gamma"),
        ({"name": "bayes", "drop_equals": False}, "bayes takes only gamma"),
        ({"name": "bets", "range": 2.0}, "leave range out"),
    ],
)
def test_options_without_effect_on_a_front_are_refused(rule: Any, what: str) -> None:
    asked: Any = {"metrics": {"a": {}, "b": {}}, "objective": {"front": ["a", "b"]}}
    with pytest.raises(InputError, match=what):
        Race([{"x": x} for x in range(9)], range(40), rule=rule, **asked)


def test_a_rope_keeps_what_differs_by_less() -> None:
    values = np.tile([[0.0, 0.0], [0.05, 0.0], [0.2, 0.0]], (6, 1, 1))
    for rope, on_front in ((0.0, [1]), (0.1, [1, 2])):
        seen = results(values, rope=rope)
        assert seen.goal is not None
        assert (np.flatnonzero(seen.goal.trade_offs(seen).front) + 1).tolist() == on_front


@pytest.mark.parametrize("m", [2, 3, 7])
@pytest.mark.parametrize("scores", ["mean", "rank"])
@pytest.mark.parametrize("told", [None, {"a": 1.0, "b": 2.0}, "half", "other"])
def test_degenerate_races_end_with_a_front(m: int, scores: Any, told: Any) -> None:
    race = Race(
        [{"x": x} for x in range(m)], range(12), budget=8 * m, metrics={"a": {}, "b": {}},
        objective={"front": ["b", "a"], "scores": scores},
    )  # fmt: skip
    while not race.done:
        for experiment in race.ask():
            id, step = experiment.key
            failed = told is None or (told == "half" and (id + step) % 2)
            given = told if isinstance(told, dict) else {"a": float(id), "b": float(-id)}
            race.tell(experiment.failure() if failed else experiment, *([] if failed else [given]))
        if told == "other" and race.instances_seen == 4 and len(race.candidates) == m:
            race.join({"x": 99})
    assert race.survivors
    if told is None:
        assert race.winner is None
        return
    found = {one.candidate for one in race.front}
    assert race.winner in found
    if told == "other":
        assert {c.id for c in found} >= set(range(1, m + 1))
    elif told != "half":
        assert len(found) == m
    assert all(one.on_front is None or 0 <= one.on_front <= 1 for one in race.front)
