"""The run that is disturbed: a scenario, and a target that takes the faults that it finds."""

from __future__ import annotations

from pathlib import Path

import yaml

TARGET = """
import math, os, random, signal, subprocess, sys, threading, time, warnings
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
    shared = random.random()  # the same in every process
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
        case "fork":
            if os.fork() == 0:
                time.sleep(1000)
            os._exit(1)
        case "return":
            if os.fork() == 0:
                return -1000.0
        case "stop":
            os.kill(os.getpid(), signal.SIGSTOP)
        case "spoil":
            sys.stdout.close()
            os.close(2)
            os.chdir("/")
            os.environ.clear()
            signal.signal(signal.SIGALRM, signal.SIG_IGN)
            signal.setitimer(signal.ITIMER_REAL, 0.1)
            warnings.simplefilter("error")
            random.seed(7)
        case "leave":
            threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
            subprocess.Popen(["sleep", "1000"])
    warnings.warn("printed")
    time.sleep(0.004)
    rng = random.Random(f"{values['x']!r} {instance} {seed}")
    cost = (values["x"] - 0.3) ** 2 + 0.2 * rng.gauss(0, 1) + 0.1 * shared
    with open(HERE / "calls", "a") as calls:
        calls.write(f"{values['x']!r} {instance} {seed}\\n")
    return cost
"""
IN_TARGET = (
    "hang", "garbage", "memory", "children", "fork", "return", "stop", "spoil", "leave",
)  # fmt: skip


def write(
    folder: Path, *, search: bool, evaluations: int, engine: str, address: str | None = None
) -> Path:
    """A scenario with its target; failed evaluations are repeated."""
    folder.mkdir(parents=True)
    (folder / "target.py").write_text(TARGET)
    execution = {"jobs": 2, "engine": engine, **({"address": address} if address else {})}
    scenario = {
        "target": {"python": "target.py:solve", "timeout": "2s"},
        "instances": {"list": [f"i{k}" for k in range(max(evaluations // 4, 10))]},
        "budget": {"evaluations": evaluations},
        "on_failure": {"retries": 5},
        "seed": 3,
        "execution": execution,
        "space": {"x": {"real": [0.0, 1.0]}},
    }
    if search:
        scenario["search"] = True
    else:
        scenario |= {"candidates": {"sample": 16}, "rule": "sign"}
    path = folder / "race.yaml"
    path.write_text(yaml.safe_dump(scenario))
    return path
