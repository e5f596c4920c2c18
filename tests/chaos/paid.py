"""Random mixes of faults and kills of runs that are paid for: the service's bill and the run's.

    python -m tests.chaos.paid [--mixes 20] [--seed 1]

A service on this machine is busy, down, ends connections, sends garbage and hangs, in random
shares; the controller is killed a few times and resumed; some runs begin overdue calls again. Each
line has what the service charged, what the log has (answers at their prices, calls without an
answer at the mean price), the budget, how many calls were charged without an answer, and whether
the decisions are those of the run that nothing disturbed. They are where no more was lost than the
tenth of the budget that is kept; beyond that, less is left to decide with.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

import racing
from examples.prompts.classify import USD_PER_TOKEN
from examples.prompts.server import answer
from racing.log import SQLiteLog
from racing.race import Race
from tests.examples.test_prompts import killed, scenario, serving

BUDGET = 0.004
TROUBLES = {"busy": 0.2, "down": 0.1, "reset": 0.1, "garbage": 0.05, "hang": 0.02}


@dataclass(frozen=True)
class Bill:
    """What a disturbed run came to."""

    charged: float  # by the service
    answered: float  # by outcomes of the log
    lost: float  # by calls without an answer, at the mean price
    unanswered: int
    most: float  # of one call
    jobs: int
    kept: bool  # whether no more was lost than is kept
    same: bool  # whether the winner and the verdicts are those of the undisturbed run

    @property
    def told(self) -> float:
        """What the log has."""
        return self.answered + self.lost


def mixed(seed: int, folder: Path, patch: pytest.MonkeyPatch) -> Bill:
    """One mix of faults and kills, by its seed."""
    rng = random.Random(seed)
    jobs, kills = rng.choice([5, 20, 50]), rng.randrange(1, 4)
    troubles = {kind: rng.uniform(0, share) for kind, share in TROUBLES.items()}
    hedge = rng.choice([1.0, 0.9])
    execution: dict[str, Any] = {"jobs": jobs, "hedge": hedge}
    path, log = folder / "prompts.yaml", folder / "mixed.sqlite"
    keys = {"execution": execution, "budget": {"usd": BUDGET}}
    path.write_text(yaml.safe_dump({**scenario().to_dict(resolved=True), **keys}))
    with serving(patch, troubles={}):
        whole = racing.run(path, log=folder / "whole.sqlite")
    with serving(patch, troubles=troubles) as server:
        killed(path, log, server, times=kills)
        race = racing.resume(log)
    assert isinstance(race, Race)
    with SQLiteLog.open(log, write=False) as book:
        answered = sum(one.spent["usd"] for one in book.outcomes() if "usd" in one.spent)
        mean = answered / race.outcomes
        unanswered = book.unanswered
        lost = sum(one.spent["usd"] for one in book.losses())
    return Bill(
        charged=sum(price(call) * times for call, times in server.answered.items()),
        answered=answered,
        lost=unanswered * mean,
        unanswered=unanswered,
        most=max(map(price, server.answered)),
        jobs=jobs,
        kept=lost <= 0.1 * BUDGET,
        same=(race.verdicts, race.winner) == (whole.verdicts, whole.winner),
    )


def price(call: str) -> float:
    """What the service charges for an answer to this call."""
    usage = answer(json.loads(call))["usage"]
    return sum(USD_PER_TOKEN[kind] * usage[kind] for kind in USD_PER_TOKEN)


def main() -> None:
    """Print a line for each mix."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mixes", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    print("mix jobs charged    told  budget without answer  kept  same decisions", flush=True)
    for seed in range(args.seed, args.seed + args.mixes):
        with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
            bill = mixed(seed, Path(folder), patch)
        print(
            f"{seed:3d} {bill.jobs:4d} {bill.charged:.5f} {bill.told:.5f} {BUDGET:.5f} "
            f"{bill.unanswered:14d} {bill.kept!s:>5}  {bill.same}",
            flush=True,
        )


if __name__ == "__main__":
    main()
