"""Wrong use gives errors that say what to do, and nothing that was fitted is lost."""

from __future__ import annotations

from functools import partial
from types import FunctionType
from typing import Any

import joblib
import numpy as np
import pytest
from scipy.stats import norm
from sklearn.exceptions import FitFailedWarning
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import racing
from racing.base.errors import InputError, LogError
from racing.log import SQLiteLog
from racing.sklearn import RaceSearchCV, race_over_data_sets
from racing.space import Integer, Space
from tests.sklearn.worlds import GRID, Scripted, X, search, y

QUALITIES = {"quality": [0.1, 0.5, 0.9]}
SPACE = Space({"n_neighbors": Integer(1, 9)})


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"param_space": []}, "empty list; give at least one grid"),
        ({"param_space": "C"}, "must be a dictionary from parameters"),
        ({"param_space": {"n_neighbors": []}}, "n_neighbors"),
        ({"scoring": "accurracy"}, "scoring"),
        ({"scoring": ["accuracy", "f1"]}, "refit must be set to a scorer key"),
        ({"scoring": ["accuracy", "f1"], "refit": False}, "say which of them decides the race"),
        ({"scoring": ["accuracy", "f1"], "refit": len}, "decides the race: race_metric='accuracy'"),
        ({"scoring": ["accuracy", "f1"], "refit": "f1", "race_metric": "f2"}, "race_metric is"),
        ({"race_metric": "f1"}, "scoring has a single metric; leave it out"),
        ({"refit": "knee"}, "refit='knee' races the front of several metrics"),
        ({"refit": "knee", "scoring": ["accuracy"]}, "of two or more"),
        ({"refit": "knee", "scoring": len}, "a dictionary from names to scorers"),
        (
            {"refit": "knee", "scoring": ["accuracy", "f1"], "race_metric": "f1"},
            "refit='knee' races all metrics; leave one of them out",
        ),
        (
            {"refit": "knee", "scoring": ["accuracy", "f1"], "rule": "wilcoxon"},
            "which only the rules auto, bayes, bets, none and sign can judge",
        ),
        (
            {"refit": "knee", "scoring": {"a b": "accuracy", "f1": "f1"}},
            '"a b" cannot be the name of a metric',
        ),
        ({"budget": 5}, "5 evaluations do not cover one instance for 8 candidates"),
        ({"rule": "singn"}, "did you mean"),
        ({"rule": "auto", "first_test": 99}, "first_test: 99, but the race has at most 10"),
        ({"min_survivors": 8}, "no candidate could be dropped"),
        ({"each_test": "much"}, "each_test must be .*or a growth from 1% to 999%"),
        ({"param_space": SPACE, "each_test": "25%"}, "each_test would have no effect"),
        ({"param_space": SPACE, "n_iter": 5}, "n_iter would have no effect"),
        ({"n_iter": 0}, "n_iter must be a whole number, 1 or more; got 0"),
        ({"n_iter": 2.5}, "n_iter must be a whole number, 1 or more; got 2.5"),
        ({"risk": 0.5}, "risk is 0.5, which would have no effect"),
        ({"error_score": "rais"}, "error_score"),
    ],
)
def test_it_says_what_is_wrong_and_what_to_do(options, what):
    with pytest.raises(ValueError, match=what):
        search(**options).fit(X, y)


def test_a_parameter_that_the_estimator_lacks_is_refused_as_by_the_grid_search():
    with pytest.raises(ValueError, match="Invalid parameter 'neighbours'"):
        search({"neighbours": [1, 2]}).fit(X, y)


def test_when_all_fits_fail_scikit_learn_says_so_once_for_the_search():
    with pytest.raises(ValueError, match=r"All the 3 fits failed"):
        search(QUALITIES, Scripted(fails="all"), refit=False).fit(X, y)


def test_when_all_fail_on_the_first_fold_a_fit_on_all_data_says_why():
    with pytest.raises(RuntimeError, match="cannot fit with quality") as raised:
        search(QUALITIES, Scripted(fails="all")).fit(X, y)
    assert "All the 3 fits failed" in str(raised.value.__context__)


def test_who_fails_on_some_folds_loses_and_nan_scores_are_told():
    space = {"quality": [0.3, 0.9], "fails": ["", "some"]}
    with pytest.warns(FitFailedWarning), pytest.warns(UserWarning, match="non-finite"):
        found = search(space, Scripted()).fit(X, y)
    assert found.best_params_ == {"fails": "", "quality": 0.9}
    failing = [p["fails"] == "some" for p in found.cv_results_["params"]]
    assert np.isnan(found.cv_results_["mean_test_score"][failing]).all()
    assert (found.cv_results_["rank_test_score"][failing] > 2).all()


