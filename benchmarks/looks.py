"""What one look at a large race costs: time and memory of a rule, and of the field's ranks.

    python -m benchmarks.looks [--looks 6] [--only sign bayes field]

- sign: 10,000 candidates. Each look follows one more instance, so that what a race remembers from
  look to look counts. The level is 1e-12: nobody is dropped, and everybody is judged each time.
- bayes: 1,000 candidates, the rule's defaults without its gate, on 50 instances and more.
- field: 1,000 instances, 100 candidates; one candidate leaves at each look, and the ranks of those
  who are left, among all, are made anew.

Each case runs in a process of its own, with one BLAS thread, so that its memory can be measured.
The first look and the median of the later ones are printed.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import numpy as np

from racing.field import Field
from racing.results import Results
from racing.rules import Bayes, Outlook, Sign

Case = Callable[[int], Iterator[Callable[[], object]]]


def noisy(n: int, m: int) -> np.ndarray:
    """Costs with means uniform on [0, 1], unit noise, and an effect of each instance."""
    rng = np.random.default_rng([n, m])
    return rng.random(m) + rng.normal(size=(n, 1)) + rng.normal(size=(n, m))


def seen(costs: np.ndarray, memory: Field) -> Results:
    """What a rule sees of a race in which everybody ran."""
    n, m = costs.shape
    alive = np.ones((n, m), dtype=bool)
    return Results(costs, alive, tuple(range(m)), np.arange(m), memory)


def sign(looks: int) -> Iterator[Callable[[], object]]:
    """10,000 candidates, a look after each instance from the 20th on."""
    costs, memory = noisy(20 + looks, 10_000), Field()
    rule = Sign(alpha=1e-12, gate="none")
    rng = np.random.default_rng(0)
    for rows in range(20, 20 + looks):
        yield lambda rows=rows: rule(seen(costs[:rows], memory), Outlook(), rng)  # type: ignore[misc]


def bayes(looks: int) -> Iterator[Callable[[], object]]:
    """1,000 candidates, a look after each instance from the 50th on."""
    costs, memory = noisy(50 + looks, 1000), Field()
    rule = Bayes(gate="none")
    for rows in range(50, 50 + looks):
        rng = np.random.default_rng(rows)
        yield lambda rows=rows, rng=rng: rule(seen(costs[:rows], memory), Outlook(), rng)  # type: ignore[misc]


def field(looks: int) -> Iterator[Callable[[], object]]:
    """1,000 instances; of 100 candidates 40 left at random times, then one leaves at each look."""
    costs, memory = noisy(1000, 100), Field()
    left = np.random.default_rng(1).integers(10, 990, 40)
    for column, row in enumerate(left):
        costs[row:, 99 - column] = np.nan
    for gone in range(looks):
        survivors = np.arange(gone, 60)
        yield lambda survivors=survivors: memory.ranks(costs, survivors)  # type: ignore[misc]


CASES: dict[str, Case] = {"sign": sign, "bayes": bayes, "field": field}


def measure(case: str, looks: int) -> dict[str, float]:
    """Milliseconds of the first look and of a later one, and the peak memory in MB."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    times = []
    for look in CASES[case](looks):
        start = time.perf_counter()
        look()
        times.append(1000 * (time.perf_counter() - start))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    later = float(np.median(times[1:]))
    return {"first_ms": times[0], "later_ms": later, "peak_mb": peak, "before_mb": before}


def main() -> None:
    """Measure each case in a process of its own."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--looks", type=int, default=6)
    parser.add_argument("--only", nargs="*", default=list(CASES), choices=list(CASES))
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.child:
        print(json.dumps(measure(args.only[0], args.looks)))
        return
    one = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    print(f"{'case':6}  {'first look':>12}  {'later look':>12}  {'peak memory':>12}")
    for case in args.only:
        command = [sys.executable, "-m", "benchmarks.looks", "--child", "--only", case]
        command += ["--looks", str(args.looks)]
        out = subprocess.run(command, check=True, capture_output=True, text=True, env=one).stdout
        found = json.loads(out)
        print(
            f"{case:6}  {found['first_ms']:9.0f} ms  {found['later_ms']:9.0f} ms  "
            f"{found['peak_mb']:9.0f} MB"
        )


if __name__ == "__main__":
    main()
