"""What a log says about a run must be what the race itself came to."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

from racing.answer.json import as_data
from racing.answer.place import place
from racing.core.budget import Budget
from racing.core.candidate import Candidate
from racing.core.verdict import Elimination, Verdict
from racing.evaluate.pool import open_pool
from racing.log import MemoryLog, header_of, replay
from racing.race import Race
from racing.report import facts_after, gather, history
from racing.report.parts import dropped_by
from racing.rules import RULES
from racing.runner.loop import RunOptions, drive
from tests.report.test_counts import said
from tests.worlds import hard_world, normal_world, race_over, shuffled_finish

COSTS = hard_world(9, 22, seed=4)


def target(experiment):
    cost = COSTS[experiment.instance.problem, experiment.candidate.values["column"]]
    if math.isinf(cost):
        return experiment.failure(message="no luck\nand a long story", seconds=0.5)
    return experiment.outcome(cost, seconds=1.0 + cost % 1)


def a_run(
    rule="sign", *, options=None, jobs=1, speculate=0.0, objective="rank", stop=False, **budget
):
    """A race and its log."""
    race: Race = race_over(
        COSTS, RULES[rule](), seed=2, budget=Budget(**budget), objective=objective
    )
    log = MemoryLog(header_of(race, name="facts"))
    log.add(race.candidates)
    with open_pool(target, jobs=jobs, engine="threading") as pool:
        drive(race, pool, log, speculate=speculate, options=options, stop_on_failure=stop)
    return race, log


def told(facts):
    """All that is told of a run."""
    return repr(as_data(facts))


BUDGETS = [
    {},
    {"evaluations": 100},
    {"instances": 13},
    {"target_time": 60.0},
    {"target_time": 61.5},
    {"target_time": 100.0},
]
WORKERS = [(1, 0.0), (4, 0.5)]  # jobs, and the share of speculation
RACES = [  # each rule with half of the budgets, the next rule with the others
    (rule, BUDGETS[number], *WORKERS[number // 2 % 2])
    for place, rule in enumerate(RULES)
    for number in range(place % 2, len(BUDGETS), 2)
]


@pytest.mark.parametrize(("rule", "budget", "jobs", "speculate"), RACES)
def test_the_standing_is_the_race_s_own(rule, budget, jobs, speculate):
    objective = "mean" if speculate else "rank"
    race, log = a_run(rule, jobs=jobs, speculate=speculate, objective=objective, **budget)
    facts = gather(log)
    assert told(facts_after(race, log)) == told(facts)
    assert facts.standing == tuple(place(one, race.direction) for one in race.ranking())
    assert facts.winner == race.winner
    assert set(facts.survivors) == set(race.survivors)
    assert facts.race.instances_seen == race.instances_seen
    assert len(facts.race.verdicts) == len(race.verdicts)
    assert facts.race.outcomes == race.outcomes
    assert facts.race.spent == race.spent
    use = facts.spent
    assert (use.under_way, use.speculative) == (0, 0), "the race is over"
    assert use.decided == race.spent.evaluations
    assert use.decided + use.wasted - use.ended == race.outcomes
    assert use.ended == log.dropped.evaluations
    if not use.wasted:
        assert facts.target_seconds == pytest.approx(race.spent.target_time)
    assert use.wasted == 0 or speculate or budget, "only speculation and limits of time waste any"


@pytest.mark.parametrize("after", [1, 9, 40, 77])
@pytest.mark.parametrize(("jobs", "speculate"), [(1, 0.0), (4, 0.9)])
def test_the_standing_of_a_run_that_is_not_over(after, jobs, speculate):
    heard = []
    options = RunOptions(
        watch=lambda race, o: heard.append(o), interrupted=lambda: len(heard) >= after
    )
    race, log = a_run(options=options, jobs=jobs, speculate=speculate)
    facts = gather(log)
    assert told(facts_after(race, log)) == told(facts)
    assert facts.stopped is None
    assert facts.standing == tuple(place(one, race.direction) for one in race.ranking())
    assert facts.winner == race.winner
    assert {c.id for c in facts.survivors} == {c.id for c in race.survivors}
    assert facts.session.why == "interrupted"


def test_a_run_that_was_never_begun():
    race = race_over(COSTS, RULES["sign"]())
    log = MemoryLog(header_of(race))
    log.add(race.candidates)
    facts = gather(log)
    assert (facts.winner, facts.standing, facts.session) == (None, (), None)
    assert facts.survivors == race.candidates


def test_the_dropped_come_with_the_numbers_of_their_verdict():
    race, log = a_run()
    facts = gather(log)
    verdicts = [(v, e) for v in race.verdicts for e in v.eliminated]
    assert verdicts
    assert [(d.elimination, d.after, d.gate) for d in facts.dropped] == [
        (e, v.instances, v.gate) for v, e in verdicts
    ]
    assert all(d.candidate.id == d.elimination.candidate for d in facts.dropped)
    assert all(d.against.id == d.elimination.against for d in facts.dropped)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 1.0])
def test_expenses_are_of_what_counts_in_every_state_of_a_run(seed, share):
    """What idle workers did for nothing is not what a candidate took."""
    costs = normal_world(12, 30, seed=seed, noise=0.4)
    whole = race_over(costs, RULES["sign"](), seed=2)
    finished = shuffled_finish(whole, costs, workers=20, seed=seed, speculate=20)
    log = MemoryLog(header_of(whole))
    log.add(whole.candidates)
    for outcome in finished[: int(share * len(finished))]:
        log.record(outcome, whole.instance(outcome.step))
    facts, race = gather(log), replay(log)
    uncounted = [(one.candidate, one.seconds) for one in race.uncounted]
    assert uncounted or share == 0.1  # the first instance is all that was asked for by then
    assert facts.evaluations == facts.spent.decided
    assert facts.evaluations + facts.spent.under_way + len(uncounted) == race.outcomes
    for one in facts.expenses:
        took = [o.seconds for o in log.outcomes() if o.candidate == one.candidate.id]
        vain = [seconds for id, seconds in uncounted if id == one.candidate.id]
        assert one.evaluations == len(took) - len(vain)
        assert one.seconds == pytest.approx(math.fsum(took) - math.fsum(vain))


def test_failures_are_counted_by_the_first_line_of_their_message():
    _, log = a_run()
    failures = sum(outcome.failed for outcome in log.outcomes())
    assert gather(log).failures == failures > 0
    assert gather(log).messages == (said("no luck", failures, "and a long story"),)


def test_a_failure_that_stopped_the_run_is_told_though_it_is_no_outcome():
    race, log = a_run(stop=True)
    facts = gather(log)
    assert told(facts_after(race, log)) == told(facts)
    assert facts.messages == (said("no luck", 1, "and a long story"),)
    assert facts.stopped is None
    assert facts.session.why == "target_failed"


def test_nobody_is_ahead_while_everything_failed():
    race = race_over(np.full((5, 3), np.inf), RULES["none"]())
    log = MemoryLog(header_of(race))
    log.add(race.candidates)
    for experiment in race.ask(3):
        log.record(experiment.failure(message="no"), experiment.instance)
    assert gather(log).winner is None


def test_who_came_back_is_told_by_the_last_time_that_it_was_dropped_or_not_at_all():
    def verdict(instances, *gone):
        eliminated = tuple(
            Elimination(candidate=id, against=1, measure="p", value=0, threshold=1, statistic=0)
            for id in gone
        )
        return Verdict(instances=instances, leader=1, eliminated=eliminated)

    decider = SimpleNamespace(
        candidates=[Candidate(id, {}) for id in (1, 2, 3, 4)],
        survivors=[Candidate(2, {})],
        winner=Candidate(2, {}),
        verdicts=[verdict(5, 2, 3, 4), verdict(7, 1), verdict(9, 3)],
    )
    found = [(one.candidate.id, one.after) for one in dropped_by(decider)]
    assert found == [(4, 5), (1, 7), (3, 9)]


def test_a_history_has_the_facts_that_are_counted_one_by_one():
    _, log = a_run()
    assert told(history(log)) == told(gather(log))
