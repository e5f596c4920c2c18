"""The plan of a search, and its simulation."""

from __future__ import annotations

import re

import pytest

from racing.base.errors import InputError
from racing.core.budget import Budget
from racing.core.instances import Instances
from racing.search.search_plan import evaluations_of, plan, simulate
from racing.search.settings import Settings


def test_a_plan_adds_up():
    told = plan(Budget(evaluations=400), workers=2, window=8, seconds=36.0)
    assert sum(told.parts.values()) == pytest.approx(told.evaluations, abs=1)
    assert told.evaluations <= 400
    assert told.initial == 54  # 0.15 of the 362 that are not kept
    assert 1.6 <= told.hours <= 2.6  # 400 runs of 36 s or so on two workers, with little waiting
    assert told.use > 0.85
    assert told.recommended_window == 10
    assert len(told.notes) == 1
    assert "below 500 evaluations the interval of the confirmed gain is wide" in told.notes[0]
    assert plan(Budget(evaluations=500), workers=2, window=8).notes == ()
    assert [plan(Budget(evaluations=n), window=10).window for n in (20, 40, 60)] == [2, 4, 10]


def test_no_confirmed_gain_is_promised_where_no_instance_is_left_for_it():
    told = plan(Budget(evaluations=100), instances=Instances(["only"]))
    assert told.notes[1] == "nothing is left to confirm the gain on (`racing test` measures it)"
    assert not any("confirmed gain" in note for note in told.notes)


def test_more_budget_buys_more_configurations_on_more_instances():
    told = plan(Budget(evaluations=400))
    assert told.smaller.challengers < told.challengers < told.larger.challengers
    assert told.smaller.instances - 2 < told.instances < told.larger.instances  # a simulation


def test_a_window_that_is_too_small_for_the_workers_is_told():
    told = plan(Budget(evaluations=800), workers=16, window=10)
    assert told.use < 0.9
    assert "a window of 10; 20 keeps more of them busy (`search.window`)" in told.notes[-1]
    told = plan(Budget(evaluations=100), workers=16, window=10)
    assert told.use < 0.9
    assert "of 10; a wider one finds less with so few evaluations" in told.notes[-1]


def test_that_a_race_is_run_instead_is_told():
    assert "too few for a search" in plan(Budget(evaluations=9)).notes[0]
    assert "no more than 5" in plan(Budget(evaluations=200), configurations=5).notes[0]


def test_few_instances_limit_what_the_best_are_run_on():
    assert plan(Budget(evaluations=300), instances=Instances(range(5))).instances == 5
    assert plan(Budget(evaluations=300, instances=6)).instances == 6


@pytest.mark.parametrize(
    ("budget", "workers", "expected"),
    [
        (Budget(target_time=100.0), 4, 50),
        (Budget(wall_time=100.0), 4, 200),
        (Budget(wall_time=100.0, target_time=100.0), 4, 50),
        (Budget(evaluations=30, target_time=100.0), 4, 30),
    ],
)
def test_limits_of_time_are_evaluations_by_what_one_takes(budget, workers, expected):
    assert evaluations_of(budget, workers, 2.0) == expected


def test_time_alone_says_nothing_without_what_a_run_takes():
    with pytest.raises(InputError, match="say how many seconds"):
        plan(Budget(target_time=100.0))


def test_money_alone_is_evaluations_by_what_one_is_charged():
    assert evaluations_of(Budget(usd=5), 4, None, {"usd": 0.01, "tokens": 7}) == 500
    assert evaluations_of(Budget(usd=5, tokens=700), 4, None, {"usd": 0.01, "tokens": 7}) == 100
    found = plan(Budget(usd=2), price={"usd": 0.01})
    assert found.paid == {"usd": found.evaluations * 0.01}
    assert found.larger is not None
    assert found.larger.paid["usd"] > found.paid["usd"]
    with pytest.raises(InputError, match="say what an evaluation is charged, such as --price usd"):
        plan(Budget(usd=5), price={"tokens": 7})


def test_words_for_people():
    lines = plan(Budget(evaluations=200), seconds=3600.0).lines()
    assert lines[0].split(" evaluations: initial ")[0] in ("199", "200")
    assert any(re.match(r"about \d+d \d\dh; the workers are busy", line) for line in lines)
    assert plan(Budget(evaluations=100)).hours is None


def test_a_plan_for_a_team_is_that_of_a_share():
    told = plan(Budget(evaluations=1000), portfolio=4)
    assert told.evaluations <= 190  # a fifth of the 950 that are not kept
    assert told.notes == (
        "this is what each of 5 equal shares of 1000 evaluations buys: 4 members, then the first 2 "
        "again; the rest confirms",
        "if the first instances all rank configurations alike, one search has the whole budget",
    )


@pytest.mark.parametrize("settings", [Settings(), Settings(set_aside=0.5), Settings(confirm=0.0)])
def test_a_plan_for_a_team_sets_aside_what_its_search_does(settings):
    instances, budget = Instances(range(48), repeat=True), Budget(evaluations=900)
    team, one = (
        plan(budget, instances=instances, portfolio=of, settings=settings).notes[0]
        for of in (2, None)
    )
    assert team == one


def test_one_worker_never_waits():
    done = simulate(Budget(evaluations=120), window=5, workers=1)
    assert done.use == pytest.approx(1.0)
    assert done.evaluations == sum(done.parts.values())


def test_what_is_decided_does_not_depend_on_the_workers():
    one = simulate(Budget(evaluations=200), window=12, workers=1, seconds=2.0)
    many = simulate(Budget(evaluations=200), window=12, workers=7, seconds=2.0)
    assert (one.evaluations, one.challengers, one.instances) == (
        many.evaluations,
        many.challengers,
        many.instances,
    )
    assert many.hours < one.hours / 3


def test_a_window_of_four_per_worker_keeps_two_busy():
    assert simulate(Budget(evaluations=600), window=8, workers=2).use > 0.93
