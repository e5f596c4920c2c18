"""Searches in scikit-learn: what they spend, and how good their choice is on fresh data.

    python -m benchmarks.sklearn_search [--seeds 10] [--minutes 60] [--again METHOD] [--small]

Nine data sets × three pipelines of 60 candidates, ten folds repeated three times (see
`benchmarks.sklearn_tables`), each seed with its own split. Searches over folds read their fits from
a table of all fits: the full grid, `RaceSearchCV`'s race with each rule, and Optuna with its
WilcoxonPruner (where it is installed; ties are broken by a jitter of 1e-9, as SciPy permutes where
there are any). Searches by halving fit subsamples, so they run live: with five folds for every
seed, and with all thirty folds for the first `--thorough` seeds. Their work counts a fit on half of
the data as half a fit.

For each method: fits and work as shares of the grid's; seconds of processor time, that is of its
fits and of its own; the regret of the choice in points of accuracy, by the mean of all folds; and
the accuracy of the refitted choice on data that no fold has, less that of the grid's choice. Then
the methods are compared over the 27 problems by `racing.compare`.

What was measured is kept in `build/sklearn_search`, problem by problem, so that the command goes on
where it was stopped. `--minutes` ends it early: the tables have the seeds that are complete.
`--again` measures methods with that word in their name once more, and `--docs` writes the tables
into docs/evidence/sklearn.md.
"""

from __future__ import annotations

import argparse
import json
import os
import time
import warnings
from collections.abc import Callable
from dataclasses import asdict, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import pages
from benchmarks.sklearn_report import Choice, blocks, filled
from benchmarks.sklearn_tables import (
    FOLDS,
    REPEATS,
    Table,
    fetch,
    folds,
    path_of,
    pipelines,
    problems,
    split,
)  # fmt: skip
from racing.race import Race
from racing.sklearn.fits import instances_of, splits_of
from racing.sklearn.search import FIRST_TEST

PAGE = pages.EVIDENCE / "sklearn.md"
FOLDER = Path("build") / "sklearn_search"
RESULT = Path(__file__).parent / "results" / "sklearn_search.json"
RULES: dict[str, dict[str, Any]] = {
    "auto": {"rule": "auto"},
    "auto, effort high": {"rule": {"name": "auto", "effort": "high"}},
    "auto, independent": {"rule": "auto", "grouped": False},
    "correlated-t": {"rule": "correlated-t"},
    "correlated-bayes": {"rule": "correlated-bayes"},
    "correlated-sequential": {"rule": "correlated-sequential"},
    "bayes": {"rule": "bayes"},
    "bernstein": {"rule": {"name": "bernstein", "range": 1.0}},
    "bets": {"rule": "bets"},
    "f-test": {"rule": "f-test"},
    "hoeffding": {"rule": {"name": "hoeffding", "range": 1.0}},
    "mean-ranks": {"rule": "mean-ranks"},
    "poisson-binomial": {"rule": "poisson-binomial"},
    "sign": {"rule": "sign"},
    "t-test": {"rule": "t-test"},
    "wilcoxon": {"rule": "wilcoxon"},
    "auto, 20 % of the fits": {"rule": "auto", "budget": 0.2},
    "successive-halving, 20 %": {"rule": "successive-halving", "budget": 0.2},
    "successive-rejects, 20 %": {"rule": "successive-rejects", "budget": 0.2},
}


def outcome(
    method: str, table: Table, best: int, fits: int, seconds: float, work: float | None = None
) -> Choice:
    """A choice, with what the table says of it."""
    means = table.scores.mean(axis=1)
    return Choice(
        method, table.data, table.pipeline, table.seed, fits,
        float(fits if work is None else work), float(means.max() - means[best]),
        float(table.test[best]), seconds,
    )  # fmt: skip


def grid(table: Table) -> Choice:
    """Every candidate on every fold."""
    best = int(table.scores.mean(axis=1).argmax())
    seconds = float(table.seconds.sum()) * table.scores.shape[1]
    return outcome("GridSearchCV", table, best, table.scores.size, seconds)


