"""Budgets on yes-or-no outcomes, few levels of cost and rare failures: who has the least regret?

2 to 50 evaluations per candidate, up to 1000 instances, a look after every one. All rules meet the
same samples. Regret is in points: hundredths of the cost, so per cent of right answers.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed

from benchmarks.racing_lab.bandits import ContinuousRejects, ucb
from benchmarks.racing_lab.budgets import alive_of, idle_of
from benchmarks.racing_lab.contenders import DEFAULT
from benchmarks.racing_lab.families import Family
from benchmarks.racing_lab.levels import families
from benchmarks.racing_lab.measure import Figure
from benchmarks.racing_lab.replay import Setting, all_differ_from, replay
from benchmarks.racing_lab.saved import Row, load, save, versions
from benchmarks.racing_lab.worlds import Floats
from racing.core.objective import standing
from racing.core.results import Results
from racing.rules import Auto, Outlook, Rule, SuccessiveHalving, SuccessiveRejects, Verdict
from racing.rules.plan import LAST

BUDGETS = (2, 5, 10, 20, 50)
"""Evaluations per candidate."""

RACES = 200

TOGETHER = 10
"""Races of each world before what they came to is saved."""

UNIFORM, UCB = "uniform", "ucb"


@dataclass(frozen=True, kw_only=True)
class ToTheEnd(Auto):
    """The default rule, but that the last two race for as long as both can be paid for."""

    def __call__(self, results: Results, outlook: Outlook, rng: np.random.Generator) -> Verdict:
        """What the default says, without the elimination of the last rival."""
        said = super().__call__(results, outlook, rng)
        left = len(results.survivors) - len(said.eliminated)
        if left >= LAST or outlook.affordable < LAST:
            return said
        rival = results.id(int(standing(results, outlook.objective)[1]))
        return replace(said, eliminated=tuple(e for e in said.eliminated if e.candidate != rival))


RULES: dict[str, Rule] = {
    DEFAULT: Auto(),
    "successive-halving": SuccessiveHalving(),
    "successive-rejects": SuccessiveRejects(),
    "continuous-rejects": ContinuousRejects(),
}
GROWTH = "25%"
GROWING = f", looks at {GROWTH}"
"""What the names of rules with looks at growing distances end in."""

TO_THE_END = "auto, to the end"
PLAIN = (*RULES, UNIFORM, UCB)
NAMES = (*PLAIN, TO_THE_END, *(name + GROWING for name in RULES))

FACTS = ("regret", "difference", "unspent")

Found = dict[tuple[str, float], tuple[float, float]]
"""(rule, budget) → regret in points, unspent share."""


def main(
    folder: Path,
    *,
    races: int,
    jobs: int,
    seed: int,
    command: str,
    case: str = "",
    only: Collection[str] | None = None,
    small: bool = False,
) -> None:
    """Race ten times in each world, save, and go on: it can be stopped at any time.

    Arguments are as those of the table by budget.
    """
    there = case and (folder / "answers.json").exists()
    rows = list(load("answers", folder).rows) if there else []
    chosen = [family for family in families() if case in f"{family.name} · {family.half}"]
    seeds = [int(one) for one in np.random.SeedSequence(seed).generate_state(races)]
    budgets = BUDGETS[:2] if small else BUDGETS
    found: dict[str, list[Found]] = {family.name: [] for family in chosen}
    for first in range(0, races, TOGETHER):
        for family in chosen:
            found[family.name] += Parallel(n_jobs=jobs)(
                delayed(one_race)(family, one, only=only, budgets=budgets)
                for one in seeds[first : first + TOGETHER]
            )
        new = [row for family in chosen for row in _rows(family, found[family.name])]
        folder.mkdir(parents=True, exist_ok=True)
        about = {"table": "answers", "command": command, "races": races, "seed": seed}
        save("answers", about | {"versions": versions()}, replaced(rows, new, only), folder)
        print(f"answers: {min(first + TOGETHER, races)} races in each world", flush=True)


def replaced(old: list[Row], new: list[Row], only: Collection[str] | None) -> list[Row]:
    """The rows with new ones in their place; of rules that were not asked for, the old ones stay.

    The default is always raced, so that differences are paired.
    """

    def cell(row: Row) -> tuple[str, str, float]:
        return row["benchmark"], row["rule"], row["budget"]

    there = {cell(row) for row in old}
    taken = [row for row in new if not only or row["rule"] in only or cell(row) not in there]
    done = {cell(row) for row in taken}
    return [row for row in old if cell(row) not in done] + taken


def one_race(
    family: Family,
    seed: int,
    *,
    only: Collection[str] | None = None,
    budgets: Collection[float] = BUDGETS,
) -> Found:
    """One sample, raced by every rule at every budget."""
    sample = family.world.sample(np.random.default_rng(seed))
    behind, apart = 100 * (sample.mean - sample.mean.min()), all_differ_from(sample.costs)
    found: Found = {}
    for budget in budgets:
        evaluations = int(budget * len(behind))
        for name in NAMES:
            if not only or {name, name + GROWING} & {*only} or name == DEFAULT:
                winner, spent = _raced(name, sample.costs, evaluations, seed, apart)
                found[name, budget] = float(behind[winner]), 1 - spent / evaluations
    return found


def _raced(name: str, costs: Floats, evaluations: int, seed: int, apart: int) -> tuple[int, int]:
    """Who won, and after how many evaluations."""
    if name == UNIFORM:
        seen = costs[: evaluations // costs.shape[1]]
        return int(seen.mean(axis=0).argmin()), seen.size
    if name == UCB:
        winner, met = ucb(costs, evaluations)
        return winner, int(met.sum())
    rule = ToTheEnd() if name == TO_THE_END else RULES[name.removesuffix(GROWING)]
    each = GROWTH if name.endswith(GROWING) else None
    how = Setting(objective="mean", first_test=None, each_test=each, evaluations=evaluations)
    planned = isinstance(rule, Auto | SuccessiveHalving | SuccessiveRejects)
    idle = idle_of(rule, costs.shape, evaluations) if planned else None
    race = replay(costs, rule, how, seed=seed, timed=False, idle=idle, apart=apart)
    return race.winner, int(alive_of(race, costs.shape[1])[: race.instances].sum())


def _rows(family: Family, found: list[Found]) -> list[Row]:
    """One row a rule and budget; differences are paired, to the `base` at the same budget."""
    rows = []
    for name, budget in found[0]:
        values = np.array([one[name, budget] for one in found])
        ours = np.array([one[base(name), budget] for one in found])
        regret, difference = Figure.of(values[:, 0]), Figure.of(values[:, 0] - ours[:, 0])
        rows.append(
            {
                "benchmark": family.name,
                "half": family.half,
                "budget": budget,
                "rule": name,
                "races": len(found),
                "regret": round(regret.mean, 4),
                "regret_se": round(regret.error, 4),
                "difference": round(difference.mean, 4),
                "difference_se": round(difference.error, 4),
                "unspent": round(float(values[:, 1].mean()), 4),
            }
        )
    return rows


def base(name: str) -> str:
    """What a rule is held against: the default, or with growing looks itself with a look each."""
    return name.removesuffix(GROWING) if name.endswith(GROWING) else DEFAULT


# --- what the table says --------------------------------------------------------------------


def averaged(rows: list[Row], size: str, rule: str, budget: float) -> Mapping[str, float]:
    """Over the worlds with so many candidates: regret, its difference to the `base`, and shares."""
    cells = [
        row
        for row in rows
        if row["benchmark"].endswith(f", {size}") and (row["rule"], row["budget"]) == (rule, budget)
    ]
    errors = np.array([row["difference_se"] for row in cells])
    means = {fact: float(np.mean([row[fact] for row in cells])) for fact in FACTS}
    return means | {"difference_se": float(np.sqrt((errors**2).sum()) / len(cells))}


def ahead(rows: list[Row]) -> list[Row]:
    """The rows in which another rule has less regret than the default, by two standard errors."""
    return [
        row
        for row in rows
        if row["rule"] in PLAIN and row["difference"] < -2 * row["difference_se"]
    ]
