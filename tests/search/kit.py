"""Made-up targets for searches: costs by configuration, instance and seed."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Iterable

import numpy as np

from racing.core.budget import Budget
from racing.core.experiment import Experiment, Outcome, Status
from racing.core.instances import Instances
from racing.core.verdict import Verdict
from racing.search import Search, Settings
from racing.search.account import BudgetAccount
from racing.search.coding import Coding, Design
from racing.search.phase import SearchContext
from racing.search.trials import Trials
from racing.space import Categorical, Integer, Real, Space

Target = Callable[[Experiment], Outcome]


def mixed_space() -> Space:
    """Conditions, a log scale, integers and categories, with a default."""
    return Space(
        {
            "algorithm": Categorical(["ils", "tabu", "anneal"], default="tabu"),
            "x": Real(0, 1, default=0.9),
            "rate": Real(1e-3, 1, log=True, default=0.5),
            "tenure": Integer(1, 50, default=40, when="algorithm == tabu"),
            "heat": Real(0.1, 10, default=1, when="algorithm == anneal"),
        }
    )


def line_space(default: float | None = 0.9) -> Space:
    """One real parameter."""
    return Space({"x": Real(0, 1, default=default)})


def badness(values: dict[str, object]) -> float:
    """How far a configuration of `mixed_space` is from the best; 0 at x = .3, rate = .03, ils."""
    extra = {"ils": 0.0, "tabu": 0.1, "anneal": 0.2}[str(values.get("algorithm", "ils"))]
    rate = math.log10(float(values.get("rate", 0.03)) / 0.03)  # type: ignore[arg-type]
    return (float(values["x"]) - 0.3) ** 2 + 0.1 * rate**2 + extra  # type: ignore[arg-type]


def noisy(noise: float = 0.1, *, failing: float = 0.0) -> Target:
    """Costs with noise by seed; a share of runs fails; it takes 1 to 2 seconds."""

    def target(experiment: Experiment) -> Outcome:
        candidate, instance = experiment.candidate, experiment.instance
        rng = np.random.default_rng([instance.seed, own_number(candidate.values)])
        if rng.random() < failing:
            return experiment.failure(seconds=0.5)
        cost = badness(dict(candidate.values)) + noise * rng.normal() + instance.step % 3
        return experiment.outcome(cost, seconds=1 + rng.random())

    return target


def own_number(values: dict[str, object]) -> int:
    """A number that depends on a configuration's values alone."""
    return zlib.crc32(repr(sorted(values.items())).encode())


def deterministic(experiment: Experiment) -> Outcome:
    """The badness itself."""
    return experiment.outcome(badness(dict(experiment.candidate.values)), seconds=1.0)


def always_failing(experiment: Experiment) -> Outcome:
    """Nothing ever works."""
    return experiment.failure(Status.CRASHED, "no", seconds=0.1)


def finish(search: Search, target: Target, limit: int | None = None) -> Search:
    """Drive a search to its end, one after the other."""
    while not search.done:
        experiments = search.ask(limit)
        assert experiments, "a search that is not done and has nothing out must have work"
        for experiment in experiments:
            search.tell(target(experiment))
    return search


def shuffled_finish(search: Search, target: Target, *, workers: int, seed: int) -> list[Outcome]:
    """Drive a search with many workers whose answers arrive in any order; outcomes as told."""
    rng = np.random.default_rng(seed)
    running: list[Experiment] = []
    told: list[Outcome] = []
    while not search.done:
        running += search.ask(workers - len(running))
        assert running, "a search that is not done must have work"
        assert {one.key for one in search.pending} == {one.key for one in running}
        outcome = target(running.pop(int(rng.integers(len(running)))))
        told.append(outcome)
        search.tell(outcome)
    return told


def lossy_finish(search: Search, target: Target, limit: int) -> Search:
    """Drive a search to its end; what is asked for is lost now and then."""
    rng, losses = np.random.default_rng(5), 0
    while not search.done:
        for experiment in search.ask(limit):
            if rng.random() < 0.3:
                search.lost(experiment)
                losses += 1
            else:
                search.tell(target(experiment))
    assert losses
    return search


def replay(search: Search, outcomes: Iterable[Outcome]) -> Search:
    """Tell a search what an earlier one heard."""
    for told in outcomes:
        search.tell(told)
    return search


def resumed(search: Search, whole: Search, told: list[Outcome], target: Target) -> Search:
    """A search told what `whole` had heard before a crash, then driven to its end.

    Fails if an evaluation that was told is asked for again.
    """
    search.restore(whole.entrants)
    replay(search, told)
    known = {outcome.key for outcome in told}
    while not search.done:
        for experiment in search.ask(4):
            assert experiment.key not in known, "an evaluation was asked for twice"
            known.add(experiment.key)
            search.tell(target(experiment))
    return search


def facts(search: Search) -> tuple[object, ...]:
    """Everything about a search that must not depend on the order of arrival."""
    return (
        search.stopped,
        search.winner,
        search.winner and dict(search.winner.values),
        search.verdicts,
        search.ranking(),
        search.spent,
        [(entrant, dict(entrant.candidate.values)) for entrant in search.entrants],
        search.gain,
        search.unconfirmed,
        search.notes,
    )


def a_context(space: Space | None = None, **settings: object) -> SearchContext:
    """What the phases of `a_search` share, to drive a phase or a challenger by itself."""
    instances = Instances(settings.pop("instances", range(8)), repeat=True)
    trials = Trials(Coding(space or mixed_space()), instances, settings.pop("seed", 3))
    verdicts: list[Verdict] = []
    limit = settings.pop("limit", None)
    context = SearchContext(
        trials=trials,
        account=BudgetAccount(settings.pop("budget", Budget(evaluations=150))),
        design=Design(trials.coding, (), trials.seed),
        decided=verdicts.append,
        settings=settings.pop("settings", Settings()),
        objective=settings.pop("objective", "mean"),
        window=settings.pop("window", 10),
    )
    assert not settings
    context.limit = context.limit if limit is None else limit
    return context


def a_search(space: Space | None = None, **settings: object) -> Search:
    """A search over `mixed_space` with 150 evaluations, unless told otherwise."""
    settings.setdefault("budget", Budget(evaluations=150))
    settings.setdefault("seed", 3)
    return Search(space or mixed_space(), settings.pop("instances", range(8)), **settings)  # type: ignore[arg-type]
