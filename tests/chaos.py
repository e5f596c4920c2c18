"""Random faults over a race and a search; the end must be that of the undisturbed run.

    python -m tests.chaos [--faults 100] [--evaluations 2000] [--seed 1] [--engine loky]

Faults: a worker process is killed, the controller is killed (and the run resumed), a target hangs,
returns garbage, takes all the memory that it may, or leaves a bounded number of children in
sessions of their own and dies. Nothing that has an outcome may be evaluated again, nothing may be
lost, and no process may be left.
"""

from __future__ import annotations

import argparse
import os
import random
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from racing.log import SQLiteLog, replay

PATIENCE = 600.0
TARGET = """
import math, os, random, subprocess, sys, time
from pathlib import Path

HERE = Path(__file__).parent


def fault():
    for path in HERE.glob("fault-*"):
        try:
            path.rename(HERE / f"taken-{path.name}")
        except OSError:
            continue
        return path.name.split("-")[1]


def solve(values, instance, seed):
    match fault():
        case "hang":
            while True:
                time.sleep(60)
        case "garbage":
            return "no number"
        case "memory":
            import resource
            resource.setrlimit(resource.RLIMIT_DATA, (1 << 28, resource.RLIM_INFINITY))
            try:
                bytearray(1 << 30)
            finally:
                resource.setrlimit(resource.RLIMIT_DATA, (-1, -1))
        case "children":
            for _ in range(8):
                subprocess.Popen(["sleep", "1000"], start_new_session=True)
            os._exit(3)
    time.sleep(0.004)
    rng = random.Random(f"{instance} {seed}")
    cost = (values["x"] - 0.3) ** 2 + 0.1 * rng.gauss(0, 1) * (1 + values["x"])
    with open(HERE / "calls", "a") as calls:
        calls.write(f"{values['x']!r} {instance} {seed}\\n")
    return cost
"""
IN_TARGET = ("hang", "garbage", "memory", "children")
FROM_OUTSIDE = ("worker", "controller")


@dataclass
class Tally:
    """What was done to a run, and how often it had to be resumed."""

    faults: Counter[str] = field(default_factory=Counter)
    sessions: int = 0


