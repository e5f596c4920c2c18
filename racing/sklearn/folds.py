"""Makes instances from cross-validation, with an order and the correlation of folds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from racing.base.errors import InputError
from racing.core.instances import Instances

Split = tuple[NDArray[np.intp], NDArray[np.intp]]
"""Indices of the training samples and of the test samples."""

_MOST = 0.9
"""Largest correlation of two folds."""


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
