"""The words of a run must fit what its outcomes show, in every state."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from racing.analysis.holdout import Holdout
from racing.core.budget import Budget
from racing.core.candidate import Candidate
from racing.core.constraints import Kept, kept
from racing.report import History
from racing.report.answer import answer, compared
from racing.report.pictures import pictures
from racing.report.search_answer import gains_sentence
from racing.report.search_facts import SearchFacts
from racing.report.status import next_step
from racing.report.summary import summary
from racing.search import Gain
from racing.search.front.gains import simultaneous
from racing.stats.effects import median_difference, vargha_delaney
from racing.stats.wilcoxon import wilcoxon
from tests.report.kit import told, told_metrics
from tests.report.states import STATES
from tests.worlds import normal_world

INF = math.inf
OPEN = "Undecided: #2 is not shown to be better than #1."
NOISE = np.random.default_rng(5).normal(0, 1, 40)
NOISE -= NOISE.mean()


def two(gains: np.ndarray, **how: object) -> History:
    """A race of two: the second gains so much over the first, the default; nothing is dropped."""
    return told(np.column_stack([gains, np.zeros(len(gains))]), rule="none", **how)


def words(run: History) -> str:
    found = answer(run.facts)
    return " ".join((found.headline, *found.sentences))


def after_test_of(
    winner: Candidate, against: Candidate, costs: np.ndarray, **more: tuple[Kept, ...]
) -> Holdout:
    """A test on held-out instances, with these costs."""
    return Holdout(
        winner=winner,
        against=against,
        instances=tuple(f"new-{k}" for k in range(len(costs))),
        costs=costs,
        difference=median_difference(*costs.T),
        superiority=vargha_delaney(*costs.T, paired=True),
        test=wilcoxon(*costs.T),
        drawn=False,
        **more,
    )


def after_test(run: History, gains: np.ndarray) -> History:
    """The same run after a test on held-out instances, with these gains."""
    costs = np.column_stack([np.zeros(len(gains)), gains])
    found = after_test_of(run.facts.winner, run.facts.gain.against, costs)
    return replace(run, facts=replace(run.facts, holdout=found))


@pytest.mark.parametrize("state", STATES)
def test_no_state_says_infinity_none_or_certainty(state):
    said = words(STATES[state]())
    for word in ("∞", "inf", "None", "nan", "100%", "100 %"):
        assert word not in said.replace("information", "")


def test_a_gain_is_called_one_where_its_interval_is_above_0():
    run = two(2 + 0.2 * NOISE)
    found = answer(run.facts)
    assert found.headline == "#2 beats #1."
    assert "#2 gains 1.991 over #1 (median; 95 % interval 1." in found.sentences[0]
    assert "they also chose the winner, so it is overstated" in found.sentences[1]


def test_a_gain_whose_interval_contains_0_is_undecided():
    run = two(0.2 + NOISE)
    found = answer(run.facts)
    assert run.facts.gain.pair.evidence == "open"
    assert found.headline == "Undecided: #2 is best so far."
    assert "contains 0" in found.sentences[0]
    assert "So #2 is not shown to be better than #1." in found.sentences
    assert "gains" not in words(run)
    assert "better than #1 by" not in words(run)


@pytest.mark.parametrize("n", [1, 3, 5])
def test_too_few_instances_are_said_to_be_too_few(n):
    run = two(2 + 0.1 * NOISE[:n])
    found = answer(run.facts)
    assert found.headline == "Undecided: #2 is best so far."
    assert "too few instances for a 95 % interval" in found.sentences[0]
    assert "6 or more can" in found.sentences[1]


def test_failures_in_a_difference_are_said_as_such():
    gains = np.array([INF, 2.0, INF, 2.5, 3.0])
    said = answer(two(gains).facts).sentences[0]
    assert said.startswith("#1 failed on 2 of 5 instances; on the other 3, the median difference")
    assert "is 2.5 in favour of #2" in said
    many = np.array([INF] * 4 + list(2 + 0.1 * NOISE[:12]))
    said = answer(two(many).facts).sentences[0]
    assert said.startswith("#1 failed on 4 of 16 instances; on the other 12, #2 gains ")


def test_both_failures_are_said_and_a_difference_without_any_pair_has_no_number():
    costs = np.array([[INF, 1.0], [2.0, INF], [INF, 1.0], [INF, 1.0]])
    run = told(costs, rule="none")
    assert answer(run.facts).sentences[0] == (
        "#1 failed on 3 and #2 on 1 of 4 instances; on none did both succeed."
    )
    assert summary(run).gain is None
    picture = next(one for one in pictures(run) if one.id == "difference")
    assert not picture.chart


def test_the_verdict_counts_failures_though_the_number_does_not():
    gains = np.array([INF] * 12 + [0.5, -0.4, 0.3, -0.2, 0.1, -0.3, 0.2])
    run = two(gains)
    assert run.facts.gain.pair.evidence == "better"
    assert run.facts.gain.pair.interval[0] < 0
    assert answer(run.facts).headline == "#2 beats #1."


def test_the_only_survivor_whose_gain_is_not_shown_is_not_said_to_be_better():
    run = STATES["one survivor"]()
    assert answer(run.facts).headline == "#4 is the last one left; its gain over #1 is not shown."


@pytest.mark.parametrize(
    ("gains", "headline", "advice"),
    [
        (3 + 0.2 * NOISE[:24], "#2 is better than #1 on held-out instances.", "use the config"),
        (-3 + 0.2 * NOISE[:24], "#2 is worse than #1 on held-out instances.", "keep #1"),
        (NOISE[:24] - NOISE[:24].mean(), OPEN, "more held-out"),
        (3 + 0.2 * NOISE[:3], OPEN, "more held-out"),
    ],
)  # fmt: skip
def test_the_held_out_result_is_the_result(gains, headline, advice):
    before = two(2 + 0.2 * NOISE)
    assert "`racing test" in next_step(before.facts, Path("run.sqlite"))
    run = after_test(before, gains)
    found = answer(run.facts)
    assert found.headline == headline
    assert f"On {len(gains)} held-out instances" in found.sentences[0]
    assert "overstated" not in words(run)
    assert "chance" not in words(run)
    step = next_step(run.facts, Path("run.sqlite"))
    assert step.startswith(advice)
    first = pictures(run)[0]
    assert (first.id, first.chart) == ("held-out", "pairs")
    assert len(first.data["rows"]) == len(gains)
    bar = summary(run).gain
    assert bar.held_out
    assert bar.estimate == pytest.approx(run.facts.tested.pair.gain.estimate)


def test_costs_that_are_all_equal_are_said_to_be():
    run = told(np.full((9, 5), 3.0), rule="none")
    assert run.facts.alike == "all"
    assert answer(run.facts).headline == "Nothing to choose: every evaluation had the same cost."
    assert summary(run).gain is None


def test_best_candidates_with_equal_costs_are_a_tie():
    costs = np.column_stack([9 + NOISE, np.zeros((40, 3))])
    run = told(costs)
    assert run.facts.alike == "survivors"
    found = answer(run.facts)
    assert found.headline.startswith("A tie: ")
    assert "equal costs on all" in found.sentences[-1]
    assert answer(STATES["maximized"]().facts).headline.startswith("Undecided")


def test_where_all_crashed_the_cause_is_in_the_head_and_nothing_is_drawn():
    run = STATES["everything crashed"]()
    assert answer(run.facts).headline == "Every evaluation failed: no luck: and a long story."
    assert [one.id for one in pictures(run)] == ["failures"]
    assert summary(run).use == ()


def test_the_default_as_the_winner_is_no_gain():
    costs = normal_world(4, 30, seed=1, noise=0.1)
    costs[:, 0] -= 9
    run = told(costs)
    assert answer(run.facts).headline == "#1 wins: nothing better was found."
    assert summary(run).changes == ()


def confirmed(mean, half, **more: object) -> History:
    """A search whose confirmation came to this."""
    run = told(normal_world(3, 12, seed=2))
    parts = {
        "mean": mean, "low": mean - half, "high": mean + half, "confidence": 0.95, "pairs": 12,
        "problems": 12, "winner_failures": 0, "baseline_failures": 0, "training": 2.0,
        "training_pairs": 5, **more,
    }  # fmt: skip
    baseline = next(one for one in run.race.candidates if one != run.facts.winner)
    found = SearchFacts(
        phase="plain", progress=1.0, window=1, iterations=None, tried={}, notes=(), unconfirmed="",
        baseline=baseline, gain=Gain(**parts),
    )  # fmt: skip
    return replace(run, facts=replace(run.facts, search=found, gain=None, baseline=baseline))


def test_a_confirmed_gain_is_said_only_where_it_is_confirmed():
    good = confirmed(1.5, 0.5)
    name, base = good.facts.winner, good.facts.search.baseline
    assert answer(good.facts).headline == f"{name} is better than {base}."
    assert f"{name} is better than {base} by 1.5 on average, 95 % interval 1 to 2" in words(good)
    open_ = confirmed(0.78, 2.0)
    assert answer(open_.facts).headline == f"Undecided: {name} is best so far."
    assert "better than" not in words(open_).replace("is not shown", "")
    assert "contains 0" in words(open_)
    few = confirmed(0.78, INF)
    assert "too few instances for a 95 % interval" in words(few)
    assert "∞" not in words(few)
    worse = confirmed(-1.5, 0.5)
    assert f"{name} is worse than {base} by 1.5 on average, 95 % interval 1 to 2" in words(worse)


def limit(mean: float, half: float) -> Kept:
    """What instances say of a limit of 0.9, by an interval around a mean."""
    low, high = mean - half, mean + half
    evidence = "met" if low >= 0.9 else "missed" if high < 0.9 else "open"
    return Kept(
        text="success >= 0.9", mean=mean, low=low, high=high, confidence=0.95, evidence=evidence,
        met=mean >= 0.9, missed=(max(0.9 - high, 0.0) / 0.9, max(0.9 - low, 0.0) / 0.9),
    )  # fmt: skip


def test_a_confirmation_is_judged_by_constraints_before_the_cost():
    one, other = (limit(0.95, 0.02),), (limit(0.5, 0.1),)
    dearer = confirmed(-1.5, 0.5, limits=one, baseline_limits=other)
    name, base = dearer.facts.winner, dearer.facts.search.baseline
    assert answer(dearer.facts).headline == f"{name} is better than {base}."
    assert f"{name} is dearer than {base} by 1.5 on average" in words(dearer)
    assert (
        f"{base} misses success >= 0.9 on instances of the confirmation (mean 0.5, 95 %"
        in words(dearer)
    )
    cheaper = confirmed(1.5, 0.5, limits=other, baseline_limits=one)
    assert answer(cheaper.facts).headline.startswith("Undecided")
    assert f"{name} is cheaper than {base} by 1.5 on average" in words(cheaper)
    both = confirmed(1.5, 0.5, limits=one, baseline_limits=one)
    assert answer(both.facts).headline == f"{name} is better than {base}."
    failing = confirmed(-1.5, 0.5, limits=one, baseline_limits=other, winner_failures=3)
    assert answer(failing.facts).headline.startswith("Undecided")


def test_failures_of_a_confirmation_are_said():
    run = confirmed(1.5, 0.5, baseline_failures=3)
    name, base = run.facts.winner, run.facts.search.baseline
    assert f"There {base} failed 3 times and {name} 0 times." in words(run)


def test_one_count_of_evaluations_and_the_rest_once():
    run = told(
        normal_world(6, 9, seed=4), stop_after=15, finish=False, budget=Budget(evaluations=200)
    )
    facts = run.facts
    assert (facts.use.decided, facts.use.under_way) == (12, 3)
    found = summary(run)
    assert found.figures["Evaluations"] == "12 of 200"
    assert "12 evaluations" in found.sentences[-1]
    assert "Besides, there are 3 on instances under way." in found.sentences[-1]
    assert found.figures["Failed"] == str(facts.failed)


def test_the_figures_of_a_pair_are_those_of_the_costs():
    run = two(2 + 0.2 * NOISE)
    pair = run.facts.gain.pair
    assert f"better on {pair.superiority.wins} of 40, equal on 0" in compared(run.facts.gain)


def test_the_unit_stands_with_the_gain():
    costs = np.random.default_rng(1).normal([4.0, 1.0], 0.1, size=(12, 2))
    run = told(costs, rule="none", scenario={"unit": "conflicts"})
    said = answer(run.facts).sentences[0]
    assert re.search(r"#2 gains [\d.]+ conflicts over #1", said)


def test_right_or_wrong_is_told_in_shares():
    """The default is wrong on 12 of 40, the winner on 2 of them."""
    said = answer(two(np.array([1.0] * 10 + [0.0] * 30), objective="mean").facts).sentences[0]
    assert said == (
        "On 40 instances, #2 is right on 100 % and #1 on 75 % (the 95 % interval of the difference "
        "is 9.34 to 38.3 points; McNemar's p = 0.002): better on 10 of 40, equal on 30, worse on 0."
    )
    five = two(np.array([1.0] * 5 + [0.0] * 15), objective="mean")
    assert "is 1.15 to 44.3 points; McNemar's p = 0.062)" in words(five)
    assert "So #2 is not shown to be better than #1." in words(five), "the exact test decides"


LIMIT = {"minimize": "time", "subject_to": ["success >= 0.9"]}


def test_a_default_that_misses_a_constraint_is_not_said_to_be_better():
    run = told_metrics(LIMIT, default=(1.0, 3), slow=(4.0, 10))
    assert run.facts.gain.pair.evidence == "worse", "by its time alone"
    found = answer(run.facts)
    assert found.headline == "#2 beats #1, which misses success >= 0.9."
    assert found.sentences[0].startswith("By time alone, on 40 instances, #2 loses 3 against #1")
    assert summary(run).gain.label.startswith("median gain by time of #2 over #1 on 40 instances")
    assert "But #1 misses success >= 0.9 (mean 0.3 on 40 instances), which counts first." in (
        found.sentences
    )


def test_where_both_miss_a_constraint_the_default_is_said_to_miss_it_by_more():
    found = answer(told_metrics(LIMIT, default=(1.0, 0), slow=(4.0, 5)).facts)
    assert found.headline == "No candidate meets all constraints; #2 is nearest."


def test_a_chance_miss_of_the_default_decides_nothing():
    found = answer(told_metrics(LIMIT, default=(1.0, 8), slow=(4.0, 9)).facts)
    assert found.headline == "Undecided: #2 is best so far."
    assert "So #2 is not shown to be better than #1." in found.sentences


def test_where_both_meet_the_constraints_the_cost_decides():
    run = told_metrics(LIMIT, default=(4.0, 10), fast=(1.0, 9))
    assert run.facts.gain.decided_by == "equal"
    assert answer(run.facts).headline == "#2 beats #1."


@pytest.mark.parametrize(
    ("kinds", "headline", "advice"),
    [
        (
            {"default": (1.0, 3), "slow": (4.0, 10)},
            "#2 is better than #1 on held-out instances: #1 misses success >= 0.9.",
            "use the configuration of #2",
        ),
        (
            {"default": (1.0, 10), "slow": (4.0, 3)},
            "#2 is worse than #1 on held-out instances: it misses success >= 0.9.",
            "keep #1",
        ),
        (
            {"default": (1.0, 8), "slow": (4.0, 9)},
            "Undecided: #2 is not shown to be better than #1.",
            "more held-out instances may decide",
        ),
    ],
)
def test_after_a_test_constraints_come_before_the_cost(kinds, headline, advice):
    run = told_metrics(LIMIT, **kinds)
    goal, results = run.race.goal, run.race.results
    two = {f"{of}limits": tuple(kept(goal, results, at)) for of, at in (("", 1), ("other_", 0))}
    winner, against = run.race.candidates[1], run.race.candidates[0]
    tested = after_test_of(winner, against, results.costs[:, [1, 0]], **two)
    run = replace(run, facts=replace(run.facts, holdout=tested, gain=None, winner=winner))
    found = answer(run.facts)
    assert found.headline == headline
    assert next_step(run.facts, Path("log.sqlite")).startswith(advice)
    limits = [one for one in found.sentences if "success >= 0.9" in one]
    assert len(limits) == 2
    assert all("eld-out instances" in one for one in limits)
    assert ("The run was misled: keep #1." in found.sentences) == (advice == "keep #1")


def test_others_that_are_left_are_not_said_to_be_equal_to_the_winner():
    left = answer(told(normal_world(3, 12, seed=2), rule="none").facts).sentences
    assert sum(one.startswith("The rule has not dropped #") for one in left) == 1
    running = answer(STATES["before the first test"]().facts).sentences
    assert sum(one.startswith("Also left: #") for one in running) == 1
    assert "told apart" not in " ".join((*left, *running))


def test_candidates_that_differ_in_a_later_metric_are_no_tie():
    order = {"order": ["success", "time"]}
    run = told_metrics(order, default=(4.0, 10), fast=(1.0, 10))
    assert run.facts.alike == ""
    assert "equal" not in answer(run.facts).headline
    assert told_metrics(order, one=(4.0, 10), two=(4.0, 10)).facts.alike == "survivors"


def test_no_interval_is_drawn_of_too_few_right_or_wrong_results():
    run = two(np.array([1.0] * 4 + [0.0]), objective="mean")
    assert "too few instances" in words(run)
    bar = summary(run).gain
    assert (bar.estimate, bar.low, bar.high) == (0.8, None, None)


def front_gains(problems):
    """Of eight configurations that are better than the baseline in quality, and none in time."""
    rng = np.random.default_rng(11)
    costs = rng.normal(size=(problems, 1, 2)) + 0.3 * rng.normal(size=(problems, 9, 2))
    costs[:, :8, 0] -= 1.0
    found = simultaneous(costs, costs[:0], problems=range(problems), rng=rng)
    return [dict(zip(("quality", "time"), own, strict=True)) for own in found]


@pytest.mark.parametrize("problems", [1, 2, 3, 4])
def test_few_instances_do_not_say_that_none_of_a_front_is_better(problems):
    said = gains_sentence(front_gains(problems), "default")
    assert said.startswith("It cannot be said which of the 8 compared are better than default")


def test_many_instances_say_how_many_of_a_front_are_shown_to_be_better():
    said = gains_sentence(front_gains(40), "default")
    assert said.startswith(
        "Of the 8 compared, 8 are shown to be better in quality and none is shown to be better in "
        "time than default"
    )
    assert said.endswith("8 are so in some metric and not shown to be worse in another.")
