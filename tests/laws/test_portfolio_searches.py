"""What every search keeps, of a portfolio search; and what its team is."""

from __future__ import annotations

import numpy as np
import pytest

from racing.base.errors import RaceError
from racing.core.budget import Budget
from racing.core.instances import Instances
from racing.log import Header, MemoryLog, Recorder
from racing.search import Settings
from racing.search.portfolio import PortfolioSearch
from tests.search import kit
from tests.search.kit import finish, mixed_space, noisy, resumed, shuffled_finish

BUDGETS = {
    "evaluations": Budget(evaluations=260),
    "few": Budget(evaluations=180),
    "target_time": Budget(target_time=300.0),
    "instances": Budget(evaluations=260, instances=6),
}
PROBED = Budget(evaluations=1000)
TARGETS = {"noisy": noisy(), "failing": noisy(failing=0.2), "ties": noisy(0.0)}
HEADER = Header(name="team", seed=3, direction="minimize", objective="mean", scenario={})

every_budget = pytest.mark.parametrize("budget", BUDGETS)


def a_team(budget="evaluations", portfolio=2, **options):
    """A portfolio search over `mixed_space`."""
    options.setdefault("instances", range(8))
    instances = options.pop("instances")
    return PortfolioSearch(
        mixed_space(), instances, budget=BUDGETS[budget], seed=3, portfolio=portfolio, **options
    )


def facts(search):
    """Everything that must not depend on the order of arrival."""
    team = (search.team, search.single, search.team_gain, search.team_gain_over_default)
    return (*kit.facts(search), *team)


@every_budget
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("workers", [1, 3, 20])
def test_workers_and_order_of_arrival_do_not_matter(budget, target, workers):
    alone = finish(a_team(budget), TARGETS[target])
    search = a_team(budget)
    shuffled_finish(search, TARGETS[target], workers=workers, seed=workers)
    assert facts(search) == facts(alone)


@pytest.mark.parametrize("window", [1, 7, 40])
def test_no_window_makes_the_order_of_arrival_matter(window):
    alone = finish(a_team(window=window), noisy(), limit=1)
    search = a_team(window=window)
    shuffled_finish(search, noisy(), workers=13, seed=window)
    assert facts(search) == facts(alone)


@every_budget
def test_a_crash_after_any_outcome_changes_nothing_and_repeats_nothing(budget):
    target, whole = TARGETS["failing"], a_team(budget)
    told = shuffled_finish(whole, target, workers=4, seed=7)
    for crash in range(0, len(told), 13):
        assert facts(resumed(a_team(budget), whole, told[:crash], target)) == facts(whole)


def opposed(experiment):
    """Every other instance wants the opposite."""
    one = noisy()(experiment)
    return experiment.outcome((one.cost - experiment.instance.step % 3) * (-1) ** one.step)


@pytest.mark.parametrize("target", [noisy(), opposed])
def test_with_a_probe_neither_workers_nor_crashes_matter(target):
    def searching():
        return PortfolioSearch(mixed_space(), range(20), budget=PROBED, seed=3, portfolio=2)

    alone, whole = finish(searching(), target), searching()
    told = shuffled_finish(whole, target, workers=9, seed=2)
    assert facts(whole) == facts(alone)
    assert len(whole.team) == (2 if target is opposed else 1)
    for crash in range(60, len(told), 120):
        assert facts(resumed(searching(), whole, told[:crash], target)) == facts(whole)


def test_sessions_that_are_killed_and_resumed_come_to_the_same():
    whole, log, search = finish(a_team(), noisy()), MemoryLog(HEADER), None
    rng, sessions = np.random.default_rng(2), 0
    while search is None or not search.done:
        search, sessions = a_team(), sessions + 1
        recorder = Recorder(search, log)
        for _ in range(40):
            recorder.ask(max(5 - len(search.pending), 0))
            if search.done:
                break
            recorder.tell(noisy()(search.pending[int(rng.integers(len(search.pending)))]))
    assert sessions > 5
    assert facts(search) == facts(whole)
    assert len(list(log.outcomes())) == search.outcomes


@pytest.mark.parametrize("budget", ["evaluations", "few", "instances"])
@pytest.mark.parametrize("window", [1, 30])
def test_a_budget_is_never_exceeded_and_each_run_is_charged_once(budget, window):
    search = a_team(budget, window=window)
    told = shuffled_finish(search, noisy(), workers=9, seed=1)
    assert len(told) <= BUDGETS[budget].evaluations
    assert search.spent.evaluations == len(told)
    assert len({outcome.key for outcome in told}) == len(told)


