"""How often rules lose the best candidate where instances are folds of one data set.

    python -m benchmarks.fold_rules [--races 150] [--small]

Scores of candidate j on fold i are normal: mean_j + u_j + e_ij with Var(u) = ρ and Var(e) = 1 − ρ.
The truth is mean_j, which a large sample would show; u_j is the error that all folds of one data
set share. Three tables: the level of a single look at two equal candidates; how often the best is
dropped in a whole race of two or twenty candidates, equal or with the best ahead; and the level
that `correlated-sequential` keeps over all looks, in 200 times as many races.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from racing.base.special import stdtr
from racing.core.results import Results
from racing.rules import RULES
from racing.rules.correlated import nominal_level
from racing.rules.dependence import effective_size
from racing.rules.equals import judged
from racing.rules.rule import Outlook

RESULT = Path(__file__).parent / "results" / "fold_rules.json"
RHO, FIRST = 0.1, 3
RULES_TRIED: dict[str, dict[str, Any]] = {
    "auto": {},
    "t-test": {},
    "sign": {},
    "bets": {},
    "correlated-t": {},
    "correlated-bayes": {"rope": 0.1},
    "correlated-sequential": {},
}


@dataclass(frozen=True)
class World:
    """Candidates whose scores on the folds of one data set are drawn anew for each race."""

    name: str
    candidates: int
    folds: int
    ahead: float = 0.0

    def draw(self, rng: np.random.Generator) -> NDArray[np.float64]:
        """(folds, candidates) costs; the first candidate is the best."""
        common = np.sqrt(RHO) * rng.normal(size=self.candidates)
        own = np.sqrt(1 - RHO) * rng.normal(size=(self.folds, self.candidates))
        means = np.full(self.candidates, self.ahead)
        means[0] = 0.0
        return means + common + own + rng.normal(size=(self.folds, 1))


WORLDS = (
    World("2 equal, 30 folds", 2, 30),
    World("20 equal, 30 folds", 20, 30),
    World("best of 20 ahead by 1, 30 folds", 20, 30, ahead=1.0),
)


def run_race(
    rule: Any, costs: NDArray[np.float64], rng: np.random.Generator, *, first: int = FIRST
) -> tuple[bool, int]:
    """(whether the best was dropped, evaluations) of one race."""
    n, m = costs.shape
    alive, spent = np.arange(m), m * first
    seen = np.full((n, m), np.nan)
    seen[:first] = costs[:first]
    for k in range(first, n + 1):
        results = Results(
            seen[:k], ~np.isnan(seen[:k]), tuple(range(m)), alive, groups=np.zeros(k, dtype=np.intp)
        )
        coming = (0,) * (n - k)
        outlook = Outlook(objective="mean", instances=n - k, correlation=RHO, coming=coming)
        gone = {e.candidate for e in judged(rule, results, outlook, rng).eliminated}
        if 0 in gone:
            return True, spent
        alive = np.array([j for j in alive if j not in gone])
        if len(alive) == 1 or k == n:
            break
        seen[k, alive] = costs[k, alive]
        spent += len(alive)
    return False, spent


def looks(races: int, seed: int) -> dict[str, dict[str, float]]:
    """Share of single looks, after n folds, that drop the first of two equal candidates."""
    out: dict[str, dict[str, float]] = {}
    sizes = (5, 10, 30)
    for name, options in RULES_TRIED.items():
        rng = np.random.default_rng(seed)
        dropped = dict.fromkeys(sizes, 0)
        for _ in range(races):
            costs = World("", 2, max(sizes)).draw(rng)
            for n in sizes:
                lost, _ = run_race(RULES[name](**options), costs[:n], rng, first=n)
                dropped[n] += lost
        # the leader is chosen: of two equal ones either may be dropped, each at half of that
        out[name] = {str(n): dropped[n] / races for n in sizes}
    return out


def whole(races: int, seed: int) -> dict[str, dict[str, dict[str, float]]]:
    """For each world and rule: how often the best is dropped, and evaluations a race."""
    out: dict[str, dict[str, dict[str, float]]] = {}
    for world in WORLDS:
        out[world.name] = {}
        for name, options in RULES_TRIED.items():
            rng = np.random.default_rng(seed)
            ends = [run_race(RULES[name](**options), world.draw(rng), rng) for _ in range(races)]
            lost = float(np.mean([one for one, _ in ends]))
            kept = [spent for one, spent in ends if not one]
            out[world.name][name] = {
                "lost": lost,
                "error": float(np.sqrt(lost * (1 - lost) / races)),
                "share": float(np.mean(kept)) / (world.candidates * world.folds) if kept else 1.0,
            }
    return out


def spent(races: int, seed: int, *, folds: int = 30) -> dict[str, float]:
    """How often `correlated-sequential` ever drops the first of two equal candidates, by level.

    All looks of many races at once, by the rule's own level, from the third fold on.
    """
    rng = np.random.default_rng(seed)
    own = np.sqrt(1 - RHO) * rng.normal(size=(races, folds))
    d = np.sqrt(RHO) * rng.normal(size=(races, 1)) + own
    n = np.arange(1, folds + 1)
    mean = np.cumsum(d, axis=1) / n
    squares = np.maximum(np.cumsum(d * d, axis=1) - n * mean**2, 0.0)
    sizes = np.array([effective_size([0] * k, RHO) for k in n.tolist()])
    seen = slice(FIRST - 1, None)
    t = (-mean * np.sqrt(sizes))[:, seen] / np.sqrt(squares[:, seen] / (n - 1.0)[seen])
    p = stdtr(n[seen] - 1.0, t)
    return {
        str(alpha): float((p < [nominal_level(alpha, s, sizes[-1]) for s in sizes[seen]])
                          .any(axis=1).mean())
        for alpha in (0.1, 0.05, 0.01, 0.0025)
    }  # fmt: skip


def tables(found: dict[str, Any]) -> str:
    """Markdown of what was found."""
    lines = ["| rule | " + " | ".join(f"look at {n} folds" for n in (5, 10, 30)) + " |"]
    lines.append("| --- " + "| ---: " * 3 + "|")
    for name, row in found["looks"].items():
        lines.append(f"| `{name}` | " + " | ".join(f"{row[n]:.3f}" for n in row) + " |")
    lines += ["", "| rule | " + " | ".join(found["whole"]) + " |"]
    lines.append("| --- " + "| ---: " * len(found["whole"]) + "|")
    for name in RULES_TRIED:
        cells = [found["whole"][world][name] for world in found["whole"]]
        text = (f"{c['lost']:.3f} ± {c['error']:.3f} ({100 * c['share']:.0f} %)" for c in cells)
        lines.append(f"| `{name}` | " + " | ".join(text) + " |")
    lines += ["", "| level of `correlated-sequential` | rejected at any look |", "| ---: | ---: |"]
    lines += [f"| {alpha} | {share:.4f} |" for alpha, share in found["spent"].items()]
    return "\n".join(lines)


def measure(races: int, seed: int = 1) -> dict[str, Any]:
    """Both tables, as data."""
    return {
        "races": races,
        "looks": looks(races, seed),
        "whole": whole(races, seed),
        "spent": spent(200 * races, seed),
    }


def main() -> None:
    """Measure, save and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--races", type=int, default=150)
    parser.add_argument("--small", action="store_true", help="few races, nothing is saved")
    given = parser.parse_args()
    found = measure(20 if given.small else given.races)
    if not given.small:
        RESULT.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(tables(found))


if __name__ == "__main__":
    main()
