"""Programs as users write them, after the manner of scikit-learn's examples; one name differs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import loguniform, randint
from sklearn.cluster import KMeans
from sklearn.compose import TransformedTargetRegressor, make_column_transformer
from sklearn.datasets import load_diabetes, load_digits, load_iris, load_wine
from sklearn.decomposition import PCA
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import LogisticRegression, Ridge, SGDClassifier
from sklearn.metrics import classification_report, make_scorer, recall_score
from sklearn.model_selection import (
    RepeatedKFold,
    RepeatedStratifiedKFold,
    TimeSeriesSplit,
    cross_val_score,
    train_test_split,
)
from sklearn.neighbors import KernelDensity
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC

from racing.sklearn import RaceSearchCV

CV = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
IRIS = load_iris(return_X_y=True)
WINE = load_wine(return_X_y=True)


def test_a_list_of_grids_by_recall_with_a_report_on_held_out_data():
    digits = load_digits()
    X = digits.images[:400].reshape((400, -1))
    y = digits.target[:400] == 8
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.5, random_state=0)
    grids = [
        {"kernel": ["rbf"], "gamma": [1e-3, 1e-4], "C": [1, 10, 100]},
        {"kernel": ["linear"], "C": [1, 10, 100]},
    ]
    search = RaceSearchCV(SVC(), grids, scoring="recall", cv=CV).fit(X_train, y_train)
    assert "accuracy" in classification_report(y_test, search.predict(X_test))
    assert search.score(X_test, y_test) == recall_score(y_test, search.predict(X_test))


def test_a_text_pipeline_with_distributions():
    words = ("red apple", "green pear", "fast car", "slow bus")
    texts = [f"{words[k % 4]} number {k}" for k in range(120)]
    fruit = [k % 4 < 2 for k in range(120)]
    pipeline = Pipeline([
        ("count", CountVectorizer()), ("tfidf", TfidfTransformer()),
        ("classify", SGDClassifier(random_state=0)),
    ])  # fmt: skip
    space = {
        "count__ngram_range": ((1, 1), (1, 2)),
        "tfidf__use_idf": (True, False),
        "classify__alpha": loguniform(1e-6, 1e-2),
    }
    search = RaceSearchCV(pipeline, space, n_iter=8, cv=CV, random_state=0).fit(texts, fruit)
    assert search.predict(["a red pear", "a slow car"]).tolist() == [True, False]
    assert search.best_params_["count__ngram_range"] in ((1, 1), (1, 2))


def test_nested_cross_validation():
    inner = RaceSearchCV(SVC(), {"C": [1, 10, 100], "gamma": [0.01, 0.1]}, cv=5)
    assert cross_val_score(inner, *IRIS, cv=4).mean() > 0.9


def test_several_scorers_and_a_frame_of_results():
    scoring = {"AUC": "roc_auc", "Accuracy": make_scorer(lambda y, p: np.mean(y == p))}
    X, y = WINE[0], WINE[1] == 0
    forest = RandomForestClassifier(5, random_state=0)
    search = RaceSearchCV(
        forest, {"min_samples_split": range(2, 60, 10)}, scoring=scoring, refit="AUC", cv=CV
    ).fit(X, y)
    frame = pd.DataFrame(search.cv_results_).sort_values("rank_test_AUC")
    assert frame.iloc[0]["params"] == search.best_params_
    assert {"mean_test_Accuracy", "mean_test_AUC"} <= set(frame)


def test_the_smallest_model_within_one_standard_error():
    def smallest(results):
        means = np.where(results["n_folds"] >= 3, results["mean_test_score"], -np.inf)
        best = int(np.argmax(means))
        near = means >= means[best] - results["std_test_score"][best]
        sizes = np.array(results["param_reduce__n_components"], dtype=float)
        return int(np.flatnonzero(near)[np.argmin(sizes[near])])

    steps = [
        ("scale", StandardScaler()), ("reduce", PCA(random_state=0)),
        ("classify", LogisticRegression()),
    ]  # fmt: skip
    grid = {"reduce__n_components": [2, 4, 6, 8, 10]}
    search = RaceSearchCV(Pipeline(steps), grid, cv=CV, refit=smallest).fit(*WINE)
    assert search.best_index_ == smallest(search.cv_results_)
    assert search.best_estimator_[1].n_components_ == search.best_params_["reduce__n_components"]


def test_steps_of_a_pipeline_are_choices_and_its_memory_is_kept(tmp_path):
    pipeline = Pipeline(
        [("scale", StandardScaler()), ("reduce", "passthrough"), ("classify", SVC())],
        memory=str(tmp_path),
    )
    grids = [
        {"reduce": [PCA(random_state=0)], "reduce__n_components": [2, 4], "classify__C": [1, 10]},
        {"reduce": [SelectKBest()], "reduce__k": [2, 4], "classify__C": [1, 10]},
    ]
    search = RaceSearchCV(pipeline, grids, cv=CV).fit(*WINE)
    assert isinstance(search.best_params_["reduce"], PCA | SelectKBest)
    assert search.best_score_ > 0.9


def test_columns_of_a_frame_and_a_transformed_target():
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    X = X.assign(group=np.where(X["bmi"] > 0, "high", "low"))
    columns = make_column_transformer((OneHotEncoder(), ["group"]), remainder="passthrough")
    model = TransformedTargetRegressor(
        make_pipeline(columns, Ridge()), func=np.log, inverse_func=np.exp
    )
    search = RaceSearchCV(
        model,
        {"regressor__ridge__alpha": loguniform(1e-3, 1e3)},
        n_iter=10,
        scoring="neg_mean_absolute_error",
        cv=RepeatedKFold(n_splits=5, n_repeats=2, random_state=0),
        random_state=0,
    ).fit(X, y)
    assert search.best_score_ < 0
    assert list(search.feature_names_in_) == list(X.columns)


def test_folds_of_a_time_series():
    t = np.arange(200)
    X = np.column_stack([np.sin(t / 10), np.cos(t / 10), t])
    grid = {"ridge__alpha": [1e-3, 1, 1e3, 1e6]}
    search = RaceSearchCV(
        make_pipeline(StandardScaler(), Ridge()), grid, cv=TimeSeriesSplit(n_splits=8)
    ).fit(X, 2 * X[:, 0] + 0.01 * t)
    assert search.best_params_["ridge__alpha"] == 1e-3


def test_the_distributions_of_a_halving_search():
    space = {
        "max_depth": [3, None],
        "max_features": randint(1, 4),
        "min_samples_split": randint(2, 11),
        "bootstrap": [True, False],
        "criterion": ["gini", "entropy"],
    }
    forest = RandomForestClassifier(n_estimators=4, random_state=0)
    search = RaceSearchCV(forest, space, n_iter=10, cv=CV, random_state=0).fit(*IRIS)
    assert search.best_params_["max_depth"] in (3, None)
    assert search.n_fits_ < 10 * 10


@pytest.mark.parametrize(
    ("estimator", "grid"),
    [
        (KernelDensity(), {"bandwidth": np.logspace(-1, 1, 6)}),
        (KMeans(n_init=1, random_state=0), {"n_clusters": [2, 3, 4]}),
    ],
)
def test_without_classes(estimator, grid):
    search = RaceSearchCV(estimator, grid, cv=RepeatedKFold(n_splits=5, random_state=0))
    search.fit(IRIS[0])
    assert set(search.best_params_) == set(grid)
    assert np.isfinite(search.best_score_)
