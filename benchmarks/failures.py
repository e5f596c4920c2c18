"""What a failure should count as: `python -m benchmarks.failures [--half report] [--runs N]`.

Races and searches over worlds whose runs fail now and then, by each policy of `on_failure`. Either
failures do not depend on the candidate: any run fails with the same chance. Or some candidates fail
more often than others: in races the one with the lowest mean cost, and in searches one half of the
space,
whose cost is a little lower. The truth about a candidate is its mean cost, plus its chance to fail
times the range of mean costs. The policy was chosen by the half `tune`, and `report` has other
noise, sizes and shares. Each number is the regret of the winner in per cent of that range, with its
standard error, and behind it how often the winner was as good as the best or, in searches, how
often it was better than the default.
"""

from __future__ import annotations

import argparse
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

import racing
from racing.space import Categorical, Real, Space

INSTANCES = 60
POLICIES: dict[str, Any] = {"worst": "worst", "rate": "rate", "penalty": {"penalty": 3.0}}
SPACE = Space(
    {
        **{name: Real(0, 1, default=0.8) for name in "xyz"},
        "risky": Categorical(("no", "yes"), default="no"),
    }
)


@dataclass(frozen=True)
class World:
    """Costs of an instance, a candidate and noise, between about 0 and 1, and failures.

    Attributes
    ----------
    rare
        The chance that any run fails.
    fault
        The further chance that a run of a risky candidate fails.
    size
        The number of candidates of a race; what a search may evaluate is 60 for each.
    skewed
        Whether the noise is lognormal.
    """

    rare: float
    fault: float = 0.0
    size: int = 10
    skewed: bool = False

    def cost(self, mean: float, risky: bool, name: str, step: int, seed: int) -> float:
        """What one run costs; inf if it fails."""
        shared = np.random.default_rng((seed, step))
        own = np.random.default_rng((seed, step, zlib.crc32(name.encode())))
        draw = own.standard_normal()
        noise = np.exp(draw) - np.exp(0.5) if self.skewed else draw
        if own.random() < self.rare + risky * self.fault:
            return np.inf
        return mean + shared.standard_normal() + 0.3 * noise

    def __str__(self) -> str:
        fault = f", one's {self.fault:.0%}" if self.fault else ""
        return f"{self.rare:.0%}{fault}"


HALVES = {
    "tune": [
        *(World(rare) for rare in (0.0, 0.01, 0.03, 0.1)),
        *(World(0.0, fault) for fault in (0.2, 0.5, 1.0)),
        World(0.03, 0.2),
        World(0.03, 0.5),
    ],
    "report": [
        *(World(rare, size=size, skewed=True) for rare in (0.03, 0.1) for size in (4, 20)),
        *(World(0.0, fault, size, True) for fault, size in ((0.3, 4), (0.3, 20), (1.0, 4))),
        *(World(0.02, fault, size, True) for fault, size in ((0.3, 20), (0.7, 4))),
    ],
}


def race(world: World, policy: Any, seed: int, objective: str) -> tuple[float, bool]:
    """The regret of a race's winner, and whether it is the best."""
    means = np.sort(np.random.default_rng((seed, 1)).random(world.size))
    means = (means - means[0]) / np.ptp(means)
    order = np.random.default_rng((seed, 2)).permutation(world.size)
    run = racing.Race(
        [{"j": int(j)} for j in order], range(INSTANCES), budget=20 * world.size, seed=seed,
        objective=objective, on_failure=policy,  # type: ignore[arg-type]
    )  # fmt: skip
    for one in run:
        j = one.candidate.values["j"]
        cost = world.cost(means[j], j == 0, f"{j}", one.instance.step, seed)
        run.tell(one, float(cost))
    truth = means + world.fault * (np.arange(world.size) == 0)
    if run.winner is None:
        return 1.0, False
    regret = float(truth[run.winner.values["j"]] - truth.min())
    return regret, regret == 0


def search(
    world: World, policy: Any, seed: int, kind: Callable[..., Any] = racing.Search
) -> tuple[float, bool]:
    """The regret of a search's winner, and whether it is better than the default."""
    best = np.random.default_rng((seed, 1)).random(3)
    found = kind(SPACE, range(600), budget=60 * world.size, seed=seed, on_failure=policy)

    def mean(values: Mapping[str, Any]) -> float:
        away = np.array([values[name] for name in "xyz"]) - best
        return float((away**2).mean() * 2 - 0.05 * (values["risky"] == "yes"))

    def truth(values: Mapping[str, Any]) -> float:
        return mean(values) + world.fault * (values["risky"] == "yes")

    for one in found:
        values = one.candidate.values
        name, risky = repr(sorted(values.items())), values["risky"] == "yes"
        found.tell(one, float(world.cost(mean(values), risky, name, one.instance.step, seed)))
    if found.winner is None:
        return 1.0, False
    least = min(0.0, world.fault - 0.05)
    default = dict.fromkeys("xyz", 0.8) | {"risky": "no"}
    own = truth(found.winner.values)
    return own - least, own < truth(default)


KINDS: dict[str, Callable[[World, Any, int], tuple[float, bool]]] = {
    "race by mean": lambda *given: race(*given, "mean"),
    "race by rank": lambda *given: race(*given, "rank"),
    "search": search,
    "iterated racing": lambda *given: search(*given, racing.IteratedRacing),
}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--half", choices=HALVES, default="report")
    parser.add_argument("--runs", type=int, default=100, help="of each; searches take a fourth")
    parser.add_argument("--kind", choices=KINDS, help="only this one")
    args = parser.parse_args()
    print(
        f"| | fail | candidates | {' | '.join(POLICIES)} |\n|---|---|---|{'---|' * len(POLICIES)}"
    )
    for kind, run in KINDS.items():
        for world in HALVES[args.half] if args.kind in (None, kind) else ():
            seeds = range(args.runs if "by" in kind else max(args.runs // 4, 2))
            cells = []
            for policy in POLICIES.values():
                found = np.array([run(world, policy, seed) for seed in seeds])
                mean, error = found[:, 0].mean(), found[:, 0].std() / len(found) ** 0.5
                cells.append(f"{100 * mean:.1f} ± {100 * error:.1f}, {found[:, 1].mean():.0%}")
            print(f"| {kind} | {world} | {world.size} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
