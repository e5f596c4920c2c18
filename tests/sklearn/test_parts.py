"""Candidates, folds, pools and data sets."""

from __future__ import annotations

import subprocess
import sys
import warnings

import joblib
import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine, make_moons
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import RepeatedKFold, ShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from racing.sklearn import race_over_data_sets
from racing.sklearn.arguments import Listed, listed
from racing.sklearn.fits import correlation, instances_of, repeats, splits_of
from racing.sklearn.session import _engine, open_fits
from tests.sklearn.worlds import X, search, y


def test_folds_of_a_repeat_come_together_and_cover_the_data_before_the_next():
    splits = splits_of(RepeatedKFold(n_splits=5, n_repeats=3, random_state=1), X, y, {})
    assert repeats(splits) == [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9], [10, 11, 12, 13, 14]]
    instances = instances_of(splits, np.random.default_rng(2))
    order = [instances.at(step, 1).problem for step in range(15)]
    assert order != sorted(order)
    for repeat in range(3):
        folds = order[5 * repeat : 5 * repeat + 5]
        assert sorted(folds) == list(range(5 * repeat, 5 * repeat + 5))
        tested = np.concatenate([splits[fold][1] for fold in folds])
        assert sorted(tested) == list(range(len(y)))


def test_random_splits_are_a_repeat_each_and_the_correlation_is_the_share_tested():
    splits = splits_of(ShuffleSplit(4, test_size=0.25, random_state=1), X, y, {})
    assert len(repeats(splits)) >= 3
    assert correlation(splits) == pytest.approx(0.25)


def test_candidates_are_told_in_plain_values():
    drawn = listed([{"a": [np.float64(0.5)], "b": [None, GaussianNB()]}, {"c": [True]}], None, 1)
    assert len(drawn) == 3
    given = Listed(drawn)
    plain = [one.values for one in given.candidates]
    assert plain == [{"a": 0.5, "b": "None"}, {"a": 0.5, "b": "GaussianNB()"}, {"c": True}]
    assert [given.behind(values) for values in plain] == drawn


def test_candidates_with_the_same_text_are_told_apart():
    steep = np.linspace(0, 1, 5000)
    flat = np.where(np.arange(5000) == 2500, 0, steep)  # differs where an array is not shown
    given = Listed([{"x": steep}, {"x": flat}])
    first, second = (one.values for one in given.candidates)
    assert first["x"] + " (2)" == second["x"]
    assert given.behind(first)["x"] is steep
    assert given.behind(second)["x"] is flat


def test_a_backend_without_a_pool_is_told():
    class Exotic:
        """Some backend of joblib's."""

    with pytest.warns(UserWarning, match="no pool for joblib's backend Exotic"):
        assert _engine(Exotic()) == "loky"


@pytest.mark.parametrize(
    ("config", "engine"),
    [
        ({}, "InProcessPool"),
        ({"backend": "threading", "n_jobs": 2}, "WorkerPool"),
        ({"backend": "loky", "n_jobs": 2}, "WorkerPool"),
        ({"backend": "sequential"}, "InProcessPool"),
    ],
)
def test_joblib_s_settings_choose_the_pool(config, engine):
    from racing.sklearn.fits import Data, Fits

    fits = Fits(GaussianNB(), Data(X, y, []), None)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with joblib.parallel_config(**config or {"n_jobs": None}), open_fits(fits, None) as pool:
            assert type(pool).__name__ == engine
            assert pool.size == config.get("n_jobs", 1)


def test_a_race_over_data_sets_takes_each_in_turn_and_finds_the_best():
    data = {
        "iris": load_iris(return_X_y=True),
        "wine": load_wine(return_X_y=True),
        "moons": make_moons(90, noise=0.2, random_state=1),
    }
    estimators = {
        "most frequent": DummyClassifier(),
        "bayes": GaussianNB(),
        "stump": DecisionTreeClassifier(max_depth=1, random_state=0),
    }
    race = race_over_data_sets(estimators, data, cv=5)
    assert race.winner.name == "bayes"
    dropped = [race.candidates[e.candidate - 1].name for v in race.verdicts for e in v.eliminated]
    assert dropped[0] == "most frequent"
    names = [race.instance(step).problem[0] for step in range(6)]
    assert sorted(names[:3]) == sorted(names[3:]) == sorted(data)


def printed_by(code: str) -> str:
    """What a fresh interpreter prints."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout


def test_importing_racing_imports_no_scikit_learn():
    code = "import racing, sys; racing.Race; racing.run; print('sklearn' in sys.modules)"
    assert printed_by(code) == "False\n"


def test_without_scikit_learn_the_error_names_the_extra():
    code = (
        "import sys; sys.modules['sklearn'] = None\n"
        "try:\n    import racing.sklearn\n"
        "except ImportError as error:\n    print(error)\n"
    )
    assert "racing[sklearn]" in printed_by(code)


def test_metadata_routing_sends_weights_where_they_are_asked_for():
    import sklearn

    weights = np.linspace(1, 2, len(y))
    with sklearn.config_context(enable_metadata_routing=True):
        tree = DecisionTreeClassifier(random_state=0).set_fit_request(sample_weight=True)
        tree.set_score_request(sample_weight=False)
        found = search({"max_depth": [1, 3]}, tree, cv=4).fit(X, y, sample_weight=weights)
    alone = DecisionTreeClassifier(random_state=0, **found.best_params_)
    expected = alone.fit(X, y, sample_weight=weights).predict(X)
    np.testing.assert_array_equal(found.predict(X), expected)
