"""RaceSearchCV keeps the conventions of GridSearchCV."""

from __future__ import annotations

import pickle
import warnings
from copy import deepcopy
from typing import Any

import joblib
import numpy as np
import pytest
import scipy.stats
from sklearn.base import clone
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import Ridge, RidgeClassifier
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    ParameterGrid,
    RepeatedStratifiedKFold,
    cross_val_score,
)
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from racing.base.errors import InputError
from racing.core.fronts import front, losses
from racing.core.stop import Stop
from racing.log import SQLiteLog
from racing.race import Race
from racing.sklearn import RaceSearchCV
from racing.space import Integer, Space
from tests.sklearn.worlds import CV, GRID, Scripted, X, search, y


@pytest.fixture(scope="module")
def raced() -> RaceSearchCV:
    return search(return_train_score=True).fit(X, y)


@pytest.fixture(scope="module")
def grid() -> GridSearchCV:
    return GridSearchCV(KNeighborsClassifier(), GRID, cv=CV, return_train_score=True).fit(X, y)


def test_it_has_the_keys_of_the_grid_search_and_its_numbers_where_it_ran(raced, grid):
    ours, theirs = raced.cv_results_, grid.cv_results_
    extra = {"n_folds"} | {f"eliminated_{k}" for k in
             ("after", "by", "reason", "measure", "value", "threshold")}  # fmt: skip
    assert set(ours) == set(theirs) | extra
    assert ours["params"] == theirs["params"]
    for part in ("test", "train"):
        for split in range(10):
            key = f"split{split}_{part}_score"
            ran = ~np.isnan(ours[key])
            np.testing.assert_array_equal(ours[key][ran], theirs[key][ran])
    whole = ours["n_folds"] == 10
    np.testing.assert_allclose(ours["mean_test_score"][whole], theirs["mean_test_score"][whole])
    np.testing.assert_allclose(ours["std_test_score"][whole], theirs["std_test_score"][whole])
    for name in GRID:
        column = ours[f"param_{name}"]
        assert isinstance(column, np.ma.MaskedArray)
        assert column.tolist() == theirs[f"param_{name}"].tolist()


def test_it_saves_fits_and_finds_what_the_grid_finds(raced, grid):
    assert raced.n_fits_ < 8 * 10
    assert raced.n_fits_ == raced.cv_results_["n_folds"].sum()
    assert grid.cv_results_["mean_test_score"][raced.best_index_] > grid.best_score_ - 0.02


def test_the_highest_score_wins_and_ranks_follow_the_scores():
    found = search({"quality": [0.2, 0.9, 0.4, 0.6]}, Scripted()).fit(X, y)
    assert found.best_params_ == {"quality": 0.9}
    assert found.best_score_ > 0.88
    assert found.cv_results_["rank_test_score"].tolist() == [4, 1, 3, 2]


@pytest.mark.parametrize(("options", "folds"), [({}, 10), ({"rule": "sign", "n_jobs": 2}, 10),
                                                ({"rule": "bets", "budget": 6}, 6)])  # fmt: skip
def test_a_single_candidate_has_all_folds_and_a_result(options, folds, tmp_path):
    for path in (tmp_path / "one.sqlite", tmp_path / "one.sqlite"):  # the second one goes on
        found = search({"n_neighbors": [3]}, log=path, **options).fit(X, y)
        assert found.n_fits_ == found.result_.spent.evaluations == folds
        assert found.result_.score == pytest.approx(found.best_score_)
        assert found.result_.stopped is (Stop.INSTANCES if folds == 10 else Stop.EVALUATIONS)
    again = search({"n_neighbors": [3]}, min_survivors=2)
    with pytest.raises(InputError, match="there is 1 candidate: no candidate could be dropped"):
        again.fit(X, y)


def test_means_and_deviations_are_over_the_folds_that_were_run(raced):
    found = raced.cv_results_
    assert found["n_folds"].min() < 10
    for part in ("test", "train"):
        scores = np.column_stack([found[f"split{split}_{part}_score"] for split in range(10)])
        np.testing.assert_allclose(found[f"mean_{part}_score"], np.nanmean(scores, axis=1))
        np.testing.assert_allclose(found[f"std_{part}_score"], np.nanstd(scores, axis=1))


