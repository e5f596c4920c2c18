"""The parts of a race, each by itself."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from racing.base.errors import RaceError
from racing.core.budget import Budget, Spent
from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Instance, Outcome, Status
from racing.core.results import Results
from racing.race import Race, Stop, limits
from racing.race.judging import Schedule, apply_verdict
from racing.race.row import Challengers, ExactSum, OpenRow, Row
from racing.rules import Elimination, Keep, Verdict
from tests.worlds import normal_world, outcome

# --- when the next test is ------------------------------------------------------------------------


EACH = st.one_of(st.integers(1, 9), st.integers(1, 120).map("{}%".format))


@given(first=st.integers(1, 9), each=EACH, done=st.integers(0, 60))
def test_rows_until_a_test_lead_to_the_next_one_that_is_due(first, each, done):
    schedule = Schedule(first, each)
    ahead = schedule.rows_until_test(done)
    assert ahead >= 1
    assert schedule.due(done + ahead)
    assert not any(schedule.due(done + k) for k in range(1, ahead))
    assert schedule.since(done + ahead) == done + ahead - max(
        (n for n in range(1, done + 1) if schedule.due(n)), default=0
    )


def test_tests_come_after_first_test_and_then_every_each_test():
    assert [n for n in range(1, 20) if Schedule(5, 4).due(n)] == [5, 9, 13, 17]


def test_tests_at_growing_distances():
    due = [n for n in range(1, 101) if Schedule(1, "25%").due(n)]
    assert due == [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 18, 22, 27, 33, 41, 51, 63, 78, 97]
    assert [n for n in range(1, 101) if Schedule(5, "100%").due(n)] == [5, 10, 20, 40, 80]


# --- challengers ----------------------------------------------------------------------------------


def catching_up(*ids: int, steps=(2, 0, 1)) -> Challengers:
    late = Challengers(Schedule(first_test=2, each_test=2))
    late.start(ids, steps)
    return late


def test_challengers_meet_their_instances_in_their_order_and_have_then_arrived():
    late = catching_up(3, 5)
    met = []
    while late.catching_up:
        assert late.steps_seen == met
        met.append(late.row(0).step)
        assert late.row(0).candidates == (3, 5)
        late.close_row()
    assert met == [2, 0, 1]
    assert late.arrive()
    assert not late.arrive(), "nobody is on the way any more"


def test_their_rows_can_be_looked_at_ahead_and_end_with_the_instances_seen():
    late = catching_up(3)
    late.close_row()
    assert [late.row(k).step for k in range(2)] == [0, 1]
    assert late.row(2) is None


def test_their_tests_keep_the_schedule_but_the_last_is_everybodys():
    late = catching_up(3, steps=(4, 2, 0, 1, 3))
    seen = []
    while late.catching_up:
        seen.append((late.rows_until_test, late.test_due))
        late.close_row()
    assert seen == [(2, False), (1, False), (2, True), (1, False), (1, True)]


def test_whoever_is_dropped_on_the_way_does_not_arrive():
    late = catching_up(3, 5)
    late.close_row()
    late.drop({3})
    assert late.row(0).candidates == (5,)
    late.drop({5, 1})
    assert not late.catching_up
    assert not late.arrive()


def test_they_start_together_until_the_first_row_is_done():
    late = catching_up(3)
    late.start([4], [9])
    assert (late.ids, late.row(0).step, late.under_way) == ((3, 4), 2, False)
    late.close_row()
    assert late.under_way
    late.drop({3, 4})
    late.start([5], [1])
    assert (late.ids, late.row(0).step, late.under_way) == ((5,), 1, False)


# --- handing out ----------------------------------------------------------------------------------


def experiment(candidate: int, step: int) -> Experiment:
    return Experiment(Candidate(candidate, {}), Instance(step, str(step), 1))


def test_what_is_lost_is_handed_out_again_first_and_only_what_is_out_can_be_lost():
    race = Race([{"x": 1}, {"x": 2}], range(6), rule="none", first_test=2)
    assert race.ask(0) == []
    assert race.pending == ()
    first, second, third = race.ask(3)
    race.tell(second, 1.0)
    race.lost(first)
    assert race.pending == (third,)
    again = race.ask()
    assert again[0] == first
    assert not {second.key, third.key} & {one.key for one in again}
    with pytest.raises(RaceError, match="candidate 1 on instance 9 is not out"):
        race.lost(experiment(1, 9))


# --- what a rule may do ---------------------------------------------------------------------------

RESULTS = Results(
    np.array([[1.0, 2.0, 3.0, 4.0]]), np.ones((1, 4), bool), (1, 2, 3, 4), np.arange(4)
)


def dropping(*ids: int) -> Verdict:
    return Verdict(
        instances=1,
        leader=1,
        eliminated=tuple(
            Elimination(
                candidate=id, against=1, measure="m", value=0.0, threshold=1.0, statistic=0.0
            )
            for id in ids
        ),
    )


def eliminated(*ids: int, protected=(), at_least=1) -> list[int]:
    verdict = apply_verdict(
        dropping(*ids), RESULTS, objective="rank", protected=set(protected), at_least=at_least
    )
    return [e.candidate for e in verdict.eliminated]


def test_eliminations_come_worst_first():
    assert eliminated(2, 4, 3) == [4, 3, 2]


def test_the_best_are_kept_if_too_few_would_be_left():
    assert eliminated(2, 3, 4, at_least=3) == [4]
    assert eliminated(1, 2, 3, 4) == [4, 3, 2]
    assert eliminated(2, 3, at_least=9) == []


def test_the_protected_stay():
    assert eliminated(2, 3, 4, protected=[4]) == [3, 2]


def test_trimming_twice_changes_nothing():
    options = {"objective": "rank", "protected": {3}, "at_least": 2}
    once = apply_verdict(dropping(2, 3, 4), RESULTS, **options)
    assert apply_verdict(once, RESULTS, **options) == once


def test_strangers_cannot_be_dropped():
    with pytest.raises(RaceError, match=r"dropped \[5\], which are not in the race"):
        eliminated(4, 5)


# --- limits ---------------------------------------------------------------------------------------


def took(seconds: float, elapsed: float) -> Outcome:
    return Outcome(1, 0, 0.0, seconds=seconds, elapsed=elapsed)


def test_a_row_that_does_not_fit_is_refused():
    budget = Budget(evaluations=100)
    assert limits.refusal(10, Spent(evaluations=90), budget) is None
    assert limits.refusal(11, Spent(evaluations=90), budget) is Stop.EVALUATIONS


@pytest.mark.parametrize(
    ("name", "stop"), [("target_time", Stop.TARGET_TIME), ("wall_time", Stop.WALL_TIME)]
)
def test_time_is_predicted_by_the_mean_of_what_is_complete(name, stop):
    budget, spent = Budget(**{name: 100}), Spent(evaluations=40, **{name: 80.0})
    assert limits.refusal(10, spent, budget) is None
    assert limits.refusal(11, spent, budget) is stop
    assert limits.refusal(1, Spent(evaluations=1, **{name: 100.0}), budget) is stop
    assert limits.refusal(10**6, Spent(), budget) is None, "nothing is known yet"


def overspent(outcomes, spent, budget):
    """Which limit a row of three is told to break by these outcomes."""
    row = OpenRow(Row(0, (1, 2, 3)), budget, spent)
    for candidate, one in enumerate(outcomes, start=1):
        assert row.take(replace(one, candidate=candidate))
    return row.overspent


def test_a_row_that_takes_too_long_breaks_the_limit():
    spent, limit = Spent(evaluations=3, target_time=50.0), Budget(target_time=100)
    assert overspent([took(30, 0), took(20, 0)], spent, limit) is None
    assert overspent([took(30, 0), took(21, 0)], spent, limit) is Stop.TARGET_TIME
    assert overspent([took(0, 10.0)], Spent(), Budget(wall_time=10)) is None
    assert overspent([took(0, 10.1)], Spent(), Budget(wall_time=10)) is Stop.WALL_TIME
    assert overspent([took(1e9, 1e9)], Spent(), Budget(evaluations=1)) is None
    assert overspent([], Spent(), Budget(wall_time=1)) is None


def test_an_open_row_takes_its_own_outcomes_once():
    row = OpenRow(Row(4, (1, 2)), Budget(), Spent())
    assert row.untouched
    assert row.take(Outcome(2, 4, 1.0))
    assert not row.take(Outcome(2, 4, 1.0))
    assert not row.take(Outcome(3, 4, 1.0))
    assert not row.take(Outcome(1, 5, 1.0))
    assert (row.untouched, row.full, row.has(2, 4), row.has(1, 4)) == (False, False, True, False)
    assert row.take(Outcome(1, 4, 1.0))
    assert [one.candidate for one in row.outcomes] == [1, 2]
    assert row.full


@given(terms=st.lists(st.floats(0, 1e15), max_size=30), seed=st.integers(0, 9))
def test_a_running_sum_is_exact_in_any_order(terms, seed):
    shuffled = np.random.default_rng(seed).permutation(terms).tolist()
    total = ExactSum()
    for k, term in enumerate(shuffled, start=1):
        total.add(term)
        assert total.value == math.fsum(shuffled[:k])
    assert total.value == math.fsum(terms)


def test_what_is_spent_adds_up():
    spent = limits.add(Spent(), [took(1.0, 5.0), took(2.0, 3.0)], step=4)
    assert spent == Spent(evaluations=2, wall_time=5.0, target_time=3.0, instances=5)
    again = limits.add(spent, [took(1.0, 4.0)], step=2)
    assert again == Spent(evaluations=3, wall_time=5.0, target_time=4.0, instances=5)


def test_crashes_end_a_hopeless_race_at_once_and_time_outs_when_a_test_was_due():
    crash, late = experiment(1, 0).failure(Status.CRASHED), experiment(2, 0).failure(Status.TIMEOUT)
    assert limits.hopeless([late, crash], tested=False) is Stop.ALL_FAILED
    assert limits.hopeless([late, late], tested=False) is None
    assert limits.hopeless([late, late], tested=True) is Stop.ALL_FAILED


@pytest.mark.parametrize("stop", Stop)
def test_every_reason_to_stop_has_words(stop):
    assert stop.meaning


# --- who was alive -------------------------------------------------------------------------------


def test_a_challenger_is_not_alive_on_the_instances_before_it_joined() -> None:
    costs = normal_world(3, 8, seed=1)
    race = Race([{"column": 0}, {"column": 1}], range(8), rule=Keep(), first_test=1, seed=3)
    joined_after = None
    while not race.done:
        for experiment in race.ask(len(race.survivors)):
            race.tell(outcome(costs, experiment))
        if joined_after is None and race.instances_seen >= 3:
            race.join({"column": 2})
            joined_after = race.instances_seen
    assert joined_after is not None
    results = race.results
    assert not np.isnan(results.costs).any()  # it has caught up
    assert results.alive[:, :2].all()
    assert not results.alive[:joined_after, 2].any()
    assert results.alive[-1, 2]
