"""What every search keeps, of a search with capping, whose runs keep their bounds too."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pytest

from racing.base.seeds import Purpose
from racing.core.budget import Budget
from racing.core.experiment import Experiment, Outcome, Status
from racing.search import Search, Settings
from tests.laws.every_search import Kind, Run, SearchLaws
from tests.search import kit
from tests.search.kit import a_search, badness, finish, shuffled_finish

BUDGETS = {
    "evaluations": Budget(evaluations=150),
    "target_time": Budget(target_time=12.0),
    "instances": Budget(evaluations=150, instances=6),
}
CAPPINGS = (1.0, 1.5, 4.0)


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


def of(budget: str, capping: float = 1.5) -> Run:
    return Run(partial(capped, budget, capping), timed)


def facts(search: Search) -> tuple[object, ...]:
    """Also the bound of every run that counts."""
    recorded, counted = search._context.trials.recorded, search._context.account._charged
    return (*kit.facts(search), {key: recorded[key].bound for key in counted})


class TestLaws(SearchLaws):
    kind = Kind(
        runs={f"{budget}, {capping}": of(budget, capping)
              for budget in BUDGETS for capping in CAPPINGS},
        few={budget: of(budget) for budget in BUDGETS},
        workers=(2, 20),
        apart=31,
        stretches=(25,),
        facts=facts,
    )  # fmt: skip
    test_no_window_makes_the_order_of_arrival_matter = None
    test_an_extension_does_not_depend_on_workers = None
    test_a_budget_is_never_exceeded_and_each_evaluation_is_charged_once = None


@pytest.mark.parametrize("capping", CAPPINGS)
def test_who_was_stopped_is_dropped_and_only_challengers_have_bounds(capping):
    search = capped("evaluations", capping)
    told = shuffled_finish(search, timed, workers=5, seed=2)
    stopped = {one.candidate for one in told if one.censored}
    assert stopped or capping > 2
    assert not stopped & {one.id for one in search.elites}
    left = {e.candidate: e for verdict in search.verdicts for e in verdict.eliminated}
    assert all(left[id].measure == "total cost" for id in stopped)
    assert all(left[id].value >= left[id].threshold * (1 - 1e-12) for id in stopped)
    drawn = {one.candidate.id for one in search.entrants if one.draw[:1] == (Purpose.CHALLENGER,)}
    assert {one.candidate for one in told if one.bound is not None} <= drawn


def test_elites_that_cost_nothing_or_fail_set_no_bound():
    def free(experiment: Experiment) -> Outcome:
        assert experiment.bound is None
        return experiment.outcome(0.0, seconds=1.0)

    search = finish(capped("evaluations"), free)
    assert search.winner is not None
    assert not any(
        e.measure == "total cost" for verdict in search.verdicts for e in verdict.eliminated
    )
