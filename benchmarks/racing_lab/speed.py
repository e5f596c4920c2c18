"""Seconds per decision of the Bayesian race, on average over a race, and where they go.

Two sizes: 1000 candidates on 50 instances, and 200 on 300, with noise 1. In "a race", means are
uniform on [0, 1] and candidates leave as they are dropped. In the others nobody leaves, whatever
the rule says, so that every decision is about all candidates; one in five of them is timed.
"""

from __future__ import annotations

import cProfile
import pstats
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from benchmarks.racing_lab.replay import Setting, replay
from benchmarks.racing_lab.saved import Row, save, versions
from racing.core.results import Results
from racing.rules import Bayes, Outlook, Rule, Verdict

SIZES = {(1000, 50): 2.0, (200, 300): 0.05}
"""(candidates, instances): seconds per decision aimed at."""


@dataclass(frozen=True)
class Heard:
    """A rule that is asked, and not obeyed."""

    rule: Bayes

    def __call__(self, results: Results, outlook: Outlook, rng: np.random.Generator) -> Verdict:
        """What the rule says, without its eliminations."""
        return replace(self.rule(results, outlook, rng), eliminated=())


RACES: dict[str, tuple[Rule, float, int]] = {
    "a race": (Bayes(), 1.0, 1),
    "a race, equals kept": (Bayes(drop_equals=False), 1.0, 1),
    "nobody leaves": (Heard(Bayes()), 1.0, 5),
    "nobody leaves, all alike": (Heard(Bayes()), 0.0, 5),
}
"""Rule, spread of the means, and which decisions are timed: every how-manieth."""
PARTS = {
    "Friedman gate": "gate",
    "counting wins": "sign_counts",
    "joint comparisons": "joint_comparisons",
    "practical equality": "_equal",
}


def main(folder: Path, *, small: bool, command: str) -> None:
    """Measure, save and print."""
    sizes = {(40, 10): 1.0} if small else SIZES
    rows = [_row(q, n, aim, what) for (q, n), aim in sizes.items() for what in RACES]
    about = {"table": "speed", "command": command, "seed": 1, "versions": versions()}
    folder.mkdir(parents=True, exist_ok=True)
    save("speed", about, rows, folder)
    for row in rows:
        print(row)


def _row(q: int, n: int, aim: float, what: str) -> Row:
    """One race for the time, and the same again for the shares."""
    rule, spread, each = RACES[what]
    rng = np.random.default_rng(1)
    costs = spread * rng.uniform(size=q) + rng.standard_normal((n, q))
    setting = Setting(objective="mean", each_test=each)
    race = replay(costs, rule, setting, seed=1)
    profile = cProfile.Profile()
    profile.runcall(replay, costs, rule, setting, seed=1)
    return {
        "race": what,
        "candidates": q,
        "instances": n,
        "decisions": race.tests,
        "seconds_per_decision": round(race.rule_seconds / race.tests, 5),
        "aim": aim,
        **_shares(profile),
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
        part: round(max((t for (_, f), t in spent.items() if f == function), default=0) / whole, 3)
        for part, function in PARTS.items()
    }
