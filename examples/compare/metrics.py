"""Quality and time of tours: the tables tsp_quality.csv and tsp_time.csv.

    python -m examples.compare.metrics examples/compare   # three minutes

Six settings of the local search of examples/tsp on twenty instances, one seed for each instance.
Quality is per cent above the best tour known and comes out the same everywhere. Time is processor
time in seconds, and does not come out the same on every machine.
"""

from __future__ import annotations

import argparse
import csv
import time
from pathlib import Path
from typing import Any

from examples.tsp.instances import read
from examples.tsp.solve import Search, Settings

ROOT = Path(__file__).parents[2]
PROBLEMS = 20
ALGORITHMS: dict[str, tuple[int, dict[str, Any]]] = {
    "short": (20_000, {}),
    "medium": (80_000, {}),
    "long": (320_000, {}),
    "long 2-opt": (320_000, {"longest_segment": 0}),
    "long random start": (320_000, {"start": "random"}),
    "medium best move": (80_000, {"choice": "best"}),
}
"""Units of work, and settings."""


def run(file: Path, work: int, values: dict[str, Any], seed: int) -> tuple[float, float]:
    """Per cent above the best tour known, and seconds."""
    problem = read(str(file))
    assert problem.best_known is not None
    start = time.process_time()
    length = Search(problem, Settings(**values), seed).run(work)
    seconds = time.process_time() - start
    return round(100 * (length / problem.best_known - 1), 3), round(seconds, 4)


def main() -> None:
    """Write the two tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    files = sorted((ROOT / "examples" / "tsp" / "test").glob("*.tsp"))[:PROBLEMS]
    rows = [
        (file.stem, [run(file, *algorithm, seed) for algorithm in ALGORITHMS.values()])
        for seed, file in enumerate(files)
    ]
    for metric, name in enumerate(("quality", "time")):
        with (folder / f"tsp_{name}.csv").open("w", newline="", encoding="utf-8") as out:
            writer = csv.writer(out, lineterminator="\n")
            writer.writerow(["instance", *ALGORITHMS])
            writer.writerows([problem, *(one[metric] for one in each)] for problem, each in rows)


if __name__ == "__main__":
    main()
