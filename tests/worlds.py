"""Made-up worlds for races: a cost for every candidate on every instance, by seed."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from racing.core.budget import Budget
from racing.core.experiment import Experiment, Outcome
from racing.core.results import Results
from racing.core.verdict import Verdict
from racing.race import Race
from racing.rules.rule import Outlook, Rule


def normal_world(m: int, n: int, *, seed: int, noise: float = 1.0) -> np.ndarray:
    """(n, m) costs: means spread over [0, 1], normal noise, an effect of each instance."""
    rng = np.random.default_rng(seed)
    means, effects = rng.uniform(size=m), rng.normal(size=(n, 1))
    return means + effects + noise * rng.normal(size=(n, m))


def hard_world(m: int, n: int, *, seed: int) -> np.ndarray:
    """(n, m) costs with ties, failures, constant instances, and two candidates that are one."""
    costs = np.round(2 * normal_world(m, n, seed=seed, noise=0.4)) / 2
    rng = np.random.default_rng(seed + 1)
    costs[rng.random((n, m)) < 0.1] = np.inf
    costs[rng.random(n) < 0.1] = 1.0
    costs[:, -1] = costs[:, 0]
    return costs


def race_over(costs: np.ndarray, rule: Rule, **settings: object) -> Race:
    """A race over a matrix of costs: problem i is row i, candidate j is column j − 1."""
    n, m = costs.shape
    settings.setdefault("budget", Budget())
    return Race([{"column": j} for j in range(m)], range(n), rule=rule, **settings)  # type: ignore[arg-type]


class Remembered:
    """A rule that does not judge the same twice: for laws about races that are told again.

    Everything that a rule is given is in the key, with the state of its random stream.
    """

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.said: dict[tuple[object, ...], Verdict] = {}

    def __getattr__(self, name: str) -> object:
        return getattr(self.rule, name)

    def __call__(self, results: Results, outlook: Outlook, rng: np.random.Generator) -> Verdict:
        """What the rule says, or said."""
        arrays = (results.costs, results.alive, results.survivors)
        key = (
            *(array.tobytes() for array in arrays),
            results.candidates,
            outlook,
            repr(rng.bit_generator.state),
        )
        if key not in self.said:
            self.said[key] = self.rule(results, outlook, rng)
        return self.said[key]


def outcome(costs: np.ndarray, experiment: Experiment) -> Outcome:
    """What the matrix says of an experiment; it takes |cost| seconds, at most 10."""
    row, column = experiment.instance.problem, experiment.candidate.values["column"]
    cost = costs[row, column]
    return experiment.outcome(cost, seconds=float(min(abs(cost), 10.0)))


def finish(race: Race, costs: np.ndarray, **ask: int) -> Race:
    """Drive a race to its end, one after the other."""
    while not race.done:
        for experiment in race.ask(**ask):
            race.tell(outcome(costs, experiment))
    return race


def shuffled_finish(
    race: Race,
    costs: np.ndarray,
    *,
    workers: int,
    seed: int,
    speculate: int = 0,
    until: float = np.inf,
) -> list[Outcome]:
    """Drive a race with many workers whose answers arrive in any order; the outcomes as told.

    It ends with the race, or once `until` instances are complete.
    """
    rng = np.random.default_rng(seed)
    running: list[Experiment] = []
    told: list[Outcome] = []
    while not race.done and race.instances_seen < until:
        running += race.ask(workers - len(running), speculate=speculate)
        assert running, "a race that is not done must have work"
        told.append(outcome(costs, running.pop(rng.integers(len(running)))))
        race.tell(told[-1])
    return told


def replay(race: Race, outcomes: Iterable[Outcome]) -> Race:
    """Tell a race what an earlier one heard."""
    for told in outcomes:
        race.tell(told)
    return race


def facts(race: Race) -> tuple[object, ...]:
    """Everything about a race that must not depend on the order of arrival."""
    return (race.stopped, race.winner, race.verdicts, race.ranking(), race.spent, race.survivors)
