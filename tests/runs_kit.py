"""Small real runs for tests: a scenario, a target that notes every call, and what must agree."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from racing.log import SQLiteLog, replay
from racing.runner.loop import RunOptions

PATIENCE = 60.0

TARGET = '''
import os, time

def solve(values, instance, seed):
    """Costs with noise by seed; the call is noted in one write, which is whole or not there."""
    line = f"{values['x']} {instance} {seed}\\n".encode()
    fd = os.open(CALLS, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.write(fd, line)
    os.close(fd)
    time.sleep(PAUSE)
    noise = (seed * 7919 + int(values["x"] * 1000) * 104729) % 1009 / 1009
    return values["x"] + NOISE * noise
'''

COMMAND = """
import sys, target
values = {"x": float(sys.argv[3].split("=")[1])}
print(target.solve(values, sys.argv[1], int(sys.argv[2])))
"""


def write_scenario(
    folder: Path,
    *,
    pause: float = 0.0,
    noise: float = 1.0,
    candidates: int = 8,
    instances: int = 25,
    command: bool = False,
    source: dict[str, Any] | None = None,
    **parts: Any,
) -> Path:
    """A scenario of `candidates` costs, best first, whose calls go to `calls.txt`."""
    folder.mkdir(parents=True, exist_ok=True)
    settings = f"CALLS = {str(folder / 'calls.txt')!r}\nPAUSE = {pause}\nNOISE = {noise}\n"
    (folder / "target.py").write_text(settings + TARGET)
    (folder / "command.py").write_text(COMMAND)
    run = f"{sys.executable} command.py {{instance}} {{seed}} {{parameters}}"
    scenario = {
        "seed": 5,
        "target": {"command": run} if command else {"python": "target.py:solve"},
        "space": {"x": {"real": [0, 1]}},
        "candidates": {"list": [{"x": k / candidates} for k in range(candidates)]},
        "instances": source or {"list": [f"i{k}" for k in range(instances)]},
        "rule": "sign",
        "execution": {"engine": "auto" if command else "in-process"},  # no child to wait for
        **parts,
    }
    path = folder / "race.yaml"
    path.write_text(yaml.safe_dump(scenario))
    return path


def write_search(folder: Path, *, budget: object = 120, **parts: Any) -> Path:
    """The same target with a search for x; its default is 0.9, the best is 0."""
    search = {"window": 6} if "search" not in parts else parts.pop("search")
    candidates = parts.pop("candidates", None)
    path = write_scenario(folder, budget=budget, search=search, **parts)
    scenario = yaml.safe_load(path.read_text())
    scenario["space"] = {"x": {"real": [0, 1], "default": 0.9}}
    del scenario["candidates"], scenario["rule"]
    if candidates is not None:
        scenario["candidates"] = candidates
    path.write_text(yaml.safe_dump(scenario))
    return path


class Kept:
    """Folders that are made once in a session: every test finds them as they were made.

    They stay where they are, since logs name the folder of their scenario.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.made: dict[tuple[object, str], tuple[Path, Path]] = {}

    def __call__(self, make: Callable[..., Path], **parts: object) -> Path:
        """What `make` returns for a folder and these parts."""
        key = make, repr(parts)
        if key not in self.made:
            folder = self.root / str(len(self.made))
            self.made[key] = folder, make(folder, **parts)
            shutil.copytree(folder, folder.with_suffix(".made"))
        folder, path = self.made[key]
        shutil.rmtree(folder)
        shutil.copytree(folder.with_suffix(".made"), folder)
        return path


def calls(folder: Path) -> list[str]:
    """Every call of the target so far."""
    path = folder / "calls.txt"
    return path.read_text().splitlines() if path.exists() else []


def result(log: Path) -> tuple[object, ...]:
    """What a finished run came to: what resumed and uninterrupted runs must agree in.

    The costs are those that count: idle workers may have evaluated more.
    """
    with SQLiteLog.open(log, write=False) as book:
        told = replay(book)
        costs = told.results.costs
        instances = book.instances()[: len(costs)]
        return book.finished, tuple(book.verdicts()), tuple(instances), repr(costs.tolist())


def interrupted_after(n: int) -> RunOptions:
    """Options that interrupt a session after so many outcomes."""
    seen: list[object] = []
    return RunOptions(
        watch=lambda search, outcome: seen.append(outcome), interrupted=lambda: len(seen) >= n
    )


def killed(
    folder: Path,
    scenario: Path,
    log: Path,
    *,
    times: int,
    calls_apart: range,
    command: tuple[object, ...] = (),
) -> None:
    """Run a scenario and kill it by SIGKILL, then resume and kill it, so many times in all.

    `calls_apart` has how many calls of the target there may be before each kill.
    """
    rng = random.Random(1)
    command = command or ("run", scenario, "--log", log, "--quiet")
    for _ in range(times):
        before, process = len(calls(folder)), racing(*command)
        patience, wanted = time.monotonic() + PATIENCE, before + rng.choice(calls_apart)
        while len(calls(folder)) < wanted and process.poll() is None:
            assert time.monotonic() < patience, "the target is not called any more"
            time.sleep(0.002)
        process.kill()
        process.communicate(timeout=PATIENCE)
        assert process.returncode == -signal.SIGKILL, "it ended before the kill"
        command = ("resume", log, "--quiet")


def decision(log: Path) -> tuple[object, ...]:
    """The verdicts and the end alone: work handed out early may differ by the number of jobs."""
    with SQLiteLog.open(log, write=False) as book:
        return book.finished, tuple(book.verdicts())


def racing(*arguments: object, **options: Any) -> subprocess.Popen[str]:
    """The real program, as a process that leads a process group, like a job of a shell."""
    return subprocess.Popen(
        [sys.executable, "-m", "racing", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
        start_new_session=True,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        **options,
    )
