"""Made-up matrices of costs, and races over functions that want different configurations."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import yaml

from racing.analysis.portfolio.table import KnownCosts
from racing.core.candidate import Candidate
from racing.core.experiment import Instance
from racing.runner.run import run
from tests.runs_kit import write_scenario

NAN = np.nan
TARGET = """
BEST = {"sat": 0, "php": 5, "k": 2}

def solve(values, instance, seed):
    with open(CALLS, "a") as file:
        file.write(f"{values['x']} {instance} {seed}\\n")
    kind = instance.split("-")[0]
    return abs(values["x"] - BEST[kind]) + (seed * 7919 + values["x"] * 104729) % 1009 / 1009
"""


def types_world(n: int, m: int, *, types: int, seed: int, noise: float = 0.5) -> np.ndarray:
    """(n, m) costs of instances of several types, each of which has its own good candidates."""
    rng = np.random.default_rng(seed)
    means = rng.normal(0, 0.7, (types, m))
    return means[rng.integers(types, size=n)] + noise * rng.normal(size=(n, m))


def known_costs(costs: np.ndarray, **how: object) -> KnownCosts:
    """Costs as if logs had told them; candidate j + 1 is column j."""
    n, m = costs.shape
    fields = {
        "candidates": tuple(Candidate(j + 1, {"x": j}) for j in range(m)),
        "instances": tuple(Instance(i, f"i{i}", i + 1) for i in range(n)),
        "costs": costs,
        "default": 0,
        "objective": "mean",
        "direction": "minimize",
        "first": None,
        "censored": 0,
        **how,
    }
    return KnownCosts(**fields)  # type: ignore[arg-type]


def write_kinds(folder: Path, *, instances: int = 16, **parts: object) -> Path:
    """A scenario of six candidates, and instances of three families that want different ones."""
    if "rule" not in parts:  # one that runs candidates on 9, 27 or all of 48 instances
        parts = {"rule": "successive-halving", "budget": 150, **parts}
    parts = {"objective": "mean", **parts}
    path = write_scenario(folder, **parts)
    (folder / "target.py").write_text(f"CALLS = {str(folder / 'calls.txt')!r}\n{TARGET}")
    told = yaml.safe_load(path.read_text())
    names = [f"{kind}-{k}" for k in range(instances) for kind in ("sat", "php", "k")]
    told["instances"] = {"list": names, "family": "^([a-z]+)"}
    told["space"] = {"x": {"integer": [0, 5]}}
    told["candidates"] = {"list": [{"x": x} for x in range(6)]}
    path.write_text(yaml.safe_dump(told))
    return path


def kinds_log(folder: Path, **parts: object) -> Path:
    """The log of a race over these."""
    log = folder / "log.sqlite"
    run(write_kinds(folder, **parts), log=log)
    return log


def write_team_search(folder: Path) -> Path:
    """A scenario that searches for a team of two, on the same instances."""
    path = write_kinds(folder, rule="auto", budget=700)
    told = yaml.safe_load(path.read_text())
    del told["candidates"], told["rule"]
    told["space"] = {"x": {"integer": [0, 400], "default": 300}}
    told["instances"]["repeat"] = True
    told["search"] = {"portfolio": 2}
    path.write_text(yaml.safe_dump(told))
    return path


def search_log(folder: Path) -> Path:
    """The log of that search."""
    log = folder / "search.sqlite"
    run(write_team_search(folder), log=log)
    return log
