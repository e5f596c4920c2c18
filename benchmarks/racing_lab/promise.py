"""Does the promise-keeping rule keep its promise, and at what price?

    python -m benchmarks.racing_lab.promise --races 10000

First, for each of many settings in which the best candidate is easily lost, the share of races in
which `bets` drops it at any of its looks, one after every instance, with its standard error. Then
the evaluations that it needs beside those of `f-test` and `sign` at a horizon of 100 instances, on
the same races, with the regret of each. Both tables are written into docs/evidence/rules.md.

The races of the first part are run hundreds at once by the rule's own functions; a test holds them
to `replay`, race by race.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from benchmarks import pages
from benchmarks.racing_lab.measure import Figure, races
from benchmarks.racing_lab.replay import Setting
from benchmarks.racing_lab.worlds import Normal, Synthetic, World
from racing.core.objective import Objective
from racing.rules import Bets, FTest, Rule, Sign
from racing.rules.bets import SIZES, focused, mixed, payer, shares

Floats = NDArray[np.float64]
RESULT = Path(__file__).parents[1] / "results" / "promise.json"
DOCUMENT = pages.EVIDENCE / "rules.md"
_BATCH = 250  # races at once


@dataclass(frozen=True)
class Null:
    """Worlds in which candidate 1 is as good as any, or better, in the sense of the promise.

    Attributes
    ----------
    draw
        (rng, races) → costs of shape (races, instances, candidates).
    why
        What makes it hard.
    rule, objective
        Who judges, by what.
    """

    draw: Callable[[np.random.Generator, int], Floats]
    why: str
    rule: Bets = field(default_factory=Bets)
    objective: Objective = "rank"


def _ahead(lead: float, noise: float, m: int = 40, n: int = 100) -> Callable[..., Floats]:
    """The first of m ahead of the rest, who are equal, under normal noise."""
    place = np.where(np.arange(m) == 0, -lead, 0.0)
    return lambda rng, races: place + noise * rng.standard_normal((races, n, m))


def _heavy(rng: np.random.Generator, races: int) -> Floats:
    return np.where(np.arange(40) == 0, -0.02, 0.0) + rng.standard_cauchy((races, 100, 40))


def _ties(rng: np.random.Generator, races: int) -> Floats:
    return rng.integers(0, 3, size=(races, 100, 40)).astype(np.float64)


def _timeouts(rng: np.random.Generator, races: int) -> Floats:
    """Cutoff at the median of hard instances: most are +inf there, few on easy ones."""
    hardness = 2 * rng.standard_normal((races, 100, 1))
    costs = hardness + rng.standard_normal((races, 100, 40))
    return np.where(costs > 0.5, np.inf, costs)


def _cycle(rng: np.random.Generator, races: int) -> Floats:
    """The first beats everybody half of the time; the others beat each other in a cycle."""
    shift = rng.integers(0, 12, size=(races, 100, 1))
    others = (np.arange(12) + shift) % 12 + 1.0
    coin = rng.choice([0.0, 99.0], size=(races, 100, 1))
    return np.concatenate([coin, others], axis=2)


def _lottery(rng: np.random.Generator, races: int) -> Floats:
    """The first is either by far the best or by far the worst, with all others at once."""
    costs = _ahead(0.0, 1.0)(rng, races)
    costs[:, :, 0] = rng.choice([-9.0, 9.0], size=(races, 100))
    return costs


def _finite(rng: np.random.Generator, races: int) -> Floats:
    """100 instances, each met once, on which every pair wins as often as it loses."""
    half = rng.standard_normal((races, 50, 40))
    both = np.concatenate([half, -half], axis=1)
    order = rng.permuted(np.tile(np.arange(100), (races, 1)), axis=1)
    return np.take_along_axis(both, order[:, :, None], axis=1)


def _means(rng: np.random.Generator, races: int) -> Floats:
    """Equal mean costs, though the first loses nine comparisons out of ten."""
    costs = np.full((races, 100, 20), 0.45)
    costs[:, :, 0] = np.where(rng.random((races, 100)) < 0.1, 0.0, 0.5)
    costs[:, :, 10:] = rng.random((races, 100, 10)) * 0.9
    return costs


SETTINGS = {
    "equal": Null(_ahead(0.0, 1.0), "40 equal candidates"),
    "near-null": Null(_ahead(0.02, 0.5), "the best of 40 ahead by .02 under noise .5"),
    "sparse": Null(_ahead(0.5, 1.0), "one good candidate among 40, ahead by half the noise"),
    "heavy": Null(_heavy, "Cauchy noise, the best of 40 ahead by .02"),
    "ties": Null(_ties, "three levels of cost only"),
    "timeouts": Null(_timeouts, "+inf above a cutoff, shared by many on hard instances"),
    "two": Null(_ahead(0.0, 1.0, m=2), "two equal candidates"),
    "short": Null(_ahead(0.0, 1.0, m=40, n=10), "ten instances"),
    "long": Null(_ahead(0.0, 1.0, m=10, n=1000), "a thousand instances, ten equal candidates"),
    "cycle": Null(_cycle, "rivals beat each other in a cycle; the best wins exactly half"),
    "lottery": Null(_lottery, "the best beats all or none"),
    "finite": Null(_finite, "a finite list, each instance once, all pairs even on it"),
    "mean": Null(_means, "equal mean costs, nine losses in ten", Bets(range=0.9), "mean"),
}


@dataclass(frozen=True)
class Found:
    """What came of races, one value each: evaluations, and whether the first was dropped."""

    evaluations: NDArray[np.intp]
    dropped: NDArray[np.bool_]


def drops(null: Null, *, races: int, seed: int, jobs: int = 1) -> Found:
    """Race over and over, asking the rule after every instance."""
    batches = range(math.ceil(races / _BATCH))
    found = Parallel(n_jobs=jobs)(
        delayed(_batch)(null, min(_BATCH, races - b * _BATCH), (seed, b)) for b in batches
    )
    return Found(*(np.concatenate(parts) for parts in zip(*found, strict=True)))


def _batch(null: Null, count: int, seed: tuple[int, int]) -> tuple[Floats, Floats]:
    """Races in step: what `replay` does with `Bets`, but that the leader of a race may leave."""
    costs = null.draw(np.random.default_rng(np.random.SeedSequence(seed)), count)
    rule, m = null.rule, costs.shape[2]
    width = rule.range if null.objective == "mean" else None
    alive = np.ones((count, m), dtype=bool)
    lost, stakes = np.zeros((count, m)), np.zeros((count, m, len(SIZES)))
    evaluations = np.zeros(count, dtype=np.intp)
    for t in range(costs.shape[1]):
        there = alive & (alive.sum(axis=1, keepdims=True) > 1)
        evaluations += there.sum(axis=1)
        row = np.where(there, costs[:, t], np.inf)
        pay = payer(row, width)
        y = pay(focused(lost, there, rule.focus))
        stakes += np.log1p(np.where(there, y, 0.0)[..., None] * SIZES)
        lost += np.where(there, pay(shares(there.astype(float))), 0.0)
        wealth = np.where(there, mixed(stakes), -np.inf)
        alive &= wealth < -math.log(rule.alpha)
    return evaluations, ~alive[:, 0]


def kept(count: int, seed: int, jobs: int) -> dict[str, dict[str, Any]]:
    """Setting → how often the best was dropped."""
    out: dict[str, dict[str, Any]] = {}
    for name, null in SETTINGS.items():
        begun = time.perf_counter()
        found = drops(null, races=count, seed=seed, jobs=jobs)
        rate = float(found.dropped.mean())
        out[name] = {
            "setting": null.why,
            "races": count,
            "alpha": null.rule.alpha,
            "dropped": rate,
            "error": math.sqrt(rate * (1 - rate) / count),
            "evaluations": float(found.evaluations.mean()),
        }
        print(f"{name:10} {rate:.4f} ± {out[name]['error']:.4f}  {null.why}"
              f"  ({time.perf_counter() - begun:.0f} s)", flush=True)  # fmt: skip
    return out


def _spread(rng: np.random.Generator, q: int) -> Floats:
    return rng.standard_normal(q)


def _normal(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
    return rng.standard_normal(shape)


def _student(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
    return rng.standard_t(2, size=shape)


@dataclass(frozen=True)
class Priced:
    """A world in which rules are compared, and how."""

    world: World
    setting: Setting = Setting()  # noqa: RUF009 (frozen)
    share: float = 1.0


WORLDS: Mapping[str, Priced] = {
    "uniform means, noise 1": Priced(Normal(q=30, rho=1.0, rows=100)),
    "uniform means, noise .3": Priced(Normal(q=30, rho=0.3, rows=100)),
    "normal means, instance effects": Priced(Synthetic(40, 100, _spread, _normal)),
    "normal means, heavy tails": Priced(Synthetic(40, 100, _spread, _student)),
    "Table 2 of Benavoli et al. (2015), q = 30, ρ = 1": Priced(
        Normal(q=30, rho=1.0, rows=1500), Setting(each_test=5), share=0.15
    ),
}
RIVALS: Mapping[str, Rule] = {
    "bets": Bets(),
    "bets, leader only": Bets(focus=100.0),
    "f-test": FTest(),
    "sign": Sign(),
}


def price(count: int, seed: int, jobs: int) -> dict[str, dict[str, dict[str, float]]]:
    """World → rule → evaluations, regret in rank, and how often the best was dropped."""
    out: dict[str, dict[str, dict[str, float]]] = {}
    for name, case in WORLDS.items():
        repetitions = max(round(count * case.share), 2)
        found = races(
            case.world, RIVALS, case.setting, repetitions=repetitions, seed=seed, jobs=jobs
        )
        out[name] = {
            rule: {
                f"{fact}{part}": value
                for fact in ("evaluations", "regret", "best_dropped")
                for figure in (Figure.of(facts[fact]),)
                for part, value in (("", figure.mean), ("_error", figure.error))
            }
            for rule, facts in found.items()
        }
        for rule in RIVALS:
            out[name][rule]["races"] = repetitions
        used = {rule: figures["evaluations"] for rule, figures in out[name].items()}
        ratios = ", ".join(f"{used['bets'] / used[r]:.2f} × {r}" for r in RIVALS if r != "bets")
        print(f"{name:32} bets {used['bets']:.0f} evaluations: {ratios}", flush=True)
    return out


def promise_table(found: Mapping[str, Any]) -> str:
    """How often the best was dropped, as a table in Markdown."""
    rows = [
        f"| {case['setting']} | {case['dropped']:.4f} ± {case['error']:.4f} |"
        for case in found["promise"].values()
    ]
    (races,) = {case["races"] for case in found["promise"].values()}
    (alpha,) = {case["alpha"] for case in found["promise"].values()}
    head = f"| setting, {races} races each | best dropped, α = {alpha} |"
    return "\n".join([head, "|---|---|", *rows])


def price_table(found: Mapping[str, Any]) -> str:
    """What the promise costs, as a table in Markdown."""
    head = "| world | rule | evaluations | regret in mean rank | best dropped |"
    rows = [
        f"| {world} | `{rule}` | {f['evaluations']:.0f} ± {f['evaluations_error']:.0f} "
        f"| {f['regret']:.2f} ± {f['regret_error']:.2f} "
        f"| {f['best_dropped']:.2f} ± {f['best_dropped_error']:.2f} |"
        for world, rules in found["price"].items()
        for rule, f in rules.items()
    ]
    return "\n".join([head, "|---|---|---|---|---|", *rows])


TABLES = {"promise": promise_table, "price-of-promise": price_table}


def filled(text: str, found: Mapping[str, Any]) -> str:
    """A document with its tables, which stand between marks, written anew."""
    return pages.put(text, {f"table: {name}": table(found) for name, table in TABLES.items()})


def main() -> None:
    """Run both parts, and save what they found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--races", type=int, default=10_000, help="for each setting")
    parser.add_argument("--priced", type=int, default=300, help="races for each world's price")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path, default=RESULT)
    given = parser.parse_args()
    found = {
        "seed": given.seed,
        "promise": kept(given.races, given.seed, given.jobs),
        "price": price(given.priced, given.seed, given.jobs),
    }
    given.out.parent.mkdir(parents=True, exist_ok=True)
    given.out.write_text(json.dumps(found, indent=1) + "\n")
    if given.out == RESULT:
        DOCUMENT.write_text(filled(DOCUMENT.read_text("utf-8"), found), encoding="utf-8")


if __name__ == "__main__":
    main()
