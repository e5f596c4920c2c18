"""Searches in scikit-learn: what they spend, and how good their choice is on fresh data.

    python -m benchmarks.sklearn_search [--seeds 3] [--live 1] [--tables PATH] [--small]

Nine data sets × three pipelines of 60 candidates, ten folds repeated three times (see
`benchmarks.sklearn_tables`). Searches over folds read their fits from a table of all fits: the full
grid, `RaceSearchCV`'s race with each rule, and Optuna with its WilcoxonPruner (where it is
installed; ties are broken by a jitter of 1e-9, as SciPy permutes where there are any).
Searches by halving fit subsamples, so they run live, with five folds, for the first `--live` seeds.
Their cost counts a fit on half of the data as half a fit.

For each method: fits and work as shares of the grid's; the regret of the choice in points of
accuracy, by the mean of all folds; and the accuracy of the refitted choice on data that no fold
has, less that of the grid's choice. Then the methods are compared over the 27 problems by
`racing.compare`.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import sklearn_tables
from benchmarks.sklearn_tables import FOLDS, Table, folds, load, make_all, pipelines, save, split
from racing.race import Race
from racing.sklearn.folds import instances_of, splits_of
from racing.sklearn.search import FIRST_TEST

RESULT = Path(__file__).parent / "results" / "sklearn_search.json"
RULES: dict[str, dict[str, Any]] = {
    "auto": {"rule": "auto"},
    "auto, effort high": {"rule": {"name": "auto", "effort": "high"}},
    "auto, independent": {"rule": "auto", "grouped": False},
    "correlated-t": {"rule": "correlated-t"},
    "correlated-bayes": {"rule": "correlated-bayes"},
    "correlated-sequential": {"rule": "correlated-sequential"},
    "f-test": {"rule": "f-test"},
    "t-test": {"rule": "t-test"},
    "sign": {"rule": "sign"},
    "auto, 20 % of the fits": {"rule": "auto", "budget": 0.2},
    "successive-halving, 20 %": {"rule": "successive-halving", "budget": 0.2},
}


@dataclass(frozen=True)
class Choice:
    """What a search came to.

    Attributes
    ----------
    fits, work
        How many fits, and the same weighted by their share of the samples.
    regret
        By how much the choice's mean over all folds is below the best, in accuracy.
    test
        Accuracy of the refitted choice on fresh data.
    """

    method: str
    data: str
    pipeline: str
    seed: int
    fits: int
    work: float
    regret: float
    test: float


def outcome(method: str, table: Table, best: int, fits: int, work: float | None = None) -> Choice:
    """A choice, with what the table says of it."""
    means = table.scores.mean(axis=1)
    return Choice(
        method, table.data, table.pipeline, table.seed, fits,
        float(fits if work is None else work), float(means.max() - means[best]),
        float(table.test[best]),
    )  # fmt: skip


def grid(table: Table) -> Choice:
    """Every candidate on every fold."""
    best = int(table.scores.mean(axis=1).argmax())
    return outcome("GridSearchCV", table, best, table.scores.size)


def race(
    name: str, table: Table, *, rule: Any, grouped: bool = True, budget: float | None = None
) -> Choice:
    """The race of `RaceSearchCV`, told what the table has."""
    from dataclasses import replace

    m, n = table.scores.shape
    X, y, *_ = split(table.data, table.seed)
    splits = splits_of(folds(table.seed), X, y, {})
    instances = instances_of(splits, np.random.default_rng(table.seed))
    instances = instances if grouped else replace(instances, groups=())
    found = Race(
        [{"candidate": j} for j in range(m)],
        instances,
        rule=rule,
        objective="mean",
        direction="maximize",
        first_test=None if budget else min(FIRST_TEST, n),
        budget=None if budget is None else int(budget * m * n),
    )
    for experiment in found:
        place = int(experiment.candidate.values["candidate"]), int(experiment.instance.problem)  # type: ignore[arg-type, call-overload]
        found.tell(experiment, float(table.scores[place]))
    best = found.winner
    assert best is not None
    return outcome(name, table, best.id - 1, found.outcomes)


def optuna_wilcoxon(table: Table) -> Choice:
    """Optuna's random order of the grid, each trial pruned by signed ranks against the best."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    m, n = table.scores.shape
    rng = np.random.default_rng(table.seed)
    costs = -table.scores + 1e-9 * rng.normal(size=table.scores.shape)
    order = [rng.permutation(n) for _ in range(m)]
    fits = 0

    def objective(trial: Any) -> float:
        nonlocal fits
        j = trial.suggest_int("candidate", 0, m - 1)
        seen = []
        for fold in order[0]:
            seen.append(costs[j, fold])
            fits += 1
            trial.report(costs[j, fold], int(fold))
            if trial.should_prune():
                return float(np.mean(seen))
        return float(np.mean(seen))

    sampler = optuna.samplers.GridSampler({"candidate": list(range(m))}, seed=table.seed)
    pruner = optuna.pruners.WilcoxonPruner(p_threshold=0.1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        study = optuna.create_study(sampler=sampler, pruner=pruner)
        study.optimize(objective, n_trials=m)
    return outcome("Optuna, WilcoxonPruner", table, study.best_params["candidate"], fits)


def halving(table: Table, kind: str) -> Choice:
    """Scikit-learn's halving over subsamples, five folds; run live."""
    from sklearn.experimental import enable_halving_search_cv  # noqa: F401
    from sklearn.model_selection import HalvingGridSearchCV, HalvingRandomSearchCV, StratifiedKFold
    from sklearn.preprocessing import StandardScaler

    X, y, *_ = split(table.data, table.seed)
    pipeline = pipelines()[table.pipeline]
    space = {name: list(values) for name, values in pipeline.grid.items()}
    cv = StratifiedKFold(5, shuffle=True, random_state=table.seed)
    options = {"cv": cv, "refit": False, "random_state": table.seed}
    search: Any = {
        "HalvingGridSearchCV": lambda: HalvingGridSearchCV(pipeline.make(), space, **options),
        "HalvingRandomSearchCV": lambda: HalvingRandomSearchCV(pipeline.make(), space, **options),
    }[kind]()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        search.fit(StandardScaler().fit_transform(X), y)
    best = pipeline.settings().index(search.best_params_)
    used = [(k, r) for k, r in zip(search.n_candidates_, search.n_resources_, strict=True)]
    fits = sum(5 * k for k, _ in used)
    share = sum(5 * k * r / len(y) for k, r in used)
    return outcome(kind, table, best, fits, share)


def methods(live: bool) -> dict[str, Callable[[Table], Choice]]:
    """Every method by name."""
    found: dict[str, Callable[[Table], Choice]] = {"GridSearchCV": grid}
    for name, options in RULES.items():
        found[f"RaceSearchCV, {name}"] = lambda t, n=name, o=options: race(
            f"RaceSearchCV, {n}", t, **o
        )
    try:
        import optuna  # noqa: F401

        found["Optuna, WilcoxonPruner"] = optuna_wilcoxon
    except ImportError:
        pass
    if live:
        for kind in ("HalvingGridSearchCV", "HalvingRandomSearchCV"):
            found[kind] = lambda t, k=kind: halving(t, k)
    return found


def measure(tables: Iterable[Table], live: int) -> list[Choice]:
    """What every method comes to on every table."""
    return [run(table) for table in tables for run in methods(table.seed <= live).values()]


@dataclass(frozen=True)
class Row:
    """A method over all problems: means, each with its standard error."""

    method: str
    problems: int
    fits: tuple[float, float]
    work: tuple[float, float]
    regret: tuple[float, float]
    test: tuple[float, float]
    worst: float


def rows(choices: list[Choice]) -> list[Row]:
    """Shares of the grid's fits, regret, and test accuracy less the grid's, in points."""
    base = {_place(c): c for c in choices if c.method == "GridSearchCV"}
    out = []
    for method in dict.fromkeys(c.method for c in choices):
        own = [c for c in choices if c.method == method]
        against = [base[_place(c)] for c in own]
        pairs = list(zip(own, against, strict=True))
        gain = [100 * (c.test - g.test) for c, g in pairs]
        out.append(Row(
            method, len(own),
            _mean([100 * c.fits / g.fits for c, g in pairs]),
            _mean([100 * c.work / g.fits for c, g in pairs]),
            _mean([100 * c.regret for c in own]),
            _mean(gain), min(gain),
        ))  # fmt: skip
    return sorted(out, key=lambda row: -row.work[0])


def _place(choice: Choice) -> tuple[str, str, int]:
    return choice.data, choice.pipeline, choice.seed


def _mean(values: list[float]) -> tuple[float, float]:
    return float(np.mean(values)), float(np.std(values, ddof=1) / np.sqrt(max(len(values), 2)))


def pareto(table: list[Row]) -> set[str]:
    """The methods that no other beats in work and in regret."""
    return {
        a.method
        for a in table
        if not any(
            b.work[0] <= a.work[0] and b.regret[0] <= a.regret[0]
            and (b.work[0], b.regret[0]) != (a.work[0], a.regret[0])
            for b in table
        )
    }  # fmt: skip


def report(choices: list[Choice]) -> str:
    """The table in Markdown."""
    table = rows(choices)
    front = pareto(table)
    lines = [
        "| method | problems | fits, % | work, % | regret, points | test, points | front |",
        "| --- | ---: | ---: | ---: | ---: | ---: | :-: |",
    ]
    for row in table:
        cells = (f"{mean:.2f} ± {error:.2f}" for mean, error in (row.regret, row.test))
        shares = (f"{mean:.1f} ± {error:.1f}" for mean, error in (row.fits, row.work))
        mark = "✓" if row.method in front else ""
        lines.append(
            f"| {row.method} | {row.problems} | {' | '.join(shares)} | {' | '.join(cells)} "
            f"| {mark} |"
        )
    return "\n".join(lines)


def compared(choices: list[Choice]) -> str:
    """What `racing.compare` says of the test accuracies, with a problem in each row."""
    from racing.compare import as_table, compare

    names = list(dict.fromkeys(c.method for c in choices))
    problems = list(dict.fromkeys((c.data, c.pipeline) for c in choices))
    scores = np.array([
        [np.mean([c.test for c in choices if (c.data, c.pipeline) == p and c.method == m])
         for m in names]
        for p in problems
    ])  # fmt: skip
    table = as_table(scores, names=names, direction="maximize")
    found = compare(table, control="GridSearchCV")
    differ = int(np.asarray(found.significant).sum())
    ranks = ", ".join(f"{found.names[i]} {found.mean_ranks[i]:.2f}" for i in found.order)
    return (
        f"{differ} of {len(names) - 1} methods differ from GridSearchCV in test accuracy over "
        f"{len(problems)} problems (Wilcoxon, corrected). Mean ranks: {ranks}."
    )


def wall(data: str = "breast cancer", pipeline: str = "SVC", seed: int = 1) -> dict[str, float]:
    """Seconds of a live grid search and a live race on one problem, one job each."""
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    from racing.sklearn import RaceSearchCV

    X, y, *_ = split(data, seed)
    kind = pipelines()[pipeline]
    steps = make_pipeline(StandardScaler(), kind.make())
    prefix = steps.steps[-1][0]
    space = {f"{prefix}__{name}": list(values) for name, values in kind.grid.items()}
    found: dict[str, float] = {}
    for search in (GridSearchCV(steps, space, cv=folds(seed)),
                   RaceSearchCV(steps, space, cv=folds(seed))):  # fmt: skip
        begun = time.perf_counter()
        search.fit(X, y)
        found[type(search).__name__] = time.perf_counter() - begun
    return found


def main(arguments: list[str] | None = None) -> None:
    """Measure, save and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--live", type=int, default=1, help="seeds for which halving is run")
    parser.add_argument("--tables", help="a file of tables: read if it is there, or written")
    parser.add_argument("--small", action="store_true", help="two problems; nothing is saved")
    given = parser.parse_args(arguments)
    if given.tables and Path(given.tables).exists():
        tables = load(given.tables)
    else:
        tables = list(make_all(1 if given.small else given.seeds, small=given.small))
        if given.tables:
            save(given.tables, tables)
    choices = measure(tables, given.live)
    print(report(choices))
    print(compared(choices))
    seconds = {} if given.small else wall()
    for name, value in seconds.items():
        print(f"{name}: {value:.1f} s for breast cancer with SVC, one job")
    if not given.small:
        found = {
            "folds": FOLDS * sklearn_tables.REPEATS,
            "choices": [asdict(choice) for choice in choices],
            "wall": seconds,
        }
        RESULT.write_text(json.dumps(found) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
