"""Challengers: their states, the tests that drop them, and those that are under way."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm

from racing.base.errors import InputError
from racing.core.budget import Budget
from racing.rules import RULES, Auto, FTest, Sign, SuccessiveHalving, TTest, Wilcoxon
from racing.search import Settings
from racing.search.block import Block
from racing.search.challenger import Challenger, ChallengerState
from racing.search.coding import Draw
from racing.search.initial import Initial
from racing.search.main_phase import MainPhase
from racing.search.sampler import State
from tests.search.kit import a_context, a_search, badness, finish, line_space, noisy

CLIMBING, HELD, PASSED, DROPPED = ChallengerState


class Bench:
    """A challenger with the id 3 that races two elites, whose costs are 1, on 4 of 6 instances."""

    def __init__(self, *, prepaid: int = 8, **settings: object) -> None:
        self.context = a_context(line_space(), settings=Settings(**settings))
        self.trials = self.context.trials
        for x in (0.1, 0.2, 0.3):
            self.trials.enter(Draw({"x": x}, np.array([x])))
        state = State(
            decisions=0,
            progress=0.0,
            elites=(1, 2),
            points=np.array([[0.1], [0.2]]),
            block=Block(np.ones((4, 2)), "mean"),
            noise=1.0,
        )
        draw = Draw({"x": 0.3}, np.array([0.3]))
        self.challenger = Challenger(
            0, 3, draw, state, [2, 0, 1, 3, 4, 5], prepaid, self.context, self.context.limit
        )

    def run(self, cost: float) -> list[int]:
        """Record this cost wherever it is to run; the steps."""
        experiments = self.trials.queue.take(None)
        for experiment in experiments:
            self.trials.record(experiment.outcome(cost))
        return [one.instance.step for one in experiments]

    def climb(self, rungs: int) -> Challenger:
        """Start, and pass the tests of so many rungs."""
        self.challenger.start()
        for _ in range(rungs):
            self.run(0.0)
            self.challenger.test()
        return self.challenger


def test_it_climbs_rung_by_rung_and_passes_the_last_test():
    bench = Bench()
    one, met = bench.challenger, []
    one.start()
    for _ in range(3):
        assert one.at is CLIMBING
        met.append(bench.run(0.0))
        assert one.testable
        one.test()
    assert met == [[2], [0], [1, 3]]
    assert one.at is PASSED
    assert not one.resolved
    assert bench.run(0.0) == [4, 5]
    assert one.resolved
    assert one.verdict is None
    assert [stood.n for stood in one.tested] == [1, 2, 4]


def test_it_is_dropped_by_a_test():
    bench = Bench()
    one = bench.challenger
    one.start()
    bench.run(9.0)
    assert one.most == 6
    one.test()
    assert one.at is DROPPED
    assert one.resolved
    assert one.most == 1
    assert one.verdict.steps == (2,)


def test_it_is_held_before_the_rung_that_takes_it_past_what_is_prepaid():
    bench = Bench(prepaid=2)
    one = bench.climb(2)
    assert one.at is HELD
    assert not one.extended
    assert not bench.trials.queue.take(None)
    one.resume()
    assert one.at is CLIMBING
    assert one.extended
    assert bench.run(0.0) == [1, 3]
    one.test()
    assert one.at is PASSED


def test_it_may_pass_within_what_is_prepaid_and_be_held_before_the_rest():
    bench = Bench(prepaid=4)
    one = bench.climb(3)
    assert one.at is HELD
    one.resume()
    assert one.at is PASSED


@pytest.mark.parametrize("resumed", [False, True])
def test_refused_it_is_dropped_where_it_was_within_what_is_prepaid(resumed):
    bench = Bench(prepaid=2)
    one = bench.climb(2)
    if resumed:
        one.resume()
        bench.run(0.0)
        one.test()
    one.refuse(6, 3)
    assert one.at is DROPPED
    (gone,) = one.verdict.eliminated
    assert (gone.measure, gone.value, gone.threshold) == ("evaluations needed", 6, 3)
    assert (one.verdict.steps, one.seen, one.most) == ((2, 0), [2, 0], 2)


def test_no_transition_is_possible_from_a_wrong_state():
    bench = Bench(prepaid=1)
    one = bench.challenger
    with pytest.raises(RuntimeError, match="challenger 0 is climbing on rung -1"):
        one.refuse(4, 1)
    one.start()
    for wrong in (one.start, one.test, one.resume):
        with pytest.raises(RuntimeError, match="challenger 0 is climbing on rung 0"):
            wrong()
    bench.run(0.0)
    one.test()
    for wrong in (one.start, one.test):
        with pytest.raises(RuntimeError, match="challenger 0 is held"):
            wrong()
    one.refuse(4, 1)
    for wrong in (one.start, one.test, one.resume):
        with pytest.raises(RuntimeError, match="challenger 0 is dropped"):
            wrong()


STATE = State(
    decisions=0,
    progress=0.0,
    elites=(1, 2),
    points=np.zeros((2, 1)),
    block=Block(np.array([[1.0, 3.0], [2.0, 2.0], [4.0, 6.0], [1.0, 1.0]]), "mean"),
    noise=1.0,
)


def judged(costs, steps, *, limit=math.inf, standings=(), **settings: object) -> Challenger:
    """A challenger with the id 3 after the test on these instances, with these costs."""
    context = a_context(line_space(), limit=limit, settings=Settings(**settings))
    for x in (0.1, 0.2, 0.3):
        context.trials.enter(Draw({"x": x}, np.array([x])))
    state = replace(STATE, standings={len(costs): tuple(standings)})
    order = [*steps, *(step for step in range(4) if step not in steps)]
    one = Challenger(
        0, 3, Draw({"x": 0.3}, np.array([0.3])), state, order, 4, context, context.limit
    )
    told = dict(zip(steps, costs, strict=True))
    one.start()
    while one.testable or not one.resolved:
        for experiment in context.trials.queue.take(None):
            context.trials.record(experiment.outcome(told[experiment.instance.step]))
        one.test()
        if len(one.tested) and one.tested[-1].n == len(costs):
            break
    return one


def eliminated(*args, **changes):
    """The elimination of such a challenger; None if it stays."""
    verdict = judged(*args, **changes).verdict
    return None if verdict is None else verdict.eliminated[0]


@pytest.mark.parametrize(("total", "dropped"), [(6.9, False), (7.0, True), (7.1, True)])
def test_a_challenger_that_reaches_the_allowance_is_dropped(total, dropped):
    one = eliminated([2.0, total - 2.0], [2, 0], capping=1, drop=1e-9)
    assert (one is not None) == dropped
    if one:
        assert (one.measure, one.value, one.threshold) == ("total cost", total, 7.0)


def test_the_allowance_is_a_multiple_of_the_elites_mean_total():
    assert eliminated([4.9, 9.1], [2, 0], capping=2, drop=1e-9).threshold == 2 * (5 + 2)


def test_the_improbable_are_dropped_and_it_is_said_where():
    kept = judged([4.5, 1.5], [2, 0], drop=1e-9)
    p = kept.tested[-1].probability
    assert kept.verdict is None
    verdict = judged([4.5, 1.5], [2, 0], drop=p).verdict
    (one,) = verdict.eliminated
    assert (one.candidate, one.against, one.measure) == (3, 1, "probability better")
    assert (one.value, one.threshold) == (p, p)
    assert (verdict.steps, verdict.about, verdict.instances) == ((2, 0), (3,), 2)
    assert eliminated([4.5, 1.5], [2, 0], drop=p - 1e-9) is None


def test_the_worse_half_is_dropped_but_not_on_all_instances():
    costs, latest = [4.3, 1.3], [0.1, 0.1, 0.3, 0.9]
    one = eliminated(costs, [2, 0], standings=latest)
    assert (one.measure, one.threshold) == ("mean difference", 0.2)
    assert one.value == one.statistic == pytest.approx(0.3)
    assert eliminated(costs, [2, 0], standings=[0.1, 0.4, 0.4, 0.9]) is None
    assert eliminated(costs, [2, 0], standings=latest[:3]) is None  # too few
    assert eliminated([4.3, 1.3, 1.3, 2.3], [2, 0, 3, 1], standings=latest) is None


def test_on_the_last_of_all_instances_there_is_no_test():
    costs, order = [4.0, 1.0, 1.0, 99.0], [2, 0, 3, 1]
    assert eliminated(costs, order, drop=0.4).measure == "probability better"
    assert eliminated(costs, order, drop=0.4, limit=4) is None


def timed(experiment):
    """A cost that is a time, and is cut off at its bound."""
    values = dict(experiment.candidate.values)
    rng = np.random.default_rng(experiment.instance.seed)
    seconds = (0.05 + badness(values)) * math.exp(0.3 * rng.normal())
    if experiment.bound is not None:
        seconds = min(seconds, experiment.bound)
    return experiment.outcome(seconds, seconds=seconds)


def seconds_per_run(search) -> float:
    """Mean time of the challengers' runs."""
    total = []
    while not search.done:
        for experiment in search.ask():
            outcome = timed(experiment)
            if experiment.candidate.parent is not None:
                total.append(outcome.seconds)
            search.tell(outcome)
    return float(np.mean(total))


