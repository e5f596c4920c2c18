"""A search as a user meets it: what it finds, and what it does at the edges."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from racing.base.errors import InputError, RaceError
from racing.core.budget import Budget
from racing.core.candidate import Candidate
from racing.core.experiment import Experiment
from racing.core.instances import Instances
from racing.core.stop import Stop
from racing.search import IteratedRacing, PortfolioSearch, Search, Settings
from racing.space import Categorical, Integer, Real, Space
from tests.search.kit import (
    a_search,
    always_failing,
    badness,
    deterministic,
    finish,
    line_space,
    mixed_space,
    noisy,
)


def regret(search: Search) -> float:
    return badness(dict(search.winner.values))


@pytest.mark.parametrize("kind", [Search, IteratedRacing])
def test_it_ends_by_its_budget_where_the_rest_makes_no_comparison(kind):
    search = kind(Space({"x": Real(0, 1)}), range(20), budget=150, seed=1)
    for one in search:
        search.tell(one, one.candidate.values["x"] + one.instance.seed % 7 / 10)
    assert search.spent.evaluations < 150
    assert search.stopped is Stop.EVALUATIONS


def test_it_finds_what_is_much_better_than_the_default():
    search = finish(a_search(budget=Budget(evaluations=500)), noisy())
    assert search.stopped is Stop.EVALUATIONS
    assert regret(search) < 0.05 < badness(mixed_space().default())
    assert search.gain.low > 0
    assert search.gain.pairs >= 8
    assert search.winner == search.elites[0] == search.ranking()[0].candidate


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("evaluations", [35, 41, 50, 53, 56])
def test_a_search_that_used_its_evaluations_says_so(evaluations, seed):
    """Also where a single race, for want of a budget for more, left one candidate."""
    search = finish(a_search(seed=seed, budget=Budget(evaluations=evaluations)), noisy(0.01))
    assert search.stopped is Stop.EVALUATIONS
    assert evaluations - 6 < search.spent.evaluations <= evaluations


def test_more_budget_finds_better():
    def total(evaluations):
        budget = Budget(evaluations=evaluations)
        return sum(regret(finish(a_search(seed=s, budget=budget), noisy(0.02))) for s in range(6))

    assert total(600) < 0.5 * total(60)


def test_known_configurations_enter_first_then_those_of_the_space_then_the_default():
    space = Space({"x": Real(0, 1, default=0.5)}, known=[{"x": 0.25}, {"x": 0.75}])
    search = a_search(space, known=[{"x": 0.125}, {"x": 0.25}])
    search.ask()
    assert [one.values["x"] for one in search.candidates[:4]] == [0.125, 0.25, 0.75, 0.5]
    assert [one.name for one in search.candidates[:4]] == ["", "", "", "default"]
    assert [entrant.origin for entrant in search.entrants[:5]] == ["given"] * 4 + ["sobol"]


def test_a_known_configuration_called_default_is_the_baseline():
    known = [{"x": 0.25}, Candidate(2, {"x": 0.75}, "default")]
    search = a_search(line_space(default=None), known=known)
    search.ask()
    assert (search.baseline.name, search.baseline.values) == ("default", {"x": 0.75})
    unnamed = a_search(line_space(default=None), known=[{"x": 0.25}, {"x": 0.75}])
    unnamed.ask()
    assert unnamed.baseline.values == {"x": 0.25}


def test_a_default_that_is_also_known_enters_once_and_is_the_baseline():
    search = a_search(line_space(), known=[{"x": 0.1}, {"x": 0.9}])
    search.ask()
    values = [one.values["x"] for one in search.candidates]
    assert values.count(0.9) == 1
    assert search.baseline.name == "default"
    assert search.baseline.values["x"] == 0.9


def test_without_a_default_the_first_known_configuration_is_the_baseline():
    search = finish(a_search(line_space(None), known=[{"x": 0.95}]), noisy())
    assert search.baseline.values["x"] == 0.95
    assert search.gain.pairs


def test_with_nothing_to_compare_with_nothing_is_kept_for_it():
    search = finish(a_search(line_space(None)), noisy())
    assert search.baseline is None
    assert search.gain is None
    assert "no default" in search.unconfirmed
    assert search.spent.evaluations >= 140


def test_too_few_evaluations_are_a_race_and_it_says_so():
    search = finish(a_search(budget=Budget(evaluations=9)), noisy())
    assert search.phase == "confirmation"
    assert search.notes == (
        "9 evaluations are too few for a search, which needs 10: 2 configurations are raced",
    )
    assert search.winner is not None


@pytest.mark.parametrize("evaluations", [20, 40, 59, 60])
def test_few_evaluations_are_a_search(evaluations):
    search = finish(a_search(budget=Budget(evaluations=evaluations)), noisy())
    assert search.notes == ()
    assert any(entrant.origin == "model" for entrant in search.entrants)
    assert search.spent.evaluations >= evaluations - 1, search.stopped


def seedless(experiment):
    """A cost that no seed changes."""
    cost = badness(dict(experiment.candidate.values)) + experiment.instance.number
    return experiment.outcome(cost)


@pytest.mark.parametrize(
    ("problems", "evaluations"),
    [*((p, b) for p in (1, 2) for b in (20, 50, 100, 300)),
     (3, 50), (3, 100), (5, 50), (5, 100), (10, 100), (3, 300), (5, 300), (12, 1000)],
)  # fmt: skip
def test_costs_that_no_seed_changes_are_not_measured_again(problems, evaluations):
    search = a_search(instances=range(problems), budget=Budget(evaluations=evaluations))
    finish(search, seedless)
    assert search.spent.evaluations >= evaluations - problems
    assert search.stopped in (Stop.EVALUATIONS, Stop.INSTANCES)
    assert any("seed" in note for note in search.notes)
    again = sum((~np.isnan(row)).sum() for row in search.results.costs[problems:])
    assert again <= (3 if problems < 3 or evaluations <= 100 else 20)
    assert search.worse in (0.0, None)


def test_costs_that_the_seed_changes_are_measured_again():
    search = finish(a_search(instances=range(1), budget=Budget(evaluations=100)), noisy())
    assert search.notes == ()
    assert search.instances_seen > 2


@pytest.mark.parametrize("evaluations", [2, 5, 12])
def test_hardly_any_evaluations_still_give_an_answer(evaluations):
    search = finish(a_search(budget=Budget(evaluations=evaluations)), noisy())
    assert search.winner is not None
    assert search.outcomes <= evaluations


def test_a_budget_below_one_evaluation_for_each_of_the_first_is_refused():
    with pytest.raises(InputError, match="3 evaluations do not cover one instance for the 4"):
        a_search(known=[{"x": 0.1}, {"x": 0.2}, {"x": 0.3}], budget=Budget(evaluations=3))


def test_a_small_space_is_enumerated_and_raced():
    space = Space({"a": Categorical(["p", "q"]), "x": Categorical([0.1, 0.3], when="a == p")})

    def target(experiment):
        return experiment.outcome(float(experiment.candidate.values.get("x", 0.2)))

    search = finish(a_search(space, budget=Budget(evaluations=300)), target)
    assert {str(one.values) for one in search.candidates} == {
        "{'a': 'p', 'x': 0.1}",
        "{'a': 'p', 'x': 0.3}",
        "{'a': 'q'}",
    }
    assert "no more than 3 configurations" in search.notes[0]
    assert search.winner.values == {"a": "p", "x": 0.1}


def target_of_numbers(experiment):
    return experiment.outcome(
        float(experiment.candidate.values["n"]) + experiment.instance.seed % 7
    )


def test_five_configurations_are_a_race():
    space = Space({"n": Integer(1, 5, default=4)})
    search = finish(a_search(space, budget=Budget(evaluations=200)), target_of_numbers)
    assert len(search.candidates) == 5
    assert search.winner.values == {"n": 1}


def test_when_the_space_is_used_up_the_elites_race_on():
    space = Space({"n": Integer(1, 40, default=30)})
    search = finish(a_search(space, budget=Budget(evaluations=400)), target_of_numbers)
    ids = [one.values["n"] for one in search.candidates]
    assert len(set(ids)) == len(ids)
    assert search.winner.values == {"n": 1}


def test_one_parameter():
    search = finish(a_search(line_space()), noisy(0.02))
    assert abs(search.winner.values["x"] - 0.3) < 0.1


def test_two_hundred_parameters():
    space = Space({f"x{i}": Real(0, 1, default=0.9) for i in range(200)})

    def target(experiment):
        values = experiment.candidate.values.values()
        return experiment.outcome(sum((float(v) - 0.5) ** 2 for v in values))

    search = finish(a_search(space, budget=Budget(evaluations=200)), target)
    assert target(Experiment(search.winner, search.instance(0))).cost < 200 * 0.4**2


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("objective", ["mean", "rank"])
def test_few_instances_that_do_not_repeat(n, objective):
    instances = Instances(range(n))
    search = finish(
        a_search(instances=instances, budget=Budget(evaluations=300), objective=objective),
        deterministic,
    )
    assert search.instances_seen == n
    assert regret(search) < 0.02
    assert search.gain is None
    assert search.unconfirmed == "the search has learned from all instances"
    assert search.spent.evaluations > 200


def test_a_deterministic_target_on_instances_that_repeat():
    search = finish(a_search(budget=Budget(evaluations=300)), deterministic)
    assert regret(search) < 0.05
    truth = badness(mixed_space().default()) - regret(search)
    assert search.gain.estimate == pytest.approx(truth)
    assert search.gain.chosen.estimate == pytest.approx(search.gain.estimate, abs=1e-12)


def test_a_plain_sequence_of_instances_repeats_with_new_seeds():
    search = finish(a_search(instances=range(3), budget=Budget(evaluations=400)), noisy())
    assert search.instances_seen > 3
    assert len({search.instance(step).seed for step in range(9)}) == 9


def test_when_all_fails_it_stops_soon_and_has_no_winner():
    search = finish(a_search(budget=Budget(evaluations=500)), always_failing)
    assert search.stopped is Stop.ALL_FAILED
    assert search.winner is None
    assert search.outcomes <= 75 + 38


def test_a_region_that_always_fails_is_left():
    def target(experiment):
        if experiment.candidate.values["x"] > 0.6:
            return experiment.failure()
        return noisy()(experiment)

    search = finish(a_search(budget=Budget(evaluations=300)), target)
    assert search.winner.values["x"] <= 0.6
    assert all(one.values["x"] <= 0.6 for one in search.elites)
    late = search.candidates[len(search.candidates) // 2 :]
    assert sum(one.values["x"] > 0.6 for one in late) < len(late) / 4
    assert search.gain.over_failures
    assert search.gain.failures == 0


@pytest.mark.parametrize("objective", ["mean", "rank"])
def test_constant_costs_are_no_reason_to_fail(objective):
    def constant(experiment):
        return experiment.outcome(1.0)

    search = finish(a_search(objective=objective), constant)
    assert search.winner is not None
    assert search.stopped is Stop.EVALUATIONS


def test_forbidden_combinations_are_never_proposed():
    space = Space({"x": Real(0, 1, default=0.2), "y": Real(0, 1, default=0.5)}, forbidden=["x > y"])
    search = finish(a_search(space), noisy())
    assert all(one.values["x"] <= one.values["y"] for one in search.candidates)


def test_a_time_budget_begins_with_as_many_as_it_allows():
    search = finish(a_search(budget=Budget(target_time=1500.0)), noisy())
    initial = [e for e in search.entrants if e.origin in ("given", "sobol")]
    assert 85 < len(initial) < 200  # 0.15 of some 900 evaluations of about 1.5 s
    assert search.stopped is Stop.TARGET_TIME
    assert 1350 < search.spent.target_time <= 1500


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_decision_that_breaks_a_limit_of_time_does_not_count_and_is_the_last(seed):
    space = {name: Real(0, 1, default=0.9) for name in "xy"}
    search = Search(space, Instances(range(8)), seed=seed,
                    budget=Budget(target_time=500.0))  # fmt: skip
    told = 0.0
    while not search.done:
        for one in search.ask(1):
            assert search._context.account.broken is None
            rng = np.random.default_rng([one.candidate.id, one.instance.step, seed])
            seconds = float(rng.lognormal(0, 1.5))
            search.tell(
                one.outcome(one.candidate.values["x"] + 0.3 * rng.normal(), seconds=seconds)
            )
            told += seconds
    assert search.spent.target_time <= 500
    assert search.stopped is Stop.TARGET_TIME or told <= 500


def test_it_can_be_ended_from_outside_and_keeps_its_best():
    search = a_search()
    for _ in range(100):
        for experiment in search.ask(1):
            search.tell(noisy()(experiment))
    search.end(Stop.WALL_TIME)
    assert search.stopped is Stop.WALL_TIME
    assert search.ask() == []
    assert search.winner == search.elites[0]


def test_before_anything_is_told_there_is_no_winner():
    search = a_search()
    assert search.winner is None
    assert search.ranking() == ()
    assert search.instances_seen == 0
    assert search.phase == "initial"


def test_elites_number_no_more_than_asked_for():
    settings = Settings(elites=2, first_instances=3)
    search = finish(a_search(settings=settings, budget=Budget(evaluations=300)), noisy())
    assert 1 <= len(search.elites) <= 2


def test_minimum_is_sought_whatever_the_sign():
    def negative(experiment):
        return experiment.outcome(noisy()(experiment).cost - 1000)

    search = finish(a_search(budget=Budget(evaluations=300)), negative)
    assert regret(search) < 0.1


def test_scores_may_be_maximized():
    search = a_search(budget=300, direction="maximize")
    while not search.done:
        for experiment in search.ask():
            search.tell(experiment, -noisy()(experiment).cost, seconds=1.0)
    alone = finish(a_search(budget=300), noisy())
    assert search.winner == alone.winner
    assert search.gain.estimate == alone.gain.estimate


def test_a_score_must_be_told():
    search = a_search()
    with pytest.raises(InputError, match="has no score"):
        search.tell(search.ask(1)[0])


def test_a_search_is_iterated_like_a_race_and_an_interrupted_loop_goes_on():
    search, alone = a_search(budget=100), finish(a_search(budget=100), noisy())
    for experiment in search:
        if search.outcomes == 30:
            break
        search.tell(noisy()(experiment))
    assert search.pending == (experiment,)
    for experiment in search:
        search.tell(noisy()(experiment))
    assert search.winner == alone.winner
    assert len(search.entrants) == len(alone.entrants)


def test_an_iterated_search_wants_an_answer_before_it_goes_on():
    experiments = iter(a_search())
    next(experiments)
    with pytest.raises(RaceError, match="has no outcome: tell it before the next one"):
        next(experiments)


def test_results_hold_all_costs_with_the_elites_as_survivors():
    search, told = a_search(), {}
    while not search.done:
        for experiment in search.ask():
            outcome = noisy()(experiment)
            told[outcome.key] = outcome.cost
            search.tell(outcome)
    results = search.results
    assert [results.candidates[i] for i in results.survivors] == [one.id for one in search.elites]
    for (id, step), cost in told.items():
        assert results.costs[step, results.candidates.index(id)] == cost
    assert results.alive.sum() == len(told)


def test_a_log_of_another_search_is_refused():
    one = a_search(seed=1)
    one.ask()
    other = a_search(seed=2)
    other.restore(one.entrants)
    with pytest.raises(RaceError, match="draws differently"):
        other.ask()


def test_logged_values_are_taken_where_they_differ_by_rounding_only():
    one = a_search(line_space())
    one.ask()
    values = [{"x": math.nextafter(c.values["x"], 0)} for c in one.candidates]
    moved = [
        replace(entrant, candidate=replace(entrant.candidate, values=new))
        for entrant, new in zip(one.entrants, values, strict=True)
    ]
    other = a_search(line_space())
    other.restore(moved)
    other.ask()
    assert [c.values for c in other.candidates] == [e.candidate.values for e in moved]


def test_restore_comes_first():
    search = a_search()
    search.ask(1)
    with pytest.raises(RaceError, match="before the first"):
        search.restore(())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"space": 5}, "space must be racing.space.Space"),
        ({"space": {"x": 1}}, "space.x must be a mapping with one of real"),
        ({"budget": "much"}, "must be a whole number of evaluations"),
        ({"budget": Budget(instances=5)}, "no end of its own"),
        ({"window": 0}, "window must be a whole number, 1 or more; got 0"),
        ({"window": True}, "got true"),
        ({"seed": -1}, "seed must be a whole number, 0 or more"),
        ({"direction": "up"}, "direction must be minimize or maximize"),
        ({"rule": "best"}, "unknown rule"),
        ({"objective": "best"}, "objective must be rank or mean"),
        ({"instances": []}, "one instance or more; got none"),
        ({"instances": "abc"}, "must be a list"),
        ({"known": [{"z": 1}]}, "unknown parameter"),
    ],
)
def test_what_it_cannot_be_made_of_is_refused(change, message):
    made_of = {"space": mixed_space(), "budget": Budget(evaluations=100), "instances": range(5)}
    made_of |= change
    space, instances = made_of.pop("space"), made_of.pop("instances")
    with pytest.raises(InputError, match=message):
        Search(space, instances, **made_of)


@pytest.mark.parametrize(
    "kind", [Search, IteratedRacing, partial(PortfolioSearch, portfolio=2)], ids=str
)
@pytest.mark.parametrize("space", [{"x": {"categorical": ["a"]}}, Space({"x": Categorical(["a"])})])
def test_a_space_of_one_configuration_is_refused(kind, space):
    with pytest.raises(InputError, match="space: there is nothing to search: it holds one conf"):
        kind(space, range(9), budget=400)


@pytest.mark.parametrize("budget", [300, 500])
def test_a_search_that_has_used_its_instances_does_not_blame_the_budget(budget):
    search = Search(
        {"x": {"real": [0, 1], "default": 0.9}}, Instances(range(8), repeat=False),
        budget=budget, seed=2,
    )  # fmt: skip
    while not search.done:
        for experiment in search.ask():
            noise = experiment.instance.seed % 1009 / 1009
            search.tell(experiment, abs(experiment.candidate.values["x"] - 0.3) + 0.3 * noise)
    assert search.spent.evaluations < budget - 6
    assert search.stopped is Stop.INSTANCES


def test_the_end_of_a_search_is_not_told_as_that_of_a_race():
    assert Stop.SURVIVORS.why(search=False) == "few enough candidates are left"
    assert Stop.SURVIVORS.why(search=True) == "nothing is left to compare"
    assert "another comparison" in Stop.EVALUATIONS.why(search=True)
    assert Stop.INSTANCES.why(search=True) == Stop.INSTANCES.meaning
