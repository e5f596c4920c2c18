"""Find the costs that the instances call best known, by long runs of HGS with its own defaults.

    python -m examples.hgs.references [FILE ...]     # all instances: a few minutes

A cost is only ever replaced by a lower one. `instances.py` has to have written the files.
"""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path

from .instances import HERE, SETS, Problem, read, text
from .solve import cost

RUNS = 2
ITERATIONS = 700


def improve(path: Path) -> Problem:
    """The problem with the best cost that is known now."""
    problem = read(path)
    costs = [cost(problem, {}, seed, iterations=ITERATIONS) for seed in range(1, RUNS + 1)]
    if problem.best_known is not None:
        costs.append(problem.best_known)
    return dataclasses.replace(problem, best_known=round(min(costs)))


def main() -> None:
    """Improve the files named on the command line, or all of them."""
    files = [Path(name) for name in sys.argv[1:]]
    for path in files or [path for name in SETS for path in sorted((HERE / name).glob("*.vrp"))]:
        better = improve(path)
        path.write_text(text(better), encoding="utf-8")
        print(f"{path}: {better.best_known}", flush=True)


if __name__ == "__main__":
    main()
