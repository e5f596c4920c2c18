"""The default rule with a budget: what it plans, what it leaves unspent, and what it tells."""

from __future__ import annotations

import numpy as np
import pytest

from racing.core.budget import Budget
from racing.core.instances import Instances
from racing.race import Race, Stop
from racing.rules import Auto, Outlook, Reason
from racing.rules.auto import EFFORTS
from racing.rules.plan import places
from racing.rules.rule import first_look
from tests.rules.seen import judge, noisy
from tests.worlds import finish, outcome, race_over

both = pytest.mark.parametrize("objective", ["rank", "mean"])


def raced(costs, rule=None, **settings) -> Race:
    """A race that is over."""
    budget = settings.pop("budget", None)
    limit = Budget(evaluations=budget) if isinstance(budget, int) else budget or Budget()
    return finish(race_over(costs, rule or Auto(), budget=limit, **settings), costs)


@both
def test_who_stands_behind_the_last_place_leaves_and_says_so(objective):
    verdict = judge(Auto(), noisy(20, 3, seed=1), objective, instances=97, evaluations=100)
    kept = places(20, n=3, evaluations=100, instances=97)
    assert len(verdict.eliminated) == 20 - kept > 5
    assert [e.value for e in verdict.eliminated] == list(range(20, kept, -1))
    for e in verdict.eliminated:
        assert (e.reason, e.measure, e.threshold) == (Reason.SCHEDULE, "place", kept)
        assert e.statistic >= 0


@both
@pytest.mark.parametrize("each", [1.5, 3, 8, 25])
@pytest.mark.parametrize("instances", [10, 60, 300])
def test_among_equals_in_all_but_name_everything_is_spent(objective, each, instances):
    costs = noisy(20, instances, seed=2, gap=0.0)
    race = raced(costs, budget=int(each * 20), objective=objective)
    most = min(int(each * 20), costs.size)
    settled = race.stopped in (Stop.SURVIVORS, Stop.INSTANCES)
    assert race.spent.evaluations > (0.8 * most if settled else most - max(len(race.survivors), 3))


@both
def test_evidence_is_weighed_once_instances_have_grown_by_a_tenth_since_the_look_before(objective):
    costs = noisy(10, 97, seed=3, gap=3.0)
    spent = {"instances": 100, "evaluations": 1000}
    assert not judge(Auto(), costs, objective, **spent).eliminated
    assert len(judge(Auto(), costs, objective, **spent, since=19).eliminated) == 9


@both
def test_what_can_gain_nothing_stays_unspent(objective):
    costs = noisy(10, 200, seed=3, gap=3.0)
    race = raced(costs, budget=1000, objective=objective)
    assert race.winner.id == 1
    assert race.stopped is Stop.SURVIVORS
    assert race.spent.evaluations < 300
    reasons = {e.reason for v in race.verdicts for e in v.eliminated}
    assert Reason.NOT_WORTHWHILE in reasons


def test_a_budget_for_everything_drops_nobody_for_its_place():
    costs = noisy(8, 20, seed=4, gap=0.05)
    race = raced(costs, budget=160)
    assert not any(e.reason is Reason.SCHEDULE for v in race.verdicts for e in v.eliminated)


def test_frugal_spends_less():
    spent = [
        sum(
            raced(noisy(20, 100, seed=seed, gap=0.05), rule, budget=600).spent.evaluations
            for seed in range(4)
        )
        for rule in (Auto(frugal=True), Auto())
    ]
    assert spent[0] < 0.8 * spent[1]


def test_without_a_budget_more_effort_spends_more():
    spent = [
        sum(raced(noisy(20, 100, seed=s, gap=0.05), Auto(effort=effort)).spent.evaluations
            for s in range(4))
        for effort in EFFORTS
    ]  # fmt: skip
    assert list(EFFORTS) == ["low", "normal", "high"]
    assert spent[0] < spent[1] < spent[2]


def test_it_is_asked_from_the_first_instance_on_if_there_is_something_to_plan():
    assert first_look(Auto(), Outlook(evaluations=50)) == 1
    assert first_look(Auto(), Outlook(timed=True)) == 1
    assert first_look(Auto(), Outlook(instances=30)) == 5
    assert first_look(Auto(), Outlook(instances=3)) == 3
    costs = noisy(20, 30, seed=1)
    assert raced(costs, budget=60).verdicts[0].instances == 1
    assert raced(costs, budget=200, first_test=4).verdicts[0].instances == 4


# Time


class Clocked:
    """A target that takes a second, and ten for odd candidates."""

    def __init__(self, costs: np.ndarray) -> None:
        self.costs = costs

    def drive(self, race: Race) -> Race:
        """To the end, on one worker: seconds on the clock are those of the target."""
        elapsed = 0.0
        while not race.done:
            for experiment in race.ask():
                seconds = 10.0 if experiment.candidate.id % 2 else 1.0
                elapsed += seconds
                cost = outcome(self.costs, experiment).cost
                told = experiment.outcome(cost, seconds=seconds)
                race.tell(type(told)(*told.key, cost=cost, seconds=seconds, elapsed=elapsed))
        return race


@pytest.mark.parametrize("limit", ["target_time", "wall_time"])
def test_a_budget_of_time_is_planned_by_the_seconds_that_were_measured(limit):
    costs = noisy(20, 100, seed=5, gap=0.0)
    race = Clocked(costs).drive(race_over(costs, Auto(), budget=Budget(**{limit: 1000.0}), seed=1))
    assert race.verdicts[0].instances == 1
    assert any(e.reason is Reason.SCHEDULE for v in race.verdicts for e in v.eliminated)
    assert 900 < race.spent.target_time <= 1000
    assert race.instances_seen > 20


def test_time_that_was_not_measured_is_no_plan():
    costs = noisy(6, 40, seed=5, gap=1.0)
    race = race_over(costs, Auto(), budget=Budget(target_time=1e6), seed=1)
    while not race.done:
        for experiment in race.ask():
            race.tell(experiment.outcome(outcome(costs, experiment).cost))
    assert race.winner.id == 1


# Other ends, and candidates that join


def test_one_deterministic_instance_without_end_is_a_budget_like_any_other():
    race = Race(
        [{"column": j} for j in range(10)],
        Instances((0,), repeat=True),
        budget=Budget(evaluations=400),
    )
    rng = np.random.default_rng(1)
    while not race.done:
        for experiment in race.ask():
            race.tell(experiment.outcome(experiment.candidate.values["column"] + rng.normal()))
    assert race.spent.evaluations <= 400
    assert race.winner.id <= 3


@both
@pytest.mark.parametrize(("gap", "wins"), [(-2.0, True), (6.0, False)])
def test_one_that_joins_late_is_judged_where_it_caught_up(objective, gap, wins):
    costs = noisy(12, 60, seed=6, gap=0.3)
    costs[:, 11] = costs[:, 0] + gap + 0.1 * np.random.default_rng(1).normal(size=60)
    race = race_over(costs[:, :11], Auto(), budget=Budget(evaluations=300), objective=objective)
    while race.instances_seen < 10:
        for experiment in race.ask():
            race.tell(outcome(costs, experiment))
    late = race.join({"column": 11})
    finish(race, costs)
    assert (race.winner.id == late.id) is wins
    assert race.spent.evaluations <= 300
    if not wins:
        assert late not in race.survivors
