"""HiGHS and CP-SAT as targets: repeatable, their options are real ones, unsolved costs more."""

from __future__ import annotations

import math
from importlib.util import find_spec
from typing import Any

import pytest

from benchmarks.search_live import solvers
from benchmarks.search_live.targets import TESTS, target
from racing.space import Boolean, Categorical

PACKAGES = {"highs": "highspy", "cp-sat": "ortools"}
LIMITS = {"highs": "NODES", "cp-sat": "DETERMINISTIC_TIME"}


@pytest.fixture(params=PACKAGES)
def name(request: pytest.FixtureRequest) -> str:
    if find_spec(PACKAGES[request.param]) is None:
        pytest.skip(f"{PACKAGES[request.param]} comes with the extra racing[peers]")
    return str(request.param)


def test_a_run_is_the_same_again_and_another_instance_is_not(name: str) -> None:
    one = target(name)
    default = one.space.default()
    assert one.cost(default, 3, 1) == one.cost(default, 3, 1) != one.cost(default, 4, 1)
    assert len(one.test) == TESTS >= 100
    assert not set(one.train) & set(one.test)


def ends(parameter: Any) -> list[object]:
    """The extreme values of a parameter, or all of its levels."""
    if isinstance(parameter, Boolean):
        return [False, True]
    if isinstance(parameter, Categorical):
        return list(parameter.values)
    return [parameter.low, parameter.high]


def test_every_option_is_one_of_the_solver(name: str) -> None:
    one = target(name)
    assert len(one.space) == {"highs": 12, "cp-sat": 14}[name]
    for key in one.space:
        for value in ends(one.space[key]):
            assert math.isfinite(one.cost({**one.space.default(), key: value}, 5, 1))


def test_an_option_that_is_not_is_refused(name: str) -> None:
    one = target(name)
    with pytest.raises(ValueError, match="refuses"):
        one.cost({**one.space.default(), "no_such_option": 1}, 3, 1)


def test_a_run_that_gives_up_counts_ten_times(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    one = target(name)
    default = one.space.default()
    hard = max(one.train, key=lambda each: one.cost(default, each, 1))
    monkeypatch.setattr(solvers, LIMITS[name], {"highs": 1, "cp-sat": 1e-4}[name])
    given_up = one.cost(default, hard, 1)
    monkeypatch.setattr(solvers, "UNSOLVED", 1)
    assert given_up == pytest.approx(one.cost(default, hard, 1) + 1)
