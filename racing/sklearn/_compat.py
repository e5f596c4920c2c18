"""Private parts of scikit-learn, which differ between its versions: 1.6 to 1.9.

All other modules of `racing.sklearn` use its public interface only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from inspect import signature
from typing import Any, ClassVar

from sklearn.base import _fit_context
from sklearn.model_selection._search import BaseSearchCV as _BaseSearchCV
from sklearn.model_selection._search import _yield_masked_array_for_each_param
from sklearn.model_selection._validation import _fit_and_score, _warn_or_raise_about_fit_failures
from sklearn.utils import get_tags
from sklearn.utils.validation import _check_method_params

_FIT_OPTIONS = frozenset(signature(_fit_and_score).parameters)


class BaseSearchCV(_BaseSearchCV):  # type: ignore[misc]
    """The base of searches, which also accepts the `refit` of a race over a front."""

    own_refits: ClassVar[tuple[str, ...]] = ()
    """Words that `refit` may be besides the names of metrics."""

    def _check_refit_for_multimetric(self, scores: Mapping[str, Any]) -> None:
        if not (isinstance(self.refit, str) and self.refit in self.own_refits):
            super()._check_refit_for_multimetric(scores)

    def __sklearn_tags__(self) -> Any:
        """The tags of the estimator; also whether it takes several targets at once."""
        tags = super().__sklearn_tags__()
        targets = get_tags(self.estimator).target_tags
        tags.target_tags.multi_output = targets.multi_output
        tags.target_tags.single_output = targets.single_output
        return tags


def validated(fit: Any) -> Any:
    """A decorator of `fit` that checks the parameters of the estimator."""
    return _fit_context(prefer_skip_nested_validation=False)(fit)


def scorers_of(search: BaseSearchCV) -> tuple[Any, Any]:
    """(scorers, metric for the refit), as in `GridSearchCV`."""
    scorers, metric = search._get_scorers()
    return scorers, metric


def scorers_by_name(scorers: Any) -> Any:
    """The value of `scorer_`: a dictionary for several scorers."""
    return getattr(scorers, "_scorers", scorers)


def check_refit(search: BaseSearchCV, scores: Mapping[str, float]) -> None:
    """Refuse a `refit` that names none of several metrics."""
    search._check_refit_for_multimetric(scores)


def best_index(refit: Any, metric: str, results: Mapping[str, Any]) -> int:
    """The index of the candidate that `refit` selects."""
    return int(_BaseSearchCV._select_best_index(refit, metric, results))


def parameter_columns(settings: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The columns `param_…`: masked where a candidate has no such parameter."""
    return dict(_yield_masked_array_for_each_param(settings))


def routed(search: BaseSearchCV, X: Any, params: Mapping[str, Any]) -> Any:
    """Parameters of `fit`, for estimator, splitter and scorer."""
    return search._get_routed_params_for_fit(_check_method_params(X, params=params))


def fit_and_score(estimator: Any, X: Any, y: Any, **options: Any) -> dict[str, Any]:
    """Fit on one split and score it: see `_fit_and_score`; unsupported options are left out."""
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
    """Warn of failed fits, or raise ValueError if all failed: once for a search."""
    _warn_or_raise_about_fit_failures(fits, error_score)


@dataclass(frozen=True)
class Tasks:
    """The fits of a race as tasks of a callback's context; it is sent to the workers.

    Attributes
    ----------
    caller
        The search whose tasks they are.
    context
        `CallbackContext` of the race.
    """

    caller: Any
    context: Any

    def options(self, candidate: int, fold: int, splits: int) -> dict[str, Any]:
        """The options of `_fit_and_score`; fits have the numbers of `GridSearchCV`."""
        number = candidate * splits + fold
        self.context._children_map.pop(number, None)  # of a fit whose worker died
        context = self.context.subcontext(task_name="candidate-split-evaluation", task_id=number)
        return {"caller": self.caller, "callback_ctx": context}


class Callbacks:
    """Calls the callbacks of a search as in `GridSearchCV`, from scikit-learn 1.9 on.

    The root task is the call of `fit`; below it are the race, with a task for each fit, and the
    refit. Without callbacks in the search or its estimator, it does nothing.
    """

    def __init__(self, search: BaseSearchCV, X: Any, y: Any, params: Mapping[str, Any]) -> None:
        weight = params.get("sample_weight")
        metadata = None if weight is None else {"sample_weight": weight}
        self._search = search
        self._given = {"estimator": search, "X": X, "y": y, "metadata": metadata}
        self._root: Any = None
        if _has_callbacks(search):
            self._root = search._init_callback_context(max_subtasks=1 + (search.refit is not False))
            self._root.call_on_fit_task_begin(**self._given)

    @contextmanager
    def race(self, fits: int | None) -> Iterator[Tasks | None]:
        """The task of the race, with at most so many fits, or None if unknown."""
        if self._root is None:
            yield None
            return
        context = self._root.subcontext(
            task_name="race", max_subtasks=fits, sequential_subtasks=False
        )
        context.call_on_fit_task_begin(estimator=self._search)
        yield Tasks(self._search, context)
        context.call_on_fit_task_end(estimator=self._search)

    @contextmanager
    def refit(self, estimator: Any) -> Iterator[None]:
        """The task of the fit of the chosen candidate."""
        if self._root is None:
            yield
            return
        context = self._root.subcontext(task_name="refit-with-best-params")
        with context.propagate_callback_context(estimator):
            context.call_on_fit_task_begin(**self._given)
            yield
        context.call_on_fit_task_end(**self._given)

    def end(self) -> None:
        """End the task of the call of `fit`."""
        if self._root is not None:
            self._root.call_on_fit_task_end(**self._given)


def _has_callbacks(search: BaseSearchCV) -> bool:
    """Whether the search, an enclosing estimator, or a part of its estimator has callbacks."""
    if not hasattr(search, "_init_callback_context"):  # before 1.9
        return False
    parts = search.get_params(deep=True).values()
    return hasattr(search, "_parent_callback_ctx") or any(
        hasattr(part, "_skl_callbacks") for part in (search, *parts)
    )