def test_who_left_has_a_reason_and_ranks_behind_those_who_stayed(raced):
    found = raced.cv_results_
    left = ~np.isnan(found["eliminated_after"])
    assert left.any()
    assert (found["eliminated_reason"][left] != "").all()
    assert (found["eliminated_reason"][~left] == "").all()
    assert (found["eliminated_by"][left] >= 0).all()
    assert (found["n_folds"][left] == found["eliminated_after"][left]).all()
    ranks = found["rank_test_score"]
    assert sorted(ranks) == list(range(1, 9))
    assert ranks[left].min() > ranks[~left].max()
    assert ranks[raced.best_index_] == 1
    order = np.argsort(ranks[left])
    assert (np.diff(found["eliminated_after"][left][order]) <= 0).all()


def test_the_best_is_refitted_and_predicts(raced):
    assert raced.best_params_ == raced.cv_results_["params"][raced.best_index_]
    assert raced.best_score_ == raced.cv_results_["mean_test_score"][raced.best_index_]
    alone = KNeighborsClassifier(**raced.best_params_).fit(X, y)
    np.testing.assert_array_equal(raced.predict(X), alone.predict(X))
    assert raced.score(X, y) == alone.score(X, y)
    assert raced.refit_time_ >= 0
    assert raced.n_splits_ == 10
    assert raced.n_features_in_ == 5
    assert list(raced.classes_) == [0, 1]


@pytest.mark.parametrize("rule", ["correlated-t", {"name": "auto", "effort": "high"}])
def test_any_rule_goes(rule):
    found = search(rule=rule).fit(X, y)
    assert found.race_.done
    assert 24 <= found.n_fits_ <= 80


def test_it_looks_when_it_is_told_to():
    found = search(first_test=2, each_test="50%", n_jobs=2).fit(X, y)
    looks = [verdict.instances for verdict in found.race_.verdicts]
    assert looks == [2, 3, 4, 6, 9][: len(looks)]
    assert len(looks) >= 3


def test_jobs_and_backends_change_nothing(raced):
    for options, config in (({"n_jobs": 2}, {"backend": "threading"}), ({}, {"n_jobs": 2})):
        with joblib.parallel_config(**config):
            found = search(**options).fit(X, y)
        assert found.best_params_ == raced.best_params_
        np.testing.assert_array_equal(found.cv_results_["n_folds"], raced.cv_results_["n_folds"])
        assert found.race_.verdicts == raced.race_.verdicts


def test_it_is_cloned_and_pickled(raced):
    again = clone(raced)
    assert not hasattr(again, "cv_results_")
    assert again.get_params()["param_space"] == GRID
    copy = pickle.loads(pickle.dumps(raced))
    np.testing.assert_array_equal(copy.predict(X), raced.predict(X))
    assert copy.race_.winner == raced.race_.winner


@pytest.mark.parametrize(
    "space",
    [{"n_neighbors": {"integer": [1, 30]}}, {"n_neighbors": scipy.stats.randint(1, 30)}],
)
def test_a_fitted_search_is_pickled_and_copied(space):
    found = search(space, budget=40).fit(X, y)
    for copy in (pickle.loads(pickle.dumps(found)), deepcopy(found)):
        np.testing.assert_array_equal(copy.predict(X), found.predict(X))
        assert str(copy.result_) == str(found.result_)
        assert copy.race_.verdicts == found.race_.verdicts


def test_it_nests_in_a_cross_validation_and_in_a_pipeline():
    scores = cross_val_score(search(cv=3), X, y, cv=3)
    assert (scores > 0.6).all()
    outer = Pipeline([("scale", StandardScaler()), ("search", search(cv=3))]).fit(X, y)
    assert outer.score(X, y) > 0.6


def test_a_pipeline_with_steps_as_parameters_and_a_list_of_grids():
    steps = Pipeline([("scale", StandardScaler()), ("model", KNeighborsClassifier())])
    space = [
        {"model__n_neighbors": [1, 9, 31], "scale": [StandardScaler(), MinMaxScaler(), None]},
        {"model": [RidgeClassifier()], "model__alpha": [0.1, 10.0]},
    ]
    found = search(space, steps).fit(X, y)
    assert [dict(p) for p in found.cv_results_["params"]] == list(ParameterGrid(space))
    assert found.cv_results_["param_model__alpha"].mask.sum() == 9
    assert found.best_estimator_.score(X, y) > 0.7


