"""The race itself: when it tests, when it stops, whom it lets in."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from racing.base.errors import InputError, RaceError
from racing.core.budget import Budget
from racing.core.candidate import Candidate
from racing.core.decider import Entrant
from racing.core.experiment import Outcome, Status
from racing.race import Race, Stop
from racing.rules import RULES, Elimination, Outlook, Sign, Verdict
from tests.worlds import facts, finish, normal_world, outcome, race_over, shuffled_finish


class Patient:
    """Drops nobody, and remembers what it was asked."""

    def __init__(self):
        self.seen = []

    def __call__(self, results, outlook, rng):
        self.seen.append((results, outlook, rng.random()))
        return Verdict(instances=len(results.block), leader=results.id(0))


class Drops(Patient):
    """Drops the candidates named for a number of instances."""

    def __init__(self, **when):
        super().__init__()
        self.when = {int(key[1:]): ids for key, ids in when.items()}

    def __call__(self, results, outlook, rng):
        verdict = super().__call__(results, outlook, rng)
        ids = self.when.get(verdict.instances, ())
        out = [
            Elimination(
                candidate=i, against=1, measure="said", value=0.0, threshold=0.0, statistic=0.0
            )
            for i in ids
        ]
        return Verdict(instances=verdict.instances, leader=1, eliminated=tuple(out))


def test_the_rule_is_asked_after_first_test_and_then_every_each_test():
    rule = Patient()
    finish(race := race_over(np.ones((12, 3)), rule, first_test=4, each_test=3), np.ones((12, 3)))
    assert [len(results.costs) for results, _, _ in rule.seen] == [4, 7, 10]
    assert race.stopped is Stop.INSTANCES
    assert race.instances_seen == 12


def test_all_survivors_share_the_instance_and_its_seed():
    race = race_over(np.ones((6, 3)), Patient())
    experiments = race.ask()
    assert len(experiments) == 15, "five instances are certain before the first test"
    for step in range(5):
        row = [e for e in experiments if e.instance.step == step]
        assert len({(e.instance.seed, e.instance.name) for e in row}) == 1
        assert [e.candidate.id for e in row] == [1, 2, 3]
    assert len({e.instance.seed for e in experiments}) == 5


def test_ask_hands_out_each_experiment_once_and_keeps_to_the_limit():
    race = race_over(np.ones((6, 3)), Patient())
    first, rest = race.ask(4), race.ask()
    assert len(first) == 4
    assert len(rest) == 11
    assert race.ask() == []
    assert len({e.key for e in first + rest}) == 15


def test_speculation_goes_beyond_the_next_test_to_the_end():
    race = race_over(np.ones((9, 3)), Patient(), first_test=2)
    assert len(race.ask()) == 6
    assert len(race.ask(speculate=9)) == 9
    assert len(race.ask(speculate=100)) == 12
    assert race.ask(speculate=9) == []


def test_the_best_are_speculated_on_first_and_nothing_is_handed_out_twice():
    costs = normal_world(6, 30, seed=3)
    race, out, told = race_over(costs, Sign(), first_test=4), [], set()
    while not race.done:
        out += race.ask(5 - len(out), speculate=3)
        experiment = out.pop()  # the last handed out comes back first
        assert experiment.key not in told
        told.add(experiment.key)
        race.tell(outcome(costs, experiment))
    race = race_over(costs, Patient(), first_test=4)
    for experiment in race.ask():
        race.tell(outcome(costs, experiment))
    later = [e for e in race.ask(speculate=1000)[6:] if e.instance.step == 5]
    assert [e.candidate for e in later] == [s.candidate for s in race.ranking()]


def test_what_is_speculated_before_a_drop_is_kept_and_decides_nothing():
    costs = np.arange(24.0).reshape(8, 3)
    race = race_over(costs, Drops(n2=[3]), first_test=2)
    asked = race.ask(speculate=18)
    for experiment in reversed(asked):
        race.tell(outcome(costs, experiment))
    assert [e.candidate for v in race.verdicts for e in v.eliminated] == [3]
    assert race.spent.evaluations == 2 * 3 + 6 * 2
    assert np.isnan(race.results.costs[2:, 2]).all()


def test_the_rule_hears_the_horizon_the_budget_and_a_keyed_stream():
    rules = Patient(), Patient()
    for rule in rules:
        race = race_over(
            np.ones((12, 3)), rule, budget=Budget(evaluations=25), first_test=2, objective="mean"
        )
        finish(race, np.ones((12, 3)))
    outlooks = [outlook for _, outlook, _ in rules[0].seen]
    assert outlooks[0] == Outlook(objective="mean", instances=10, evaluations=19, since=2)
    assert [d for *_, d in rules[0].seen] == [d for *_, d in rules[1].seen]
    assert len({d for *_, d in rules[0].seen}) == len(rules[0].seen)


def test_results_tell_who_was_alive_and_keep_the_costs_of_the_dropped():
    costs = np.arange(24.0).reshape(8, 3)
    race = finish(race_over(costs, Drops(n2=[2]), first_test=2), costs)
    results = race.results
    assert results.alive[:, 1].tolist() == [True, True] + [False] * 6
    assert np.isfinite(results.costs[:2, 1]).all()
    assert np.isnan(results.costs[2:, 1]).all()
    assert results.block.shape == (8, 2)
    with pytest.raises(ValueError, match="read-only"):
        results.costs[0, 0] = 5


@pytest.mark.parametrize(
    ("budget", "reason", "rows"),
    [
        (Budget(evaluations=20), Stop.EVALUATIONS, 6),
        (Budget(instances=4), Stop.INSTANCE_BUDGET, 4),
        (Budget(instances=12), Stop.INSTANCE_BUDGET, 12),
        (Budget(instances=13), Stop.INSTANCES, 12),
        (Budget(target_time=31.0), Stop.TARGET_TIME, 5),
        (Budget(), Stop.INSTANCES, 12),
    ],
)
def test_the_end_of_each_budget(budget, reason, rows):
    costs = 2 * np.ones((12, 3))  # two seconds each
    race = finish(race_over(costs, Patient(), budget=budget, first_test=4), costs)
    assert race.stopped is reason
    assert race.instances_seen == rows
    assert race.winner is not None


def test_wall_time_is_read_from_the_outcomes():
    race = race_over(np.ones((9, 2)), Patient(), budget=Budget(wall_time=10.0))
    clock = 0.0
    while not race.done:
        for e in race.ask(1):
            clock += 1.5
            race.tell(Outcome(*e.key, cost=1.0, elapsed=clock))
    assert race.stopped is Stop.WALL_TIME
    assert race.instances_seen == 3, "3 rows take 9 s, and a fourth is expected to end at 12 s"


def test_a_row_that_breaks_a_time_limit_does_not_count():
    race = race_over(np.ones((9, 2)), Patient(), budget=Budget(target_time=10.0))
    first, second, third, *_ = race.ask()
    race.tell(first.outcome(1.0, seconds=1))
    race.tell(second.outcome(1.0, seconds=1))
    race.tell(third.outcome(1.0, seconds=9))
    assert race.stopped is Stop.TARGET_TIME
    assert race.instances_seen == 1


def test_a_race_that_cannot_complete_one_instance_names_no_winner():
    race = race_over(np.ones((9, 5)), Patient(), budget=Budget(target_time=4))
    for e in race.ask(5):
        race.tell(e, 1.0, seconds=1.0)
    assert race.done
    assert race.stopped is Stop.TARGET_TIME
    assert race.winner is None
    assert race.ask() == []


def test_one_candidate_wins_without_an_evaluation():
    race = race_over(np.ones((9, 1)), Patient())
    assert race.stopped is Stop.SURVIVORS
    assert race.winner.id == 1
    assert race.spent.evaluations == 0


def test_instances_repeat_with_new_seeds_if_asked():
    from racing.core.instances import Instances

    race = Race(
        [{"x": 1}, {"x": 2}],
        Instances(("a", "b"), repeat=True),
        rule=Patient(),
        budget=Budget(evaluations=20),
    )
    seen = set()
    while not race.done:
        for e in race.ask():
            seen.add((e.instance.name, e.instance.seed))
            race.tell(e.outcome(1.0))
    assert race.instances_seen == 10
    assert len(seen) == 10


def test_everything_crashing_stops_after_one_instance():
    race = race_over(np.ones((9, 3)), Patient())
    for e in race.ask():
        race.tell(e.failure(Status.CRASHED, "boom"))
    assert race.stopped is Stop.ALL_FAILED
    assert race.spent.evaluations == 3
    assert race.winner is None


def test_crashes_are_given_until_a_test_that_is_asked_for_after_the_last_instance():
    for works in (False, True):
        race = Race([{"x": 1}, {"x": 2}], range(9), rule="none", first_test=9)
        for e in race:
            race.tell(e, 1.0 if works and e.instance.step else ValueError())
        assert race.stopped is (Stop.INSTANCES if works else Stop.ALL_FAILED)
        assert race.spent.evaluations == 18


def test_timeouts_alone_are_given_until_the_first_test():
    race = race_over(np.ones((9, 3)), Patient())
    while not race.done:
        for e in race.ask():
            race.tell(e.failure(Status.TIMEOUT))
    assert race.stopped is Stop.ALL_FAILED
    assert race.spent.evaluations == 15


def test_one_success_is_enough_to_go_on():
    costs = np.full((9, 3), np.inf)
    costs[:, 1] = 1.0
    race = finish(race_over(costs, Patient()), costs)
    assert race.stopped is Stop.INSTANCES
    assert race.winner.id == 2


def test_a_verdict_is_trimmed_to_the_survivors_asked_for_and_keeps_the_best():
    costs = np.tile(np.arange(5.0), (6, 1))
    race = finish(race_over(costs, Drops(n5=[1, 2, 3, 4, 5]), min_survivors=2), costs)
    assert [c.id for c in race.survivors] == [1, 2]
    assert [e.candidate for e in race.verdicts[0].eliminated] == [5, 4, 3]


def test_a_rule_may_not_drop_strangers():
    with pytest.raises(RaceError, match=r"\[9\], which are not in the race"):
        finish(race_over(np.ones((6, 3)), Drops(n5=[9])), np.ones((6, 3)))


def test_telling_twice_or_about_strangers_is_an_error():
    race = race_over(np.ones((6, 3)), Patient())
    (e,) = race.ask(1)
    race.tell(e.outcome(1.0))
    with pytest.raises(RaceError, match="told before"):
        race.tell(e.outcome(1.0))
    with pytest.raises(RaceError, match="candidate 7 is not in this race"):
        race.tell(Outcome(7, 0, 1.0))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"first_test": 0}, "first_test must be a whole number, 1 or more; got 0"),
        ({"first_test": 7}, "first_test: 7, but the race has at most 6 instances"),
        ({"first_test": 2.5}, "first_test must be a whole number, 1 or more; got 2.5"),
        (
            {"each_test": True},
            "each_test must be a whole number, 1 or more, or .*; got true",
        ),
        (
            {"each_test": "0%"},
            'each_test must be a whole number, 1 or more, or a growth .*; got "0%"',
        ),
        ({"min_survivors": 0}, "min_survivors must be a whole number, 1 or more; got 0"),
        ({"min_survivors": 3}, "min_survivors: 3, but there are 3 candidates: no candidate could"),
        ({"seed": -1}, "seed must be a whole number, 0 or more; got -1"),
        ({"seed": 2**63}, "seed must be a whole number"),
        ({"objective": "Rank"}, 'objective must be rank or mean; got "Rank"'),
        ({"direction": "up"}, 'direction must be minimize or maximize; got "up"'),
        ({"budget": Budget(evaluations=2)}, "2 evaluations do not cover one instance for 3"),
    ],
)
def test_settings_that_make_no_race_are_refused(settings, message):
    with pytest.raises(InputError, match=message):
        race_over(np.ones((6, 3)), **{"rule": Patient(), **settings})


def test_a_race_without_an_end_is_refused():
    from racing.core.instances import Instances

    with pytest.raises(InputError, match="repeat without end"):
        Race([{"x": 1}], Instances(("a",), repeat=True), rule=Sign())


def test_candidates_and_instances_must_be_there():
    with pytest.raises(InputError, match="one candidate or more; got none"):
        Race([], list("abcde"), rule=Sign())
    with pytest.raises(InputError, match="one instance or more; got none"):
        Race([{"x": 1}], [], rule=Sign())
    with pytest.raises(InputError, match="got 1 twice"):
        Race([Candidate(1, {}), Candidate(1, {})], list("abcde"), rule=Sign())


# --- challengers ----------------------------------------------------------------------------


def test_a_challenger_meets_the_seen_instances_first_in_an_order_of_its_own():
    costs = normal_world(4, 30, seed=1)
    race = race_over(costs[:, :3], Patient(), first_test=2)
    while race.instances_seen < 10:
        for e in race.ask(1):
            race.tell(outcome(costs, e))
    late = race.join({"column": 3})
    met = []
    while len(met) < 10:
        (e,) = race.ask(1)
        assert e.candidate == late
        met.append(e.instance.step)
        race.tell(outcome(costs, e))
    assert sorted(met) == list(range(10))
    assert met != list(range(10))
    assert {e.candidate.id for e in race.ask()} == {1, 2, 3, 4}


def test_only_challengers_can_be_dropped_while_they_catch_up():
    costs = normal_world(4, 30, seed=1)
    rule = Drops(n3=[2, 4])  # asked at the third instance of the three, then of the challenger
    race = race_over(costs[:, :3], rule, first_test=3, each_test=30)
    rule.when = {}
    while race.instances_seen < 6:
        for e in race.ask(1):
            race.tell(outcome(costs, e))
    rule.when = {3: [2, 4]}
    race.join({"column": 3})
    while len(race.verdicts) < 2:
        for e in race.ask(1):
            race.tell(outcome(costs, e))
    assert [e.candidate for e in race.verdicts[-1].eliminated] == [4]
    assert race.verdicts[-1].instances == 3
    assert {e.candidate.id for e in race.ask()} == {1, 2, 3}


def test_joining_in_the_middle_of_a_row_waits_for_its_end():
    costs = normal_world(4, 30, seed=1)
    race = race_over(costs[:, :3], Patient(), first_test=1)
    first, *rest = race.ask()
    race.tell(outcome(costs, first))
    race.join({"column": 3})
    assert len(race.survivors) == 3
    for e in rest:
        race.tell(outcome(costs, e))
    assert len(race.survivors) == 4
    assert [e.key for e in race.ask()] == [(4, 0)]


def test_joining_revives_a_race_that_was_won():
    costs = normal_world(3, 30, seed=1)
    race = finish(race_over(costs[:, :2], Drops(n5=[2])), costs)
    assert race.stopped is Stop.SURVIVORS
    race.join({"column": 2})
    assert not race.done
    assert {e.candidate.id for e in race.ask()} == {3}


@pytest.mark.parametrize("workers", [1, 4])
def test_challengers_and_order_of_arrival(workers):
    """Whoever joins between two rows finds the same race, however its answers arrive."""
    costs = normal_world(8, 40, seed=2)

    def run(workers, seed):
        race = race_over(costs[:, :5], Sign())
        shuffled_finish(race, costs, workers=workers, seed=seed, until=12)
        assert race.instances_seen == 12
        race.lost(*race.pending)  # so that it is between two rows, whatever was out
        for column in (5, 6, 7):
            race.join({"column": column})
        assert {entrant.entered for entrant in race.entrants[5:]} == {12}
        shuffled_finish(race, costs, workers=workers, seed=seed)
        return race

    assert facts(run(workers, 5)) == facts(run(1, 0))


def test_ids_cannot_be_taken_twice():
    race = race_over(np.ones((6, 3)), Patient())
    with pytest.raises(RaceError, match="candidate 2 in this race already"):
        race.join(Candidate(2, {}))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"candidates": {"x": 1}}, "candidates must be a list of mappings; got {'x': 1}"),
        ({"candidates": [1, 2]}, "a candidate must be a mapping of its values; got 1"),
        ({"instances": 5}, "instances must be a list of them; got 5"),
        ({"instances": "abc"}, 'instances must be a list of them; got "abc"'),
        ({"rule": "sgin"}, "unknown rule \"sgin\"; did you mean 'sign'?"),
        ({"rule": {"name": "sign", "alpa": 1}}, "rule.alpa: unknown key; did you mean 'alpha'"),
        (
            {"rule": {"name": "sign", "alpha": 5}},
            "alpha must be a number above 0 and below 1; got 5",
        ),
        ({"rule": Sign}, "(call it: Sign())"),
        ({"budget": "much"}, "budget must be a whole number of evaluations such as 2000"),
        ({"budget": {"runs": 5}}, "budget.runs: unknown key; known: evaluations"),
        ({"budget": 0}, "budget must be a whole number of evaluations such as 2000"),
    ],
)
def test_what_a_race_cannot_be_made_of_is_said(change, message):
    with pytest.raises(InputError, match=re.escape(message)):
        Race(**{"candidates": [{"x": 1}, {"x": 2}], "instances": list("abcde"), **change})


def test_rules_and_budgets_are_taken_in_the_forms_of_a_scenario_file():
    def a_race(**options):
        return Race([{"x": 1}, {"x": 2}], list("abcdef"), **options)

    assert a_race().rule == RULES["auto"]()
    assert a_race(rule="sign").rule == Sign()
    assert a_race(rule={"name": "sign", "alpha": 0.01}).rule == Sign(alpha=0.01)
    assert a_race(rule=(patient := Patient())).rule is patient
    assert a_race(budget=100).budget == Budget(evaluations=100)
    assert a_race(budget={"target_time": 5.0}).budget == Budget(target_time=5.0)
    assert a_race(seed=np.int64(3)).seed == 3


# --- asking, telling, losing ----------------------------------------------------------------------


def test_an_outcome_on_an_instance_that_does_not_exist_is_refused():
    race = race_over(np.ones((6, 3)), Patient())
    for step in (-1, 6):
        with pytest.raises(InputError, match=f"there is no instance {step} in this race"):
            race.tell(Outcome(1, step, 1.0))


def test_what_is_out_is_pending_and_what_is_lost_is_asked_for_again():
    race = race_over(np.ones((6, 3)), Patient())
    asked = race.ask(4)
    assert race.pending == tuple(asked)
    race.tell(asked[0], 1.0)
    race.lost(asked[1], asked[3])
    assert race.pending == (asked[2],)
    assert race.ask(2) == [asked[1], asked[3]]
    with pytest.raises(RaceError, match="candidate 1 on instance 0 is not out"):
        race.lost(asked[0])


def test_an_interrupted_cell_goes_on_when_it_is_run_again():
    costs = normal_world(4, 20, seed=3)

    def cell(race, breaks_at=None):
        race.lost(*race.pending)
        while not race.done:
            for experiment in race.ask():
                if race.outcomes == breaks_at:
                    raise KeyboardInterrupt
                race.tell(outcome(costs, experiment))

    race = race_over(costs, Sign())
    for breaks_at in (0, 7, 8, 21):
        with pytest.raises(KeyboardInterrupt):
            cell(race, breaks_at)
    cell(race)
    assert facts(race) == facts(finish(race_over(costs, Sign()), costs))


def test_a_race_can_be_looped_over_and_begun_again():
    costs = normal_world(4, 20, seed=3)
    race = race_over(costs, Sign())
    for experiment in race:
        if race.outcomes == 5:
            break
        race.tell(outcome(costs, experiment))
    assert len(race.pending) == 1
    for experiment in race:
        race.tell(outcome(costs, experiment))
    assert facts(race) == facts(finish(race_over(costs, Sign()), costs))
    with pytest.raises(RaceError, match="has no outcome"):
        list(race_over(costs, Sign()))


def test_losing_at_random_changes_nothing():
    costs = normal_world(6, 20, seed=3)
    rng = np.random.default_rng(1)
    race = race_over(costs, Sign())
    while not race.done:
        race.ask(4, speculate=2)
        for experiment in rng.permutation(np.array(race.pending, dtype=object)):
            race.lost(experiment) if rng.random() < 0.4 else race.tell(outcome(costs, experiment))
    other = finish(race_over(costs, Sign()), costs)
    assert (race.verdicts, race.winner) == (other.verdicts, other.winner)


def test_what_can_no_longer_count_is_unwanted():
    costs = np.arange(24.0).reshape(8, 3)
    race = race_over(costs, Drops(n2=[3]), first_test=2)
    asked = race.ask(speculate=18)
    assert race.unwanted == ()
    for experiment in asked[:6]:
        race.tell(outcome(costs, experiment))
    assert [e.candidate.id for e in race.unwanted] == [3] * 6
    race.lost(*race.unwanted)
    assert len(race.pending) == 12
    assert race.ask(speculate=24) == []


def test_queries_change_nothing():
    costs = normal_world(5, 20, seed=3)
    race, quiet = race_over(costs, Sign()), race_over(costs, Sign())
    names = [name for name in dir(Race) if isinstance(getattr(Race, name), property)]
    while not quiet.done:
        for name in names:
            getattr(race, name)
        repr(race), race.ranking(), race.instance(3), race.ask(0)
        for one in (race, quiet):
            (experiment,) = one.ask(1)
            one.tell(outcome(costs, experiment))
        assert facts(race) == facts(quiet)


def test_scores_are_told_in_the_direction_of_the_race():
    race = Race([{"x": 1}, {"x": 2}], list("abcdef"), direction="maximize", rule="none")
    for experiment in race:
        race.tell(experiment, experiment.candidate.values["x"], seconds=2.0)
    assert race.winner.id == 2
    assert race.results.costs[0].tolist() == [-1.0, -2.0]
    assert race.spent.target_time == 24.0
    assert repr(race) == (
        "<Race: 2 of 2 candidates left, 6 instances, 12 evaluations, over: instances, best #2>"
    )
    with pytest.raises(InputError, match="has no score"):
        race_over(np.ones((6, 3)), Patient()).tell(experiment)


def test_zero_has_no_sign():
    assert math.copysign(1, Outcome(1, 0, -0.0).cost) == 1


# --- who joins ------------------------------------------------------------------------------------


def at_row(race, costs, rows):
    while race.instances_seen < rows:
        for e in race.ask(1):
            race.tell(outcome(costs, e))
    return race


def test_several_that_join_at_once_come_in_together():
    costs = normal_world(6, 30, seed=1)
    race = at_row(race_over(costs[:, :3], Patient(), first_test=2), costs, 6)
    for column in (3, 4, 5):
        race.join({"column": column})
    assert [c.id for c in race.challengers] == [4, 5, 6]
    first = race.ask()
    assert {e.candidate.id for e in first} == {4, 5, 6}
    assert len({e.instance.step for e in first[:3]}) == 1


@pytest.mark.parametrize("seed", range(4))
def test_who_joins_while_others_catch_up_waits_for_them_and_meets_every_instance(seed):
    costs = normal_world(8, 30, seed=seed)
    rng = np.random.default_rng(seed)
    race = at_row(race_over(costs[:, :3], Patient(), first_test=2), costs, 6)
    met = {id: set(range(6)) if id <= 3 else set() for id in range(1, 9)}
    joins = {int(told): 3 + i for i, told in enumerate(rng.choice(40, 5, replace=False))}
    for told in range(140):
        if told in joins:
            race.join({"column": joins[told]})
        (e,) = race.ask(1)
        met[e.candidate.id].add(e.instance.step)
        race.tell(outcome(costs, e))
        assert all(met[s.candidate.id] >= set(range(race.instances_seen)) for s in race.ranking())
    assert len(race.ranking()) == 8
    assert not np.isnan(race.results.costs).any()


@pytest.mark.parametrize("left", [0, 2, 3, 5, 6])
def test_a_budget_that_ends_while_somebody_catches_up_leaves_the_best_of_the_others(left):
    costs = normal_world(6, 30, seed=1)
    costs[:, 3] -= 100  # the newcomer is the best by far
    race = at_row(race_over(costs[:, :3], Patient(), budget=3 * 6 + left), costs, 6)
    before = race.winner
    assert before is not None
    if left < 3:  # not even a row of those who are there
        with pytest.raises(RaceError, match="cannot join: the race is over, since the budget of"):
            race.join({"column": 3})
        assert race.winner == before
        return
    newcomer = race.join({"column": 3})
    finish(race, costs)
    assert race.stopped is Stop.EVALUATIONS
    assert len(race.survivors) == 4
    if left < 6:  # it has not seen what the others have
        assert race.winner == before
        assert newcomer not in [s.candidate for s in race.ranking()]
        assert race.challengers == (newcomer,)
    else:
        assert race.winner == newcomer
        assert len(race.ranking()) == 4


def test_joining_never_erases_a_winner():
    costs = normal_world(3, 30, seed=1)
    race = finish(race_over(costs[:, :2], Drops(n5=[2]), budget=11), costs)
    assert race.stopped is Stop.SURVIVORS
    race.join({"column": 2})
    assert race.winner.id == 1
    finish(race, costs)
    assert race.stopped is Stop.EVALUATIONS
    assert race.winner.id == 1
    for end in (Stop.WALL_TIME, Stop.TARGET_FAILED):
        race = race_over(costs[:, :2], Patient())
        race.end(end)
        with pytest.raises(RaceError, match="cannot join"):
            race.join({"column": 2})


def test_a_verdict_on_challengers_says_whom_it_is_about_and_by_which_instances():
    costs = normal_world(5, 30, seed=1)
    race = at_row(race_over(costs[:, :3], Patient(), first_test=3), costs, 4)
    for column in (3, 4):
        race.join({"column": column})
    at_row(race, costs, 5)
    about = [(v.about, v.steps, v.instances) for v in race.verdicts]
    assert about[:2] == [(None, None, 3), (None, None, 4)]
    assert [(who, n) for who, _, n in about[2:]] == [((4, 5), 3), (None, 4), (None, 5)]
    assert len(about[2][1]) == 3
    assert set(about[2][1]) < set(range(4))


def test_entrants_tell_when_and_why():
    costs = normal_world(5, 30, seed=1)
    race = at_row(race_over(costs[:, :3], Patient()), costs, 2)
    race.ask(1)
    race.join({"column": 3})
    assert [(e.candidate.id, e.origin, e.entered) for e in race.entrants] == [
        *((id, "given", 0) for id in (1, 2, 3)),
        (4, "joined", 3),
    ]
    again = race_over(costs[:, :3], Patient())
    again.restore(race.entrants)
    assert again.entrants == race.entrants
    with pytest.raises(RaceError, match="the race has #4 as candidate 4, entered at row 3"):
        again.restore([Entrant(candidate=Candidate(4, {"column": 3}), entered=2)])
    finish(again, costs)
    with pytest.raises(RaceError, match="before outcomes are told"):
        again.restore([])


@pytest.mark.parametrize("failed", [math.nan, math.inf, ValueError("no such file")])
def test_what_an_evaluation_raises_is_told_as_a_failure(failed):
    race = Race([{"x": 0}, {"x": 1}], range(3), rule="none")
    for experiment in race:
        race.tell(experiment, failed if experiment.candidate.values["x"] else 1.0)
    assert race.winner.values == {"x": 0}
    assert np.isinf(race.results.costs[:, 1]).all()


def test_the_failure_says_what_was_raised():
    race = Race([{"x": 0}, {"x": 1}], range(3), rule="none")
    heard = []
    race._hear = heard.append
    race.tell(race.ask(1)[0], ValueError("no such file\nand more"), seconds=2.0)
    assert (heard[0].status, heard[0].message) == (
        Status.CRASHED,
        "crashed: ValueError: no such file",
    )
    assert heard[0].seconds == 2.0
