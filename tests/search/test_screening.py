"""Verdicts on challengers: by capped totals, by rules of the project, by their place."""

from __future__ import annotations

import math

import numpy as np
import pytest

from racing.base.errors import InputError
from racing.core.budget import Budget
from racing.rules import RULES, Auto, FTest, Sign, SuccessiveHalving, TTest, Wilcoxon
from racing.search import Settings
from racing.search.block import Block, Lag
from racing.search.constants import SearchConstants
from racing.search.screening import Duel, allowance, duel, screen
from racing.search.state import State
from tests.search.kit import a_search, badness, facts, finish, noisy, shuffled_finish

STATE = State(
    decisions=0,
    progress=0.0,
    elites=(1, 2),
    points=np.zeros((2, 1)),
    block=Block(np.array([[1.0, 3.0], [2.0, 2.0], [4.0, 6.0], [1.0, 1.0]]), "mean"),
    noise=1.0,
)


def constants(**changes: object) -> SearchConstants:
    settings = Settings(**changes.pop("settings", {}))
    return SearchConstants(settings=settings, **{"objective": "mean", "limit": math.inf, **changes})


def judged(standing: Duel, costs, steps, **changes: object):
    return screen(9, standing, np.array(costs), steps, STATE, constants(**changes), None)


def test_the_allowance_is_a_multiple_of_the_elites_mean_total():
    assert allowance(STATE, [2, 0], 2.0) == 2 * (5 + 2)


@pytest.mark.parametrize(("total", "dropped"), [(6.9, False), (7.0, True), (7.1, True)])
def test_a_challenger_that_reaches_the_allowance_is_dropped(total, dropped):
    verdict = judged(Duel(2, 0.0, 0.5, math.inf), [total, 0.0], [2, 0], settings={"capping": 1})
    assert (verdict is not None) == dropped
    if verdict:
        (one,) = verdict.eliminated
        assert (one.measure, one.value, one.threshold) == ("total cost", total, 7.0)


def test_the_improbable_are_dropped_and_it_is_said_where():
    verdict = judged(Duel(2, 1.0, 0.1, math.inf), [9.0, 9.0], [2, 0], settings={"drop": 0.1})
    (one,) = verdict.eliminated
    assert (one.candidate, one.against, one.measure) == (9, 1, "probability better")
    assert (verdict.steps, verdict.about, verdict.instances) == ((2, 0), (9,), 2)
    assert judged(Duel(2, 1.0, 0.11, math.inf), [9.0, 9.0], [2, 0], settings={"drop": 0.1}) is None


def test_the_worse_half_is_dropped_but_not_on_all_instances():
    assert judged(Duel(2, 0.3, 0.5, 0.2), [1.0, 1.0], [2, 0]).eliminated[0].threshold == 0.2
    assert judged(Duel(2, 0.2, 0.5, 0.2), [1.0, 1.0], [2, 0]) is None
    assert judged(Duel(4, 0.3, 0.5, 0.2), [1.0] * 4, [2, 0, 1, 3]) is None


def test_on_the_last_of_all_instances_there_is_no_test():
    standing = Duel(4, 0.3, 0.001, math.inf)
    assert judged(standing, [1.0] * 4, [2, 0, 1, 3]) is not None
    assert judged(standing, [1.0] * 4, [2, 0, 1, 3], limit=4) is None


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


def test_bounds_follow_from_the_state_and_a_capped_challenger_never_becomes_an_elite():
    search = a_search(budget=Budget(evaluations=300), settings=Settings(capping=1.5))
    capped = set()
    while not search.done:
        for experiment in search.ask(3):
            outcome = timed(experiment)
            if experiment.bound is not None and outcome.cost >= experiment.bound:
                capped.add(experiment.candidate.id)
            search.tell(outcome)
            assert not capped & {one.id for one in search.elites}
    assert capped
    gone = {e.candidate: e.measure for v in search.verdicts for e in v.eliminated}
    assert all(gone[id] == "total cost" for id in capped)


def test_with_capping_too_the_order_of_arrival_does_not_matter():
    settings = Settings(capping=1.5)
    alone = finish(a_search(settings=settings), timed)
    search = a_search(settings=settings)
    shuffled_finish(search, timed, workers=8, seed=2)
    assert facts(search) == facts(alone)


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


def test_a_duel_says_how_far_behind_it_is_and_what_the_others_were():
    d = np.array([0.4, 0.2])
    standing = duel(Lag(d, 0.1), [0.5, 0.1, 0.2, 0.9], prior=4.0, least=4)
    assert (standing.n, standing.behind) == (2, pytest.approx(0.3))
    assert standing.median == pytest.approx(0.35)
    assert duel(Lag(d, 0.1), [0.5, 0.1, 0.2], prior=4.0, least=4).median == math.inf
