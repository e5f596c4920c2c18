"""Unpaired runs of real programs: the tables hgs_runs.csv and clasp_runs.csv.

    python -m examples.compare.runs hgs   > examples/compare/hgs_runs.csv     # two minutes
    python -m examples.compare.runs clasp > examples/compare/clasp_runs.csv   # two minutes

The targets are those of configs/hgs.yaml and configs/clasp.yaml. Every run has a seed of its own:
no run of one algorithm has anything in common with a run of another but the problem.

hgs     HGS-CVRP with its defaults, without SWAP*, and with five neighbours in place of twenty:
        per cent above the best solution known after a quarter of a second of processor time. That
        is a limit of time, so the file does not come out the same on every machine.
clasp   clasp with three heuristics on random formulas that can be satisfied: conflicts until it
        finds an assignment, stopped at 1,000. The file comes out the same everywhere.
"""

from __future__ import annotations

import argparse
import csv
import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from examples.clasp.run import DECIDED, clasp
from examples.hgs.solve import solve

ROOT = Path(__file__).parents[2]
RUNS = 20
LIMIT = 1_000  # conflicts after which clasp is stopped
HGS = {"default": {}, "without SWAP*": {"useSwapStar": False}, "5 neighbours": {"nbGranular": 5}}
HGS_PROBLEMS = 6
CLASP = ("Vsids", "Berkmin", "Vmtf")
CLASP_PROBLEMS = 4
VARIABLES, CLAUSES = 200, 840

Row = tuple[str, str, int, float]
P = TypeVar("P")
A = TypeVar("A")


def hgs() -> Iterator[Row]:
    """Problem, algorithm, seed and per cent above the best solution known."""
    files = sorted((ROOT / "examples" / "hgs" / "test").glob("*.vrp"))[:HGS_PROBLEMS]
    for file, (name, values), seed in _all(files, list(HGS.items())):
        yield file.stem, name, seed, round(solve(values, file, seed), 4)


def clasps() -> Iterator[Row]:
    """Problem, algorithm, seed and conflicts; inf for a formula that was not decided."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"random-{index}.cnf" for index in range(CLASP_PROBLEMS)]
        for index, file in enumerate(files):
            file.write_text(formula(index), encoding="utf-8")
        for file, heuristic, seed in _all(files, list(CLASP)):
            options = [f"--heuristic={heuristic}", "--rand-freq=0.01"]
            found = clasp(str(file), seed, LIMIT, options)
            conflicts = found["Stats"]["Core"]["Conflicts"]
            done = found["Result"] in DECIDED and conflicts < LIMIT
            yield file.stem, heuristic, seed, conflicts if done else float("inf")


def formula(index: int) -> str:
    """A random 3-SAT formula with a hidden assignment, as DIMACS text; `index` is the seed."""
    import cnfgen

    hidden = random.Random(index).choices((1, -1), k=VARIABLES)
    planted = [sign * variable for variable, sign in enumerate(hidden, start=1)]
    found = cnfgen.RandomKCNF(3, VARIABLES, CLAUSES, seed=index, planted_assignments=[planted])
    return str(found.to_dimacs())


def _all(problems: list[P], algorithms: list[A]) -> Iterator[tuple[P, A, int]]:
    """Every run: a problem, an algorithm, and a seed that no other run has."""
    seed = 0
    for problem in problems:
        for algorithm in algorithms:
            for _ in range(RUNS):
                seed += 1
                yield problem, algorithm, seed


MAKE: dict[str, Callable[[], Iterator[Row]]] = {"hgs": hgs, "clasp": clasps}


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("which", choices=sorted(MAKE))
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["problem", "algorithm", "seed", "score"])
    writer.writerows(MAKE[parser.parse_args().which]())


if __name__ == "__main__":
    main()
