"""Iterated racing as a user meets it: what it finds, and what it does at the edges."""

from __future__ import annotations

import pytest

from racing.base.errors import InputError, RaceError
from racing.core.budget import Budget
from racing.core.instances import Instances
from racing.core.stop import Stop
from racing.rules.f_test import FTest
from racing.rules.t_test import TTest
from racing.search.iterated.iterated_racing import IteratedRacing
from racing.search.iterated.settings import IteratedSettings
from racing.space import Categorical, Integer, Space
from tests.search.iterated.kit import iterated, with_options
from tests.search.kit import (
    badness,
    deterministic,
    finish,
    mixed_space,
    noisy,
    shuffled_finish,
)


def regret(search: IteratedRacing) -> float:
    return badness(dict(search.winner.values))


def test_it_finds_what_is_much_better_than_the_default():
    search = finish(iterated(budget=500), noisy())
    assert regret(search) < 0.05 < badness(mixed_space().default())
    assert search.winner == search.elites[0] == search.ranking()[0].candidate
    assert search.notes == ()


def test_with_five_parameters_there_are_four_races_or_more_and_four_elites():
    search = iterated(budget=1000)
    most = 0
    while not search.done:
        for experiment in search.ask():
            search.tell(noisy()(experiment))
        if search.phase == "iteration" and search.iterations:
            most = max(most, len(search.elites))
    assert search.iterations >= 4
    assert most == 4


def test_the_first_race_has_as_many_configurations_as_irace_would_give_it():
    search = iterated(budget=1000)
    search.ask()
    assert len(search.candidates) == 250 // (5 + 1)  # B_1 = floor(1000 / 4); μ + T · min(5, 1)
    assert [one.origin for one in search.entrants[:2]] == ["given", "sobol"]
    assert search.candidates[0].name == "default"


def test_the_default_rule_is_the_f_test_and_ranks_say_what_is_best():
    assert iterated().objective == "rank"
    assert isinstance(iterated().rule, FTest)
    assert iterated(rule="t-test").objective == "mean"
    capped = with_options(bound=5.0)
    assert isinstance(capped.rule, TTest)
    assert capped.objective == "mean"


def test_a_budget_that_irace_refuses_gives_fewer_races_and_it_says_so():
    search = finish(iterated(budget=120), noisy())
    assert search.notes == (
        "4 races would need 180 evaluations, and irace refuses this budget: 3 are planned",
    )
    assert search.winner is not None


def test_too_few_evaluations_are_one_race_and_it_says_so():
    search = finish(iterated(budget=24), noisy())
    assert search.notes == (
        "24 evaluations are too few for iterated racing, which needs 30 with these options: "
        "4 configurations are raced",
    )
    assert search.outcomes <= 24


def test_a_small_space_is_enumerated_and_raced():
    space = Space({"n": Integer(1, 5, default=4)})

    def target(experiment):
        return experiment.outcome(float(experiment.candidate.values["n"]))

    search = finish(iterated(space, budget=200), target)
    assert len(search.candidates) == 5
    assert search.winner.values == {"n": 1}


def test_when_the_space_is_used_up_the_elites_meet_in_a_last_race():
    space = Space({"n": Integer(1, 30, default=20)})

    def target(experiment):
        return experiment.outcome(experiment.candidate.values["n"] + experiment.instance.seed % 7)

    search = finish(iterated(space, budget=120), target)
    assert search.winner.values == {"n": 1}


def test_without_elitism_each_race_has_instances_of_its_own():
    search = with_options(elitist=False)
    seen: dict[int, set[int]] = {}
    while not search.done:
        for experiment in search.ask():
            if search.phase == "iteration":
                seen.setdefault(search.iterations, set()).add(experiment.instance.step)
            search.tell(noisy()(experiment))
    assert len(seen) > 1
    for earlier, later in zip(sorted(seen), sorted(seen)[1:], strict=False):
        assert max(seen[earlier]) < min(seen[later])


def test_the_number_of_races_can_be_given():
    search = finish(with_options(iterations=2, post_selection=False), noisy())
    assert search.iterations == 2