def test_a_number_as_error_score_stands_in():
    space = {"quality": [0.3, 0.9], "fails": ["", "some"]}
    with pytest.warns(FitFailedWarning):
        found = search(space, Scripted(), error_score=0.0).fit(X, y)
    assert np.isfinite(found.cv_results_["mean_test_score"]).all()
    assert found.best_params_ == {"fails": "", "quality": 0.9}


def test_a_score_of_nan_is_a_failure():
    with pytest.warns(UserWarning, match="non-finite"):
        found = search({"quality": [0.2, 0.8], "fails": ["", "nan"]}, Scripted()).fit(X, y)
    assert found.best_params_ == {"fails": "", "quality": 0.8}


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_with_raise_the_fit_s_own_error_comes_out(n_jobs):
    failing = search(QUALITIES, Scripted(fails="all"), error_score="raise", n_jobs=n_jobs)
    with (
        joblib.parallel_config("threading"),
        pytest.raises(RuntimeError, match="cannot fit with quality"),
    ):
        failing.fit(X, y)


def test_what_cannot_be_sent_to_processes_is_told_before_any_fit():
    loud = Scripted(loud=(one for one in ()))  # a generator cannot be pickled, nor cloned
    with pytest.raises((InputError, TypeError)):
        search(QUALITIES, loud, n_jobs=2).fit(X, y)

    scoring = _local_scorer()
    with pytest.raises(InputError, match="use n_jobs=1, or threads"):
        search(QUALITIES, Scripted(), n_jobs=2, scoring=scoring).fit(X, y)


def _local_scorer():
    handle = (one for one in ())

    def scorer(estimator, X, y):
        return estimator.score(X, y) if handle else 0.0

    return scorer


class Interrupting(Scripted):
    """Interrupts at its fit number `at`, counted over all copies."""

    fits, at = 0, 0

    def fit(self, X, y, sample_weight=None):
        type(self).fits += 1
        if type(self).fits == self.at:
            raise KeyboardInterrupt
        return super().fit(X, y)


def test_an_interrupted_search_keeps_what_it_has():
    Interrupting.fits, Interrupting.at = 0, 17
    broken = search(QUALITIES, Interrupting(), rule="none")
    with pytest.raises(KeyboardInterrupt):
        broken.fit(X, y)
    assert broken.n_fits_ == 16
    assert broken.cv_results_["n_folds"].tolist() == [5, 5, 5]


def test_with_a_log_it_goes_on_where_it_was_interrupted(tmp_path):
    path = tmp_path / "search.sqlite"
    whole = search(QUALITIES, Interrupting(), rule="none").fit(X, y)
    Interrupting.fits, Interrupting.at = 0, 17
    with pytest.raises(KeyboardInterrupt):
        search(QUALITIES, Interrupting(), rule="none", log=path).fit(X, y)
    found = search(QUALITIES, Interrupting(), rule="none", log=path).fit(X, y)
    assert Interrupting.fits == 17 + (30 - 16) + 1, "16 were kept, and the winner is refitted"
    for key in ("split3_test_score", "mean_test_score", "rank_test_score"):
        np.testing.assert_array_equal(found.cv_results_[key], whole.cv_results_[key])
    again = search(QUALITIES, Interrupting(), rule="none", log=found.result_).fit(X, y)
    assert again.best_params_ == whole.best_params_
    with SQLiteLog.open(path, write=False) as log:
        assert len(log.outcomes()) == 30
    with pytest.raises(LogError, match="is the log of another search"):
        search(GRID, log=path).fit(X, y)


@pytest.mark.parametrize(
    "other",
    [{"return_train_score": True}, {"error_score": 0.0}, {"on_failure": "worst"},
     {"risk": 0.2}, {"param_space": {"n_neighbors": {"integer": [1, 20]}}}],
    ids=lambda one: next(iter(one)),
)  # fmt: skip
def test_a_log_is_refused_where_an_argument_differs(tmp_path, other):
    own = {"param_space": {"n_neighbors": {"integer": [1, 30]}}, "budget": 30}
    given = {"log": tmp_path / "search.sqlite", "scoring": partial(_own_score)}
    first = search(**own, **given).fit(X, y)
    given["scoring"] = partial(_same_as(_own_score))
    assert search(**own, **given).fit(X, y).n_fits_ == first.n_fits_, "an address is no difference"
    with pytest.raises(LogError, match="is the log of another search"):
        search(**{**own, **other}, **given).fit(X, y)


def _own_score(estimator, X, y):
    return estimator.score(X, y)


def _times(factor):
    return lambda estimator, X, y: factor * estimator.score(X, y)


def test_a_log_is_refused_where_a_function_of_the_same_name_differs(tmp_path):
    own = {"log": tmp_path / "search.sqlite", "rule": "none"}
    search(GRID, scoring=_times(1), **own).fit(X, y)
    search(GRID, scoring=_times(1), **own).fit(X, y)
    with pytest.raises(LogError, match="is the log of another search"):
        search(GRID, scoring=_times(2), **own).fit(X, y)