def test_distributions_are_drawn_by_the_random_state():
    space = {"n_neighbors": scipy.stats.randint(1, 60), "weights": ["uniform", "distance"]}
    one, other, third = (search(space, n_iter=9, random_state=seed).fit(X, y) for seed in (1, 1, 2))
    assert len(one.cv_results_["params"]) == 9
    assert one.cv_results_["params"] == other.cv_results_["params"]
    assert one.best_params_ == other.best_params_
    assert one.cv_results_["params"] != third.cv_results_["params"]


def test_distributions_are_searched_with_nineteen_fits_for_each_fold():
    space = {"n_neighbors": scipy.stats.randint(1, 60), "weights": ["uniform", "distance"]}
    found = search(space, cv=5).fit(X, y)
    assert found.race_.budget.evaluations == 19 * 5
    assert 60 <= found.n_fits_ <= 95
    tried = [params["n_neighbors"] for params in found.cv_results_["params"]]
    assert len(tried) > 20
    assert all(1 <= n < 60 for n in tried)
    known = {(n, p["weights"]) for n, p in zip(tried, found.cv_results_["params"], strict=True)}
    assert len(known) == len(tried)
    with pytest.raises(ValueError, match="distributions and n_iter, to be raced"):
        search(space, cv=5, first_test=2).fit(X, y)


def test_two_numbers_beside_a_parameter_are_choices():
    space = {"n_neighbors": {"integer": [1, 60]}, "leaf_size": [20, 30]}
    found = search(space, cv=5, budget=60).fit(X, y)
    assert {params["leaf_size"] for params in found.cv_results_["params"]} == {20, 30}


def test_distributions_are_searched_for_a_knee_too():
    space = {"n_neighbors": scipy.stats.randint(1, 60), "weights": ["uniform", "distance"]}
    found = search(space, cv=5, **SIZED).fit(X, y)
    assert found.race_.as_search is not None


def test_two_numbers_beside_a_distribution_are_choices():
    space = {"n_neighbors": [1, 45], "leaf_size": scipy.stats.randint(20, 40)}
    found = search(space, cv=5).fit(X, y)
    assert {params["n_neighbors"] for params in found.cv_results_["params"]} == {1, 45}


@pytest.mark.parametrize(
    "space",
    [
        {"n_neighbors": scipy.stats.poisson(9, loc=1)},
        {"n_neighbors": scipy.stats.randint(1, 60), "metric": [lambda a, b: abs(a - b).sum()]},
        [{"n_neighbors": scipy.stats.randint(1, 60)}, {"weights": ["distance"]}],
    ],
    ids=("no interval", "no name", "a list"),
)
def test_thirty_candidates_are_drawn_where_nothing_can_be_searched(space):
    found = search(space, cv=5).fit(X, y)
    assert isinstance(found.race_, Race)
    assert len(found.cv_results_["params"]) == 30


def test_a_space_is_searched():
    space = Space({"n_neighbors": Integer(1, 60)})
    found = search(space, budget=80).fit(X, y)
    assert 40 <= found.n_fits_ <= 80
    assert 1 <= found.best_params_["n_neighbors"] <= 60
    assert found.cv_results_["rank_test_score"][found.best_index_] == 1


def test_the_default_of_a_space_is_kept_unless_another_is_shown_to_be_better():
    """Folds of one data set tell little: as independent ones, these would show a gain."""
    space = Space({"n_neighbors": Integer(1, 60, default=1)})
    cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=6, random_state=1)
    kept = search(space, budget=250, cv=cv, random_state=3).fit(X, y)
    bold = search(space, budget=250, cv=cv, random_state=3, risk=0.5).fit(X, y)
    assert kept.race_.found == bold.race_.found
    assert 0.05 < kept.race_.worse < 0.5
    assert kept.best_params_ == {"n_neighbors": 1}
    assert kept.best_estimator_.n_neighbors == 1
    assert bold.best_params_ == dict(bold.race_.found.values)


def test_a_budget_of_fits_is_kept():
    found = search(budget=30).fit(X, y)
    assert found.n_fits_ <= 30


