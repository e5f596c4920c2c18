"""`RaceSearchCV`: hyper-parameter search by a race over the folds of cross-validation."""

from __future__ import annotations

import time
import warnings
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.model_selection import check_cv
from sklearn.utils import check_random_state, indexable

from racing.base.errors import InputError
from racing.base.plain import say
from racing.base.quantities import RISK
from racing.core.budget import Budget
from racing.core.experiment import Outcome
from racing.core.failures import OnFailure
from racing.core.instances import Instances
from racing.embed import Result
from racing.race import Race
from racing.race.arguments import rule_of, whole
from racing.rules.rule import Rule
from racing.search import Search, Settings
from racing.sklearn import _compat
from racing.sklearn.arguments import (
    FITS_PER_FOLD,
    KNEE,
    Listed,
    deciding_metric,
    knee_goal,
    listed,
    searched,
)  # fmt: skip
from racing.sklearn.cv_results import Fitted, fitted, table
from racing.sklearn.fits import Data, Fits, instances_of, splits_of
from racing.sklearn.session import Session
from racing.space import Space
from racing.space.objects import Objects

RULE = "auto"
"""The default rule of a race."""

FIRST_TEST = 3
"""Folds before the first test, for rules without a budget plan."""

_WITHOUT = {
    "cv", "log", "n_iter", "n_jobs", "param_space", "race_metric", "random_state", "refit",
    "verbose",
}  # fmt: skip
"""Arguments that change no fit, or that a fingerprint has by what they lead to."""


