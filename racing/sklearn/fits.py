"""Folds as instances, with an order and their correlation; one fit on one fold as an experiment.

The score of a fit is its cost, and its message has the rest.
"""

from __future__ import annotations

import json
import math
import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from racing.base.errors import InputError
from racing.base.quantities import cost_of
from racing.core.experiment import Experiment, Outcome, Status
from racing.core.goal import Goal
from racing.core.instances import Instances
from racing.evaluate.work import Work
from racing.sklearn._compat import Tasks, fit_and_score
from racing.space.objects import Objects

Split = tuple[NDArray[np.intp], NDArray[np.intp]]
"""Indices of the training samples and of the test samples."""

_MOST = 0.9
"""Largest correlation of two folds."""

_TOLD = ("test_scores", "train_scores", "fit_time", "score_time", "n_test_samples", "fit_error")


@dataclass(frozen=True, slots=True)
class Raised(Outcome):
    """The outcome of a fit whose exception ends the search."""

    error: BaseException | None = None


@dataclass(frozen=True)
class Data:
    """A data set with its splits, and further parameters of its fits.

    Attributes
    ----------
    splits
        By number of the fold.
    fit_params, score_params
        For the estimator's `fit` and for the scorer.
    """

    X: Any
    y: Any
    splits: Sequence[Split]
    fit_params: Mapping[str, Any] = field(default_factory=dict)
    score_params: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Fits(Work):
    """Fits and scores candidates on folds: the work of a pool (`racing.evaluate.work.Work`).

    Attributes
    ----------
    objects
        The settings behind the values of a candidate.
    metric
        The score that decides; None for a single one.
    goal
        The front of several scores that decide together; None where one decides.
    threads
        The most threads of numerical libraries in a worker process; None for no limit.
    tasks
        The tasks for scikit-learn's callbacks; None without callbacks.
    """

    estimator: Any
    data: Data
    scorer: Any
    objects: Objects = field(default_factory=Objects)
    metric: str | None = None
    goal: Goal | None = None
    error_score: Any = math.nan
    return_train_score: bool = False
    verbose: int = 0
    candidates: int = 0
    threads: int | None = None
    tasks: Tasks | None = None

    def once(self, experiment: Experiment, worker: str) -> Outcome:
        """Fit and score once; an exception that must end the search is the outcome's `error`."""
        fold = experiment.instance.problem
        assert isinstance(fold, int)
        try:
            found = self._fit(experiment, fold)
            return self._outcome(experiment, found)
        except Exception as error:
            failure = experiment.failure(Status.CRASHED, f"{type(error).__name__}: {error}")
            return Raised(
                *failure.key, failure.cost, 0.0, failure.status, failure.message,
                error=_sendable(error),
            )  # fmt: skip

    def _fit(self, experiment: Experiment, fold: int) -> dict[str, Any]:
        id = experiment.candidate.id
        train, test = self.data.splits[fold]
        splits = len(self.data.splits)
        told = {} if self.tasks is None else self.tasks.options(id - 1, fold, splits)
        return fit_and_score(
            clone(self.estimator),
            self.data.X,
            self.data.y,
            scorer=self.scorer,
            train=train,
            test=test,
            parameters=self.objects.behind(experiment.candidate.values),
            fit_params=dict(self.data.fit_params),
            score_params=dict(self.data.score_params),
            return_train_score=self.return_train_score,
            error_score=self.error_score,
            verbose=self.verbose,
            split_progress=(fold, splits),
            candidate_progress=(id - 1, max(self.candidates, id)),
            **told,
        )

    def _outcome(self, experiment: Experiment, found: Mapping[str, Any]) -> Outcome:
        """The outcome, with all that `cv_results_` needs in its message."""
        seconds = float(found["fit_time"] + found["score_time"])
        note = json.dumps({key: _number(found[key]) for key in _TOLD if key in found})
        scores = self._deciding(found["test_scores"], found["fit_error"])
        if any(math.isnan(score) or score == math.inf for score in scores):
            status = Status.CRASHED if found["fit_error"] else Status.UNREADABLE
            return experiment.failure(status, note, seconds=seconds)
        costs = tuple(cost_of(score, "maximize") for score in scores)
        metrics = () if self.goal is None else costs
        return Outcome(
            *experiment.key, cost=costs[0], seconds=seconds, message=note, metrics=metrics
        )

    def _deciding(self, scores: Any, error: str | None) -> list[float]:
        """The scores that decide: all of a front, else one."""
        if self.goal is None:
            return [_deciding(scores, self.metric, error)]
        return [float(scores[name]) for name in self.goal.names]

    def prepare(self) -> None:
        """Limit the threads of numerical libraries in a worker process."""
        if self.threads is not None:
            from threadpoolctl import threadpool_limits

            threadpool_limits(self.threads)