def race(
    name: str, table: Table, *, rule: Any, grouped: bool = True, budget: float | None = None
) -> Choice:
    """The race of `RaceSearchCV`, told what the table has."""
    begun = time.process_time()
    m, n = table.scores.shape
    X, y, *_ = split(table.data, table.seed)
    splits = splits_of(folds(table.seed, n), X, y, {})
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
    fitted = 0.0
    for experiment in found:
        place = int(experiment.candidate.values["candidate"]), int(experiment.instance.problem)  # type: ignore[arg-type, call-overload]
        found.tell(experiment, float(table.scores[place]))
        fitted += float(table.seconds[place[0]])
    best = found.winner
    assert best is not None
    own = time.process_time() - begun
    return outcome(name, table, best.id - 1, found.outcomes, fitted + own)


def optuna_wilcoxon(table: Table) -> Choice:
    """Optuna's random order of the grid, each trial pruned by signed ranks against the best."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    m, n = table.scores.shape
    rng = np.random.default_rng(table.seed)
    costs = -table.scores + 1e-9 * rng.normal(size=table.scores.shape)
    order = [rng.permutation(n) for _ in range(m)]
    fits, fitted, begun = 0, 0.0, time.process_time()

    def objective(trial: Any) -> float:
        nonlocal fits, fitted
        j = trial.suggest_int("candidate", 0, m - 1)
        seen = []
        for fold in order[0]:
            seen.append(costs[j, fold])
            fits += 1
            fitted += float(table.seconds[j])
            trial.report(costs[j, fold], int(fold))
            if trial.should_prune():
                return float(np.mean(seen))
        return float(np.mean(seen))

    sampler = optuna.samplers.GridSampler({"candidate": list(range(m))}, seed=table.seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pruner = optuna.pruners.WilcoxonPruner(p_threshold=0.1)
        study = optuna.create_study(sampler=sampler, pruner=pruner)
        study.optimize(objective, n_trials=m)
    seconds = fitted + time.process_time() - begun
    return outcome("Optuna, WilcoxonPruner", table, study.best_params["candidate"], fits, seconds)


HALVINGS = {
    "HalvingGridSearchCV": ("HalvingGridSearchCV", 5),
    "HalvingRandomSearchCV": ("HalvingRandomSearchCV", 5),
}
THOROUGH = {
    "HalvingGridSearchCV, 30 folds": ("HalvingGridSearchCV", 30),
    "HalvingRandomSearchCV, 30 folds": ("HalvingRandomSearchCV", 30),
}


def halving(name: str, table: Table, kind: str, n: int) -> Choice:
    """Scikit-learn's halving over subsamples, with n folds; run live."""
    from sklearn import model_selection
    from sklearn.experimental import enable_halving_search_cv  # noqa: F401
    from sklearn.preprocessing import StandardScaler

    X, y, *_ = split(table.data, table.seed)
    pipeline = pipelines()[table.pipeline]
    space = {name: list(values) for name, values in pipeline.grid.items()}
    cv = folds(table.seed, n)
    search: Any = getattr(model_selection, kind)(
        pipeline.make(), space, cv=cv, refit=False, random_state=table.seed
    )
    begun = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        search.fit(StandardScaler().fit_transform(X), y)
    seconds = time.process_time() - begun
    best = pipeline.settings().index(search.best_params_)
    used = [(k, r) for k, r in zip(search.n_candidates_, search.n_resources_, strict=True)]
    fits = sum(n * k for k, _ in used)
    share = sum(n * k * r / len(y) for k, r in used)
    return outcome(name, table, best, fits, seconds, share)


