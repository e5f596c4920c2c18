"""The default is kept unless something is shown to be better; a gain that is real is found."""

from __future__ import annotations

import numpy as np
import pytest

from racing import Instances
from racing.core.experiment import Experiment, Outcome, Status
from racing.search import Search, Settings
from tests.search.kit import finish, own_number

SPACE = {"x": {"real": [0, 1], "default": 0.5}, "y": {"real": [0, 1], "default": 0.5}}


def lucky(gain: float, world: int):
    """Every configuration has its own luck on each problem; others are better by `gain`."""

    def target(experiment: Experiment) -> Outcome:
        values, instance = experiment.candidate.values, experiment.instance
        own = own_number(values)
        luck = np.random.default_rng([own, instance.number, world]).normal()
        noise = 0.5 * np.random.default_rng([own, instance.seed, world]).normal()
        level = np.random.default_rng([instance.number, world]).normal()
        return experiment.outcome(level + luck + noise - gain * (dict(values) != DEFAULT))

    return target


DEFAULT = {"x": 0.5, "y": 0.5}


def left(gain: float, problems: int, worlds: range, **settings: float) -> float:
    """The share of searches that leave the default."""
    searches = [
        finish(
            Search(
                SPACE, Instances(range(problems), repeat=True), budget=200, seed=world,
                settings=Settings(**settings),
            ),
            lucky(gain, world),
        )
        for world in worlds
    ]  # fmt: skip
    assert all(one.winner == (one.found if one.worse <= one.risk else one.baseline)
               for one in searches)  # fmt: skip
    return float(np.mean([one.winner != one.baseline for one in searches]))


@pytest.mark.parametrize("problems", [8, 40])
def test_the_default_is_kept_where_every_other_is_a_little_worse(problems: int) -> None:
    """Of 20 searches at most 1 is expected to leave it; 4 would happen in 2 of 100 such tests."""
    assert left(-0.1, problems, range(20)) < 0.2
    assert left(-0.1, problems, range(20), risk=0.5) > 0.1


def test_a_gain_that_is_real_is_taken() -> None:
    assert left(2.5, 40, range(10)) >= 0.8


def test_by_ranks_too() -> None:
    search = Search(SPACE, range(40), budget=300, objective="rank")
    finish(search, lucky(2.5, 1))
    assert search.winner == search.found
    assert search.worse < 0.05


@pytest.mark.parametrize(("policy", "kept"), [("rate", False), ("worst", True)])
def test_failures_count_as_they_are_judged(policy: str, kept: bool) -> None:
    """What was found is far better, and fails once in the confirmation; others fail as rarely."""
    search = Search(SPACE, range(40), budget=300, on_failure=policy)
    costs, failed = lucky(4.0, 2), []

    def target(experiment: Experiment) -> Outcome:
        last = search.phase == "confirmation" and experiment.candidate == search.found
        rarely = experiment.candidate.id > 1 and experiment.instance.seed % 40 == 7
        if (last and not failed) or rarely:
            failed.append(experiment)
            return experiment.failure()
        return costs(experiment)

    finish(search, target)
    assert (search.winner == search.baseline) == kept


def failing(share: float, world: int):
    """Any run fails with the same chance; the lower x is, the better."""

    def target(experiment: Experiment) -> Outcome:
        values = experiment.candidate.values
        rng = np.random.default_rng([own_number(values), experiment.instance.seed, world])
        if rng.random() < share:
            return experiment.failure(Status.CRASHED, "a node was lost")
        return experiment.outcome(values["x"] + 0.1 * rng.normal())

    return target


def test_a_failure_where_only_one_of_the_two_ran_decides_nothing() -> None:
    """Failures are nobody's fault, and the best configuration is far better than the default."""
    space = {"x": {"real": [0, 1], "default": 0.9}}
    for world in range(12):
        search = Search(space, Instances(range(12), repeat=True), budget=300, seed=world)
        finish(search, failing(0.2, world))
        assert search.winner != search.baseline


def test_after_one_of_several_instances_nothing_is_known():
    space = {"x": {"real": [0, 1], "default": 0.9}}
    search = Search(space, Instances(range(8)), budget=3)
    finish(search, lambda one: one.outcome(float(one.candidate.values["x"])))
    assert search.found.values["x"] < 0.9
    assert (search.worse, search.winner) == (0.5, search.baseline)
