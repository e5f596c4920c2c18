"""The table that anybody can repeat: racing, irace, Optuna and SMAC3 on three live targets.

    python -m benchmarks.search_live.table            two budgets, three seeds: under 40 minutes
    python -m benchmarks.search_live.table --full     the published one, ten seeds: hours

Each contender gets the same evaluations, instances and default configuration, and its own
defaults; its winner is run on unseen instances. Two runs go on at a time. Every run is stored as it
ends, in build/table, so that the command goes on where it was stopped; `--full` goes on with the
stored runs of benchmarks/results/search_live. What cannot be run here is left out, and said.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from importlib.metadata import version
from itertools import product
from multiprocessing import get_context
from pathlib import Path

import racing
from benchmarks.search_live import measure, tables
from benchmarks.search_live.__main__ import RESULTS, is_there

ROOT = Path(__file__).parents[2]
TARGETS = ("scipy", "hgs", "clasp-3sat")
CONTENDERS = ("smac", "irace", "optuna", "racing")  # the slowest first, so that none is left alone
SHORT = (120, 250), range(3), ROOT / "build" / "table" / "runs.csv"
FULL = (180, 500), range(10), RESULTS / "runs.csv"
_R = "cat(R.version.string, 'irace', format(packageVersion('irace')))"

Case = tuple[str, str, int, int]
"""Target, contender, budget and seed."""


def missing(cases: Sequence[Case], done: Sequence[measure.Run]) -> list[Case]:
    """The cases that are not among the runs that were stored."""
    stored = {(run.target, run.contender, run.budget, run.seed) for run in done}
    return [case for case in cases if case not in stored]


def runs(cases: Sequence[Case], workers: int) -> Iterator[measure.Run]:
    """Each run as it ends, a process for each, so that none heats the caches of another."""
    context = get_context("spawn")
    with ProcessPoolExecutor(workers, context, max_tasks_per_child=1) as pool:
        begun = [
            pool.submit(measure.run, target, contender, budget=budget, seed=seed)
            for target, contender, budget, seed in cases
        ]
        for one in as_completed(begun):
            yield one.result()


def machine() -> str:
    """Where the table was made: the system, its cores, and the versions of what was compared."""
    names = [name for name in ("numpy", "scipy", "optuna", "smac") if is_there(name)]
    found = [f"racing {racing.__version__}", *(f"{name} {version(name)}" for name in names)]
    if is_there("irace"):
        command = ["Rscript", "-e", _R]
        found.append(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    where = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    return f"{where}; Python {platform.python_version()}, {', '.join(found)}"


def main(arguments: list[str] | None = None) -> None:
    """Run what is missing, and print the table and where it was made."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.search_live.table")
    parser.description = __doc__
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--full", action="store_true", help="the published table")
    parser.add_argument("--workers", type=int, default=2, help="runs at a time (2)")
    options = parser.parse_args(arguments)
    budgets, seeds, file = FULL if options.full else SHORT
    there = [name for name in CONTENDERS if is_there(name)]
    for name in sorted({*CONTENDERS} - {*there}):
        print(f"{tables.TITLES[name]} is not installed here: left out", file=sys.stderr)
    done = measure.load(file) if file.exists() else []
    order = product(there, reversed(budgets), seeds, TARGETS)
    cases = [(target, name, n, seed) for name, n, seed, target in order]
    left = missing([*((target, "default", 0, 0) for target in TARGETS), *cases], done)
    for number, run in enumerate(measure.save(runs(left, options.workers), file), 1):
        said = f"{number}/{len(left)} {run.contender} {run.target} {run.budget} #{run.seed}"
        print(f"{said}: {run.cost:.3f}", file=sys.stderr, flush=True)
    wanted = {0, *budgets}
    shown = [run for run in measure.load(file) if run.target in TARGETS and run.budget in wanted]
    text = "\n".join([*tables.lines(shown), "", f"{machine()}.", "Made by `make table`."])
    (file.parent / "table.md").write_text(f"{text}\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
