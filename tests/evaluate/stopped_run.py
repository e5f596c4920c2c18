"""A run of one evaluation that takes half a second at a limit of four, for tests that stop it.

    python -m tests.evaluate.stopped_run (function | coroutine | command) ENGINE BEGUN

The target creates the file BEGUN when it begins. What came of it is the last line of stdout.
"""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path

from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Instance
from racing.evaluate.command import Command
from racing.evaluate.evaluator import Evaluator
from racing.evaluate.function import Function
from racing.evaluate.pool import open_pool

TAKES, LIMIT = 0.5, 4.0


def function(values: dict[str, float], begun: str, seed: int) -> float:
    """Takes its time."""
    Path(begun).touch()
    time.sleep(TAKES)
    return 7.0


async def coroutine(values: dict[str, float], begun: str, seed: int) -> float:
    """Takes its time, and waits."""
    Path(begun).touch()
    await asyncio.sleep(TAKES)
    return 7.0


TARGETS = {
    "function": Function("tests.evaluate.stopped_run:function", timeout=LIMIT),
    "coroutine": Function("tests.evaluate.stopped_run:coroutine", timeout=LIMIT),
    "command": Command(
        ("sh", "-c", 'touch "$1"; sleep "$2"; echo 7', "sh", "{instance}", str(TAKES)),
        timeout=LIMIT,
    ),
}


def main(kind: str, engine: str, begun: str) -> None:
    """Run it, and print its status, cost, attempts, and whether it took less than its limit."""
    with open_pool(Evaluator(TARGETS[kind]), engine=engine, jobs=1) as pool:
        pool.submit(Experiment(Candidate(1, {"x": 1.0}), Instance(0, begun, 5)))
        found = []
        while pool.running:
            found += pool.wait(1.0)
    [one] = found
    print(one.status, one.cost, one.attempts, one.seconds < LIMIT, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
