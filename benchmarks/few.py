"""Few evaluations on few instances, beside Optuna's TPE and random configurations.

    python -m benchmarks.few run [--seeds 8] [--first 100] [--tasks NAME …] [--instances 1 2]
    python -m benchmarks.few table [--tasks NAME …]

Every cost is that of a run (`benchmarks.few_tasks`); one that two contenders ask for is computed
once. Regret is that of the answer, in the mean over all instances: 0 the least cost that any run
has found, 1 the default. TPE and random configurations meet every instance; racing decides itself.
All know the default; racing keeps it unless something is shown to be better, and with `risk: 0.5`
it takes what is better on the average, as the others do. Choices are made on
the tasks `few_tasks.CHOOSING`, and reported on the others, which are run unless tasks are named.
What was run is kept, and not run again.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import records
from benchmarks.few_tasks import REPORTING, TASKS, Task
from racing.search import LocalSampler, Search
from racing.search.sampler import Sampler
from racing.search.settings import Settings
from racing.space import Categorical, Configuration, Integer

FILE = Path(__file__).parent / "results" / "few.csv"
BUDGETS, COUNTS = (20, 50, 100), (1, 2, 3, 5)


@dataclass(frozen=True)
class Run:
    """What one search came to.

    Attributes
    ----------
    cost, default
        Of its answer and of the default, in the mean over the instances.
    milliseconds
        Processor time for each evaluation, without that of the target.
    """

    task: str
    instances: int
    budget: int
    contender: str
    seed: int
    cost: float
    default: float
    evaluations: int
    milliseconds: float


@dataclass
class Target:
    """The costs of a task, each computed once."""

    task: Task
    known: dict[tuple[Any, ...], float] = field(default_factory=dict)
    seconds: float = 0.0

    def cost(self, values: Configuration, instance: int) -> float:
        """The cost of a configuration on an instance."""
        key = (*sorted(values.items()), instance)
        if key not in self.known:
            begun = time.process_time()
            self.known[key] = self.task.cost(values, instance)
            self.seconds += time.process_time() - begun
        return self.known[key]

    def mean(self, values: Configuration, instances: int) -> float:
        """Its mean cost over the first instances."""
        return float(np.mean([self.cost(values, one) for one in range(instances)]))


Contender = Callable[[Target, int, int, int], tuple[Configuration, int]]


def racing(sampler: Sampler | None = None, **settings: Any) -> Contender:
    """The search, with its defaults but for the sampler and these settings."""

    def run(on: Target, instances: int, budget: int, seed: int) -> tuple[Configuration, int]:
        search = Search(
            on.task.space, range(instances), budget=budget, seed=seed, sampler=sampler,
            settings=Settings(**settings),
        )  # fmt: skip
        while not search.done:
            for one in search.ask(1):
                search.tell(one, on.cost(one.candidate.values, int(one.instance.problem)))
        assert search.winner is not None
        return search.winner.values, search.spent.evaluations

    return run


def tpe(on: Target, instances: int, budget: int, seed: int) -> tuple[Configuration, int]:
    """Optuna's sampler, on the mean over all instances."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed))
    space = on.task.space
    study.enqueue_trial(dict(space.default()))

    def mean(trial: Any) -> float:
        values: dict[str, Any] = {}
        for name, one in space.parameters.items():
            if name in space.complete(values):  # it is active
                values[name] = _suggest(trial, name, one)
        return on.mean(values, instances)

    study.optimize(mean, n_trials=max(budget // instances, 1))
    return study.best_params, budget


def _suggest(trial: Any, name: str, one: Any) -> Any:
    if isinstance(one, Categorical):
        return trial.suggest_categorical(name, one.values)
    suggest = trial.suggest_int if isinstance(one, Integer) else trial.suggest_float
    return suggest(name, one.low, one.high, log=one.log)


def random(on: Target, instances: int, budget: int, seed: int) -> tuple[Configuration, int]:
    """The best of the default and random configurations."""
    space = on.task.space
    drawn = space.sample(np.random.default_rng(seed), max(budget // instances, 1))
    tried = [space.default(), *drawn[1:]]
    return min(tried, key=lambda one: on.mean(one, instances)), budget


CONTENDERS: Mapping[str, Contender] = {
    "racing": racing(),
    "racing, risk 0.5": racing(risk=0.5),
    "near the elites": racing(LocalSampler()),
    "TPE": tpe,
    "random": random,
}


def runs(
    tasks: Iterable[str], seeds: Iterable[int], counts: Sequence[int], known: set[tuple[Any, ...]]
) -> Iterator[Run]:
    """All runs that are not known, seed by seed."""
    targets = {name: Target(TASKS[name]()) for name in tasks}
    for seed in seeds:
        for name, on in targets.items():
            on.known.clear()
            for key in ((i, b, c) for i in counts for b in BUDGETS for c in CONTENDERS):
                if (name, *key, seed) not in known:
                    yield run(name, on, *key, seed)


def run(name: str, on: Target, instances: int, budget: int, contender: str, seed: int) -> Run:
    """One search, and what it came to."""
    begun, spent = time.process_time(), on.seconds
    found, evaluations = CONTENDERS[contender](on, instances, budget, seed)
    took = time.process_time() - begun - (on.seconds - spent)
    default = on.mean(on.task.space.default(), instances)
    return Run(
        name, instances, budget, contender, seed, on.mean(found, instances), default, evaluations,
        1000 * took / budget,
    )  # fmt: skip


def lines(found: list[Run]) -> Iterator[str]:
    """Mean regret, and paired differences to TPE with their errors over tasks and seeds."""
    best = {
        (one.task, one.instances): min(
            o.cost for o in found if (o.task, o.instances) == (one.task, one.instances)
        )
        for one in found
    }
    yield f"| instances | evaluations | {' | '.join(CONTENDERS)} | racing less TPE | ms |"
    yield "|" + " ---: |" * (len(CONTENDERS) + 4)
    for instances, budget in ((i, b) for i in COUNTS for b in BUDGETS):
        regret: dict[str, dict[tuple[str, int], float]] = {name: {} for name in CONTENDERS}
        times = []
        for one in found:
            if (one.instances, one.budget) == (instances, budget):
                least = best[one.task, instances]
                of = (one.cost - least) / (one.default - least)
                regret[one.contender][one.task, one.seed] = of
                times += [one.milliseconds] if one.contender == "racing" else []
        pairs = sorted(set.intersection(*(set(own) for own in regret.values())))
        if len(pairs) < 2:
            continue
        means = [f"{np.mean([own[key] for key in pairs]):.3f}" for own in regret.values()]
        apart = [regret["racing"][key] - regret["TPE"][key] for key in pairs]
        error = np.std(apart, ddof=1) / len(apart) ** 0.5
        yield (
            f"| {instances} | {budget} | {' | '.join(means)} | "
            f"{np.mean(apart):+.3f} ({error:.3f}) | {np.mean(times):.1f} |"
        )


def main(arguments: list[str] | None = None) -> None:
    """Run, or read what was run."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("run", "table"))
    parser.add_argument("--tasks", nargs="+", choices=TASKS, default=REPORTING)
    parser.add_argument("--seeds", type=int, default=8)
    parser.add_argument("--first", type=int, default=100)
    parser.add_argument("--instances", type=int, nargs="+", choices=COUNTS, default=COUNTS)
    args = parser.parse_args(arguments)
    done = records.load(Run, FILE) if FILE.exists() else []
    if args.what == "run":
        known = {(one.task, one.instances, one.budget, one.contender, one.seed) for one in done}
        seeds = range(args.first, args.first + args.seeds)
        done += records.save(runs(args.tasks, seeds, args.instances, known), Run, FILE)
    print(*lines([one for one in done if one.task in args.tasks]), sep="\n")


if __name__ == "__main__":
    main()
