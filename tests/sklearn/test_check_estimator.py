"""scikit-learn's own checks: nothing fails for RaceSearchCV that does not fail for GridSearchCV."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any
from unittest import SkipTest

import pytest
from sklearn.linear_model import Ridge, RidgeClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.utils import estimator_checks

from racing.sklearn import RaceSearchCV

KINDS = {
    "classifier": (RidgeClassifier(), {"alpha": [0.1, 1.0]}),
    "regressor": (Ridge(), {"alpha": [0.1, 1.0]}),
}


def checks(estimator: Any) -> Iterator[tuple[Any, Any]]:
    """(estimator, check) pairs, as `check_estimator` runs them."""
    if hasattr(estimator_checks, "estimator_checks_generator"):
        return estimator_checks.estimator_checks_generator(estimator, legacy=True)
    return estimator_checks.check_estimator(estimator, generate_only=True)


def failures(estimator: Any) -> tuple[int, dict[str, str]]:
    """How many checks there are, and those that fail, with the error."""
    found: dict[str, str] = {}
    number = 0
    for one, check in checks(estimator):
        name = getattr(check, "func", check).__name__
        keywords = getattr(check, "keywords", {})
        number += 1
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                check(one)
        except SkipTest:
            continue
        except BaseException as error:
            found[f"{name}{keywords or ''}"] = f"{type(error).__name__}: {error}"[:300]
    return number, found


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_fails_that_does_not_fail_for_the_grid_search(kind: str) -> None:
    estimator, grid = KINDS[kind]
    theirs, failed_there = failures(GridSearchCV(estimator, grid, cv=2))
    ours, failed_here = failures(RaceSearchCV(estimator, grid, cv=2))
    assert ours >= theirs > 40
    assert {name: why for name, why in failed_here.items() if name not in failed_there} == {}