def fit_of(outcome: Outcome) -> dict[str, Any] | None:
    """The result of a fit, from its outcome; None if its worker died."""
    try:
        found = json.loads(outcome.message)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def failure_of(outcome: Outcome) -> str:
    """Why a fit failed: the last line of its error."""
    told = fit_of(outcome)
    error = outcome.message if told is None else told.get("fit_error") or "the score is NaN"
    return error.strip().rpartition("\n")[2]


def _deciding(scores: Any, metric: str | None, error: str | None) -> float:
    """The score that decides.

    Raises
    ------
    InputError
        If there are several scores and none is named, or the name is unknown.
    """
    if not isinstance(scores, Mapping):
        if metric is not None and error is None:
            raise InputError(
                f"race_metric is {metric!r}, but scoring gives a single score; leave it out"
            )
        return float(scores)
    if metric is None or metric not in scores:
        raise InputError(
            f"scoring gives the metrics {', '.join(sorted(scores))}; say which of them decides the "
            f"race: race_metric={next(iter(scores))!r}, say" + (f", not {metric!r}" * bool(metric))
        )
    return float(scores[metric])


def _number(value: Any) -> Any:
    """A score or a dictionary of scores, for JSON."""
    if isinstance(value, Mapping):
        return {str(key): float(one) for key, one in value.items()}
    if isinstance(value, str) or value is None:
        return value
    return float(np.asarray(value).item())


def _sendable(error: BaseException) -> BaseException:
    """An exception that can be sent between processes."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


# --- folds --------------------------------------------------------------------------------------


def splits_of(cv: Any, X: Any, y: Any, params: dict[str, Any]) -> list[Split]:
    """All splits of a splitter.

    Raises
    ------
    InputError
        If there are none, or fewer or more than `get_n_splits`.
    """
    expected = cv.get_n_splits(X, y, **params)
    splits = list(cv.split(X, y, **params))
    if len(splits) != expected:
        raise InputError(
            f"cv.split must give {expected} splits, as cv.get_n_splits says; got {len(splits)}"
        )
    if not splits:
        raise InputError(
            "No fits were performed. Was the CV iterator empty? Were there no candidates?"
        )
    return splits


def instances_of(splits: Sequence[Split], rng: np.random.Generator) -> Instances:
    """The folds as instances: all of a repeat before the next one, shuffled within it.

    So the k folds of a repeat test every sample once. All folds are of one data set, so they are
    one group, with the correlation n_test/n_total of Nadeau and Bengio (2003).
    """
    order = [fold for repeat in repeats(splits) for fold in rng.permutation(repeat).tolist()]
    return Instances(
        problems=order,
        names=[f"fold {fold}" for fold in order],
        order="listed",
        groups=["data"] * len(order),
        correlation=correlation(splits),
    )


def correlation(splits: Sequence[Split]) -> float:
    """n_test/n_total, averaged over the folds."""
    shares = [len(test) / max(len(train) + len(test), 1) for train, test in splits]
    return min(float(np.mean(shares)), _MOST)


def repeats(splits: Sequence[Split]) -> list[list[int]]:
    """The folds by repeat: a new one starts when a fold tests a sample again."""
    found: list[list[int]] = []
    tested: set[int] = set()
    for fold, (_, test) in enumerate(splits):
        samples = set(np.asarray(test).ravel().tolist())
        if not found or tested & samples:
            found.append([])
            tested = set()
        found[-1].append(fold)
        tested |= samples
    return found
