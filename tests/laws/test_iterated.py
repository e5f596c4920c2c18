"""What every search keeps holds for iterated racing too, whatever its options."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

import pytest

from racing.base.errors import LogError, RacingError
from racing.core.budget import Budget
from racing.log import Header, MemoryLog, Recorder
from racing.search.iterated.settings import IteratedSettings
from tests.laws.every_search import Kind, Run, SearchLaws, alone, go_on
from tests.search.iterated.kit import iterated
from tests.search.kit import noisy

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
HEADER = Header(name="s", seed=3, direction="minimize", objective="rank", scenario={})
TARGETS = {"noisy": noisy(), "failing": noisy(failing=0.2), "ties": noisy(0.0)}

CASES = dict.fromkeys(
    [("evaluations", name) for name in OPTIONS] + [(name, "elitist") for name in BUDGETS]
)


def one(budget: str | int, options: str, target: str = "failing") -> Run:
    """Iterated racing with this budget and these options, and what answers it."""
    limit = BUDGETS.get(budget, budget)
    return Run(partial(iterated, budget=limit, settings=OPTIONS[options]), TARGETS[target])


class TestLaws(SearchLaws):
    kind = Kind(
        runs={
            f"{budget}, {options}, {target}": one(budget, options, target)
            for budget, options in CASES
            for target in TARGETS
        },
        few={f"{budget}, {options}": one(budget, options) for budget, options in CASES},
        extended={"evaluations": one("evaluations", "elitist", "noisy")},
        limited={
            f"{evaluations}, {options}": one(evaluations, options, "noisy")
            for evaluations in (3, 29, 36, 181)
            for options in OPTIONS
        },
        workers=(7,),
        apart=47,
        stretches=(37,),
        more=400,
        header=lambda search: HEADER,
        once=False,  # an elite that was dropped may come back in the last race
    )
    test_no_window_makes_the_order_of_arrival_matter = None


@pytest.mark.parametrize("options", OPTIONS)
def test_nobody_enters_before_those_who_are_there(options):
    entrants = alone(one("evaluations", options)).entrants
    assert all(a.entered <= b.entered for a, b in pairwise(entrants))


@pytest.mark.parametrize("change", [{"seed": 4}, {"settings": IteratedSettings(mu=7)}])
def test_a_log_of_another_scenario_is_refused(change):
    log = MemoryLog(HEADER)
    run = one("evaluations", "elitist", "noisy")
    go_on(Recorder(run.begin(), log), run.target, workers=5, seed=1, most=200)
    with pytest.raises((LogError, RacingError)):
        Recorder(iterated(**{"budget": BUDGETS["evaluations"], **change}), log)