def test_the_size_of_races_can_be_given():
    search = iterated(settings=IteratedSettings(configurations=10, per_iteration=80))
    search.ask()
    assert len(search.candidates) == 10


def test_the_elites_of_all_races_meet_in_the_last_one():
    search, phases = iterated(budget=500), []
    while not search.done:
        for experiment in search.ask():
            if search.phase not in phases:
                phases.append(search.phase)
            search.tell(noisy()(experiment))
    assert phases[:2] == ["iteration", "selection"]
    assert len(search.elites) == 1 or search.stopped is Stop.EVALUATIONS


def test_what_is_left_confirms_the_winner_and_a_share_can_be_kept_for_it():
    settings = IteratedSettings(confirm=0.1)
    search = finish(iterated(budget=400, settings=settings), noisy())
    assert search.gain.pairs >= 15
    assert search.gain.estimate > 0


def test_a_time_budget_is_estimated_first():
    search, phases = iterated(budget=Budget(target_time=600.0)), []
    while not search.done:
        for experiment in search.ask():
            phases += [search.phase] if search.phase not in phases else []
            search.tell(noisy()(experiment))
    assert phases[:2] == ["estimation", "iteration"]
    assert search.stopped is Stop.TARGET_TIME
    assert 540 < search.spent.target_time <= 600
    first = [e for e in search.entrants if e.origin in ("given", "sobol")]
    assert len(first) == pytest.approx(600 / 1.5 / 4 / 6, abs=4)


def test_running_times_are_capped():
    def seconds(experiment):
        outcome = noisy(0.0)(experiment)
        cost = 1 + 5 * badness(dict(experiment.candidate.values))
        bounded = experiment.bound is not None
        assert bounded == (search.phase != "confirmation")
        most = experiment.bound if bounded else cost
        return experiment.outcome(min(cost, most), seconds=outcome.seconds)

    search = with_options(bound=20.0)
    finish(search, seconds)
    assert regret(search) < 0.1
    free = finish(iterated(rule="t-test"), deterministic)
    assert len(search.candidates) > len(free.candidates)


def test_few_instances_that_do_not_repeat():
    search = finish(iterated(instances=Instances(range(3)), budget=300), deterministic)
    assert search.instances_seen == 3
    assert regret(search) < 0.1
    assert search.unconfirmed == "the search has learned from all instances"


def test_categories_alone():
    levels = list("abcdefgh")
    space = Space({name: Categorical(levels, default="h") for name in "uvwxyz"})

    def target(experiment):
        values = experiment.candidate.values.values()
        return experiment.outcome(sum(levels.index(str(v)) for v in values))

    search = finish(iterated(space, budget=800), target)
    assert target(search.ask(1)[0] if search.ask(1) else _experiment(search)).cost < 21


def _experiment(search):
    from racing.core.experiment import Experiment

    return Experiment(search.winner, search.instance(0))


# --- extensions -----------------------------------------------------------------------------------


def test_it_goes_on_with_further_races():
    search = finish(iterated(), noisy())
    before, races = len(search.candidates), search.iterations
    search.extend(500)
    assert not search.done
    finish(search, noisy())
    assert search.iterations > races
    assert len(search.candidates) > before
    assert search.spent.evaluations <= 500


@pytest.mark.parametrize("stop", [3, 40, 100, 200])
def test_ended_by_the_clock_at_any_point_it_goes_on_or_says_why_not(stop):
    def run(workers):
        search = iterated()
        for _ in range(stop):
            search.tell(noisy()(search.ask(1)[0]))
        search.end(Stop.WALL_TIME)
        if not search.elites:
            with pytest.raises(RaceError, match="no elites to continue from"):
                search.extend(300)
            return None
        search.extend(400)
        shuffled_finish(search, noisy(), workers=workers, seed=workers)
        return dict(search.winner.values), search.spent, len(search.candidates)

    assert run(1) == run(6)


def test_settings_of_another_search_are_refused():
    with pytest.raises(InputError, match="settings must be IteratedSettings"):
        iterated(settings=3)
