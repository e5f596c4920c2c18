"""scikit-learn's own checks: all of them pass."""

from __future__ import annotations

import warnings
from typing import Any

import pytest
from sklearn.linear_model import Ridge, RidgeClassifier
from sklearn.utils.estimator_checks import check_estimator

from racing.sklearn import RaceSearchCV


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