@every_budget
@pytest.mark.parametrize("portfolio", [2, 3])
def test_queries_change_nothing_and_what_is_told_only_grows(budget, portfolio):
    if portfolio == 3 and budget == "few":
        return
    alone, search = finish(a_team(budget, portfolio), noisy()), a_team(budget, portfolio)
    verdicts, entrants = [], []
    while not search.done:
        for experiment in search.ask(3):
            facts(search)
            assert search.results.costs.shape[1] == len(search.candidates)
            assert 0 <= search.progress <= 1
            assert list(search.entrants[: len(entrants)]) == entrants
            entrants = list(search.entrants)
            search.tell(noisy()(experiment))
            assert search.verdicts[: len(verdicts)] == verdicts
            verdicts = list(search.verdicts)
    assert facts(search) == facts(alone)
    gone = [e.candidate for verdict in search.verdicts for e in verdict.eliminated]
    assert len(set(gone)) == len(gone)
    assert {one.id for one in search.candidates} == set(gone) | {one.id for one in search.elites}


@every_budget
@pytest.mark.parametrize("target", TARGETS)
def test_gains_are_those_of_the_lowest_cost_on_unseen_instances(budget, target):
    search, outcomes = a_team(budget), {}
    while not search.done:
        for experiment in search.ask():
            outcomes[experiment.key] = TARGETS[target](experiment)
            search.tell(outcomes[experiment.key])
    members = [one.id for one in search.team]
    assert len(set(members)) == 2
    if search.team_gain is None:
        assert search.unconfirmed
        return
    for other, gain in (
        (search.single, search.team_gain),
        (search.baseline, search.team_gain_over_default),
    ):
        ran = [
            [min(outcomes[id, step].cost for id in members), outcomes[other.id, step].cost]
            for step in search.unseen
            if all((id, step) in outcomes for id in (*members, other.id))
        ]
        costs = np.array(ran)
        both = np.isfinite(costs).all(axis=1)
        assert gain.pairs == both.sum() > 0
        assert gain.estimate == pytest.approx((costs[both, 1] - costs[both, 0]).mean())


def test_unseen_instances_chose_nobody():
    search, met = a_team(instances=range(40)), set()
    while not search.done:
        for experiment in search.ask():
            if search.single is None:
                met.add(experiment.instance.step)
            search.tell(noisy()(experiment))
    assert met.isdisjoint(search.unseen)
    assert len(search.unseen)


def test_the_best_single_configuration_has_the_lowest_mean_of_all_that_met_all():
    search = finish(a_team(), noisy())
    seen = search.results.costs[: search.unseen[0]]
    whole = ~np.isnan(seen).any(axis=0)
    best = search.results.candidates[int(np.nanargmin(np.where(whole, seen.mean(axis=0), np.nan)))]
    assert search.single.id == best


def test_it_cannot_be_extended_and_says_why():
    search = finish(a_team(), noisy())
    with pytest.raises(RaceError, match="shares of its budget"):
        search.extend(1000)


def test_all_members_fail_and_the_search_says_so():
    search = finish(a_team(), kit.always_failing)
    assert search.stopped == "all_failed"
    assert search.winner is None
    assert search.team == ()
    assert search.team_gain is None


def two_kinds(experiment):
    """A cost that is low near the instance's own place."""
    x = experiment.candidate.values["x"]
    return experiment.outcome(abs(x - experiment.instance.problem))


@pytest.mark.parametrize("seed", range(5))
def test_two_kinds_of_instances_get_a_member_each(seed):
    search = PortfolioSearch(
        kit.line_space(0.5), [0.1, 0.9] * 60, budget=1000, seed=seed, portfolio=2
    )
    finish(search, two_kinds)
    assert sorted(one.values["x"] for one in search.team) == pytest.approx([0.1, 0.9], abs=0.1)
    assert search.team_gain.low > 0
    assert search.team_gain_over_default.low > 0


def test_a_repeated_order_of_instances_without_a_default_is_compared_with_the_single_best():
    search = PortfolioSearch(
        kit.line_space(None), Instances([0.1, 0.9] * 30), budget=500, seed=1, portfolio=2
    )
    finish(search, two_kinds)
    assert search.baseline is None
    assert search.team_gain is not None
    assert search.team_gain_over_default is None


def test_a_time_that_ends_early_leaves_the_members_found():
    settings = Settings(confirm=0.0)
    search = PortfolioSearch(
        mixed_space(),
        range(8),
        budget=Budget(evaluations=400, target_time=150.0),
        portfolio=3,
        settings=settings,
    )
    finish(search, noisy())
    assert search.spent.target_time <= 150
    assert 1 <= len(search.team) <= 3
    assert search.winner is not None