def methods(*, live: bool, thorough: bool) -> dict[str, Callable[[Table], Choice]]:
    """Every method by name; `live` adds the peers."""
    found: dict[str, Callable[[Table], Choice]] = {"GridSearchCV": grid}
    for name, options in RULES.items():
        found[f"RaceSearchCV, {name}"] = lambda t, n=name, o=options: race(
            f"RaceSearchCV, {n}", t, **o
        )
    if live and find_spec("optuna") is not None:
        found["Optuna, WilcoxonPruner"] = optuna_wilcoxon
    for name, (kind, n) in {**HALVINGS, **(THOROUGH if thorough else {})}.items():
        if live:
            found[name] = lambda t, a=name, k=kind, f=n: halving(a, t, k, f)
    return found


def measure(
    folder: Path | None,
    problem: tuple[str, str, int],
    *,
    live: bool = True,
    thorough: bool = False,
    again: str | None = None,
    n: int = FOLDS * REPEATS,
) -> list[Choice]:
    """What every method comes to on a problem; what the folder has is not measured again."""
    table = fetch(folder, *problem, n)
    path = None if folder is None else path_of(folder, *problem).with_suffix(".json")
    known: dict[str, Choice] = {}
    if path is not None and path.exists():
        known = {one["method"]: Choice(**one) for one in json.loads(path.read_text("utf-8"))}
    if again is not None:
        known = {name: one for name, one in known.items() if again not in name}
    for name, run in methods(live=live, thorough=thorough).items():
        if name not in known:
            known[name] = run(table)
    found = list(known.values())
    if path is not None:
        draft = path.with_suffix(".draft")
        draft.write_text(json.dumps([asdict(one) for one in found]), encoding="utf-8")
        draft.replace(path)
    return found


def complete(choices: list[Choice]) -> list[Choice]:
    """The choices of the seeds of which every problem was measured."""
    needed = len(problems(1))
    seeds = {one.seed for one in choices}
    whole = {
        seed
        for seed in seeds
        if len({(c.data, c.pipeline) for c in choices if c.seed == seed}) == needed
    }
    order = {name: place for place, name in enumerate(methods(live=True, thorough=True))}
    kept = [one for one in choices if one.seed in whole]
    return sorted(kept, key=lambda c: (c.seed, c.data, c.pipeline, order[c.method]))


def wall(data: str = "wine", pipeline: str = "SVC", seed: int = 1) -> dict[str, float]:
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
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--thorough", type=int, default=0, help="seeds of halving with 30 folds")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="end after so many")
    parser.add_argument("--again", help="measure methods with this word in their name again")
    parser.add_argument("--docs", action="store_true", help="write what is saved into the page")
    parser.add_argument("--small", action="store_true", help="two problems; nothing is saved")
    given = parser.parse_args(arguments)
    if given.small:
        choices = [c for p in problems(1, small=True) for c in measure(None, p, live=False, n=5)]
        print(*blocks(choices).values(), sep="\n\n")
        return
    if given.docs:
        PAGE.write_text(filled(PAGE.read_text("utf-8"), saved()), encoding="utf-8")
        return
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    end, choices = time.monotonic() + 60 * given.minutes, []
    for problem in problems(given.seeds):
        if time.monotonic() > end:
            break
        thorough = problem[2] <= given.thorough
        choices += measure(FOLDER, problem, thorough=thorough, again=given.again)
    choices = complete(choices)
    print(*blocks(choices).values(), sep="\n\n")
    seconds = wall()
    for name, value in seconds.items():
        print(f"{name}: {value:.1f} s for wine with SVC, one job")
    save(choices, seconds)


def save(choices: list[Choice], seconds: dict[str, float]) -> None:
    """Write the result, a line for each choice."""
    lines = ",\n".join(json.dumps(list(asdict(one).values())) for one in choices)
    names = json.dumps(list(Choice.__dataclass_fields__))
    RESULT.write_text(
        f'{{"folds": {FOLDS * REPEATS}, "wall": {json.dumps(seconds)},\n'
        f'"fields": {names},\n"choices": [\n{lines}\n]}}\n',
        encoding="utf-8",
    )


def saved() -> list[Choice]:
    """What `save` wrote."""
    found = json.loads(RESULT.read_text(encoding="utf-8"))
    return [Choice(*one) for one in found["choices"]]


if __name__ == "__main__":
    main()
