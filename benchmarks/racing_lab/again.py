"""Do the older tables still hold? Their races are run again, and held against what they came to.

The tables `matrices` and `synthetic` keep what every race came to. The first of these are run again
with the present code; differences are paired, race by race.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from benchmarks.racing_lab import measure
from benchmarks.racing_lab.experiments import Case, matrices, synthetic
from benchmarks.racing_lab.measure import Figure
from benchmarks.racing_lab.saved import RESULTS, Row, Saved, load, save, versions

TABLES = {"matrices": matrices, "synthetic": synthetic}

RULES = ("auto", "f-test", "t-test", "wilcoxon", "sign", "mean-ranks", "bayes")
"""Those that take part if nothing else is said: they are quick."""

RACES = 20


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
    """Race again, and save after each case; arguments as those of the table by budget.

    With `small`, the first case of each table.
    """
    rows: list[Row] = []
    for table, cases in TABLES.items():
        then = load(table, RESULTS)
        for one in [one for one in cases() if case in one.name][: 1 if small else None]:
            chosen = {name: c for name, c in one.contenders.items() if name in (only or RULES)}
            found = measure.races(
                one.world, chosen, one.setting, repetitions=races, seed=seed, jobs=jobs
            )
            rows += [_row(table, one, then, rule, facts) for rule, facts in found.items()]
            folder.mkdir(parents=True, exist_ok=True)
            about = {"table": "again", "command": command, "races": races, "seed": seed}
            save("again", about | {"versions": versions()}, rows, folder)
            print(f"again: {table}: {one.name}", flush=True)


def _row(table: str, case: Case, then: Saved, rule: str, facts: measure.Facts) -> Row:
    """What the races of a rule came to then and now; regret in per cent, as it is normalised."""
    races = len(facts["regret"])
    old = {fact: then.each(case.name, rule, fact)[:races] for fact in ("evaluations", "regret")}
    scale = 100 * _normalising(then, case, rule)
    more = Figure.of(scale * (facts["regret"] - old["regret"]))
    spent = Figure.of(facts["evaluations"] / old["evaluations"] - 1)
    return {
        "table": table,
        **case.labels,
        "rule": rule,
        "races": races,
        "regret": round(scale * float(facts["regret"].mean()), 3),
        "regret_then": round(scale * float(old["regret"].mean()), 3),
        "difference": round(more.mean, 3),
        "difference_se": round(more.error, 3),
        "evaluations": round(spent.mean, 4),
        "evaluations_se": round(spent.error, 4),
    }


def _normalising(then: Saved, case: Case, rule: str) -> float:
    """What regret is multiplied by to be normalised, on average over the races of then."""
    (row,) = (r for r in then.rows if (r["case"], r["rule"]) == (case.name, rule))
    return float(row["normalised"] / row["regret"]) if row["regret"] else 0.0
