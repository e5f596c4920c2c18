"""Random faults over a race and a search; the end must be that of the undisturbed run.

    python -m tests.chaos [--faults 110] [--evaluations 2000] [--seed 1] [--engine loky|dask|ray]

Faults: a worker process is killed; the controller is killed, or finds its disk full (and the run is
resumed), or may open no more files for a while; a target hangs, stops itself, returns garbage,
takes all the memory that it may, leaves children in sessions of their own, or one that holds its
pipes, and dies, forks a child that returns too, spoils what evaluations share, or leaves a thread
and a child behind. On a cluster of Dask, also: the scheduler and all workers are killed and others
started; a worker goes; a worker comes.
Nothing that has an outcome may be evaluated again, nothing may be lost, and no process may be left.
Ray is to be run as `make cluster` does, in a network of its own.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from tests.chaos.check import check


def main() -> None:
    """Disturb a race and a search, and say what was done to them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--faults", type=int, default=110, help="in each of the two runs")
    parser.add_argument("--evaluations", type=int, default=2100, help="of each of the two runs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine", default="loky", choices=("loky", "dask", "ray"))
    args = parser.parse_args()
    options = vars(args)
    for search in (False, True):
        begun = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            tally = check(Path(folder), search=search, **options)
        faults = ", ".join(f"{n} {kind}" for kind, n in sorted(tally.faults.items()))
        print(
            f"{'search' if search else 'race'}: {sum(tally.faults.values())} faults ({faults}), "
            f"{tally.sessions} sessions, {time.monotonic() - begun:.0f} s: "
            "the result of the undisturbed run",
            flush=True,
        )


if __name__ == "__main__":
    main()
