"""1,000 and 10,000 workers, simulated: what the controller, the log and the windows allow.

    python -m benchmarks.scale [--workers 1000 10000] [--each 10] [--overhead 0 0.001 0.003]
                               [--mean 10] [--kinds race search]

The loop, the search or race and the log (SQLite, on a disk) are those of every run; only workers
and time are simulated: log-normal run times with σ = 1, `--mean` seconds on average, `--each`
evaluations a worker. `--overhead` is the processor time of starting one, in seconds, added to what
the controller itself is measured to take: 0, about .001 by Ray, .003 by Dask
(`python -m benchmarks.dispatch`). The controller starts one after the other.

*CPU* is the controller's milliseconds for an evaluation, *log* the part of these in which an
outcome is recorded, *clock* the same by the clock, with what the disk takes; *a second* what CPU
and overhead allow, *use* the share of all workers' time, *peak* the controller's memory, *a row*
the size of the log for an evaluation. The race is one of all candidates on eight instances under
`none`; the search has the window that it takes for so many workers.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.simulated import Workers
from racing import Budget, Race
from racing.core.experiment import Experiment, Outcome
from racing.log import SQLiteLog, header_of
from racing.rules import Keep
from racing.runner.loop import RunOptions, drive
from racing.search.search_plan import MadeUp, a_search
from racing.search.settings import window_for

INSTANCES = 8


class Target:
    """The made-up target of `racing.search.search_plan`, each time the same."""

    def __init__(self, parameters: int) -> None:
        self._made_up = MadeUp(parameters, 1.0, 1)

    def __call__(self, experiment: Experiment) -> Outcome:
        """Its cost; the pool has the times."""
        return self._made_up(experiment)


def decider_of(kind: str, workers: int, evaluations: int) -> Any:
    """The race or the search, and its window."""
    if kind == "search":
        window = window_for(workers, evaluations)
        return a_search(Budget(evaluations=evaluations), window=window), window
    rng = random.Random(1)
    candidates = [
        {f"x{i}": rng.random() for i in range(10)} for _ in range(evaluations // INSTANCES)
    ]
    return Race(candidates, range(INSTANCES), rule=Keep()), 0


def measured(kind: str, workers: int, each: int, mean: float, overhead: float) -> dict[str, float]:
    """One run."""
    decider, window = decider_of(kind, workers, each * workers)
    target, recording, writing = Target(10), 0.0, 0.0

    def seconds(experiment: Experiment, attempt: int) -> float:
        return mean * random.Random(f"{experiment.key}").lognormvariate(-0.5, 1)

    pool = Workers(workers, target, seconds, overhead=overhead)
    with (
        tempfile.TemporaryDirectory() as folder,
        SQLiteLog.create(Path(folder, "log.sqlite"), header_of(decider)) as log,
    ):
        record = log.record

        def timed(*told: Any) -> None:
            nonlocal recording, writing
            begun = time.process_time(), time.perf_counter()
            record(*told)
            recording += time.process_time() - begun[0]
            writing += time.perf_counter() - begun[1]

        log.record = timed  # type: ignore[method-assign]
        begun = time.process_time()
        drive(decider, pool, log, speculate=0.1, options=RunOptions(clock=pool.clock))
        cpu = time.process_time() - begun
        size = sum(file.stat().st_size for file in Path(folder).iterdir())
    made = decider.outcomes
    return {
        "window": window, "evaluations": made, "cpu": 1000 * cpu / made,
        "log": 1000 * recording / made, "clock": 1000 * writing / made,
        "bytes": size / made, "rate": 1 / (cpu / made + overhead),
        "use": pool.busy / (workers * pool.now), "hours": pool.now / 3600,
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }  # fmt: skip


def main() -> None:
    """Measure each setting in a process of its own."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--workers", type=int, nargs="*", default=[1000, 10_000])
    parser.add_argument("--each", type=int, default=10)
    parser.add_argument("--overhead", type=float, nargs="*", default=[0, 0.001, 0.003])
    parser.add_argument("--mean", type=float, default=10.0)
    parser.add_argument("--kinds", nargs="*", default=["race", "search"])
    parser.add_argument("--child", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.child:
        print(json.dumps(measured(*json.loads(args.child))))
        return
    print(
        "kind   workers window     made overhead      CPU      log    clock a second  use peak row"
    )
    for kind in args.kinds:
        for workers in args.workers:
            for overhead in args.overhead:
                given = json.dumps([kind, workers, args.each, args.mean, overhead])
                command = (sys.executable, "-m", "benchmarks.scale", "--child", given)
                out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
                one = json.loads(out)
                times = " ".join(f"{one[name]:5.2f} ms" for name in ("cpu", "log", "clock"))
                print(
                    f"{kind:6} {workers:7} {one['window']:6} {one['evaluations']:8} "
                    f"{1000 * overhead:5.1f} ms {times} {one['rate']:8.0f} {one['use']:.2f} "
                    f"{one['peak']:4.0f}MB {one['bytes']:5.0f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
