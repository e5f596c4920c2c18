"""The same budget for every rule: who has the least regret at 1.5 to 40 evaluations a candidate?

Horizon 100 instances, a look after every one, from the first on for rules that divide a budget and
from the fifth on for tests. All rules meet the same samples, and a test, which does not look at the
budget, is raced once: what it had come to when each budget was used up is read off that race.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from benchmarks.racing_lab.contenders import DEFAULT
from benchmarks.racing_lab.families import Family, chosen
from benchmarks.racing_lab.heavy import with_timeouts
from benchmarks.racing_lab.measure import Figure
from benchmarks.racing_lab.replay import Idle, Replay, Setting, all_differ_from, replay
from benchmarks.racing_lab.saved import Row, load, save, versions
from benchmarks.racing_lab.worlds import Floats, Sample, Synthetic, World
from racing.core.objective import Objective, standing
from racing.core.results import Results
from racing.rules import (
    Auto,
    FTest,
    MeanRanks,
    Outlook,
    Rule,
    Sign,
    SuccessiveHalving,
    SuccessiveRejects,
    TTest,
    Wilcoxon,
)
from racing.rules.auto import weighs_evidence
from racing.rules.plan import places

BUDGETS = (1.5, 3, 6, 10, 20, 40)
"""Evaluations per candidate."""

HORIZON = 100
"""Instances at most."""

DIVIDING: dict[str, Rule] = {
    DEFAULT: Auto(),
    "auto, frugal": Auto(frugal=True),
    "successive-halving": SuccessiveHalving(),
    "successive-rejects": SuccessiveRejects(),
}
"""Rules that go by the budget."""

TESTING: dict[str, Rule] = {
    "f-test": FTest(),
    "t-test": TTest(),
    "wilcoxon": Wilcoxon(),
    "sign": Sign(),
    "mean-ranks": MeanRanks(),
}
"""Rules that do not look at it."""

VARIANTS = ("auto, frugal",)
"""Not held against the default: other wishes."""

Found = dict[tuple[str, float], tuple[float, float, float]]
"""(rule, budget) → normalised regret, unspent share, share spent on equals."""


@dataclass(frozen=True)
class Doubled:
    """A world in which every candidate has a twin: the same costs, whatever the instance."""

    world: World

    def sample(self, rng: np.random.Generator) -> Sample:
        """Two of each, in random order."""
        one = self.world.sample(rng)
        which = rng.permutation(np.repeat(np.arange(one.costs.shape[1]), 2))
        return Sample(
            np.ascontiguousarray(one.costs[:, which]),
            one.mean[which],
            one.rank[which],
            lambda i, j: one.alike(int(which[i]), int(which[j])),
        )


def families() -> list[Family]:
    """The matrices and synthetic worlds, and two more; the paper's need longer horizons."""
    made = [family for family in chosen() if family.kind != "paper"]
    normal = next(family for family in made if family.name == "normal")
    assert isinstance(normal.world, Synthetic)
    doubled = Doubled(replace(normal.world, q=20))
    lone = replace(normal.world, q=100, means=_one_better)
    return [
        *made,
        *with_timeouts(),
        Family("doubles", "synthetic", "report", doubled, normal.setting),
        Family("one of 100", "synthetic", "report", lone, normal.setting),
    ]


