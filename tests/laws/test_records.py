"""A record equals its copy, its pickle, and what its log gives back, on every Python.

Where there is no number a record has None, as NaN does not equal itself. Up to Python 3.12, records
with the very same NaN are equal, since tuples compare identity first; from 3.13 on they are not.
"""

from __future__ import annotations

import copy
import importlib
import pickle
import pkgutil
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path

import numpy as np
import pytest

import racing
from racing.analysis.compare import compare
from racing.analysis.explain.importance import decompose
from racing.analysis.explain.regions import regions
from racing.answer.gain import gain
from racing.answer.json import facts_in
from racing.base.errors import InputError
from racing.core.budget import Budget
from racing.core.decider import Decider
from racing.core.experiment import Experiment, Outcome
from racing.core.verdict import Elimination, Gate
from racing.log import Header, Recorder, SQLiteLog
from racing.report import Facts
from racing.report.watched import activity
from racing.rules import RULES
from racing.search import Settings
from racing.search.iterated.settings import IteratedSettings
from racing.search.search_plan import plan
from racing.stats.effects import median_difference, vargha_delaney
from racing.stats.t_tests import paired_t
from racing.stats.wilcoxon import wilcoxon
from tests.report.states import STATES
from tests.search.iterated.kit import iterated
from tests.search.kit import a_search, always_failing, line_space, noisy
from tests.worlds import hard_world, outcome, race_over

HEADER = Header(name="a run", seed=3)
ARRAY = re.compile(r"\b(NDArray|ndarray|Floats|Ints|Bools|Signs)\b")
Run = tuple[Decider, Callable[[Experiment], Outcome]]


def a_race(rule: str, costs: np.ndarray) -> Run:
    race = race_over(costs, RULES[rule](), first_test=3)
    return race, lambda experiment: outcome(costs, experiment)


def a_capped_iterated_race() -> Run:
    settings = IteratedSettings(bound=3.0, confirm=0.1)
    return iterated(budget=Budget(evaluations=220), settings=settings), noisy()


RUNS: dict[str, Callable[[], Run]] = {
    **{rule: lambda rule=rule: a_race(rule, hard_world(6, 14, seed=5)) for rule in RULES},
    "every run fails": lambda: a_race("none", np.full((4, 3), np.inf)),
    "a search": lambda: (a_search(), noisy(failing=0.2)),
    "a capped search": lambda: (a_search(settings=Settings(capping=1.0)), noisy()),
    "a search that fails": lambda: (a_search(line_space()), always_failing),
    "a capped iterated race": a_capped_iterated_race,
}

EQUAL, NO_PAIR = [1.0, 1.0, 1.0], np.empty((0, 2))
OMNIBUS = ("friedman", "iman-davenport", "quade", "aligned-ranks", "anova", "exact")

RECORDS: dict[str, Callable[[], object]] = {
    "a gain without a pair": lambda: gain(NO_PAIR, mean=True),
    "a gain that failed": lambda: gain(np.full((2, 2), np.inf), mean=True),
    "a plan without a clock": lambda: plan(Budget(evaluations=60)),
    "no activity": lambda: activity([]),
    "importance near nothing": lambda: decompose([lambda rows: rows[:, 0]], line_space()),
    "where runs fail, and what was not tried": lambda: regions(
        line_space(),
        [{"x": x} for x in np.linspace(0, 0.4, 40)],
        np.ones(40, dtype=int),
        np.array([1] * 10 + [0] * 30),
    ),
    "tests of what is equal": lambda: [
        *(test(EQUAL, EQUAL) for test in (paired_t, wilcoxon, median_difference)),
        vargha_delaney(EQUAL, EQUAL, paired=True),
        *(compare(np.ones((5, 3)), omnibus=test).omnibus for test in OMNIBUS),
    ],
    **{
        f"a report: {name}": lambda state=state: [
            getattr(state(), name) for name in facts_in(Facts)
        ]
        for name, state in STATES.items()
    },
}


def holds(made: object) -> int:
    """Hold all records in what was made to the law; how many they are."""
    records = list(records_in(made))
    for twin in (made, copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
        for record, same in zip(records, records_in(twin), strict=True):
            assert same == record
    return len(records)


def records_in(thing: object) -> Iterator[object]:
    """All records that are compared by their fields, the innermost first."""
    if is_dataclass(thing) and not isinstance(thing, type):
        yield from records_in([getattr(thing, field.name) for field in fields(thing)])
        if type(thing).__eq__ is not object.__eq__:
            yield thing
    elif isinstance(thing, Mapping):
        yield from records_in(list(thing.values()))
    elif isinstance(thing, list | tuple):
        for one in thing:
            yield from records_in(one)


@pytest.mark.parametrize("name", RUNS)
def test_a_log_gives_back_the_records_that_it_was_told(name: str, tmp_path: Path) -> None:
    decider, target = RUNS[name]()
    with SQLiteLog.create(tmp_path / "run.sqlite", HEADER) as log:
        recorder, outcomes = Recorder(decider, log), []
        while not decider.done:
            for experiment in recorder.ask(1):
                outcomes.append(target(experiment))
                recorder.tell(outcomes[-1])
        recorder.finish()
    with SQLiteLog.open(tmp_path / "run.sqlite", write=False) as log:
        assert log.verdicts() == list(decider.verdicts)
        assert log.entrants() == list(decider.entrants)
        assert log.outcomes() == outcomes
        told = log.verdicts(), log.entrants(), log.outcomes()
    assert holds((told, decider.ranking(), decider.spent, getattr(decider, "gain", None)))


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_equals_its_copy_and_its_pickle(name: str) -> None:
    assert holds(RECORDS[name]())


def test_no_record_that_is_compared_holds_an_array() -> None:
    """Comparing arrays gives an array: what holds one has `eq=False`, or its own `__eq__`."""
    found = [
        f"{kind.__qualname__}.{field.name}"
        for kind in compared_kinds()
        for field in fields(kind)
        if field.compare and ARRAY.search(str(field.type))
    ]
    assert not found


def compared_kinds() -> Iterator[type]:
    """The dataclasses of the package whose comparison goes by their fields."""
    for module in pkgutil.walk_packages(racing.__path__, "racing."):
        if module.name.endswith("__main__") or ".starter" in module.name:
            continue
        for kind in vars(importlib.import_module(module.name)).values():
            if isinstance(kind, type) and is_dataclass(kind) and kind.__module__ == module.name:
                own = getattr(kind.__eq__, "__code__", None)
                if own is not None and own.co_filename == "<string>":
                    yield kind


def test_nan_of_a_rule_is_no_number_and_cannot_decide() -> None:
    why = {"candidate": 2, "against": 1, "measure": "p-value"}
    assert Elimination(**why, value=0.01, threshold=0.05, statistic=np.nan).statistic is None
    gate = {"test": "Friedman", "threshold": 5.99, "passed": True}
    assert Gate(**gate, statistic=7.0, p_value=np.nan).p_value is None
    with pytest.raises(InputError, match="the number that decided; got NaN"):
        Elimination(**why, value=np.nan, threshold=0.05)
    with pytest.raises(InputError, match="the number that decided; got NaN"):
        Gate(**gate, statistic=np.nan, p_value=0.01)
