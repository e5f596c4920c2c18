"""Callbacks of scikit-learn: a race calls them where `GridSearchCV` does."""

from __future__ import annotations

from collections import Counter
from typing import Any

import joblib
import numpy as np
import pytest
import sklearn
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, RepeatedStratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.utils.fixes import parse_version

from racing.sklearn import RaceSearchCV

pytestmark = pytest.mark.skipif(
    parse_version(sklearn.__version__) < parse_version("1.9"),
    reason="scikit-learn has callbacks from 1.9 on",
)

GRID = {"var_smoothing": [1e-9, 1e-3, 1e-1, 10.0]}
CV = RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=1)
X, y = load_iris(return_X_y=True)


class Recorder:
    """Writes down what it is told: (hook, task, number of the task, samples)."""

    def __init__(self) -> None:
        self.told: list[tuple[str, str, int, int | None]] = []

    def setup(self, estimator: Any, context: Any) -> None:
        self.told.append(("setup", context.task_name, context.task_id, None))

    def teardown(self, estimator: Any, context: Any) -> None:
        self.told.append(("teardown", context.task_name, context.task_id, None))

    def on_fit_task_begin(self, estimator: Any, context: Any, *, X: Any = None) -> None:
        self.told.append(("begin", context.task_name, context.task_id, samples(X)))

    def on_fit_task_end(self, estimator: Any, context: Any, *, X: Any = None) -> bool:
        self.told.append(("end", context.task_name, context.task_id, samples(X)))
        return False

    def fits(self, hook: str = "begin") -> dict[int, int | None]:
        """Number of the fit → its samples."""
        tasks = [one for one in self.told if one[:2] == (hook, "candidate-split-evaluation")]
        return {number: size for _, _, number, size in tasks}


def samples(X: Any) -> int | None:
    return None if X is None else len(X)


def raced(**options: Any) -> tuple[RaceSearchCV, Recorder]:
    recorder = Recorder()
    search = RaceSearchCV(GaussianNB(), GRID, cv=CV, random_state=1, **options)
    return search.set_callbacks(recorder), recorder


def test_every_fit_of_a_race_is_a_task_that_begins_and_ends() -> None:
    search, recorder = raced()
    search.fit(X, y)
    assert len(recorder.fits()) == len(recorder.fits("end")) == search.n_fits_
    hooks = Counter((hook, task) for hook, task, *_ in recorder.told)
    assert hooks["setup", "fit"] == hooks["teardown", "fit"] == 1
    for task in ("fit", "race", "refit-with-best-params"):
        assert hooks["begin", task] == hooks["end", task] == 1
    assert [one[:2] for one in recorder.told[:2]] == [("setup", "fit"), ("begin", "fit")]
    assert [one[:2] for one in recorder.told[-2:]] == [("end", "fit"), ("teardown", "fit")]


def test_fits_have_the_numbers_and_the_data_that_grid_search_gives_them() -> None:
    search, recorder = raced(rule="none", refit=False)
    search.fit(X, y)
    other = Recorder()
    GridSearchCV(GaussianNB(), GRID, cv=CV, refit=False).set_callbacks(other).fit(X, y)
    assert recorder.fits() == other.fits()
    assert set(recorder.fits().values()) == {100}


def test_the_result_does_not_depend_on_callbacks() -> None:
    search, _ = raced()
    search.fit(X, y)
    alone = RaceSearchCV(GaussianNB(), GRID, cv=CV, random_state=1).fit(X, y)
    assert search.n_fits_ == alone.n_fits_
    np.testing.assert_array_equal(
        search.cv_results_["mean_test_score"], alone.cv_results_["mean_test_score"]
    )


def test_threads_call_the_same_callback() -> None:
    search, recorder = raced(n_jobs=2)
    with joblib.parallel_config("threading"):
        search.fit(X, y)
    assert len(recorder.fits()) == len(recorder.fits("end")) >= search.n_fits_


def test_a_failing_search_is_torn_down() -> None:
    search, recorder = raced(error_score="raise")
    search.param_space = {"var_smoothing": [-1.0, -2.0]}
    with pytest.raises(ValueError, match="var_smoothing"):
        search.fit(X, y)
    assert recorder.told[-1][:2] == ("teardown", "fit")


def test_worker_processes_send_a_progress_bar_what_they_do(
    capsys: pytest.CaptureFixture[str],
) -> None:
    from sklearn.callback import ProgressBar

    pytest.importorskip("rich")
    search = RaceSearchCV(GaussianNB(), GRID, cv=CV, random_state=1, n_jobs=2)
    search.set_callbacks(ProgressBar(max_propagation_depth=0)).fit(X, y)
    shown = capsys.readouterr().out
    assert "RaceSearchCV - race" in shown
    assert "100%" in shown


def test_callbacks_of_an_estimator_see_the_race_that_they_are_in() -> None:
    recorder = Lineage()
    estimator = Listened().set_callbacks(recorder)
    RaceSearchCV(estimator, {"offset": [0.0, 1.0]}, cv=3).fit(X, y)
    assert {tuple(path) for path in recorder.paths} == {("fit", "race", "fit"), ("fit", "fit")}


class Lineage(Recorder):
    """Writes down the names of the tasks above each task."""

    def __init__(self) -> None:
        super().__init__()
        self.paths: list[list[str]] = []

    def on_fit_task_begin(self, estimator: Any, context: Any) -> None:
        path = []
        while context is not None:
            path.insert(0, context.task_name)
            context = context.parent
        self.paths.append(path)


if hasattr(sklearn, "callback") or parse_version(sklearn.__version__) >= parse_version("1.9"):
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.callback import CallbackSupportMixin, with_callbacks

    class Listened(CallbackSupportMixin, ClassifierMixin, BaseEstimator):
        """Predicts the first class, and has one task."""

        def __init__(self, offset: float = 0.0) -> None:
            self.offset = offset

        @with_callbacks
        def fit(self, X: Any, y: Any) -> Listened:
            context = self._init_callback_context()
            context.call_on_fit_task_begin(estimator=self, X=X, y=y)
            self.classes_ = np.unique(y)
            context.call_on_fit_task_end(estimator=self, X=X, y=y)
            return self

        def predict(self, X: Any) -> Any:
            return np.full(len(X), self.classes_[0])