class Counting:
    """A scorer that counts its calls."""

    def __init__(self, factor):
        self.factor, self.calls = factor, 0

    def __call__(self, estimator, X, y):
        self.calls += 1
        return self.factor * estimator.score(X, y)


def test_what_a_scorer_changes_itself_is_not_compared(tmp_path):
    scorer, own = Counting(1), {"log": tmp_path / "search.sqlite", "rule": "none"}
    search(GRID, scoring=scorer, **own).fit(X, y)
    made = scorer.calls
    search(GRID, scoring=scorer, **own).fit(X, y)
    assert scorer.calls == made
    with pytest.raises(LogError, match="is the log of another search"):
        search(GRID, scoring=Counting(2), **own).fit(X, y)


@pytest.mark.parametrize("other", [{"scoring": _times(2)}, {"error_score": 0.0}, {"rule": "none"}])
def test_a_log_of_a_race_over_data_sets_is_refused_where_an_argument_differs(tmp_path, other):
    steps = FunctionTransformer(lambda X: X), KNeighborsClassifier()
    given = {"one": make_pipeline(*steps), "two": GaussianNB()}, {"X": (X, y)}
    own = {"log": tmp_path / "race.sqlite", "scoring": _times(1)}
    first = race_over_data_sets(*given, **own)
    steps[0].func = _same_as(steps[0].func)
    assert race_over_data_sets(*given, **own).outcomes == first.outcomes
    with pytest.raises(LogError, match="is the log of another search"):
        race_over_data_sets(*given, **own | other)


def _same_as(function):
    """The same function, elsewhere in memory."""
    return FunctionType(function.__code__, function.__globals__)


@pytest.mark.parametrize(
    ("given", "what"),
    [
        (({}, {}), "estimators must be a dictionary from a name to an estimator, of one or more"),
        (([GaussianNB()], {"X": (X, y)}), r"estimators must be a dictionary .*; got \[Gaussian"),
        (({"a": GaussianNB(), 3: GaussianNB()}, {"X": (X, y)}), "estimators must be a dictionary"),
        (({"a": 3}, {"X": (X, y)}), r"estimators\['a'\] must be an estimator; got 3"),
        (
            ({"a": GaussianNB()}, {}),
            r"data_sets must be a dictionary from a name to a pair \(X, y\)",
        ),
        (({"a": GaussianNB()}, [(X, y)]), "data_sets must be a dictionary"),
        (({"a": GaussianNB()}, {"X": X}), r"data_sets\['X'\] must be a pair"),
        (({"a": GaussianNB()}, {"X": None}), r"data_sets\['X'\] must be a pair .*; got None"),
    ],
)
def test_a_race_over_what_has_no_names_is_refused(given, what):
    with pytest.raises(InputError, match=what):
        race_over_data_sets(*given)


WRONG: list[tuple[Any, str]] = [
    ({"reel": [0, 1]}, "must have one of real, integer, .*; did you mean 'real'"),
    ({"real": [1, 0]}, "the lower end must be below the upper end, 0.0; got 1.0"),
    ({"real": [0, 1], "log": True}, "the lower end must be above 0 for .* scale; got 0.0"),
    ({"real": [0, 1], "default": 2}, "the default must be a number from 0.0 to 1.0; got 2.0"),
    ({"real": [0, 1], "when": "z == 1"}, "unknown name 'z'; known: quality"),
    ({"real": [0, 1], "lg": True}, "unknown key; did you mean 'log'"),
    ({"integer": [0.5, 3]}, "must be a whole number or an expression; got 0.5"),
    ({"categorical": ["a", "a"]}, 'the values must differ; got "a" twice'),
    ({"categorical": [lambda x: x, max]}, "has no name that stays the same; name the choices"),
    ({"real": norm(0, 1)}, r"must be \[low, high\]"),
]


@pytest.mark.parametrize(("wrong", "words"), WRONG, ids=range(len(WRONG)))
def test_a_wrong_space_is_refused_in_the_same_words(wrong: Any, words: str) -> None:
    with pytest.raises(InputError, match=words) as there:
        racing.minimize(lambda values, *_: 0.0, {"quality": wrong}, range(9), budget=100)
    with pytest.raises(InputError, match=words) as here:
        RaceSearchCV(Scripted(), {"quality": wrong}, budget=100).fit(X, y)
    assert str(here.value) == str(there.value)
    assert "quality" in str(here.value)


@pytest.mark.parametrize(
    ("space", "words"),
    [
        ({}, "space must be a mapping from parameters to their domains"),
        ({"x": [0.1, 1.0]}, r"a range is {real: \[0.1, 1.0\]}, a choice is {categorical"),
        ({"x": norm()}, "the distribution norm is not a parameter"),
    ],
)
def test_what_may_mean_two_things_is_refused_where_both_are_possible(space, words) -> None:
    with pytest.raises(InputError, match=words):
        racing.minimize(lambda values, *_: 0.0, space, range(9), budget=100)
