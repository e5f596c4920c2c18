"""What is private to scikit-learn, and differs between its versions: 1.4 to 1.9.

Everything else in `racing.sklearn` uses its public interface only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from inspect import signature
from typing import Any

from sklearn.base import _fit_context
from sklearn.model_selection._search import BaseSearchCV as BaseSearchCV
from sklearn.model_selection._validation import _fit_and_score, _warn_or_raise_about_fit_failures
from sklearn.utils.validation import _check_method_params

_FIT_OPTIONS = frozenset(signature(_fit_and_score).parameters)


def validated(fit: Any) -> Any:
    """`fit`, with the estimator's parameters checked first; its sub-estimator checks itself."""
    return _fit_context(prefer_skip_nested_validation=False)(fit)


def scorers_of(search: BaseSearchCV) -> tuple[Any, Any]:
    """(scorers, metric that refits), as `GridSearchCV` reads `scoring` and `refit`."""
    if "convert_multimetric" in signature(search._get_scorers).parameters:  # before 1.5
        scorers, metric = search._get_scorers(convert_multimetric=True)
    else:
        scorers, metric = search._get_scorers()
    return scorers, metric


def scorers_by_name(scorers: Any) -> Any:
    """What `scorer_` holds: a dictionary of scorers where there are several."""
    return getattr(scorers, "_scorers", scorers)


def check_refit(search: BaseSearchCV, scores: Mapping[str, float]) -> None:
    """Refuse a `refit` that names none of several metrics."""
    search._check_refit_for_multimetric(scores)


def best_index(refit: Any, metric: str, results: Mapping[str, Any]) -> int:
    """The candidate that `refit` asks for."""
    return int(BaseSearchCV._select_best_index(refit, metric, results))


def routed(search: BaseSearchCV, X: Any, params: Mapping[str, Any]) -> Any:
    """Parameters of `fit`, for estimator, splitter and scorer."""
    return search._get_routed_params_for_fit(_check_method_params(X, params=params))


def fit_and_score(estimator: Any, X: Any, y: Any, **options: Any) -> dict[str, Any]:
    """Fit on one split and score it: see `_fit_and_score`; options that it lacks are left out."""
    known = {key: value for key, value in options.items() if key in _FIT_OPTIONS}
    found: dict[str, Any] = _fit_and_score(
        estimator,
        X,
        y,
        return_n_test_samples=True,
        return_times=True,
        return_parameters=False,
        **known,
    )
    return found


def tell_failures(fits: Sequence[Mapping[str, Any]], error_score: Any) -> None:
    """Warn of fits that failed, or raise ValueError if all of them did: once for a search."""
    _warn_or_raise_about_fit_failures(fits, error_score)
