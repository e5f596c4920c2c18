"""Estimates besides the tests: contrasts, worths, standardized differences."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from racing.analysis.compare.choices import Choices
from racing.analysis.compare.result_table import Floats, ResultTable
from racing.stats.effects import ContrastEstimation
from racing.stats.plackett_luce import PlackettLuce


@dataclass(frozen=True, kw_only=True, eq=False)
class Estimates:
    """The requested estimates; None for the others.

    `cohens_d` and `akinshin_gamma` have shape (h,), one for each comparison that was made; positive
    where the first is better.
    """

    contrasts: ContrastEstimation | None = None
    worths: PlackettLuce | None = None
    cohens_d: Floats | None = None
    akinshin_gamma: Floats | None = None


def estimates(
    table: ResultTable, choices: Choices, first: NDArray[np.intp], second: NDArray[np.intp]
) -> Estimates:
    """The estimates that `choices.also` names.

    Raises
    ------
    InputError
        If the scores do not allow one of them: failures, or a single instance.
    """
    from racing.stats.effects import contrast_estimation
    from racing.stats.plackett_luce import plackett_luce
    from racing.stats.standardized import akinshin_gamma, cohens_d

    costs, also = table.costs, choices.also
    columns = np.ascontiguousarray(costs.T)
    pairs = list(zip(first.tolist(), second.tolist(), strict=True))
    d = gamma = None
    if "cohens-d" in also:
        d = np.array([cohens_d(columns[i], columns[j]) for i, j in pairs])
    if "akinshin-gamma" in also:
        gamma = np.array([akinshin_gamma(columns[i], columns[j]) for i, j in pairs])
    return Estimates(
        contrasts=contrast_estimation(costs) if "contrasts" in also else None,
        worths=plackett_luce(costs, ranked=choices.ranked) if "plackett-luce" in also else None,
        cohens_d=d,
        akinshin_gamma=gamma,
    )