def write(folder: Path, *, search: bool, evaluations: int, engine: str) -> Path:
    """A scenario with its target; failed evaluations are repeated."""
    folder.mkdir(parents=True)
    (folder / "target.py").write_text(TARGET)
    scenario = {
        "target": {"python": "target.py:solve", "timeout": "2s"},
        "instances": {"list": [f"i{k}" for k in range(max(evaluations // 20, 10))]},
        "budget": {"evaluations": evaluations},
        "on_failure": {"retries": 5},
        "seed": 3,
        "execution": {"jobs": 4, "engine": engine},
        "space": {"x": {"real": [0.0, 1.0]}},
    }
    if search:
        scenario["search"] = True
    else:
        scenario["candidates"] = {"sample": 20}
        scenario["rule"] = "sign"
    path = folder / "race.yaml"
    path.write_text(yaml.safe_dump(scenario))
    return path


class Chaos:
    """One run that is disturbed until it is over."""

    def __init__(self, scenario: Path, *, faults: int, every: int, rng: random.Random) -> None:
        self.folder, self.scenario = scenario.parent, scenario
        self.log = self.folder / "log.sqlite"
        self.left, self.every, self.rng = faults, every, rng
        self.mark = secrets.token_hex(8)
        self.tally = Tally()
        self.repeated: list[str] = []

    def run(self) -> None:
        """Run, disturb and resume till the end."""
        limit = time.monotonic() + PATIENCE
        while not self._session():
            if time.monotonic() > limit:
                raise TimeoutError(f"not over after {PATIENCE:g} s: {self.tally}")

    def _session(self) -> bool:
        """One controller; whether the run is over."""
        known, before = self._known(), len(self._calls())
        words = (
            ["resume", self.log] if self.log.exists() else ["run", self.scenario, "--log", self.log]
        )
        controller = subprocess.Popen(
            [sys.executable, "-m", "racing", *map(str, words), "--quiet"],
            env={**os.environ, "RACING_CHAOS": self.mark},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        self.tally.sessions += 1
        due = before + self.every
        while controller.poll() is None:
            if self.left and len(self._calls()) >= due:
                self._disturb(controller)
                due = len(self._calls()) + self.every
            time.sleep(0.005)
        said = controller.communicate()[1].decode()
        self.repeated += [call for call in self._calls()[before:] if call in known]
        if controller.returncode == -signal.SIGKILL:
            return False
        assert controller.returncode == 0, said
        return True

    def _disturb(self, controller: subprocess.Popen[bytes]) -> None:
        kind = self.rng.choice(IN_TARGET + FROM_OUTSIDE)
        self.left -= 1
        if kind == "controller":
            controller.kill()
        elif kind == "worker":
            workers = self._workers(controller.pid)
            if workers:
                os.kill(self.rng.choice(workers), signal.SIGKILL)
        else:
            (self.folder / f"fault-{kind}-{self.left}").touch()
        self.tally.faults[kind] += 1

    def _workers(self, controller: int) -> list[int]:
        """Its children that run loky's workers."""
        found = []
        for task in Path(f"/proc/{controller}/task").glob("*/children"):
            for pid in task.read_text().split():
                try:
                    line = Path(f"/proc/{pid}/cmdline").read_bytes()
                except OSError:
                    continue
                if b"popen_loky" in line:
                    found.append(int(pid))
        return found

    def _calls(self) -> list[str]:
        calls = self.folder / "calls"
        return calls.read_text().splitlines() if calls.exists() else []

    def _known(self) -> set[str]:
        """What the log has outcomes of, in the words of the target."""
        if not self.log.exists():
            return set()
        with SQLiteLog.open(self.log, write=False) as book:
            x = {one.id: one.values["x"] for one in book.candidates()}
            where = {one.step: f"{one.name} {one.seed}" for one in book.instances()}
            return {f"{x[o.candidate]!r} {where[o.step]}" for o in book.outcomes()}

    def strays(self) -> list[int]:
        """Processes of the run that are still alive a while after its end."""
        limit, found = time.monotonic() + 20, [0]
        while found and time.monotonic() < limit:
            found = []
            for path in Path("/proc").glob("[0-9]*/environ"):
                try:
                    if f"RACING_CHAOS={self.mark}".encode() in path.read_bytes():
                        found.append(int(path.parent.name))
                except OSError:
                    continue
            time.sleep(0.05 if found else 0)
        return found


def result(log: Path) -> tuple[object, ...]:
    """What a run came to: its end, its decisions, and the costs that they stand on."""
    with SQLiteLog.open(log, write=False) as book:
        race = replay(book)
        winner = None if race.winner is None else dict(race.winner.values)
        costs = race.results.costs if book.header.scenario.get("search") is None else race.ranking()
        return book.finished, book.verdicts(), winner, repr(costs)


def check(
    folder: Path, *, search: bool, faults: int, evaluations: int, seed: int, engine: str
) -> Tally:
    """Disturb a run, and compare it with an undisturbed one.

    Raises
    ------
    AssertionError
        If it came to something else, evaluated something twice, or left a process behind.
    """
    whole = Chaos(
        write(folder / "whole", search=search, evaluations=evaluations, engine=engine),
        faults=0, every=1, rng=random.Random(seed),
    )  # fmt: skip
    whole.run()
    every = max(evaluations // (faults + 1) // 2, 1)
    disturbed = Chaos(
        write(folder / "disturbed", search=search, evaluations=evaluations, engine=engine),
        faults=faults, every=every, rng=random.Random(seed),
    )  # fmt: skip
    disturbed.run()
    assert result(disturbed.log) == result(whole.log)
    assert not disturbed.repeated, f"evaluated again: {disturbed.repeated[:5]}"
    assert not (left := disturbed.strays()), f"processes that were left: {left}"
    return disturbed.tally


def main() -> None:
    """Disturb a race and a search, and say what was done to them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--faults", type=int, default=100, help="in each of the two runs")
    parser.add_argument("--evaluations", type=int, default=2000, help="of each of the two runs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine", default="loky")
    args = parser.parse_args()
    for search in (False, True):
        with tempfile.TemporaryDirectory() as folder:
            tally = check(
                Path(folder),
                search=search,
                faults=args.faults,
                evaluations=args.evaluations,
                seed=args.seed,
                engine=args.engine,
            )
        faults = ", ".join(f"{n} {kind}" for kind, n in sorted(tally.faults.items()))
        print(
            f"{'search' if search else 'race'}: {sum(tally.faults.values())} faults ({faults}), "
            f"{tally.sessions} sessions: the result of the undisturbed run",
            flush=True,
        )


if __name__ == "__main__":
    main()
