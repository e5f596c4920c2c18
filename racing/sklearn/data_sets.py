"""A race of estimators over several data sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.metrics import check_scoring
from sklearn.model_selection import check_cv
from sklearn.utils import indexable

from racing.base.errors import InputError, must_be
from racing.core.budget import Budget
from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Outcome
from racing.core.failures import OnFailure
from racing.core.instances import Instances
from racing.evaluate.work import Work
from racing.race import Race
from racing.rules.rule import Rule
from racing.sklearn.fits import Data, Fits, correlation, repeats, splits_of
from racing.sklearn.session import Session
from racing.space.objects import Objects

RULE = "poisson-binomial"


def race_over_data_sets(
    estimators: Mapping[str, Any],
    data_sets: Mapping[str, tuple[Any, Any]],
    *,
    cv: Any = None,
    scoring: Any = None,
    rule: Rule | str | Mapping[str, object] = RULE,
    budget: Budget | int | Mapping[str, float] | None = None,
    first_test: int | None = None,
    each_test: int | str = 1,
    error_score: Any = np.nan,
    on_failure: OnFailure | Mapping[str, Any] | str = "rate",
    n_jobs: int | None = None,
    random_state: int = 1,
    log: Any = None,
    verbose: int = 0,
) -> Race:
    """Find the estimator that is best on most data sets; drop the others early.

    The instances are (data set, fold), a fold of every data set in turn, and the folds of a data
    set are a group (`racing.Instances`).

    Parameters
    ----------
    estimators
        Name → estimator. They are cloned.
    data_sets
        Name → (X, y).
    cv, scoring, error_score, n_jobs
        As in `GridSearchCV`; one metric.
    on_failure
        As of `RaceSearchCV`.
    rule
        `poisson-binomial` by default. `bayes`, `sign` and others treat folds as independent
        instances.
    first_test
        Default: three folds of every data set, or all if there are fewer.
    each_test
        The rule is asked again after so many further folds, or each time that they have grown by a
        share such as "25%".
    random_state
        The seed of the order of the data sets and of their folds.
    log
        The path of a log, to continue after an interruption; see `RaceSearchCV`.

    Returns
    -------
    Race
        Candidates have the names of the estimators; costs are negated scores; `race.results.costs`
        has a row for each (data set, fold).

    Raises
    ------
    InputError
        If there are no estimators or data sets, or an argument of the race is invalid.

    Examples
    --------
    >>> from sklearn.datasets import load_iris, load_wine
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from racing.sklearn import race_over_data_sets
    >>> estimators = {"bayes": GaussianNB(), "constant": DummyClassifier()}
    >>> data_sets = {"iris": load_iris(return_X_y=True), "wine": load_wine(return_X_y=True)}
    >>> race_over_data_sets(estimators, data_sets, cv=5).winner.name
    'bayes'
    """
    _check_named("estimators", estimators, "an estimator", lambda one: hasattr(one, "fit"))
    _check_named("data_sets", data_sets, "a pair (X, y)", lambda one: len(one) == 2)
    rng = np.random.default_rng(random_state)
    classify = all(is_classifier(one) for one in estimators.values())
    data = {name: _data(X, y, cv, classify) for name, (X, y) in data_sets.items()}
    fits = Several(
        {
            (id, name): Fits(
                estimator, one, check_scoring(estimator, scoring),
                error_score=error_score, verbose=verbose, candidates=len(estimators),
            )
            for name, one in data.items()
            for id, estimator in enumerate(estimators.values(), start=1)
        }
    )  # fmt: skip
    instances = _instances(data, rng)
    race = Race(
        [Candidate(id, {"estimator": name}, name) for id, name in enumerate(estimators, start=1)],
        instances,
        rule=rule,
        budget=budget,
        seed=random_state,
        first_test=first_test or min(3 * len(data), instances.limit or 1),
        each_test=each_test,
        objective="mean",
        direction="maximize",
        on_failure=on_failure,
    )
    told = {
        "estimators": estimators, "data": data, "scoring": scoring, "error_score": error_score,
        "on_failure": on_failure, "random_state": random_state, "rule": rule, "budget": budget,
        "first_test": first_test, "each_test": each_test,
    }  # fmt: skip
    session = Session(n_jobs=n_jobs, log=log, told=told, verbose=verbose)
    session.run(race, fits, Objects())
    return race


def _check_named(key: str, given: Any, what: str, fits: Callable[[Any], bool]) -> None:
    """Refuse what is no dictionary from names to such things, or is empty."""
    if not (given and isinstance(given, Mapping) and all(isinstance(one, str) for one in given)):
        raise InputError(must_be(key, f"a dictionary from a name to {what}, of one or more", given))
    for name, one in given.items():
        with suppress(TypeError):  # without a length
            if fits(one):
                continue
        raise InputError(must_be(f"{key}[{name!r}]", what, one))


@dataclass(frozen=True)
class Several(Work):
    """Fits on several data sets: the work of a pool. An instance is (data set, fold)."""

    fits: Mapping[tuple[int, str], Fits]
    threads: int | None = None

    def once(self, experiment: Experiment, worker: str) -> Outcome:
        """Fit and score once."""
        problem: Any = experiment.instance.problem
        name, fold = problem
        own = self.fits[experiment.candidate.id, name]
        instance = replace(experiment.instance, problem=fold)
        candidate = replace(experiment.candidate, values={})  # the estimator has no settings
        return own.once(replace(experiment, candidate=candidate, instance=instance), worker)

    def prepare(self) -> None:
        """As `Fits.prepare`."""
        replace(next(iter(self.fits.values())), threads=self.threads).prepare()


def _data(X: Any, y: Any, cv: Any, classify: bool) -> Data:
    X, y = indexable(X, y)
    return Data(X, y, splits_of(check_cv(cv, y, classifier=classify), X, y, {}))


def _instances(data: Mapping[str, Data], rng: np.random.Generator) -> Instances:
    """A fold of every data set in turn, each time in another order."""
    problems = list(_turns(data, rng))
    return Instances(
        problems=problems,
        names=[f"{name}, fold {fold}" for name, fold in problems],
        order="listed",
        groups=[name for name, _ in problems],
        correlation=float(np.mean([correlation(one.splits) for one in data.values()])),
    )


def _turns(data: Mapping[str, Data], rng: np.random.Generator) -> Iterator[tuple[str, int]]:
    names = list(data)
    orders: list[Sequence[int]] = [
        [fold for repeat in repeats(one.splits) for fold in rng.permutation(repeat).tolist()]
        for one in data.values()
    ]
    for turn in zip_longest(*orders):
        for place in rng.permutation(len(names)):
            if (fold := turn[place]) is not None:
                yield names[place], fold
