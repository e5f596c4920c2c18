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
from racing.search import Search, Settings
from racing.space import Boolean, Integer, Real, Space, Values

TRIAL = 10
"""On how many instances Optuna's trials are evaluated, unless they are pruned."""
DRAWN = 3
"""On how many, drawn anew for each trial, where nothing prunes."""


def racing_search(
    meter: Meter, seed: int, *, objective: Objective = "mean", risk: float = Settings.risk
) -> tuple[Values, float]:
    """The continuous search with its defaults."""
    target, settings = meter.target, Settings(risk=risk)
    instances = Instances(range(len(target.train)), repeat=True)
    search = Search(
        target.space, instances,
        budget=meter.budget, seed=seed, objective=objective, settings=settings,
    )  # fmt: skip
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


def keep_default(meter: Meter, seed: int) -> tuple[Values, float]:
    """No search at all."""
    return dict(meter.target.space.default()), 0.0


def optuna_pruned(meter: Meter, seed: int) -> tuple[Values, float]:
    """Optuna: TPE draws, and `WilcoxonPruner` ends trials on a fixed set of instances early."""
    import optuna

    rng = np.random.default_rng(seed)
    train, space = len(meter.target.train), meter.target.space
    places = rng.choice(train, min(TRIAL, train), replace=False)
    seeds = rng.integers(1, 2**31 - 1, len(places))

    def objective(trial: Any) -> float:
        values, costs = _suggested(trial, space), []
        for step in rng.permutation(len(places)):
            if not meter.left:
                raise optuna.TrialPruned
            costs.append(meter(values, int(places[step]), int(seeds[step])))
            trial.report(costs[-1], int(step))
            if trial.should_prune():
                raise optuna.TrialPruned
        return float(np.mean(costs))

    return _tpe(meter, seed, objective, optuna.pruners.WilcoxonPruner(p_threshold=0.1))


def optuna_tpe(meter: Meter, seed: int) -> tuple[Values, float]:
    """Optuna: TPE draws, a trial's cost is the mean over a few random instances."""
    import optuna

    rng, train = np.random.default_rng(seed), len(meter.target.train)

    def objective(trial: Any) -> float:
        values = _suggested(trial, meter.target.space)
        if meter.left < DRAWN:
            meter.budget = meter.evaluations  # the rest is too little for a trial
            raise optuna.TrialPruned
        places = rng.choice(train, min(DRAWN, train), replace=False)
        seeds = rng.integers(1, 2**31 - 1, len(places))
        pairs = zip(places, seeds, strict=True)
        return float(np.mean([meter(values, int(place), int(one)) for place, one in pairs]))

    return _tpe(meter, seed, objective, optuna.pruners.NopPruner())


def _tpe(
    meter: Meter, seed: int, objective: Callable[[Any], float], pruner: Any
) -> tuple[Values, float]:
    """The best trial once the budget is used up; the default is the first."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed), pruner=pruner)
    study.enqueue_trial(dict(meter.target.space.default()))
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
    "racing-risk": partial(racing_search, risk=0.5),
    "racing-ranks": partial(racing_search, objective="rank"),
    "irace": irace,
    "optuna": optuna_pruned,
    "optuna-tpe": optuna_tpe,
    "smac": smac,
    "default": keep_default,
}
"""Name → (meter, seed) → the winner, and processor time of other processes."""
