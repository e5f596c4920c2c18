"""Keep a log of each kind of run for ever, with what this version says of it.

    python -m tests.log.keep         # once for each release, before its tag

Writes tests/log/kept/VERSION-KIND.sqlite and .json; `tests/log/test_kept.py` holds every later
version to them.
"""

from __future__ import annotations

import contextlib
import io
import json
import socket
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import racing
from racing.cli import main

KEPT = Path(__file__).parent / "kept"
FACTS = ("finished", "stopped", "winner", "survivors", "instances", "evaluations", "failures")
TARGET = """
def cost(values, instance, seed):
    if values["shape"] == "flat" and instance == "b":
        raise ValueError("it is flat")
    return abs(values["x"] - 0.3) + (seed % 97) / 500
"""
SCENARIO = """
target: {python: target.py:cost}
space:
  x: {real: [0, 1], default: 0.9}
  shape: {categorical: [round, flat], default: round}
  size: {integer: [1, 9], default: 5, when: shape == "round"}
instances: {list: [a, b, c], repeat: true}
seed: 4
execution: {jobs: 1}
"""
KINDS = {
    "race": "candidates: {default: true, sample: 7}\nbudget: 60\n",
    "bets": "candidates: {default: true, sample: 5}\nbudget: 60\nrule: bets\nobjective: rank\n",
    "search": "search: true\nbudget: 90\n",
    "iterated": "search: irace\nbudget: 300\n",
}


def facts(log: Path, command: Callable[[Sequence[str]], str]) -> dict[str, Any]:
    """What `racing show --json` says of a run, but for its times; survivors by their ids."""
    told = json.loads(command(["show", "--json", str(log)]))
    survivors = [one["id"] for one in told["survivors"]]
    return {name: told[name] for name in FACTS} | {"survivors": survivors}


def printed(arguments: Sequence[str]) -> str:
    """What a command prints."""
    with contextlib.redirect_stdout(io.StringIO()) as told:
        assert main(arguments) == 0
    return told.getvalue()


def keep(kind: str) -> None:
    """Run a scenario of this kind, and keep its log and its facts."""
    name = f"{racing.__version__}-{kind}"
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        (folder / "target.py").write_text(TARGET)
        (folder / "scenario.yaml").write_text(SCENARIO + KINDS[kind])
        log = folder / "log.sqlite"
        printed(["run", str(folder / "scenario.yaml"), "--log", str(log), "--quiet"])
        (KEPT / f"{name}.json").write_text(json.dumps(facts(log, printed), indent=1) + "\n")
        log.rename(KEPT / f"{name}.sqlite")


if __name__ == "__main__":
    socket.gethostname = lambda: "example"  # a log names the machine of each session
    for each in KINDS:
        keep(each)
