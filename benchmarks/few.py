"""Few evaluations on few instances, beside Optuna's TPE and random configurations.

    python -m benchmarks.few run [--seeds 8] [--first 100] [--tables NAME …] [--out FILE]
    python -m benchmarks.few table FILE

Costs are looked up in tables of real runs (`benchmarks.few_tables`), which are made once, in some
minutes. Regret is that of the answer: 0 the best of the table, 1 the default. TPE and random
configurations are run on all instances, racing decides itself; all know the default. Choose on the
tables `few_tables.CHOOSING`, report on the others.

Not a fair comparison with TPE as it is: the nearest of 250 configurations makes costs piecewise
constant, so TPE comes back to one of them in half of its trials and more, while random draws of 100
meet a large part of the table. It compares versions of the search; others need denser tables.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import records
from benchmarks.few_tables import INSTANCES, REPORTING, TASKS, Table, table
from racing.search import Search
from racing.space import Categorical, Configuration, Integer

FILE = Path(__file__).parent / "results" / "few.csv"
BUDGETS, COUNTS = (20, 50, 100), (1, 2, 3, INSTANCES)


@dataclass(frozen=True)
class Run:
    """What one search came to; `milliseconds` for each evaluation, without the lookup."""

    table: str
    instances: int
    budget: int
    contender: str
    seed: int
    regret: float
    evaluations: int
    milliseconds: float


def racing(known: Table, instances: int, budget: int, seed: int) -> tuple[Configuration, int]:
    """The search, with its defaults."""
    search = Search(known.space, range(instances), budget=budget, seed=seed)
    while not search.done:
        for one in search.ask(1):
            search.tell(one, known.costs[known.row(one.candidate.values), one.instance.problem])
    assert search.winner is not None
    return search.winner.values, search.spent.evaluations


def tpe(known: Table, instances: int, budget: int, seed: int) -> tuple[Configuration, int]:
    """Optuna's sampler, on the mean over all instances."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed))
    study.enqueue_trial(dict(known.space.default()))

    def mean(trial: Any) -> float:
        values = {name: _suggest(trial, name, one) for name, one in known.space.parameters.items()}
        return float(known.costs[known.row(values), :instances].mean())

    study.optimize(mean, n_trials=max(budget // instances, 1))
    return study.best_params, budget


def _suggest(trial: Any, name: str, one: Any) -> Any:
    if isinstance(one, Categorical):
        return trial.suggest_categorical(name, one.values)
    suggest = trial.suggest_int if isinstance(one, Integer) else trial.suggest_float
    return suggest(name, one.low, one.high, log=one.log)


def random(known: Table, instances: int, budget: int, seed: int) -> tuple[Configuration, int]:
    """The best of the default and random configurations."""
    drawn = known.space.sample(np.random.default_rng(seed), max(budget // instances, 1))
    tried = [known.space.default(), *drawn[1:]]
    means = [known.costs[known.row(one), :instances].mean() for one in tried]
    return tried[int(np.argmin(means))], budget


CONTENDERS = {"racing": racing, "TPE": tpe, "random": random}


def runs(tables: Iterable[str], seeds: Iterable[int], contenders: Iterable[str]) -> Iterator[Run]:
    """All runs, seed by seed."""
    for seed in seeds:
        for name in tables:
            known = table(name)
            for instances in COUNTS:
                for budget in BUDGETS:
                    for contender in contenders:
                        begun = time.process_time()
                        found, spent = CONTENDERS[contender](known, instances, budget, seed)
                        took = 1000 * (time.process_time() - begun) / budget
                        regret = known.regret(found, instances)
                        yield Run(name, instances, budget, contender, seed, regret, spent, took)


def lines(found: list[Run]) -> Iterator[str]:
    """Mean regret, and paired differences to racing with their errors over tables and seeds."""
    names = [name for name in CONTENDERS if any(run.contender == name for run in found)]
    yield f"| instances | evaluations | {' | '.join(names)} | racing less TPE | unspent | ms |"
    yield "|" + " ---: |" * (len(names) + 5)
    for instances in COUNTS:
        for budget in BUDGETS:
            here = [one for one in found if (one.instances, one.budget) == (instances, budget)]
            by = {n: {(r.table, r.seed): r for r in here if r.contender == n} for n in names}
            means = [f"{np.mean([one.regret for one in by[name].values()]):.3f}" for name in names]
            own = by["racing"]
            both = own.keys() & by.get("TPE", {}).keys()
            apart = [own[key].regret - by["TPE"][key].regret for key in both]
            error = np.std(apart, ddof=1) / len(apart) ** 0.5 if len(apart) > 1 else np.nan
            unspent = np.mean([1 - one.evaluations / budget for one in own.values()])
            took = np.mean([one.milliseconds for one in own.values()])
            told = f"{np.mean(apart):+.3f} ({error:.3f})" if apart else "–"
            yield (
                f"| {instances} | {budget} | {' | '.join(means)} | {told} | {unspent:.0%} "
                f"| {took:.1f} |"
            )


def main() -> None:
    """Run, or read what was run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("run", "table"))
    parser.add_argument("file", nargs="?", type=Path, default=FILE)
    parser.add_argument("--tables", nargs="+", choices=TASKS, default=REPORTING)
    parser.add_argument("--contenders", nargs="+", choices=CONTENDERS, default=CONTENDERS)
    parser.add_argument("--seeds", type=int, default=8)
    parser.add_argument("--first", type=int, default=100)
    args = parser.parse_args()
    if args.what == "run":
        seeds = range(args.first, args.first + args.seeds)
        for _ in records.save(runs(args.tables, seeds, args.contenders), Run, args.file):
            pass
    print(*lines(records.load(Run, args.file)), sep="\n")


if __name__ == "__main__":
    main()
