"""The run that is disturbed: a scenario, and a target that takes the faults that it finds."""

from __future__ import annotations

from pathlib import Path

import yaml

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
    rng = random.Random(f"{values['x']!r} {instance} {seed}")
    cost = (values["x"] - 0.3) ** 2 + 0.2 * rng.gauss(0, 1)
    with open(HERE / "calls", "a") as calls:
        calls.write(f"{values['x']!r} {instance} {seed}\\n")
    return cost
"""
IN_TARGET = ("hang", "garbage", "memory", "children")


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
        scenario |= {"candidates": {"sample": 20}, "rule": "sign"}
    path = folder / "race.yaml"
    path.write_text(yaml.safe_dump(scenario))
    return path