def test_several_metrics_with_one_that_decides():
    scoring = ["accuracy", "roc_auc"]
    found = search(scoring=scoring, refit="accuracy").fit(X, y)
    alone = search(scoring="accuracy").fit(X, y)
    np.testing.assert_array_equal(
        found.cv_results_["mean_test_accuracy"], alone.cv_results_["mean_test_score"]
    )
    assert found.best_index_ == alone.best_index_
    assert found.multimetric_
    assert set(found.scorer_) == set(scoring)
    by_auc = search(scoring="roc_auc").fit(X, y)
    unfitted = search(scoring=scoring, refit=False, race_metric="roc_auc").fit(X, y)
    assert unfitted.race_.verdicts == by_auc.race_.verdicts
    assert not hasattr(unfitted, "best_index_")
    assert unfitted.cv_results_["rank_test_roc_auc"].min() == 1


def test_several_metrics_have_the_columns_of_the_grid_search():
    scoring, grid = {"right": "accuracy", "area": "roc_auc"}, {"n_neighbors": [1, 15]}
    names = list(scoring)
    options = {"scoring": scoring, "refit": names[1], "return_train_score": True}
    ours = search(grid, rule="none", **options).fit(X, y)
    theirs = GridSearchCV(KNeighborsClassifier(), grid, cv=CV, **options).fit(X, y)
    columns = [key for key in theirs.cv_results_ if key.endswith(tuple(f"_{n}" for n in names))]
    assert len(columns) == 2 * (2 * 12) + 2, "splits, mean and std of test and train, and ranks"
    for key in columns:
        if not key.startswith("rank"):
            np.testing.assert_allclose(ours.cv_results_[key], theirs.cv_results_[key])
    for name in names:  # the race numbers ties, and the grid search lets them share a rank
        best = ours.cv_results_[f"rank_test_{name}"] == 1
        assert theirs.cv_results_[f"rank_test_{name}"][best].tolist() == [1]
    assert ours.best_score_ == pytest.approx(theirs.best_score_)
    assert set(ours.scorer_) == set(theirs.scorer_)


def test_a_callable_chooses_among_several_metrics_and_one_is_named_that_races():
    def smallest_within(cv_results):
        good = cv_results["mean_test_accuracy"] >= cv_results["mean_test_accuracy"].max() - 0.02
        fewest = np.where(good, cv_results["param_n_neighbors"].astype(float), np.inf)
        return int(fewest.argmin())

    several = {"scoring": ["accuracy", "roc_auc"], "refit": smallest_within}
    found = search(**several, race_metric="roc_auc").fit(X, y)
    alone = search(scoring="roc_auc").fit(X, y)
    assert found.race_.verdicts == alone.race_.verdicts
    assert found.best_index_ == smallest_within(found.cv_results_)
    assert found.best_estimator_.get_params().items() >= found.best_params_.items()
    assert not hasattr(found, "best_score_")


def fewer_neighbors(estimator, X, y):
    return -float(estimator.n_neighbors)


SIZED = {"scoring": {"accuracy": "accuracy", "size": fewer_neighbors}, "refit": "knee"}


def test_the_knee_of_several_metrics_is_refitted():
    found = search(**SIZED, rule="none").fit(X, y)
    table = found.cv_results_
    means = -np.column_stack([table["mean_test_accuracy"], table["mean_test_size"]])
    np.testing.assert_array_equal(table["on_front"], front(means, np.zeros(2)))
    given_up = losses(means, table["on_front"]).tolist()
    assert given_up[found.best_index_] == min(given_up)
    assert table["rank_test_knee"][found.best_index_] == 1
    assert sorted(table["rank_test_knee"]) == list(range(1, 9))
    assert table["on_front"].sum() == len(found.race_.front)
    assert found.best_estimator_.get_params().items() >= found.best_params_.items()
    assert not hasattr(found, "best_score_")


def test_a_race_for_the_knee_drops_dominated_candidates_and_saves_fits():
    found = search(**SIZED, cv=RepeatedStratifiedKFold(n_splits=5, n_repeats=6, random_state=1))
    table = found.fit(X, y).cv_results_
    assert found.n_fits_ < 8 * 30
    dropped = table["eliminated_reason"] == "dominated"
    assert dropped.any()
    assert not (dropped & table["on_front"]).any()
    assert (table["n_folds"][~dropped] == 30).all()


