"""What a search with capping keeps: workers, order, losses, crashes and sessions do not matter."""

from __future__ import annotations

import math

import numpy as np
import pytest

from racing.base.seeds import Purpose
from racing.core.budget import Budget
from racing.core.experiment import Experiment, Outcome, Status
from racing.log import Header, Recorder, SQLiteLog
from racing.search import Search, Settings
from tests.search.kit import a_search, badness, facts, finish, shuffled_finish
from tests.search.kit import replay as tell_again

BUDGETS = {
    "evaluations": Budget(evaluations=150),
    "target_time": Budget(target_time=12.0),
    "instances": Budget(evaluations=150, instances=6),
}
CAPPINGS = (1.0, 1.5, 4.0)

every_budget = pytest.mark.parametrize("budget", BUDGETS)


def timed(experiment: Experiment) -> Outcome:
    """A cost that is a time with noise by seed, stopped at the bound; one in twelve runs fails."""
    rng = np.random.default_rng(experiment.instance.seed)
    seconds = (0.05 + badness(dict(experiment.candidate.values))) * math.exp(0.3 * rng.normal())
    if experiment.bound is not None and experiment.bound <= seconds:
        return experiment.outcome(experiment.bound, seconds=experiment.bound)
    if (experiment.candidate.id + experiment.instance.step) % 12 == 11:
        return experiment.failure(Status.CRASHED, "crashed: by chance", seconds=seconds)
    return experiment.outcome(seconds, seconds=seconds)


def capped(budget: str, capping: float = 1.5) -> Search:
    return a_search(budget=BUDGETS[budget], settings=Settings(capping=capping))


@every_budget
@pytest.mark.parametrize("capping", CAPPINGS)
@pytest.mark.parametrize("workers", [2, 20])
def test_workers_and_order_of_arrival_do_not_matter(budget, capping, workers):
    alone = finish(capped(budget, capping), timed)
    search = capped(budget, capping)
    told = shuffled_finish(search, timed, workers=workers, seed=workers)
    assert facts(search) == facts(alone)
    assert capping > 2 or any(one.censored for one in told)


@every_budget
def test_a_crash_after_any_outcome_changes_nothing_and_bounds_stay(budget):
    whole = capped(budget)
    told = shuffled_finish(whole, timed, workers=4, seed=7)
    bounds = {outcome.key: outcome.bound for outcome in told}
    for crash in range(0, len(told), 31):
        resumed = capped(budget)
        resumed.restore(whole.entrants)
        tell_again(resumed, told[:crash])
        while not resumed.done:
            for experiment in resumed.ask(4):
                assert experiment.bound == bounds.get(experiment.key, experiment.bound)
                resumed.tell(timed(experiment))
        assert facts(resumed) == facts(whole)


@every_budget
def test_what_is_lost_is_handed_out_again_with_its_bound(budget):
    alone, rng = finish(capped(budget), timed), np.random.default_rng(5)
    search, bounds = capped(budget), {}
    while not search.done:
        for experiment in search.ask(5):
            assert bounds.setdefault(experiment.key, experiment.bound) == experiment.bound
            if rng.random() < 0.3:
                search.lost(experiment)
            else:
                search.tell(timed(experiment))
    assert facts(search) == facts(alone)


@pytest.mark.parametrize("capping", CAPPINGS)
def test_who_was_stopped_is_dropped_and_only_challengers_have_bounds(capping):
    search = capped("evaluations", capping)
    told = shuffled_finish(search, timed, workers=5, seed=2)
    stopped = {one.candidate for one in told if one.censored}
    left = {e.candidate: e for verdict in search.verdicts for e in verdict.eliminated}
    assert all(left[id].measure == "total cost" for id in stopped)
    assert all(left[id].value >= left[id].threshold * (1 - 1e-12) for id in stopped)
    drawn = {one.candidate.id for one in search.entrants if one.draw[:1] == (Purpose.CHALLENGER,)}
    assert {one.candidate for one in told if one.bound is not None} <= drawn


def test_sessions_that_are_killed_come_to_the_same_and_the_file_tells_it(tmp_path):
    path, whole = tmp_path / "search.sqlite", finish(capped("evaluations"), timed)
    header = Header(name="search", seed=3, objective="mean", scenario={})
    SQLiteLog.create(path, header).close()
    done, bounds = False, {}
    while not done:
        with SQLiteLog.open(path, write=True) as log:
            recorder = Recorder(capped("evaluations"), log)
            for _ in range(25):
                if recorder.decider.done:
                    break
                recorder.ask(max(5 - len(recorder.decider.pending), 0))
                outcome = timed(recorder.decider.pending[-1])
                bounds[outcome.key] = outcome.bound
                recorder.tell(outcome)
            done = recorder.decider.done
    assert facts(recorder.decider) == facts(whole)
    with SQLiteLog.open(path, write=False) as log:
        kept = log.outcomes()
    assert any(one.censored and one.bound == one.cost for one in kept)
    assert {one.key: one.bound for one in kept} == bounds


def test_elites_that_cost_nothing_or_fail_set_no_bound():
    def free(experiment: Experiment) -> Outcome:
        assert experiment.bound is None
        return experiment.outcome(0.0, seconds=1.0)

    search = finish(capped("evaluations"), free)
    assert search.winner is not None
    assert not any(
        e.measure == "total cost" for verdict in search.verdicts for e in verdict.eliminated
    )