def _one_better(rng: np.random.Generator, q: int) -> Floats:
    """All alike but for one that is half a standard deviation of the noise ahead."""
    means = np.zeros(q)
    means[rng.integers(q)] = -0.5
    return means


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
    """Race, and save after each case, so that what was done is there if it is stopped.

    Parameters
    ----------
    races, jobs, seed
        Races a case, at how many at once, from which seed.
    command
        What makes the table again.
    case
        Only cases of which the name, with the half that they belong to, contains this; the rows of
        others stay in the file.
    only
        Only these rules; the default always takes part.
    small
        Over 12 candidates at most.
    """
    there = case and (folder / "budgets.json").exists()
    rows = list(load("budgets", folder).rows) if there else []
    for family in families():
        for objective in ("rank", "mean"):
            name = f"{family.name} · {objective}"
            if case not in f"{name} · {family.half}":
                continue
            seeds = np.random.SeedSequence(seed).generate_state(races)
            found = list(
                Parallel(n_jobs=jobs)(
                    delayed(one_race)(
                        family.world, objective, int(s), only=only, candidates=12 if small else None
                    )
                    for s in seeds
                )
            )
            old = (row for row in rows if _case(row) != (family.name, objective))
            rows = [*old, *_rows(family, objective, found)]
            folder.mkdir(parents=True, exist_ok=True)
            save("budgets", _about(command, races, seed), rows, folder)
            print(f"budgets: {name}", flush=True)


def _case(row: Row) -> tuple[str, str]:
    return row["benchmark"], row["objective"]


def _about(command: str, races: int, seed: int) -> dict[str, object]:
    rules = {name: repr(rule) for name, rule in (DIVIDING | TESTING).items()}
    return {
        "table": "budgets",
        "command": command,
        "races": races,
        "seed": seed,
        "versions": versions(),
        "parameters": rules,
    }


def one_race(
    world: World,
    objective: Objective,
    seed: int,
    *,
    only: Collection[str] | None = None,
    dividing: Mapping[str, Rule] = DIVIDING,
    candidates: int | None = None,
    each: int | str | None = None,
) -> Found:
    """One sample, raced by every rule at every budget, with a look after every `each`."""
    sample = world.sample(np.random.default_rng(seed))
    costs = sample.costs[:HORIZON, :candidates]
    truth, apart = sample.truth(objective)[:candidates], all_differ_from(costs)
    found: Found = {}
    for budget in BUDGETS:
        evaluations = int(budget * costs.shape[1])
        for name, rule in _taking_part(dividing, only):
            how = Setting(
                objective=objective, first_test=None, each_test=each, evaluations=evaluations
            )
            idle = idle_of(rule, costs.shape, evaluations)
            race = replay(costs, rule, how, seed=seed, timed=False, idle=idle, apart=apart)
            alive = alive_of(race, costs.shape[1])[: race.instances]
            found[name, budget] = _facts(truth, costs, race.winner, alive, evaluations)
    most = Setting(
        objective=objective, each_test=each or 1, evaluations=int(BUDGETS[-1] * costs.shape[1])
    )
    for name, rule in _taking_part(TESTING, only):
        race = replay(costs, rule, most, seed=seed, timed=False)
        alive = alive_of(race, costs.shape[1])
        for budget in BUDGETS:
            evaluations = int(budget * costs.shape[1])
            winner, seen = _when_used_up(costs, alive[: race.instances], evaluations, objective)
            found[name, budget] = _facts(truth, costs, winner, seen, evaluations)
    return found


def idle_of(rule: Rule, shape: tuple[int, ...], evaluations: int) -> Idle | None:
    """When a rule that divides a budget is known to drop nobody, so that it need not be asked."""
    rows, q = shape

    def idle(n: int, k: int, outlook: Outlook) -> bool:
        if isinstance(rule, Auto):
            left, ahead = outlook.affordable, outlook.instances
            room = places(k, n=n, evaluations=left, instances=ahead)
            return room >= k and not weighs_evidence(n, outlook.since) and not rule.frugal
        assert isinstance(rule, SuccessiveHalving | SuccessiveRejects)
        return rule.places(q, n=n, evaluations=evaluations, instances=rows) >= k

    return idle


def _taking_part(
    rules: Mapping[str, Rule], only: Collection[str] | None
) -> Iterator[tuple[str, Rule]]:
    return ((n, r) for n, r in rules.items() if not only or n in only or n == DEFAULT)


def alive_of(race: Replay, candidates: int) -> NDArray[np.bool_]:
    """(instances + 1, candidates) who was in the race when each instance began, and at the end."""
    alive = np.ones((race.instances + 1, candidates), dtype=bool)
    for instances, gone in race.dropped:
        alive[instances:, gone.candidate - 1] = False
    return alive


