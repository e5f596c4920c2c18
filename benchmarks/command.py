"""What a trivial shell target costs: through this project, in a bare loop, and in irace.

    python -m benchmarks.command [--runs 200] [--rounds 5]

The target is `sh -c 'echo 1'`. "bare" is `subprocess.run` with its output captured, in a loop;
"racing" is a whole race with its log, one job, nobody dropped. Rounds alternate; ratios are taken
within each. Where R and its package irace are installed, the same work is done by irace, with
the same target, once.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import statistics
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import racing
from racing.evaluate.command import Command
from racing.rules import Keep
from racing.scenario import CandidateSource, InstanceSource

TARGET = ("sh", "-c", "echo 1")
CANDIDATES = 10


@dataclass(frozen=True)
class Cost:
    """Milliseconds for a run of the target: on the clock, and of processors, the target's too."""

    wall: float
    cpu: float


class Stopwatch:
    """Measures from its creation on."""

    def __init__(self) -> None:
        self._wall, self._cpu = time.perf_counter(), sum(os.times()[:4])

    def per(self, runs: int) -> Cost:
        """What has been used by now, for each of the runs."""
        wall, cpu = time.perf_counter() - self._wall, sum(os.times()[:4]) - self._cpu
        return Cost(1000 * wall / runs, 1000 * cpu / runs)


def bare(runs: int) -> Cost:
    """The target in a plain loop."""
    watch = Stopwatch()
    for _ in range(runs):
        float(subprocess.run(TARGET, capture_output=True, text=True, check=True).stdout)
    return watch.per(runs)


def raced(runs: int) -> Cost:
    """The target in a race with one job."""
    scenario = racing.Scenario(
        target=Command(command=(*TARGET, "{x}")),
        candidates=CandidateSource(list=tuple({"x": i} for i in range(CANDIDATES))),
        instances=InstanceSource(list=tuple(map(str, range(runs // CANDIDATES)))),
        rule=Keep(),
    )
    with tempfile.TemporaryDirectory() as folder:
        watch = Stopwatch()
        race = racing.run(scenario, log=Path(folder, "race.sqlite"))
        return watch.per(race.spent.evaluations)


def irace(runs: int) -> Cost | None:
    """The target in irace, R's own start included; None where it is not installed."""
    if shutil.which("Rscript") is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        runner = here / "target-runner"
        runner.write_text("#!/bin/sh\necho 1\n")
        runner.chmod(0o755)
        (here / "parameters.txt").write_text('x "" i (0, 1000)\n')
        (here / "instances.txt").write_text("\n".join(map(str, range(runs))) + "\n")
        (here / "scenario.txt").write_text(
            f'targetRunner = "{runner}"\nparameterFile = "{here}/parameters.txt"\n'
            f'trainInstancesFile = "{here}/instances.txt"\ntrainInstancesDir = ""\n'
            f'execDir = "{here}"\nlogFile = "{here}/irace.Rdata"\nmaxExperiments = {runs}\n'
        )
        code = f'library(irace); irace.cmdline("--scenario {here}/scenario.txt")'
        watch = Stopwatch()
        done = subprocess.run(["Rscript", "-e", code], capture_output=True, text=True, check=False)
    used = re.findall(r"# experimentsUsedSoFar: (\d+)|# Total[^:]*: *(\d+)", done.stdout)
    if done.returncode or not used:
        print("irace did not run:", (done.stderr or done.stdout).strip().splitlines()[-1:])
        return None
    return watch.per(max(int(a or b) for a, b in used))


def main() -> None:
    """Measure in turn, and print medians and ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    pairs = [(raced(args.runs), bare(args.runs)) for _ in range(args.rounds)]
    print("milliseconds per run, median      processor    clock")
    for name, side in zip(("racing", "bare loop"), zip(*pairs, strict=True), strict=True):
        _row(name, [cost.cpu for cost in side], [cost.wall for cost in side])
    _row("ratio", [a.cpu / b.cpu for a, b in pairs], [a.wall / b.wall for a, b in pairs])
    theirs = irace(args.runs)
    if theirs is None:
        print("irace: not installed")
    else:
        _row("irace", [theirs.cpu], [theirs.wall])


def _row(name: str, cpu: list[float], wall: list[float]) -> None:
    print(f"{name:30s} {statistics.median(cpu):12.2f} {statistics.median(wall):8.2f}")


if __name__ == "__main__":
    main()
