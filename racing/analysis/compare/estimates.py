"""Estimates besides the tests: contrasts, worths, standardized differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from racing.analysis.compare.result_table import Floats, Ints, ResultTable
from racing.analysis.compare.verdicts import Choices, Estimates, Methods, method
from racing.stats.effects import akinshin_gamma, cohens_d, contrast_estimation
from racing.stats.plackett_luce import plackett_luce


def _of_pairs(function: Callable[[Floats, Floats], float]) -> Callable[..., Floats]:
    """A standardized difference of every pair that was compared."""

    def run(costs: Floats, choices: Choices, first: Ints, second: Ints) -> Floats:
        columns = np.ascontiguousarray(costs.T)
        pairs = zip(first.tolist(), second.tolist(), strict=True)
        return np.array([function(columns[i], columns[j]) for i, j in pairs])

    return run


ALSO: Methods = {
    "contrasts": method(
        "contrasts", "contrasts of medians: Doksum (1967), as in García et al. (2010)",
        lambda costs, *_: contrast_estimation(costs), "sizes"),
    "plackett-luce": method(
        "plackett luce",
        "worths: Plackett (1975), Hunter (2004), with half a win and half a loss against an "
        "imagined algorithm; ties by Efron's approximation",
        lambda costs, choices, *_: plackett_luce(costs, ranked=choices.ranked)),
    "cohens-d": method(
        "cohens d", "d: difference of means over the pooled standard deviation (Cohen, 1988)",
        _of_pairs(cohens_d), "sizes"),
    "akinshin-gamma": method(
        "akinshin gamma",
        "γ: difference of medians over the pooled median absolute deviation (Akinshin, 2020)",
        _of_pairs(akinshin_gamma), "sizes"),
}  # fmt: skip
_FIELDS = {"contrasts": "contrasts", "plackett-luce": "worths", "cohens-d": "cohens_d",
           "akinshin-gamma": "akinshin_gamma"}  # fmt: skip


def estimates(table: ResultTable, choices: Choices, first: Ints, second: Ints) -> Estimates:
    """The estimates that `choices.also` names.

    Raises
    ------
    InputError
        If the scores do not allow one of them: failures, or a single instance.
    """
    found: dict[str, Any] = {
        _FIELDS[name]: ALSO[name].run(table.costs, choices, first, second) for name in choices.also
    }
    return Estimates(**found)
