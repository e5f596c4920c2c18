"""Dunn's comparisons after Kruskal and Wallis: mean ranks among all runs against the normal
distribution.

The result for two algorithms depends on the others that are ranked with them, as in every
comparison of mean ranks. `brunner_munzel_pairs` and `steel_dwass` use the two alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from racing.stats._checks import Floats, Ints, as_column, one_of
from racing.stats._groups import Groups, tie_sum
from racing.stats.mean_ranks import Alternative, p_from_z


@dataclass(frozen=True, eq=False)
class DunnTest:
    """Comparisons of mean ranks of k independent samples.

    `dunn` returns it.

    Attributes
    ----------
    mean_ranks
        Shape (k,), among all runs; lower is better.
    z
        All pairs: shape (k, k), `z[i, j] > 0` if i is worse than j. Against a control: shape
        (k,), `z[i] > 0` if i is worse than the control.
    pvalues
        Same shape, not adjusted; 1 for a sample against itself.
    standard_errors
        Same shape, of the difference of the two mean ranks.
    tie_correction
        Whether the standard errors account for ties.

    Examples
    --------
    >>> from racing.stats import dunn
    >>> samples = [[1, 2, 3, 4], [3, 4, 5, 6], [7, 8, 8, 9]]
    >>> found = dunn(samples, control=0)
    >>> found.mean_ranks.tolist()
    [3.0, 6.0, 10.5]
    >>> found.z.round(2).tolist()
    [0.0, 1.18, 2.96]
    """

    mean_ranks: Floats
    z: Floats
    pvalues: Floats
    standard_errors: Floats
    sizes: Ints
    control: int | None
    alternative: Alternative
    tie_correction: bool


def dunn(
    samples: Iterable[ArrayLike],
    *,
    control: int | None = None,
    alternative: Alternative = "two-sided",
    tie_correction: bool = True,
) -> DunnTest:
    """Dunn's test of all pairs of k vectors of costs, or against a control; p-values not adjusted.

    Parameters
    ----------
    samples
        A sequence of k vectors of costs, lower better, of any lengths.
    control
        The number of the sample that all others are compared with; None compares all pairs.
    alternative
        "better": p-values for "the row is better than the other"; "worse" for the reverse.
    tie_correction
        False takes the variance of untied ranks, as some programs do; with ties it is too large.

    Raises
    ------
    InputError
        If a sample is no vector of costs, or `control` is not one of them.

    Notes
    -----
    Dunn (1964). A normal approximation that assumes one distribution of all k samples.

    Examples
    --------
    >>> from racing.stats import dunn
    >>> samples = [[1, 2, 3, 4], [3, 4, 5, 6], [7, 8, 8, 9]]
    >>> found = dunn(samples)
    >>> found.pvalues.round(4).tolist()
    [[1.0, 0.2368, 0.0031], [0.2368, 1.0, 0.076], [0.0031, 0.076, 1.0]]
    """
    one_of(alternative, ("two-sided", "better", "worse"), name="alternative")
    groups = Groups.of(samples)
    ranks = groups.ranks()
    means, n = groups.sums(ranks) / groups.sizes, groups.total
    # Dunn (1964), eq. 4 and 5: [N(N + 1)/12 − Σ(t³ − t)/(12(N − 1))] (1/n_i + 1/n_j)
    ties = tie_sum(ranks) if tie_correction else 0.0
    variance = n * (n + 1) / 12 - ties / (12 * max(n - 1, 1))
    column = None if control is None else as_column(control, groups.k)
    away, errors = differences(means, groups.sizes, max(variance, 0.0), column)
    z = np.divide(away, errors, out=np.zeros_like(away), where=errors > 0)
    p = p_from_z(z, alternative)
    p[itself(groups.k, column)] = 1.0
    return DunnTest(means, z, p, errors, groups.sizes, column, alternative, tie_correction)


def differences(
    means: Floats, sizes: Ints, variance: float, control: int | None
) -> tuple[Floats, Floats]:
    """Differences of mean ranks and their standard errors, all pairs or against a control."""
    away = means[:, None] - means
    errors = np.sqrt(variance * np.add.outer(1 / sizes, 1 / sizes))
    return (away, errors) if control is None else (away[:, control], errors[:, control])


def itself(k: int, control: int | None) -> tuple[Ints, ...]:
    """Mask of the cells that compare a sample with itself."""
    return np.diag_indices(k) if control is None else (np.array([control]),)
