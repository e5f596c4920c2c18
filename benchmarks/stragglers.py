"""Races and searches where a call in sixty takes a hundred times as long, now and before.

    python -m benchmarks.stragglers [--workers 2 32 200] [--evaluations 600] [--before d6eca87]

Log-normal times with σ = 1 and a mean of one second, on a simulated clock; the loop is that of
every run. `none` is a race of 30 candidates on 20 instances, `auto` one on 40 with a budget,
`search` a search with the window that it takes for so many workers; *paid* is the same with a
budget of money, of which each evaluation takes a thousandth of a dollar. `--before` runs the same
with the package of that commit. The first figure is seconds, the second the workers in use on
average; *hedge* is with `execution: {hedge: 0.95}`.
"""

from __future__ import annotations

import argparse
import inspect
import json
import os
import random
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.simulated import Workers
from racing import Budget, Race, Search
from racing.core.experiment import Experiment, Outcome
from racing.log import MemoryLog, header_of
from racing.rules import RULES
from racing.runner.loop import RunOptions, drive

PRICE = 0.001
STRAGGLERS, TIMES = 60, 100
HERE = Path(__file__).parent


def seconds(experiment: Experiment, attempt: int) -> float:
    """Of an attempt: one in sixty takes a hundred times as long."""
    rng = random.Random(f"{experiment.key} {attempt}")
    return rng.lognormvariate(-0.5, 1) * (TIMES if rng.random() * STRAGGLERS < 1 else 1)


def cost(experiment: Experiment) -> float:
    """Distance from the best value, and noise."""
    noise = random.Random(f"{experiment.key} cost").gauss(0, 0.3)
    return abs(float(experiment.candidate.values["x"]) - 0.3) + noise


def decider_of(kind: str, workers: int, evaluations: int, *, paid: bool) -> Any:
    """The race or the search."""
    limit: dict[str, float] = {"usd": PRICE * evaluations} if paid else {"evaluations": evaluations}
    if kind == "search":
        try:
            from racing.search.settings import window_for
        except ImportError:  # before: whatever the workers
            window = 10
        else:
            window = window_for(workers, None if paid else evaluations)
        space: dict[str, Any] = {"x": {"real": [0, 1], "default": 0.9}}
        return Search(space, range(40), budget=Budget(**limit), window=window)
    ahead = {"ahead": 0.1} if "ahead" in inspect.signature(Race).parameters else {}
    budget = Budget(**limit) if paid or kind == "auto" else Budget()
    instances = evaluations // 30 * (2 if kind == "auto" else 1)
    candidates = [{"x": i / 30} for i in range(30)]
    return Race(candidates, range(instances), rule=RULES[kind](), budget=budget, **ahead)


def measured(kind: str, workers: int, evaluations: int, paid: bool, hedge: float) -> dict[str, Any]:
    """Seconds and workers in use of one run."""
    decider = decider_of(kind, workers, evaluations, paid=paid)

    def target(experiment: Experiment) -> Outcome:
        spent = {"usd": PRICE} if paid else {}
        return replace(experiment.outcome(cost(experiment), seconds=1.0), spent=spent)

    pool = Workers(workers, target, seconds)
    extra = {"hedge": hedge} if hedge < 1 else {}
    options = RunOptions(clock=pool.clock)
    drive(decider, pool, MemoryLog(header_of(decider)), speculate=0.1, options=options, **extra)
    return {"seconds": pool.now, "used": pool.busy / pool.now, "bill": pool.bill}


def before(commit: str, settings: list[Any]) -> list[dict[str, Any]]:
    """What the package of a commit takes for these settings, in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        archive = ("git", "-C", str(HERE.parent), "archive", commit, "racing")
        found = subprocess.run(archive, check=True, capture_output=True).stdout
        subprocess.run(("tar", "x", "-C", folder), input=found, check=True)
        own = Path(folder, "benchmarks")
        own.mkdir()
        for name in ("__init__", "simulated", "stragglers"):
            (own / f"{name}.py").write_text((HERE / f"{name}.py").read_text(encoding="utf-8"))
        command = (sys.executable, "-m", "benchmarks.stragglers", "--child", json.dumps(settings))
        env = {**os.environ, "PYTHONPATH": folder}
        out = subprocess.run(command, check=True, capture_output=True, cwd=folder, env=env).stdout
        return list(json.loads(out))


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--workers", type=int, nargs="*", default=[2, 32, 200])
    parser.add_argument("--evaluations", type=int, default=600)
    parser.add_argument("--before", metavar="COMMIT", default="d6eca87")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.child:
        print(json.dumps([measured(*one) for one in json.loads(args.child)]))
        return
    settings = [
        (kind, workers, args.evaluations, paid, 1.0)
        for kind in ("none", "auto", "search")
        for paid in (False, True)
        for workers in args.workers
    ]
    print("run          workers     before        now      hedge")
    for one, old in zip(settings, before(args.before, settings), strict=True):
        columns = (old, measured(*one), measured(*one[:4], 0.95))
        shown = "".join(f"{each['seconds']:6.0f} {each['used']:5.1f}" for each in columns)
        print(f"{one[0]:6} {'paid' if one[3] else '':5} {one[1]:7}{shown}", flush=True)


if __name__ == "__main__":
    main()
