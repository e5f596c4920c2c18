"""Seconds per look of the default rule with a budget, while everybody is still in.

    python -m benchmarks.racing_lab.looks

Two sizes, 200 candidates on 300 instances and 1000 on 50, the last ten looks of each; costs with
normal noise, and their exponentials, whose means are estimated. Merging equals is included.
"""

from __future__ import annotations

import time

import numpy as np

from racing.core.field import Field
from racing.core.objective import Objective
from racing.core.results import Results
from racing.rules import Auto, Outlook
from racing.rules.equals import judged

SIZES = {(200, 300): 0.020, (1000, 50): 0.050}
"""(candidates, instances): seconds aimed at."""

LOOKS = 10


def seconds(q: int, n: int, objective: Objective, *, heavy: bool) -> float:
    """The median over looks; the first, which makes the ranks of all rows, is left out."""
    rng = np.random.default_rng(1)
    costs = rng.uniform(size=q) + rng.standard_normal((n, q))
    costs = np.exp(2 * costs) if heavy else costs
    field, took = Field(), []
    for rows in range(n - LOOKS, n + 1):
        alive = np.ones((rows, q), dtype=bool)
        results = Results(costs[:rows], alive, tuple(range(1, q + 1)), np.arange(q), field)
        outlook = Outlook(objective=objective, evaluations=20 * q, instances=60)
        begun = time.process_time()
        judged(Auto(), results, outlook, rng)
        took.append(time.process_time() - begun)
    return float(np.median(took[1:]))


def main() -> None:
    """Measure and print."""
    for (q, n), aim in SIZES.items():
        for objective, heavy in (("rank", False), ("mean", False), ("mean", True)):
            took = seconds(q, n, objective, heavy=heavy)  # type: ignore[arg-type]
            tails = ", heavy tails" if heavy else ""
            print(f"{q} × {n}, {objective}{tails}: {1000 * took:.1f} ms, aim {1000 * aim:.0f} ms")


if __name__ == "__main__":
    main()
