"""What a search itself costs, and how busy it keeps its workers.

    python -m benchmarks.search_controller cost [--evaluations 3000] [--parameters 30]
    python -m benchmarks.search_controller use [--per-worker 4] [--growth 2] [--seeds 3]
                                               [--live] [--small]

`cost`: processor time of the search for each evaluation of a target that does nothing, in a space
with conditions, beside a fixed piece of Python on the same machine (two million additions).
`use`: share of the workers' time in use with log-normal run times (σ = 1), on a simulated clock and
the same code, with a window of four for each worker, or as many as given; means of some searches.
With `--live`, the real loop drives a thread for each worker, the target sleeps .1 s on average, and
there are 2 and 8 workers.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass, replace
from importlib import import_module
from statistics import mean

from racing.core.budget import Budget
from racing.core.experiment import Experiment, Outcome
from racing.core.instances import Instances
from racing.evaluate.pool import open_pool
from racing.log import Header, MemoryLog
from racing.runner.loop import drive
from racing.search import Search, Settings
from racing.search.search_plan import MadeUp, a_search, simulate
from racing.space import Categorical, Integer, Parameter, Real, Space

USE = ((2, 3000), (8, 3000), (32, 3000), (32, 10_000), (1000, 100_000))
USE_LIVE = ((2, 3000), (8, 3000))
USE_SMALL = ((2, 300), (8, 300))
MEAN = 0.1  # seconds that the target sleeps on average


@dataclass(frozen=True)
class Use:
    """Share of the workers' time in use, and the length on the clock in mean run times."""

    share: float
    length: float


def a_space(parameters: int) -> Space:
    """Categories, integers and reals, half of them on a log scale, a third conditional."""
    found: dict[str, Parameter] = {"kind": Categorical(["a", "b", "c"], default="a")}
    for i in range(1, parameters):
        when = "kind == a" if i % 3 == 0 else None
        if i % 5 == 0:
            found[f"c{i}"] = Categorical(["p", "q", "r"], default="p", when=when)
        elif i % 2:
            found[f"x{i}"] = Real(1e-3, 1, log=i % 4 == 1, default=0.5, when=when)
        else:
            found[f"n{i}"] = Integer(1, 100, log=i % 4 == 0, default=50, when=when)
    return Space(found)


def cost(evaluations: int, parameters: int) -> tuple[float, float]:
    """Milliseconds of processor time for each evaluation, and for a million additions.

    What is imported once, when the first Sobol points are drawn, is imported before.
    """
    import_module("scipy.stats.qmc")
    search = Search(
        a_space(parameters),
        Instances(range(50), repeat=True),
        budget=Budget(evaluations=evaluations),
    )
    begun = time.process_time()
    while not search.done:
        for experiment in search.ask(2):
            values, seed = experiment.candidate.values, experiment.instance.seed
            score = float(values["x1"]) + (seed * experiment.candidate.id) % 1000 / 5000  # type: ignore[arg-type]
            search.tell(experiment.outcome(score))
    spent = 1000 * (time.process_time() - begun) / evaluations
    begun, total = time.process_time(), 0
    for i in range(2_000_000):
        total += i
    return spent, 500 * (time.process_time() - begun)


def live(budget: Budget, *, window: int, workers: int, seed: int, settings: Settings) -> Use:
    """A search by the loop itself, on threads whose target sleeps."""
    search = a_search(budget, window=window, settings=settings, seed=seed)
    target = MadeUp(len(search.space.parameters), 1.0, seed)

    def asleep(experiment: Experiment) -> Outcome:
        outcome = target(experiment)
        outcome = replace(outcome, seconds=MEAN * outcome.seconds)
        time.sleep(outcome.seconds)
        return outcome

    begun = time.perf_counter()
    with open_pool(asleep, jobs=workers, engine="threading") as pool:
        drive(search, pool, MemoryLog(Header(name="live", seed=seed)))
        took = time.perf_counter() - begun
    return Use(search.spent.target_time / (workers * took), took / MEAN)


def simulated(budget: Budget, *, window: int, workers: int, seed: int, settings: Settings) -> Use:
    """The same on a simulated clock."""
    done = simulate(
        budget, window=window, workers=workers, seed=seed, settings=settings, seconds=3600.0
    )
    assert done.hours is not None
    return Use(done.use, done.hours)


def main(arguments: list[str] | None = None) -> int:
    """Measure, and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("cost", "use"))
    parser.add_argument("--evaluations", type=int, default=3000)
    parser.add_argument("--parameters", type=int, default=30)
    parser.add_argument("--per-worker", type=int, default=4)
    parser.add_argument("--growth", type=int, help="of the rungs; by the window if absent")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--live", action="store_true")
    parser.add_argument("--small", action="store_true")
    args = parser.parse_args(arguments)
    if args.what == "cost":
        own, reference = cost(args.evaluations, args.parameters)
        print(
            f"{args.evaluations} evaluations, {args.parameters} parameters: {own:.3f} ms of "
            f"processor time each; a million additions take {reference:.0f} ms here"
        )
        return 0
    settings, run = Settings(growth=args.growth), live if args.live else simulated
    print("workers  window  evaluations  use   on the clock")
    for workers, evaluations in USE_SMALL if args.small else USE_LIVE if args.live else USE:
        window, budget = args.per_worker * workers, Budget(evaluations=evaluations)
        done = [
            run(budget, window=window, workers=workers, seed=seed, settings=settings)
            for seed in range(1, args.seeds + 1)
        ]
        print(
            f"{workers:>7}  {window:>6}  {evaluations:>11}  {mean(one.share for one in done):.2f}  "
            f"{mean(one.length for one in done):.0f} mean run times",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
