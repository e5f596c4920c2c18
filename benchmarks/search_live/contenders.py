"""The contenders: each gets a meter, a budget of evaluations and a seed, and returns its winner."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from benchmarks.search_live import irace_r, smac3
from benchmarks.search_live.meter import Meter
from racing.core.instances import Instances
from racing.core.objective import Objective
from racing.search import Search
from racing.space import Boolean, Integer, Real, Space, Values

TRIAL = 10
"""On how many instances Optuna's trials are evaluated, unless they are pruned."""


def racing_search(
    meter: Meter, seed: int, *, objective: Objective = "mean"
) -> tuple[Values, float]:
    """The continuous search with its defaults."""
    target = meter.target
    instances = Instances(range(len(target.train)), repeat=True)
    search = Search(target.space, instances, budget=meter.budget, seed=seed, objective=objective)
    while not search.done:
        for one in search.ask(1):
            place = one.instance.number - 1
            search.tell(one, meter(one.candidate.values, place, one.instance.seed), seconds=0.0)
    assert search.winner is not None
    return dict(search.winner.values), 0.0


def irace(meter: Meter, seed: int) -> tuple[Values, float]:
    """irace 3.5 with its defaults, and the processor time of R."""
    found = irace_r.search(
        meter.target.space,
        meter,
        instances=len(meter.target.train),
        budget=meter.budget,
        seed=seed + 1,
    )
    return found.values, found.processor


def optuna(meter: Meter, seed: int) -> tuple[Values, float]:
    """Optuna: TPE draws, and `WilcoxonPruner` ends trials on a fixed set of instances early."""
    import optuna as package

    package.logging.set_verbosity(package.logging.ERROR)
    rng = np.random.default_rng(seed)
    train, space = len(meter.target.train), meter.target.space
    places = rng.choice(train, min(TRIAL, train), replace=False)
    seeds = rng.integers(1, 2**31 - 1, len(places))
    study = package.create_study(
        sampler=package.samplers.TPESampler(seed=seed),
        pruner=package.pruners.WilcoxonPruner(p_threshold=0.1),
    )
    study.enqueue_trial(dict(space.default()))

    def objective(trial: Any) -> float:
        values, costs = _suggested(trial, space), []
        for step in rng.permutation(len(places)):
            if not meter.left:
                raise package.TrialPruned
            costs.append(meter(values, int(places[step]), int(seeds[step])))
            trial.report(costs[-1], int(step))
            if trial.should_prune():
                raise package.TrialPruned
        return float(np.mean(costs))

    while meter.left:
        study.optimize(objective, n_trials=1)
    return dict(study.best_trial.params), 0.0


def _suggested(trial: Any, space: Space) -> Values:
    """A configuration of a space without conditions."""
    values: Values = {}
    for name in space:
        one: Any = space[name]
        if isinstance(one, Integer):
            values[name] = trial.suggest_int(name, one.low, one.high, log=one.log)
        elif isinstance(one, Real):
            values[name] = trial.suggest_float(name, one.low, one.high, log=one.log)
        else:
            levels = [False, True] if isinstance(one, Boolean) else list(one.levels)
            values[name] = trial.suggest_categorical(name, levels)
    return values


def smac(meter: Meter, seed: int) -> tuple[Values, float]:
    """SMAC3's facade for algorithm configuration: a random forest, and its intensifier."""
    return smac3.search(meter, seed), 0.0


Contender = Callable[[Meter, int], tuple[Values, float]]
CONTENDERS: dict[str, Contender] = {
    "racing": racing_search,
    "racing-ranks": partial(racing_search, objective="rank"),
    "irace": irace,
    "optuna": optuna,
    "smac": smac,
}
"""Name → (meter, seed) → the winner, and processor time of other processes."""
