"""What every search keeps, of a portfolio search; and what its team is."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from racing.base.errors import RaceError
from racing.core.budget import Budget
from racing.core.instances import Instances
from racing.search import Settings
from racing.search.portfolio import PortfolioSearch
from tests.laws.every_search import Kind, Run, SearchLaws
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


def of(budget: str, target: str = "failing", **options: object) -> Run:
    """A search for a team with this budget, and what answers it."""
    return Run(partial(a_team, budget, **options), TARGETS[target])


class TestLaws(SearchLaws):
    kind = Kind(
        runs={
            f"{budget}, {target}": of(budget, target) for budget in BUDGETS for target in TARGETS
        },
        few={budget: of(budget) for budget in BUDGETS}
        | {f"{budget}, three": of(budget, portfolio=3) for budget in BUDGETS if budget != "few"},
        windows={str(window): of("evaluations", "noisy", window=window) for window in (1, 7, 40)},
        limited={
            f"{budget}, {window}": of(budget, "noisy", window=window)
            for budget in ("evaluations", "few", "instances")
            for window in (1, 30)
        },
        workers=(1, 3, 20),
        apart=13,
        stretches=(40,),
        facts=facts,
    )

    def check_that_the_default_stays(self, search):
        """Of several members so far, nothing is said; else it is that of any search."""
        if len(search.team) > 1 and search.single is None:
            assert search.winner in search.team
            assert search.team_gain is search.team_gain_over_default is search.gain is None
            return
        super().check_that_the_default_stays(search)
        assert len(search.team) != 1 or search.team == (search.winner,)

    test_an_extension_does_not_depend_on_workers = None


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


def test_failures_with_a_penalty_are_counted_in_gains():
    search, failed = a_team(on_failure={"penalty": 9.0}), {}
    while not search.done:
        for experiment in search.ask():
            outcome = TARGETS["failing"](experiment)
            failed[experiment.key] = outcome.failed
            search.tell(outcome)
    gain, other = search.team_gain_over_default, search.baseline.id
    ids = [*(one.id for one in search.team), other]
    steps = [step for step in search.unseen if all((id, step) in failed for id in ids)]
    assert gain.pairs == gain.instances == len(steps)
    assert gain.over_failures == sum(failed[other, step] for step in steps) > 0
    assert gain.failures == sum(all(failed[id, step] for id in ids[:-1]) for step in steps)


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
