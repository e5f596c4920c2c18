"""What races and logs of unusual size cost: `python -m benchmarks.history [--small] [PART...]`.

Parts:

    tell       one `tell` with a budget of time, where a row has 4,000 candidates
    instances  one evaluation (ask and tell), where 100,000 instances are listed
    export     time and peak memory of exporting a log of 500,000 outcomes
    show       processor time of `racing show` on a log of 100,000 outcomes, beside `import numpy`
    memory     bytes that a race holds for each of 500,000 outcomes that it was told

It uses what older versions have too, so a run in a checkout of an earlier commit gives the figures
before: `PYTHONPATH=CHECKOUT python benchmarks/history.py`.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from racing.budget import Budget
from racing.candidate import Candidate
from racing.experiment import Instance, Outcome
from racing.instances import Instances
from racing.log import Header, SQLiteLog, replay, rows
from racing.log.export import export
from racing.race import Race
from racing.rules.none import Keep


def tell(small: bool) -> dict[str, float]:
    """Microseconds of a tell, with and without a limit of time; the row is not completed."""
    k = 400 if small else 4000
    found = {}
    for name, budget in (("with a limit", Budget(target_time=1e9)), ("without", Budget())):
        race = Race([{"x": i} for i in range(k)], range(10), rule=Keep(), budget=budget)
        outcomes = [e.outcome(1.0, seconds=0.1) for e in race.ask(k - 1)]
        start = time.process_time()
        for outcome in outcomes:
            race.tell(outcome)
        found[f"µs per tell, {k} candidates, {name}"] = _micro(start, len(outcomes))
    return found


def instances(small: bool) -> dict[str, float]:
    """Microseconds of an evaluation: ask for one, tell it."""
    n, evaluations = (10_000, 40) if small else (100_000, 200)
    race = Race([{"x": 1}, {"x": 2}], Instances(range(n)), rule=Keep(), first_test=n)
    race.tell(race.ask(1)[0].outcome(1.0))  # the first pays for the order
    start = time.process_time()
    for _ in range(evaluations):
        race.tell(race.ask(1)[0].outcome(1.0))
    return {f"µs per evaluation, {n} instances": _micro(start, evaluations)}


def exporting(small: bool) -> dict[str, float]:
    """Seconds and megabytes of an export, in a process of its own."""
    n = 20_000 if small else 500_000
    with tempfile.TemporaryDirectory() as folder:
        path = _log(Path(folder, "log.sqlite"), n)
        told = _alone("export", path)
    return {
        f"s to export {n} outcomes": told["seconds"],
        f"MB at most, of {n} outcomes": told["megabytes"],
        "MB of a process that only imports": _alone("nothing", path)["megabytes"],
    }


def show(small: bool) -> dict[str, float]:
    """Seconds of processor time of a command, and of importing numpy."""
    n = 2_000 if small else 100_000
    with tempfile.TemporaryDirectory() as folder:
        path = _log(Path(folder, "log.sqlite"), n)
        return {
            f"s of `racing show`, {n} outcomes": _cpu("-m", "racing", "show", str(path), "--json"),
            "s of `import numpy`": _cpu("-c", "import numpy"),
        }


def memory(small: bool) -> dict[str, float]:
    """Bytes for each outcome: what a replay takes at most, less what a short one takes."""
    few, many = (1_000, 20_000) if small else (5_000, 500_000)
    with tempfile.TemporaryDirectory() as folder:
        short, long = (
            _alone("replay", _log(Path(folder, f"{n}.sqlite"), n))["megabytes"] for n in (few, many)
        )
    return {f"bytes per outcome, {many} outcomes": (long - short) * 2**20 / (many - few)}


def _log(path: Path, outcomes: int, candidates: int = 50) -> Path:
    """A log with that many outcomes, written at once; nobody is dropped."""
    n = outcomes // candidates
    names = [f"i{step}" for step in range(n)]
    scenario = {
        "instances": {"list": [{"name": name} for name in names], "order": "listed"},
        "race": {"first_test": n, "each_test": 1, "min_survivors": 1},
        "budget": {},
        "rule": {"name": "none"},
    }
    with SQLiteLog.create(path, Header(name="large", seed=1, scenario=scenario)) as log:
        log.add([Candidate(id, {"x": id}) for id in range(1, candidates + 1)])
        order = Instances(names, names=names, order="listed")
        marks = ", ".join("?" * (rows.OUTCOME.count(",") + 1))
        log._db.execute("BEGIN")
        for step in range(n):
            instance: Instance = order.at(step, 1)
            log._db.execute(
                "INSERT INTO instance (step, name, seed) VALUES (?, ?, ?)",
                (step, instance.name, instance.seed),
            )
            log._db.executemany(
                f"INSERT INTO outcome ({rows.OUTCOME}) VALUES ({marks})",
                [
                    rows.outcome_row(
                        Outcome(
                            id,
                            step,
                            (id * 7 + step) % 13 / 3,
                            seconds=0.5,
                            worker="loky-1",
                            elapsed=step + id / 64,
                            started=1.7e9 + step + id / 64,
                        )
                    )
                    for id in range(1, candidates + 1)
                ],
            )
        log._db.execute("COMMIT")
    return path


def _alone(what: str, path: Path) -> dict[str, float]:
    out = subprocess.run(
        [sys.executable, __file__, "--child", what, str(path)],
        check=True,
        capture_output=True,
        text=True,
        env=os.environ,
    )
    return dict(json.loads(out.stdout))


def _child(what: str, path: str) -> None:
    start = time.process_time()
    if what == "export":
        with SQLiteLog.open(path, write=False) as log:
            export(log, Path(path).with_name("out"))
    elif what == "replay":
        with SQLiteLog.open(path, write=False) as log:
            replay(log)
    seconds = time.process_time() - start
    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"seconds": seconds, "megabytes": kilobytes / 1024}))


def _cpu(*arguments: str) -> float:
    """The least processor time of five runs of a Python command.

    Python may keep the bytecode of what it imports, as it does where it is installed.
    """
    taken, kept = [], {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [sys.executable, *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=kept)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(taken)


def _micro(start: float, times: int) -> float:
    return 1e6 * (time.process_time() - start) / times


PARTS = {"tell": tell, "instances": instances, "export": exporting, "show": show, "memory": memory}


def main() -> None:
    """Print the figures, one a line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--small", action="store_true", help="sizes that take a second")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.child:
        _child(*args.child)
        return
    for name in args.parts or PARTS:
        for what, figure in PARTS[name](args.small).items():
            print(f"{what:50s} {figure:12.4g}", flush=True)


if __name__ == "__main__":
    main()