def test_a_front_is_searched_in_a_space_and_its_log_is_continued(tmp_path):
    space = Space({"n_neighbors": Integer(1, 60)})
    options = {**SIZED, "budget": 80, "log": tmp_path / "front.sqlite", "random_state": 1}
    found = search(space, **options).fit(X, y)
    again = search(space, **options).fit(X, y)
    assert again.best_params_ == found.best_params_
    assert found.cv_results_["on_front"][found.best_index_]
    with SQLiteLog.open(tmp_path / "front.sqlite", write=False) as log:
        assert all(len(outcome.metrics) == 2 for outcome in log.outcomes())


def test_a_scorer_named_knee_is_a_scorer():
    found = search(scoring={"knee": "accuracy", "area": "roc_auc"}, refit="knee").fit(X, y)
    alone = search(scoring="accuracy").fit(X, y)
    assert found.best_index_ == alone.best_index_
    assert found.best_score_ == alone.best_score_
    assert "on_front" not in found.cv_results_


def test_a_single_candidate_is_the_knee():
    found = search({"n_neighbors": [5]}, **SIZED).fit(X, y)
    assert found.best_index_ == 0
    assert found.cv_results_["rank_test_knee"].tolist() == [1]
    assert found.cv_results_["on_front"].tolist() == [True]


def test_a_callable_may_score_and_refit():
    def both(estimator, X, y):
        score = estimator.score(X, y)
        return {"right": score, "wrong": 1 - score}

    def last(cv_results):
        return len(cv_results["params"]) - 1

    found = search(scoring=both, refit="right").fit(X, y)
    assert found.best_score_ == found.cv_results_["mean_test_right"][found.best_index_]
    chosen = search(refit=last).fit(X, y)
    assert chosen.best_index_ == 7
    assert not hasattr(chosen, "best_score_")


def test_sample_weights_are_split_and_groups_reach_the_splitter():
    weights = np.linspace(1, 2, len(y))
    found = search({"quality": [0.1, 0.9]}, Scripted()).fit(X, y, sample_weight=weights)
    np.testing.assert_array_equal(found.best_estimator_.weights_, weights)
    groups = np.arange(len(y)) % 6
    grouped = search(cv=GroupKFold(6)).fit(X, y, groups=groups)
    assert grouped.n_splits_ == 6


def test_a_single_candidate_is_fitted_on_every_fold():
    found = search({"n_neighbors": [5]}).fit(X, y)
    expected = cross_val_score(KNeighborsClassifier(), X, y, cv=CV)
    assert found.n_fits_ == 10
    assert found.best_score_ == pytest.approx(expected.mean())


def test_verbose_tells_of_every_elimination(capsys):
    found = search(verbose=1).fit(X, y)
    said = capsys.readouterr().out
    left = sum(bool(verdict.eliminated) for verdict in found.race_.verdicts)
    assert said.count(" stay\n") == left > 0


def test_folds_of_the_data_are_one_group(raced):
    instances = raced.race_.instances
    assert set(instances.groups) == {"data"}
    assert instances.correlation == pytest.approx(0.2)


def test_the_result_is_that_of_maximize(raced, tmp_path):
    found = raced.result_
    assert found.best == raced.best_params_
    assert found.score == pytest.approx(raced.best_score_)
    assert len(found.to_frame()) == len(raced.cv_results_["params"])
    assert str(found.gain).startswith("On ")
    assert f"best {found.winner}" in repr(found)
    assert str(found.winner) in found.report(tmp_path / "page.html").read_text(encoding="utf-8")
    assert found.plot().axes


def test_failed_fits_are_told_by_their_errors():
    with pytest.warns(FitFailedWarning), pytest.warns(UserWarning, match="non-finite"):
        found = search({"quality": [0.3, 0.9], "fails": ["", "some"]}, Scripted()).fit(X, y)
    assert "RuntimeError: cannot fit with quality" in found.result_.failures[0][0]


@pytest.mark.parametrize(
    ("estimator", "cv"), [(RidgeClassifier(), 2), (Ridge(), None)], ids=["classes", "numbers"]
)
def test_every_check_passes(estimator: Any, cv: int | None) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        told = check_estimator(RaceSearchCV(estimator, {"alpha": [0.1, 1.0]}, cv=cv), on_skip=None)
    passed = [one["check_name"] for one in told if one["status"] == "passed"]
    assert len(passed) >= 40
    assert {"check_dtype_object", "check_supervised_y_2d"} <= set(passed)