class RaceSearchCV(_compat.BaseSearchCV):
    """Search for hyper-parameters that drops the inferior ones fold by fold.

    Like `GridSearchCV` and `RandomizedSearchCV`, but every candidate is first fitted on a few
    folds. A rule then drops those that are not worth further fits, with a reason for each, and the
    others continue. So repeated cross-validation, which separates candidates well, costs a fraction
    of the fits.

    Parameters
    ----------
    estimator
        As in `GridSearchCV`.
    param_space
        A grid (names of parameters → lists), distributions (names → lists or objects with `rvs`),
        or a list of either. A space is searched (`racing.Search`): `racing.space.Space`, a
        `ConfigurationSpace`, or a dictionary with parameters as in `racing.minimize`, such as
        `{"C": {"real": [0.01, 100], "log": True}, "kernel": ["rbf", "linear"]}`. So are
        distributions `uniform`, `loguniform` and `randint` of scipy.stats, beside lists, unless
        there is an `n_iter`. Choices may be any objects; the log has their names.
    n_iter : int or None
        The number of candidates to draw and race; not for a space. None: all of a grid; 30 with a
        distribution that cannot be searched.
    scoring, refit, cv, error_score, return_train_score
        As in `GridSearchCV`. Repeated cross-validation, such as
        `RepeatedStratifiedKFold(n_splits=10, n_repeats=3)`, lets a race save many fits; the default
        of five folds saves few. `refit` may also be `"knee"`: all metrics of `scoring` race as a
        front (`race_.front`), and its best compromise is refitted.
    rule
        The elimination rule: its name in `racing.rules`, a mapping with its name and options, or a
        rule. Default: `auto`, of a search its own.
    budget
        The limits: a number of fits, a mapping of limits such as
        `{"wall_time": 60.0}`, or a `racing.Budget`. Default: all folds; of a search 19 fits for
        each fold.
    first_test, each_test
        The rule tests after `first_test` folds (default: 3, or by the plan of a rule), and
        then after every `each_test`, or each time that the folds have grown by a share such as
        "25%", so that more fits can run at a time. Not for a search.
    min_survivors : int
        The race ends when no more than these are left.
    risk : float
        For a `Space`: the largest probability of being truly worse than the space's default with
        which another setting wins; else `best_params_` is the default, and `race_.found` the best
        other one. 0.5 lets the one win that is probably better. A grid has no default.
    race_metric : str or None
        With several metrics, the one that decides the race. Default: that of `refit`.
    n_jobs : int or None
        As in `GridSearchCV`. `joblib.parallel_config` chooses among processes, threads and dask.
        The result does not depend on it.
    random_state : int, RandomState instance or None
        The seed of candidates, the order of the folds, and random rules.
    on_failure
        What a fit that fails counts as: `rate`, `worst` or `{"penalty": 0}`, as of `racing.Race`.
        A number as `error_score` is a penalty too.
    log : path, log, result or None
        The log of all fits. An interrupted search continues from it when `fit` is called again with
        the same arguments, and `racing show` reads it.
    verbose : int
        1: a line for every elimination; from 2 on, also what `GridSearchCV` prints.

    Attributes
    ----------
    cv_results_ : dict
        As in `GridSearchCV`; fits that were not run are NaN, and means are over the folds that were
        run. `rank_test_…` of the race's metric follows the race: survivors, then dropped ones, the
        last first. Also `n_folds`, `eliminated_after` (folds seen; NaN for survivors),
        `eliminated_by` (an index; −1), `eliminated_reason`, and `eliminated_measure`, `…_value` and
        `…_threshold`. With `refit="knee"`, `rank_test_knee` follows the race, and `on_front` says
        which candidates are on the front.
    best_estimator_, best_score_, best_params_, best_index_, scorer_, n_splits_, refit_time_
        As in `GridSearchCV`; `best_score_` is over the folds that the winner has seen.
    race_ : racing.Race or racing.Search
        The race: its verdicts, ranking, and reason to stop. Costs are negated scores.
    result_ : racing.embed.Result
        The same as from `racing.maximize`: it prints the winner, its gain over the first candidate
        or a space's default, and how sure that is; `gain`, `to_frame()`, `report("page.html")`,
        `plot()`.
    n_fits_ : int
        The number of fits, without the one of `refit`.

    Notes
    -----
    Folds are not independent, so a rule with a level for independent instances drops too many.
    `race_.instances` has the folds as one group with the correlation n_test/n_total, which `auto`
    and the rules `correlated-…` take into account.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import RepeatedStratifiedKFold
    >>> from sklearn.svm import SVC
    >>> from racing.sklearn import RaceSearchCV
    >>> X, y = load_iris(return_X_y=True)
    >>> grid = {"C": [0.01, 1, 100], "gamma": [0.01, 1, 100]}
    >>> cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=3, random_state=1)
    >>> search = RaceSearchCV(SVC(), grid, cv=cv).fit(X, y)
    >>> search.n_fits_ < 9 * 30
    True
    """

    own_refits = (KNEE,)
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **{
            name: allowed
            for name, allowed in _compat.BaseSearchCV._parameter_constraints.items()
            if name != "pre_dispatch"
        },
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        estimator: Any,
        param_space: Any,
        *,
        n_iter: int | None = None,
        scoring: Any = None,
        rule: Rule | str | Mapping[str, object] | None = None,
        budget: Budget | int | Mapping[str, float] | None = None,
        first_test: int | None = None,
        each_test: int | str = 1,
        min_survivors: int = 1,
        risk: float = RISK,
        race_metric: str | None = None,
        n_jobs: int | None = None,
        refit: Any = True,
        cv: Any = None,
        verbose: int = 0,
        random_state: Any = None,
        error_score: Any = np.nan,
        return_train_score: bool = False,
        on_failure: OnFailure | Mapping[str, Any] | str = "rate",
        log: Any = None,
    ) -> None:
        super().__init__(
            estimator=estimator,
            scoring=scoring,
            n_jobs=n_jobs,
            refit=refit,
            cv=cv,
            verbose=verbose,
            error_score=error_score,
            return_train_score=return_train_score,
        )
        self.param_space = param_space
        self.n_iter = n_iter
        self.rule = rule
        self.budget = budget
        self.first_test = first_test
        self.each_test = each_test
        self.min_survivors = min_survivors
        self.risk = risk
        self.race_metric = race_metric
        self.random_state = random_state
        self.on_failure = on_failure
        self.log = log

    @_compat.validated
    def fit(self, X: Any, y: Any = None, **params: Any) -> RaceSearchCV:
        """Race the candidates over the folds, and refit the winner.

        Parameters
        ----------
        X, y, **params
            As in `GridSearchCV.fit`: `sample_weight` and other arrays of one value for each sample
            are split with the data, `groups` goes to the splitter; with metadata routing enabled,
            everything goes where it is requested.

        Raises
        ------
        ValueError
            If all fits failed, the budget is too small for a race, or an option is invalid; most of
            them are `racing.base.errors.InputError`.
        KeyboardInterrupt
            If it is interrupted; `race_`, `n_fits_` and `cv_results_` then have the results so far.
        """
        scorers, refit_metric = _compat.scorers_of(self)
        self._goal = knee_goal(self, scorers)
        self._race_metric = KNEE if self._goal else deciding_metric(self, scorers)
        X, y = indexable(X, y)
        routed = _compat.routed(self, X, params)
        calls = _compat.Callbacks(self, X, y, params)
        cv = check_cv(self.cv, y, classifier=is_classifier(self.estimator))
        splits = splits_of(cv, X, y, routed.splitter.split)
        self.n_splits_ = len(splits)
        data = Data(X, y, splits, routed.estimator.fit, routed.scorer.score)
        found = self._race(Fits(
            clone(self.estimator), data, scorers, metric=self._race_metric, goal=self._goal,
            error_score=self.error_score, return_train_score=self.return_train_score,
            verbose=self.verbose,
        ), calls)  # fmt: skip
        self._tell_failures(found, X, y, routed.estimator.fit)
        self._take(found)
        self._choose(refit_metric)
        if self.refit:
            self._refit(X, y, calls, routed.estimator.fit)
        self.scorer_ = _compat.scorers_by_name(scorers)
        del self._race_metric, self._goal
        calls.end()
        return self

    def _race(self, fits: Fits, calls: _compat.Callbacks) -> Fitted:
        """Run the race or the search; return its fits."""
        random = check_random_state(self.random_state)
        objects = Objects()
        if self.n_iter is not None:
            whole("n_iter", self.n_iter)
        space = searched(self.param_space, objects, drawn=self.n_iter is not None)
        if space is None:
            objects = Listed(listed(self.param_space, self.n_iter, random))
        seed = 1 if self.random_state is None else int(random.randint(2**31 - 1))
        instances = instances_of(fits.data.splits, np.random.default_rng(seed))
        self.race_ = self._decider(instances, space, objects, seed)
        many = len(self.race_.candidates) if space is None else None
        fits = replace(fits, objects=objects, candidates=many or 0)
        session = Session(
            n_jobs=self.n_jobs,
            log=self.log,
            told=self._told(fits, seed),
            verbose=self.verbose,
        )
        if self.verbose > 0:
            say(f"Racing over up to {self.n_splits_} folds: {self.race_!r}")
        try:
            with calls.race(None if many is None else many * self.n_splits_) as tasks:
                done = session.run(self.race_, replace(fits, tasks=tasks), objects)
        except BaseException as error:
            if hasattr(error, "found"):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # do not test after an interruption
                    self._take(self._fitted(*error.found))
            raise
        return self._fitted(*done)

    def _tell_failures(self, found: Fitted, X: Any, y: Any, fit_params: Mapping[str, Any]) -> None:
        """Warn of failed fits; raise if all failed.

        A race ends on the first fold where all fail, though they might fit on others. So a fit on
        all data comes first, as the refit of `GridSearchCV` would: its error says more.
        """
        try:
            _compat.tell_failures(list(found.fits.values()), self.error_score)
        except ValueError:
            if self.refit and len({fold for _, fold in found.fits}) < self.n_splits_:
                self._with(found.settings[0]).fit(*_given(X, y), **fit_params)
            raise

    def _decider(
        self,
        instances: Instances,
        space: Space | Mapping[str, Any] | None,
        objects: Objects,
        seed: int,
    ) -> Race | Search:
        """The race or the search before its first fit."""
        if space is not None:
            self._refuse_settings_of_a_race()
            budget = FITS_PER_FOLD * self.n_splits_ if self.budget is None else self.budget
            return Search(
                space, instances, budget=budget, seed=seed, rule=self.rule,
                settings=Settings(risk=self.risk), **self._objective,
            )  # fmt: skip
        if self.risk != RISK:
            raise InputError(
                f"risk is {self.risk!r}, which would have no effect: candidates of a grid have no "
                "default that could be kept; leave it out, or give a Space"
            )
        assert isinstance(objects, Listed)
        rule = rule_of(RULE if self.rule is None else self.rule)
        first, least = self.first_test, self.min_survivors
        if len(objects.candidates) == least == 1:  # there is nothing to test: it has all folds
            rule, first, least = rule_of("none"), 1, 0
        if first is None and (self.budget is None or not hasattr(rule, "first_look")):
            first = min(FIRST_TEST, self.n_splits_)
        return Race(
            objects.candidates,
            instances,
            rule=rule,
            budget=self.budget,
            seed=seed,
            first_test=first,
            each_test=self.each_test,
            min_survivors=least,
            **self._objective,
        )

    @property
    def _objective(self) -> dict[str, Any]:
        if self._goal is None:
            found: dict[str, Any] = {"objective": "mean", "direction": "maximize"}
        else:
            found = {"objective": self._goal.aim, "metrics": self._goal.metrics}
        return {**found, "on_failure": self.on_failure}

    def _refuse_settings_of_a_race(self) -> None:
        """Refuse settings of a race: a search draws each challenger, and tests it by itself."""
        usual = {"n_iter": None, "first_test": None, "each_test": 1, "min_survivors": 1}
        given = [name for name, value in usual.items() if getattr(self, name) != value]
        if given:
            raise InputError(
                f"{' and '.join(given)} would have no effect: a search draws and tests each "
                "challenger by itself, as far as its budget goes; leave it out, or give a grid, or "
                "distributions and n_iter, to be raced"
            )

    def _fitted(self, result: Result, outcomes: list[Outcome]) -> Fitted:
        self.result_, self.n_fits_ = result, len(outcomes)
        own = {one.id: result.objects.behind(one.values) for one in result.candidates}
        return fitted(
            self.race_, outcomes, own, splits=self.n_splits_, error_score=self.error_score
        )

    def _take(self, found: Fitted) -> None:
        """Set `cv_results_` from the fits."""
        if not found.fits:
            return
        self.multimetric_ = found.metrics != ["score"]
        self.cv_results_ = table(
            found,
            self.race_,
            metric=self._race_metric or "score",
            train=self.return_train_score,
        )

    def _choose(self, refit_metric: str) -> None:
        """Set `best_index_` and related attributes, as in `GridSearchCV`."""
        if callable(self.scoring) and self.multimetric_:
            metrics = {name[10:]: 0.0 for name in self.cv_results_ if name[:10] == "mean_test_"}
            _compat.check_refit(self, metrics)
            refit_metric = self.refit
        if not (self.refit or not self.multimetric_):
            return
        self.best_index_ = _compat.best_index(self.refit, refit_metric, self.cv_results_)
        if not callable(self.refit) and self._goal is None:
            self.best_score_ = self.cv_results_[f"mean_test_{refit_metric}"][self.best_index_]
        self.best_params_ = self.cv_results_["params"][self.best_index_]

    def _refit(
        self, X: Any, y: Any, calls: _compat.Callbacks, fit_params: Mapping[str, Any]
    ) -> None:
        """Fit the chosen candidate on all data."""
        self.best_estimator_ = self._with(self.best_params_)
        with calls.refit(self.best_estimator_):
            begun = time.time()
            self.best_estimator_.fit(*_given(X, y), **fit_params)
            self.refit_time_ = time.time() - begun
        if hasattr(self.best_estimator_, "feature_names_in_"):
            self.feature_names_in_ = self.best_estimator_.feature_names_in_

    def _with(self, params: Mapping[str, Any]) -> Any:
        """The estimator with these parameters, not fitted."""
        return clone(self.estimator).set_params(**clone(params, safe=False))

    def _told(self, fits: Fits, seed: int) -> dict[str, object]:
        """What makes this search: the log of another one is not continued."""
        own = {
            name: one for name, one in self.get_params(deep=False).items() if name not in _WITHOUT
        }  # fmt: skip
        tried = [(str(one), dict(one.values)) for one in self.race_.candidates]
        own |= {"seed": seed, "candidates": tried, "data": fits.data}
        return {**own, "race_metric": self._race_metric}


def _given(X: Any, y: Any) -> tuple[Any, ...]:
    return (X,) if y is None else (X, y)
