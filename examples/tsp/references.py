"""Find the lengths that the instances call best known, by many long runs of the search itself.

    python -m examples.tsp.references [FILE ...]     # all instances: about twenty minutes

A length is only ever replaced by a shorter one. `instances.py` has to have written the files. For
53 of the 60 instances this finds what LKH (Helsgaun 2000) finds in ten runs; the other seven
lengths, shorter by 0.09 % or less, are LKH's.
"""

from __future__ import annotations

import sys
from pathlib import Path

from .instances import HERE, SETS, Problem, read, text
from .solve import Search, Settings

RUNS = 10
WORK = 4_000_000
PATIENT = Settings(neighbours=20, window=300, acceptance="metropolis", temperature=0.05)


def improve(path: Path) -> Problem:
    """The problem with the best length that is known now."""
    problem = read(path)
    lengths = [Search(problem, PATIENT, seed).run(WORK) for seed in range(1, RUNS + 1)]
    if problem.best_known is not None:
        lengths.append(problem.best_known)
    return Problem(problem.name, problem.points.astype(int), min(lengths))


def main() -> None:
    """Improve the files named on the command line, or all of them."""
    files = [Path(name) for name in sys.argv[1:]]
    for path in files or [path for name in SETS for path in sorted((HERE / name).glob("*.tsp"))]:
        better = improve(path)
        path.write_text(text(better), encoding="utf-8")
        print(f"{path}: {better.best_known}")


if __name__ == "__main__":
    main()
