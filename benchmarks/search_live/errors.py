"""The error of a mean over seeds and instances, both of which are samples."""

from __future__ import annotations

import math

import numpy as np


def crossed(values: np.ndarray) -> float:
    """The standard error of the mean of a table of seeds and instances, both drawn at random.

    With y_si = μ + a_s + b_i + ε_si, for S seeds and n instances, the mean has the variance

        σ²_a / S + σ²_b / n + σ²_ε / (S n),

    which the mean squares of the two-way table estimate: (MS_a + MS_b − MS_ε) / (S n), with
    MS_a ≥ MS_ε and MS_b ≥ MS_ε, as no variance is below 0 (Searle, Casella and McCulloch, 1992,
    Variance components, chapter 4). An error over seeds alone leaves out the second term: all
    seeds share the instances.

    Parameters
    ----------
    values : (S, n)
        A row for each seed, a column for each instance. With one column this is the error over
        seeds, with one row that over instances.

    Returns
    -------
    float
        NaN for a single value.
    """
    rows, columns = values.shape
    if min(rows, columns) < 2:
        return float(values.std(ddof=1)) / math.sqrt(values.size) if values.size > 1 else math.nan
    seeds, instances = values.mean(axis=1), values.mean(axis=0)
    rest = values - seeds[:, None] - instances + values.mean()
    residual = float((rest**2).sum()) / ((rows - 1) * (columns - 1))
    of_seeds = max(columns * float(seeds.var(ddof=1)), residual)
    of_instances = max(rows * float(instances.var(ddof=1)), residual)
    return math.sqrt((of_seeds + of_instances - residual) / values.size)
