"""What every search keeps holds for iterated racing too, whatever its options."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from racing.base.errors import LogError, RacingError
from racing.core.budget import Budget
from racing.log import Header, MemoryLog, Recorder
from racing.search.iterated.iterated_racing import IteratedRacing
from racing.search.iterated.settings import IteratedSettings
from tests.search.iterated.kit import iterated
from tests.search.kit import (
    facts,
    finish,
    lossy_finish,
    noisy,
    resumed,
    shuffled_finish,
    watched_finish,
)

BUDGETS = {
    "evaluations": Budget(evaluations=220),
    "race": Budget(evaluations=25),
    "target_time": Budget(target_time=300.0),
    "instances": Budget(evaluations=220, instances=7),
}
OPTIONS = {
    "elitist": IteratedSettings(),
    "each race anew": IteratedSettings(elitist=False),
    "other tests": IteratedSettings(first_test=4, each_test=2, min_survivors=2, iterations=3),
    "capped": IteratedSettings(bound=3.0, confirm=0.1),
    "small": IteratedSettings(configurations=8, elitist_limit=0, new_instances=2),
}
TARGETS = {"noisy": noisy(), "failing": noisy(failing=0.2), "ties": noisy(0.0)}

CASES = [("evaluations", name) for name in OPTIONS] + [(name, "elitist") for name in BUDGETS]

every_budget = pytest.mark.parametrize("budget", BUDGETS)
every_option = pytest.mark.parametrize("options", OPTIONS)
every_case = pytest.mark.parametrize(("budget", "options"), dict.fromkeys(CASES))


def one(budget: str, options: str) -> IteratedRacing:
    """Iterated racing with this budget and these options."""
    return iterated(budget=BUDGETS[budget], settings=OPTIONS[options])


@every_case
@pytest.mark.parametrize("target", TARGETS)
def test_workers_and_order_of_arrival_do_not_matter(budget, options, target):
    alone = finish(one(budget, options), TARGETS[target], limit=1)
    search = one(budget, options)
    shuffled_finish(search, TARGETS[target], workers=7, seed=1)
    assert facts(search) == facts(alone)


@every_case
def test_a_crash_after_any_outcome_changes_nothing_and_repeats_nothing(budget, options):
    target, whole = TARGETS["failing"], one(budget, options)
    told = shuffled_finish(whole, target, workers=4, seed=7)
    for crash in range(5, len(told), 47):
        after = resumed(one(budget, options), whole, told[:crash], target)
        assert facts(after) == facts(whole)


@every_option
def test_what_is_lost_is_handed_out_again_and_changes_nothing(options):
    alone = finish(one("evaluations", options), noisy())
    search = lossy_finish(one("evaluations", options), noisy(), 5)
    assert facts(search) == facts(alone)


@pytest.mark.parametrize("evaluations", [3, 29, 36, 181])
@every_option
def test_a_budget_is_never_exceeded_and_each_evaluation_is_charged_once(evaluations, options):
    search = iterated(budget=evaluations, settings=OPTIONS[options])
    told = shuffled_finish(search, noisy(), workers=9, seed=1)
    assert len(told) <= evaluations
    assert search.spent.evaluations == len(told)
    assert len({outcome.key for outcome in told}) == len(told)
    assert search.winner is not None


@every_option
def test_entrants_and_verdicts_only_grow_and_no_outcome_is_of_a_stranger(options):
    search = watched_finish(one("evaluations", options), noisy(), 6)
    assert all(a.entered <= b.entered for a, b in pairwise(search.entrants))


@every_option
def test_everybody_who_is_no_elite_in_the_end_was_dropped(options):
    """An elite of an earlier race may have been dropped, and come back in the last one."""
    search = finish(one("evaluations", options), noisy())
    gone = {e.candidate for verdict in search.verdicts for e in verdict.eliminated}
    assert {one.id for one in search.candidates} == gone | {one.id for one in search.elites}


@every_budget
@pytest.mark.parametrize("stretch", [37])
def test_sessions_that_are_killed_and_resumed_come_to_the_same(budget, stretch):
    whole = finish(one(budget, "elitist"), noisy())
    log = MemoryLog(Header(name="s", seed=3, direction="minimize", objective="rank", scenario={}))
    search = one(budget, "elitist")
    for session in range(1000):
        search = one(budget, "elitist")
        go_on(Recorder(search, log), seed=session, most=stretch)
        if search.done:
            break
    assert facts(search) == facts(whole)
    assert len(list(log.outcomes())) == search.outcomes


def go_on(recorder: Recorder[IteratedRacing], *, seed: int, most: int) -> None:
    """Drive a search through its recorder for so many outcomes; what is out then is lost."""
    rng, search = np.random.default_rng(seed), recorder.decider
    while not search.done and most:
        recorder.ask(max(5 - len(search.pending), 0))
        if search.done:
            break
        told = search.pending[int(rng.integers(len(search.pending)))]
        recorder.tell(noisy()(told))
        most -= 1


@pytest.mark.parametrize("workers", [1, 8])
def test_an_extension_does_not_depend_on_workers_or_sessions(workers):
    def extended(workers):
        search = one("evaluations", "elitist")
        shuffled_finish(search, noisy(), workers=workers, seed=2)
        search.extend(400)
        shuffled_finish(search, noisy(), workers=workers, seed=3)
        return facts(search)

    assert extended(workers) == extended(3)


@pytest.mark.parametrize("change", [{"seed": 4}, {"settings": IteratedSettings(mu=7)}])
def test_a_log_of_another_scenario_is_refused(change):
    log = MemoryLog(Header(name="s", seed=3, direction="minimize", objective="rank", scenario={}))
    go_on(Recorder(one("evaluations", "elitist"), log), seed=1, most=200)
    with pytest.raises((LogError, RacingError)):
        Recorder(iterated(**{"budget": BUDGETS["evaluations"], **change}), log)
