"""A race with a default: another candidate wins only if it is hardly worse."""

from __future__ import annotations

import numpy as np
import pytest

from racing import Candidate, Instances, Race
from racing.base.errors import InputError
from racing.core.experiment import Experiment
from racing.core.view import best_of


def candidates(n: int, *, named: bool = True) -> list[Candidate]:
    names = ["default" if named else ""] + (n - 1) * [""]
    return [Candidate(id, {"x": id}, name) for id, name in enumerate(names, start=1)]


def lucky(gain: float, world: int):
    """Each candidate has its own luck on each problem; others are better by `gain`."""

    def cost(one: Experiment) -> float:
        id, instance = one.candidate.id, one.instance
        luck = np.random.default_rng([id, instance.number, world]).normal()
        noise = 0.5 * np.random.default_rng([id, instance.seed, world]).normal()
        return float(
            3 * np.random.default_rng([instance.number, world]).normal() + luck + noise
        ) - (gain if id > 1 else 0.0)

    return cost


def raced(gain: float, world: int, *, n: int = 8, problems: int = 30, **options) -> Race:
    options = {"budget": 200, "objective": "mean", **options}
    instances = Instances(range(problems), repeat=options.pop("repeat", False))
    race = Race(candidates(n), instances, seed=world, **options)
    return drive(race, lucky(gain, world))


def drive(race: Race, cost) -> Race:
    for one in race:
        race.tell(one, cost(one))
    return race


def left(gain: float, **options) -> float:
    """The share of races that leave the default."""
    races = [raced(gain, world, **options) for world in range(40)]
    return float(np.mean([race.winner != race.baseline for race in races]))


@pytest.mark.parametrize("options", [{}, {"objective": "rank"}, {"n": 2}, {"rule": "t-test"},
                                     {"problems": 6, "repeat": True}])  # fmt: skip
def test_the_default_is_kept_where_every_other_is_a_little_worse(options: dict) -> None:
    """Of 40 races at most 2 are expected to leave it; 7 would happen in 1 of 200 such tests."""
    assert left(-0.1, **options) < 0.16


def test_a_larger_risk_takes_smaller_gains() -> None:
    assert left(-0.1, risk=0.5) > 0.2


def test_a_gain_that_is_real_is_taken() -> None:
    assert left(2.5) > 0.9


def test_without_a_default_the_first_of_the_ranking_wins() -> None:
    race = drive(Race(candidates(8, named=False), range(20), budget=100), lucky(-1.0, 1))
    assert race.worse is None
    assert race.winner == race.found == race.ranking()[0].candidate


def kept() -> Race:
    """A race that dropped its default, with too little to show that another one is better."""
    worlds = (raced(0.2, world, rule="t-test") for world in range(200))
    return next(one for one in worlds if one.baseline not in one.survivors and
                one.winner == one.baseline)  # fmt: skip


def test_a_default_that_the_rule_dropped_may_be_kept() -> None:
    race = kept()
    assert race.worse > race.risk
    assert race.found in race.survivors
    first, *others = race.ranking()
    assert first.candidate == race.winner
    assert first.instances < others[0].instances
    assert others[0].candidate == race.found == best_of(race)


def test_a_race_that_is_extended_goes_on_with_the_survivors() -> None:
    race = kept()
    survivors, found = race.survivors, race.found
    race.extend(400)
    assert (race.survivors, race.worse, race.winner) == (survivors, None, found)


def test_before_its_end_the_leader_is_ahead() -> None:
    race = Race(candidates(2), range(20), rule="none", objective="mean")
    for _ in range(10):
        (one,) = race.ask(1)
        race.tell(one, float(one.candidate.id == 1))
    assert race.worse is None
    assert race.winner.id == 2


def test_one_instance_of_several_says_nothing_and_the_only_one_all() -> None:
    def cost(one: Experiment) -> float:
        return float(one.candidate.id == 1)

    several = drive(Race(candidates(2), range(20), budget=2), cost)
    assert (several.worse, several.winner) == (0.5, several.baseline)
    alone = drive(Race(candidates(2), range(1)), cost)
    assert (alone.worse, alone.winner.id) == (None, 2), "one instance shows no probability"
    tied = drive(Race(candidates(2), range(1)), lambda one: 1.0)
    assert (tied.worse, tied.winner) == (None, tied.baseline)


def test_on_one_problem_each_new_seed_is_an_observation() -> None:
    instances = Instances(["only"], repeat=True)

    def cost(one: Experiment) -> float:
        return one.instance.seed % 7 / 10 - (one.candidate.id == 2) * (1 + one.instance.seed % 3)

    race = Race(candidates(2), instances, rule="none", budget=24, objective="mean")
    assert drive(race, cost).winner.id == 2


@pytest.mark.parametrize("risk", [0, 0.6, -1, float("nan")])
def test_an_impossible_risk_is_refused(risk: float) -> None:
    with pytest.raises(InputError, match="risk must be a number above 0"):
        Race(candidates(2), range(5), risk=risk)
