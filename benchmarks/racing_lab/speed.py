"""Seconds per decision of the Bayesian race, on average over a race, and where they go.

Two sizes: 1000 candidates on 50 instances, and 200 on 300. "a race" has means uniform on [0, 1] and
noise 1, and drops candidates as it goes; in "nobody leaves" the evidence asked for is so strong
that every decision is about all candidates, with all the draws that it takes.
"""

from __future__ import annotations

import cProfile
import pstats
from pathlib import Path

import numpy as np

from benchmarks.racing_lab.measure import Figure
from benchmarks.racing_lab.replay import Setting, replay
from benchmarks.racing_lab.saved import Row, save, versions
from racing.rules import Bayes

SIZES = {(1000, 50): 2.0, (200, 300): 0.05}
"""(candidates, instances): seconds per decision aimed at."""
RULES = {
    "a race": Bayes(),
    "a race, equals kept": Bayes(drop_equals=False),
    "nobody leaves": Bayes(gate="none", gamma=1e-12, bound="lower", drop_equals=False),
}
PARTS = {
    "Friedman gate": "gate",
    "counting wins": "sign_counts",
    "joint comparisons": "joint_comparisons",
    "practical equality": "_equal",
}


def main(folder: Path, *, small: bool, command: str) -> None:
    """Measure, save and print."""
    sizes = {(40, 10): 1.0} if small else SIZES
    rows = [
        _row(q, n, aim, what, races=1 if small else 3)
        for (q, n), aim in sizes.items()
        for what in RULES
    ]
    about = {"table": "speed", "command": command, "versions": versions()}
    folder.mkdir(parents=True, exist_ok=True)
    save("speed", about, rows, folder)
    for row in rows:
        print(row)


def _row(q: int, n: int, aim: float, what: str, *, races: int) -> Row:
    setting = Setting(objective="mean")
    seconds, shares = [], []
    for seed in range(races):
        rng = np.random.default_rng(seed)
        costs = rng.uniform(size=q) + rng.standard_normal((n, q))
        race = replay(costs, RULES[what], setting, seed=seed)
        seconds.append(race.rule_seconds / max(race.tests, 1))
    profile = cProfile.Profile()
    profile.runcall(replay, costs, RULES[what], setting, seed=seed)
    shares = _shares(profile)
    figure = Figure.of(seconds)
    return {
        "race": what,
        "candidates": q,
        "instances": n,
        "decisions": race.tests,
        "seconds_per_decision": round(figure.mean, 5),
        "slowest_race": round(max(seconds), 5),
        "aim": aim,
        **shares,
    }


def _shares(profile: cProfile.Profile) -> dict[str, float]:
    """Of the rule's time, what goes into each part with all that it calls.

    Wins are counted in the comparisons and for equality too: the parts overlap there.
    """
    stats = pstats.Stats(profile).stats  # type: ignore[attr-defined]
    spent = {
        (Path(file).name, name): cumulative
        for (file, _, name), (_, _, _, cumulative, _) in stats.items()
    }
    whole = spent.get(("bayes.py", "__call__"), 0.0) or 1.0
    return {
        part: round(
            max((t for (_, f), t in spent.items() if f == function), default=0.0) / whole, 3
        )
        for part, function in PARTS.items()
    }
