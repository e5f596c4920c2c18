"""What the controller itself costs: a race of a trivial function, log on, tested at every instance.

    python -m benchmarks.controller [--candidates 200] [--instances 300] [--rule sign …]
                                    [--engine in-process] [--metrics 2]

Each rule runs in a process of its own, so that its memory can be told. All candidates are alike.
The F-races have a level of 1e-12, so that nobody is dropped and they always judge everybody:
the worst case. The Bayesian race has its defaults, and `bayes-ungated` compares all pairs at each
look. With two metrics, the race is for their front.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path
from typing import Any

LEVELS = {
    "auto": {},
    "sign": {"alpha": 1e-12, "gate": "none"},
    "mean-ranks": {"alpha": 1e-12, "gate": "none"},
    "bayes": {},
    "bayes-ungated": {"gate": "none", "bound": "lower", "gamma": 1e-3},
    "none": {},
}


def noise(values: dict[str, object], instance: object, seed: int) -> float:
    """A trivial target: well-mixed numbers without any difference between candidates."""
    return float(zlib.crc32(f"{seed}:{values['x']}".encode()))


def both(values: dict[str, object], instance: object, seed: int) -> dict[str, float]:
    """Two metrics of the same kind."""
    return {"first": noise(values, instance, seed), "second": noise(values, instance, ~seed)}


def race(
    rule: str, candidates: int, instances: int, engine: str, metrics: int, log: Path
) -> dict[str, float]:
    """One race; milliseconds of processor and wall time per evaluation, and peak memory in MB."""
    import racing
    from racing.core.aims import Front
    from racing.evaluate.function import Function
    from racing.rules import RULES
    from racing.scenario import CandidateSource, Execution, InstanceSource

    several: dict[str, Any] = {}
    if metrics > 1:
        names = ("first", "second")
        several = {"metrics": {one: racing.Metric() for one in names}, "objective": Front(names)}
    scenario = racing.Scenario(
        target=Function(python=both if several else noise),
        candidates=CandidateSource(list=tuple({"x": i} for i in range(candidates))),
        instances=InstanceSource(list=tuple(str(i) for i in range(instances))),
        rule=RULES[rule.removesuffix("-ungated")](**LEVELS[rule]),
        execution=Execution(engine=engine),
        **several,
    )
    cpu, wall = time.process_time(), time.perf_counter()
    finished = racing.run(scenario, log=log)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    runs = finished.spent.evaluations
    return {
        "evaluations": runs,
        "cpu_ms": 1000 * cpu / runs,
        "wall_ms": 1000 * wall / runs,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def main() -> None:
    """Measure each rule in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--candidates", type=int, default=200)
    parser.add_argument("--instances", type=int, default=300)
    parser.add_argument("--rule", nargs="*", default=list(LEVELS), choices=list(LEVELS))
    parser.add_argument("--engine", default="in-process", help="what runs the evaluations")
    parser.add_argument("--metrics", type=int, default=1, choices=[1, 2])
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--log", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.child:
        with tempfile.TemporaryDirectory() as folder:
            log = args.log or Path(folder, "race.sqlite")
            shape = (args.candidates, args.instances, args.engine, args.metrics)
            print(json.dumps(race(args.rule[0], *shape, log)))
        return
    shape = f"{args.candidates} candidates x {args.instances} instances"
    print(f"{shape}, {args.engine}, one job, log on")
    size = ("--candidates", str(args.candidates), "--instances", str(args.instances))
    size += ("--engine", args.engine, "--metrics", str(args.metrics))
    for rule in args.rule:
        command = (sys.executable, "-m", "benchmarks.controller", "--child", "--rule", rule, *size)
        one = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        out = subprocess.run(command, check=True, capture_output=True, text=True, env=one).stdout
        found = json.loads(out)
        print(
            f"{rule:12s} {found['evaluations']:6.0f} evaluations, per evaluation "
            f"{found['cpu_ms']:.3f} ms CPU, {found['wall_ms']:.3f} ms wall; "
            f"peak memory {found['peak_mb']:.0f} MB"
        )


if __name__ == "__main__":
    main()