def _when_used_up(
    costs: NDArray[np.float64],
    alive: NDArray[np.bool_],
    evaluations: int,
    objective: Objective,
) -> tuple[int, NDArray[np.bool_]]:
    """Who won a race that this budget ended, and who saw which instance."""
    n = int(np.searchsorted(alive.sum(axis=1).cumsum(), evaluations, side="right"))
    seen = np.where(alive[:n], costs[:n], np.nan)
    left = alive[min(n, len(alive) - 1)]
    results = Results(seen, alive[:n], tuple(range(1, costs.shape[1] + 1)), np.flatnonzero(left))
    return int(np.flatnonzero(left)[standing(results, objective)[0]]), alive[:n]


def _facts(
    truth: NDArray[np.float64],
    costs: NDArray[np.float64],
    winner: int,
    alive: NDArray[np.bool_],
    evaluations: int,
) -> tuple[float, float, float]:
    spent = int(alive.sum())
    _, first = np.unique(costs, axis=1, return_index=True)
    twins = np.setdiff1d(np.arange(costs.shape[1]), first)
    regret = float(truth[winner] - truth.min()) / (float(np.ptp(truth)) or 1.0)
    return (
        regret,
        1 - spent / min(evaluations, costs.size),
        float(alive[:, twins].sum()) / max(spent, 1),
    )


def _rows(family: Family, objective: Objective, found: list[Found]) -> Iterator[Row]:
    """One row a rule and budget; differences are paired, to the default at the same budget."""
    for name, budget in found[0]:
        values = np.array([one[name, budget] for one in found])
        ours = np.array([one[DEFAULT, budget] for one in found])
        regret, difference = Figure.of(values[:, 0]), Figure.of(values[:, 0] - ours[:, 0])
        yield {
            "benchmark": family.name,
            "half": family.half,
            "objective": objective,
            "budget": budget,
            "rule": name,
            "races": len(found),
            "regret": _plain(regret.mean),
            "regret_se": _plain(regret.error),
            "difference": _plain(difference.mean),
            "difference_se": _plain(difference.error),
            "unspent": _plain(float(values[:, 1].mean())),
            "on_equals": _plain(float(values[:, 2].mean())),
        }


def _plain(value: float) -> float | None:
    """Five digits; nothing where there is no number, which JSON cannot say."""
    return float(f"{value:.5g}") if np.isfinite(value) else None


# --- what the table says --------------------------------------------------------------------


def averaged(rows: list[Row], rule: str, budget: float) -> Mapping[str, float]:
    """Over cells: regret, its difference to the default, both in %, and shares."""
    cells = [row for row in rows if (row["rule"], row["budget"]) == (rule, budget)]
    errors = np.array([row["difference_se"] or 0.0 for row in cells])
    return {
        "regret": 100 * float(np.mean([row["regret"] for row in cells])),
        "difference": 100 * float(np.mean([row["difference"] for row in cells])),
        "difference_se": 100 * float(np.sqrt((errors**2).sum()) / len(cells)),
        "unspent": float(np.mean([row["unspent"] for row in cells])),
        "on_equals": float(np.mean([row["on_equals"] for row in cells])),
    }


def beaten(rows: list[Row]) -> tuple[int, int]:
    """In how many single cells some rule has less regret beyond two standard errors; of how many.

    A cell is a world, an objective and a budget. Near the null there is nothing to be gained.
    """
    cells: dict[tuple[str, str, float], bool] = {}
    for row in rows:
        if row["rule"] != DEFAULT and row["rule"] not in VARIANTS:
            key = (row["benchmark"], row["objective"], row["budget"])
            less = row["difference"] < -2 * (row["difference_se"] or 0.0)
            cells[key] = cells.get(key, False) or less
    return sum(cells.values()), len(cells)


def rows_of(folder: Path, half: str) -> list[Row]:
    """The rows of one half."""
    return [row for row in load("budgets", folder).rows if row["half"] == half]