def test_capping_saves_time_and_finds_as_good():
    budget = Budget(evaluations=400)
    plain = a_search(budget=budget)
    capped = a_search(budget=budget, settings=Settings(capping=1.0))
    assert seconds_per_run(capped) < 0.7 * seconds_per_run(plain)
    assert badness(dict(capped.winner.values)) < 0.05


@pytest.mark.parametrize(
    "rule", [Sign(), Auto(), FTest(), TTest(), Wilcoxon(), RULES["mean-ranks"](), RULES["bayes"]()]
)
def test_rules_that_compare_candidates_can_judge_challengers(rule):
    search = finish(a_search(rule=rule, budget=Budget(evaluations=200)), noisy(0.05))
    assert badness(dict(search.winner.values)) < badness(
        {"x": 0.9, "rate": 0.5, "algorithm": "tabu"}
    )
    measures = {e.measure for v in search.verdicts if v.about for e in v.eliminated}
    assert "probability better" not in measures


def test_a_rule_that_goes_by_a_schedule_is_refused():
    with pytest.raises(InputError):
        a_search(rule=SuccessiveHalving())


def test_capping_below_one_is_refused():
    with pytest.raises(InputError, match=r"capping must be .*; got 0\.5"):
        Settings(capping=0.5)


def test_a_duel_says_how_far_behind_it_is_and_how_probably_it_is_better():
    (first, second) = judged([4.4, 1.2], [2, 0]).tested
    assert (first.n, second.n, second.against) == (1, 2, 1)
    assert second.behind == pytest.approx(0.3)
    noise = (4 * STATE.noise + 0.02) / 5  # (prior · s² + Σ(d − d̄)²) / (prior − 1 + n)
    assert second.probability == pytest.approx(norm.sf(0.3 / math.sqrt(noise / 2)))


@pytest.mark.parametrize("window", [3, 10, 40])
def test_what_challengers_may_come_to_is_the_sum_over_them(window):
    rng, out = np.random.default_rng(window), []
    budget = Budget(evaluations=400)
    context = a_context(window=window, settings=Settings(every=5), budget=budget)
    queue, phase, dropped, most = context.trials.queue, Initial(context), 0, 0
    while True:
        out += queue.take(13 - len(out))
        if not out:
            break
        outcome = noisy()(out.pop(int(rng.integers(len(out)))))
        context.trials.record(outcome)
        phase.update(outcome.candidate)
        if phase.over:
            if isinstance(phase, MainPhase):
                break
            queue.clear()
            phase, out = MainPhase(context, phase.elites, phase.instances), []
        if isinstance(phase, MainPhase):
            total = 0
            for challenger in phase.window.challengers:
                total += challenger.most
                assert phase.window.most_until(challenger.number) == total
                dropped += challenger.at is ChallengerState.DROPPED
            most = max(most, len(phase.window.challengers))
    assert dropped
    assert most == window
