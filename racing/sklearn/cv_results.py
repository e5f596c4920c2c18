"""Makes `cv_results_` from outcomes and verdicts, with the keys of `GridSearchCV` and some more.

Fits that were not run are NaN. Means are over the folds of each candidate, so those of dropped
candidates cover other folds than the winner's: compare the ranks, which follow the race.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from racing.core.experiment import Outcome
from racing.core.view import View
from racing.sklearn._compat import parameter_columns
from racing.sklearn.fits import fit_of

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Fitted:
    """The results of fits, by candidate (row) and split (column).

    Attributes
    ----------
    fits
        (row, split) → scores and times; fits that count only.
    settings
        The settings of each row.
    rows
        Candidate's id → row.
    """

    fits: Mapping[tuple[int, int], Mapping[str, Any]]
    settings: Sequence[Mapping[str, Any]]
    rows: Mapping[int, int]
    splits: int

    @property
    def metrics(self) -> list[str]:
        """The names of the scores; `score` for a single one."""
        for fit in self.fits.values():
            if isinstance(fit["test_scores"], Mapping):
                return list(fit["test_scores"])
        return ["score"]

    def array(self, key: str, metric: str | None = None) -> Floats:
        """(rows, splits) of one number of every fit; NaN where missing."""
        out = np.full((len(self.settings), self.splits), np.nan)
        for place, fit in self.fits.items():
            value = fit.get(key)
            if isinstance(value, Mapping):
                value = value[metric]
            out[place] = np.nan if value is None else value
        return out

    @property
    def ran(self) -> NDArray[np.bool_]:
        """(rows, splits) whether each was fitted."""
        out = np.zeros((len(self.settings), self.splits), dtype=bool)
        for place in self.fits:
            out[place] = True
        return out


def fitted(
    decider: View,
    outcomes: Iterable[Outcome],
    settings: Mapping[int, Mapping[str, Any]],
    *,
    splits: int,
    error_score: Any,
) -> Fitted:
    """The fits that count: outcomes of complete rows, or all of a single candidate.

    Parameters
    ----------
    settings
        By the candidate's id.
    """
    results = decider.results
    rows = {candidate.id: row for row, candidate in enumerate(decider.candidates)}
    columns = {id: column for column, id in enumerate(results.candidates)}
    alone = len(rows) == 1
    fits: dict[tuple[int, int], Mapping[str, Any]] = {}
    for outcome in outcomes:
        column = columns.get(outcome.candidate)
        seen = column is not None and outcome.step < len(results.costs)
        if alone or (seen and not np.isnan(results.costs[outcome.step, column])):
            split = decider.instance(outcome.step).problem
            assert isinstance(split, int)
            fits[rows[outcome.candidate], split] = _told(outcome, error_score)
    return Fitted(fits, [settings[id] for id in rows], rows, splits)


def _told(outcome: Outcome, error_score: Any) -> Mapping[str, Any]:
    found = fit_of(outcome)
    if found is not None:
        return found
    score = np.nan if error_score == "raise" else error_score
    return {"test_scores": score, "fit_time": outcome.seconds, "score_time": 0.0,
            "fit_error": outcome.message}  # fmt: skip


def table(fit: Fitted, decider: View, *, metric: str, train: bool) -> dict[str, Any]:
    """`cv_results_`.

    Parameters
    ----------
    metric
        The metric that decided the race; its ranks are the race's.
    train
        Whether there are scores on the training set.
    """
    out: dict[str, Any] = {}
    for key in ("fit_time", "score_time"):
        out |= _moments(fit, key, fit.array(key))
    out |= parameter_columns(fit.settings)
    out["params"] = [dict(one) for one in fit.settings]
    race_order = order_of(fit, decider)
    for name in fit.metrics:
        scores = fit.array("test_scores", name)
        out |= _by_split(f"test_{name}", scores) | _moments(fit, f"test_{name}", scores, told=True)
        by_race = name == metric or len(fit.metrics) == 1
        order = race_order if by_race else _by_mean(out[f"mean_test_{name}"], race_order, decider)
        out[f"rank_test_{name}"] = _ranks(order)
        if train:
            scores = fit.array("train_scores", name)
            out |= _by_split(f"train_{name}", scores) | _moments(fit, f"train_{name}", scores)
    return out | _front(fit, decider, race_order) | _eliminations(fit, decider)


def _front(fit: Fitted, decider: View, race_order: Sequence[int]) -> dict[str, Any]:
    """The columns of a race over a front: order from the knee on, and which are on the front."""
    goal = decider.results.goal
    if goal is None or goal.kind != "front":
        return {}
    on_front = np.zeros(len(fit.settings), dtype=bool)
    members = [one.candidate for one in decider.front_standing().front]
    if decider.winner is not None:
        members.append(decider.winner)  # alone, it is on the front before any fit
    on_front[[fit.rows[one.id] for one in members]] = True
    return {"rank_test_knee": _ranks(race_order), "on_front": on_front}


def order_of(fit: Fitted, decider: View) -> list[int]:
    """The rows, the best first: survivors by standing, then dropped ones, the last first."""
    order = [fit.rows[standing.candidate.id] for standing in decider.ranking()]
    order += [fit.rows[one.id] for one in decider.survivors]
    for verdict in reversed(decider.verdicts):
        order += [fit.rows[e.candidate] for e in reversed(verdict.eliminated)]
    return list(dict.fromkeys([*order, *range(len(fit.settings))]))


def _by_mean(means: Floats, race_order: list[int], decider: View) -> list[int]:
    """The rows by another metric: survivors by their means, then the others as in the race."""
    alive = len(decider.survivors)
    survivors = sorted(race_order[:alive], key=lambda row: -np.nan_to_num(means[row], nan=-np.inf))
    return survivors + race_order[alive:]


def _ranks(order: Sequence[int]) -> NDArray[np.int32]:
    ranks = np.empty(len(order), dtype=np.int32)
    ranks[list(order)] = np.arange(1, len(order) + 1)
    return ranks


def _by_split(name: str, values: Floats) -> dict[str, Floats]:
    return {f"split{split}_{name}": values[:, split] for split in range(values.shape[1])}


def _moments(fit: Fitted, name: str, values: Floats, *, told: bool = False) -> dict[str, Floats]:
    """Mean and standard deviation over the folds that were run; NaN if one has no score."""
    ran = fit.ran
    n = ran.sum(axis=1)
    some = n > 0
    with np.errstate(invalid="ignore"):
        sums = np.where(ran, values, 0.0).sum(axis=1)
        mean = np.divide(sums, n, out=np.full(len(n), np.nan), where=some)
        squares = np.where(ran, (values - mean[:, None]) ** 2, 0.0).sum(axis=1)
        std = np.sqrt(np.divide(squares, n, out=np.full(len(n), np.nan), where=some))
    if told and not np.isfinite(mean[some]).all():
        warnings.warn(
            f"One or more of the test scores are non-finite: {mean}", UserWarning, stacklevel=2
        )
    return {f"mean_{name}": mean, f"std_{name}": std}


def _eliminations(fit: Fitted, decider: View) -> dict[str, Any]:
    """The columns of eliminations; NaN, −1 and empty texts for survivors."""
    m = len(fit.settings)
    after, value, threshold = (np.full(m, np.nan) for _ in range(3))
    by = np.full(m, -1)
    reason, measure = (np.full(m, "", dtype=object) for _ in range(2))
    for verdict in decider.verdicts:
        for e in verdict.eliminated:
            row = fit.rows[e.candidate]
            after[row], by[row] = verdict.instances, fit.rows[e.against]
            reason[row], measure[row] = str(e.reason), e.measure
            value[row], threshold[row] = e.value, e.threshold
    return {
        "n_folds": fit.ran.sum(axis=1),
        "eliminated_after": after,
        "eliminated_by": by,
        "eliminated_reason": reason,
        "eliminated_measure": measure,
        "eliminated_value": value,
        "eliminated_threshold": threshold,
    }
