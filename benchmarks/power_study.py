"""Demšar's comparison of tests on real results, repeated on any table.

    python -m benchmarks.power_study costs.csv 0 3

The table has a row for each instance and a column for each algorithm, without names; the two
numbers are the columns to compare.

Small samples of instances are drawn repeatedly from a large table, with a bias towards those that
suit one algorithm. A test that rejects more often at the same bias is more powerful there; the
study does not show which rejections are true (Demšar, 2006, section 4).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from racing.base.errors import InputError, must_be
from racing.base.quantities import Count, Level
from racing.base.records.kinds import argument
from racing.base.records.leaves import choice
from racing.base.special import log_expit
from racing.stats._checks import (
    Floats,
    Ints,
    Several,
    as_column,
    as_costs,
    as_reals,
    checked,
)
from racing.stats._samples import differences as differences_of
from racing.stats.anova import anova, dunnett, tukey
from racing.stats.corrections import adjust, as_pvalues, bergmann_hommel, shaffer
from racing.stats.friedman import friedman
from racing.stats.mean_ranks import mean_ranks_test, nemenyi
from racing.stats.sign import sign_test
from racing.stats.t_tests import paired_t
from racing.stats.wilcoxon import wilcoxon

# (repetitions, size, m) costs and two columns -> (repetitions,) p-values
Test: TypeAlias = Callable[[Floats, int, int], Floats]


@dataclass(frozen=True, eq=False)
class PowerStudy:
    """The results of each test at each bias; arrays are (biases, tests).

    `power_study` returns it.

    All tests use the same samples, so they can be compared pairwise. The samples overlap, so the
    numbers describe this table, not tables in general.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> X = rng.uniform(1, 2, (40, 3)) + [0.0, 0.3, 0.3]
    >>> found = power_study(X, 0, 1, rng=rng, biases=[0, 20], repetitions=100)
    >>> found.tests, found.biases.tolist()
    (('t', 't-relative', 'wilcoxon', 'sign'), [0.0, 20.0])
    >>> (found.rejections / 100).tolist()
    [[0.4, 0.41, 0.39, 0.06], [1.0, 1.0, 1.0, 0.99]]
    """

    biases: Floats
    tests: tuple[str, ...]
    mean_pvalues: Floats
    replicability_of_pvalues: Floats
    rejections: Ints
    replicability_of_decisions: Floats


@checked
def power_study(
    X: ArrayLike,
    first: int,
    second: int,
    *,
    rng: np.random.Generator,
    biases: ArrayLike = tuple(range(0, 21, 5)),
    tests: Sequence[str] | Mapping[str, Test] = ("t", "t-relative", "wilcoxon", "sign"),
    differences: ArrayLike | None = None,
    size: Count = 10,
    repetitions: Several = 1000,
    alpha: Level = 0.05,
) -> PowerStudy:
    """Repeat Demšar's study of tests (2006, section 4) on the costs X, (n, m).

    Parameters
    ----------
    first, second : columns; the sampling favours `first`, tests of two columns compare them.
    rng : the random stream.
    biases : the k of 1/(1 + exp(-k d)); per unit of cost, see `selection_probabilities`.
    tests : names from `TESTS`, or functions by name (see `one_by_one`). The default are the four
        of section 4.2; "anova" and "friedman" are those of 4.3.
    differences : (n,) how much each instance suits `first`; by default its cost below `second`'s.
        Demšar also uses its distance from the mean of all others.
    size, repetitions : instances per sample (distinct) and samples per bias.
    alpha : a test rejects if p <= alpha.

    Raises
    ------
    InputError
        If the table or an option is invalid, or a test refuses its sample.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> X = rng.uniform(1, 2, (40, 3)) + [0.0, 0.1, 0.3]
    >>> found = power_study(X, 0, 1, rng=rng, size=10, repetitions=20)
    >>> type(found).__name__
    'PowerStudy'
    """
    costs = as_costs(X)
    first, second = (as_column(c, costs.shape[1], name="column") for c in (first, second))
    if first == second:
        raise InputError(f"second must be another column than the first; got {second} twice")
    d = differences_of(costs[:, first], costs[:, second]) if differences is None else differences
    if np.size(d) != len(costs):
        raise InputError(f"differences must be {len(costs)}, one per instance; got {np.size(d)}")
    chosen, ks = _chosen(tests), np.atleast_1d(as_reals(biases, "biases"))
    if ks.ndim != 1 or ks.size == 0:
        raise InputError(must_be("biases", "numbers", biases))
    p = np.empty((ks.size, len(chosen), repetitions))
    for at, k in enumerate(ks):
        rows = draw_instances(d, bias=float(k), size=size, repetitions=repetitions, rng=rng)
        p[at] = [as_pvalues(test(costs[rows], first, second)) for test in chosen.values()]
    agree, spread = (1.0 - 2.0 * one.var(axis=2, ddof=1) for one in (p <= alpha, p))
    rejections = np.count_nonzero(p <= alpha, axis=2)
    return PowerStudy(ks, tuple(chosen), p.mean(axis=2), spread, rejections, agree)


def replicability_of_decisions(rejected: ArrayLike) -> float:
    """R(e): unbiased estimate of the chance that two experiments decide alike.

    R(e) = (p(p-1) + q(q-1)) / (n(n-1)) for p acceptances and q rejections in n experiments;
    Demšar (2006), section 4.1.2, after Bouckaert (2004). At most 1; its least value, for p = q,
    is (n/2 - 1)/(n - 1), which reaches the printed 0.5 only in the limit.

    Parameters
    ----------
    rejected : (n,) decisions, True or False (or 1 and 0), n >= 2.

    Raises
    ------
    InputError
        If there are fewer than two decisions, or values other than decisions.

    Examples
    --------
    >>> import numpy as np
    >>> round(float(replicability_of_decisions(np.array([True, True, False, True]))), 4)
    0.5
    """
    decisions = np.asarray(rejected)
    if decisions.ndim != 1 or decisions.dtype.kind not in "biuf" or decisions.size < 2:
        raise InputError(must_be("rejected", "two or more decisions", rejected))
    if not np.isin(decisions, (0, 1)).all():
        raise InputError("rejected must be True and False only; compare p-values with a level")
    return replicability_of_pvalues(decisions)  # 1 − 2 var of zeros and ones


def replicability_of_pvalues(pvalues: ArrayLike) -> float:
    """R(p) = 1 - 2 var(p), of at least two experiments; Demšar (2006), section 4.1.2.

    R(e) is the same formula applied to decisions. The least value is 0.5 - 0.5/(n-1).

    Raises
    ------
    InputError
        If there are fewer than two p-values, or one lies outside 0..1.

    Examples
    --------
    >>> import numpy as np
    >>> p = np.array([0.01, 0.04, 0.03])
    >>> round(float(replicability_of_pvalues(p)), 4)
    0.9995
    """
    p = as_pvalues(pvalues)
    if p.size < 2:
        raise InputError(f"pvalues must be of two or more experiments; got {p.size}")
    return 1.0 - 2.0 * float(p.var(ddof=1))


def selection_probabilities(differences: ArrayLike, *, bias: float) -> Floats:
    """Chances of instances to be drawn, proportional to 1/(1 + exp(-k d)) for the bias k.

    Demšar (2006), section 4.1.1. With k = 0 all are equal; the larger k, the more the instances
    with large d are favoured. k is per unit of d: the paper's 0..20 go with accuracies in 0..1.

    Parameters
    ----------
    differences : (n,) how much better the favoured algorithm is on each instance; may be infinite.

    Returns
    -------
    (n,) probabilities that sum to 1.

    Raises
    ------
    InputError
        If `differences` are no numbers or `bias` is not finite.

    Examples
    --------
    >>> import numpy as np
    >>> selection_probabilities(np.array([0.1, -0.2, 0.4]), bias=1).round(4).tolist()
    [0.3336, 0.286, 0.3804]
    """
    return np.exp(_log_chances(_as_differences(differences), bias))


@checked
def draw_instances(
    differences: ArrayLike,
    *,
    bias: float,
    size: Count,
    repetitions: Count,
    rng: np.random.Generator,
) -> Ints:
    """Biased samples of distinct instances, as rows of indices, (repetitions, size).

    Instances are drawn one after the other without replacement, with `selection_probabilities`
    renormalised over those that are left.

    Raises
    ------
    InputError
        If more instances are asked for than there are; otherwise as `selection_probabilities`.

    Examples
    --------
    >>> import numpy as np
    >>> differences, rng = np.array([0.1, -0.2, 0.4]), np.random.default_rng(1)
    >>> draw_instances(differences, bias=1, size=2, repetitions=2, rng=rng).tolist()
    [[2, 0], [1, 2]]
    """
    d = _as_differences(differences)
    if size > d.size:
        raise InputError(f"size must be at most {d.size}, the instances; got {size}")
    # The largest of log-chance + Gumbel noise are a sample without replacement, in order.
    keys = _log_chances(d, bias) + rng.gumbel(size=(repetitions, d.size))
    return np.argsort(-keys, axis=1)[:, :size]


def one_by_one(test: Callable[[Floats, int, int], float]) -> Test:
    """Turn a test of one (size, m) table and two columns into a test of many tables.

    Examples
    --------
    >>> import numpy as np
    >>> test = one_by_one(lambda table, i, j: float(np.ptp(table[:, i] - table[:, j])))
    >>> test(np.array([[[1, 2], [3, 3]], [[1, 5], [2, 4]]]), 0, 1).tolist()
    [1.0, 2.0]
    """

    def of_many(tables: Floats, i: int, j: int) -> Floats:
        return np.array([test(table, i, j) for table in tables])

    return of_many


def _of_two(test: Callable[[Floats, Floats], Any]) -> Test:
    """A test of two columns, of many tables at once."""
    return lambda tables, i, j: np.asarray(test(tables[:, :, i], tables[:, :, j]).pvalue)


def _of_all(test: Callable[[Floats], Any]) -> Test:
    """A test of all columns of a table."""
    return one_by_one(lambda table, i, j: float(test(table).pvalue))


def _of_pairs(test: Callable[[Floats], Any]) -> Test:
    """The p-value of two columns among all pairs; `test` gives a matrix."""
    return one_by_one(lambda table, i, j: float(test(table)[i, j]))


def _of_control(name: str) -> Test:
    """The corrected p-value of i against j among all comparisons with i, by mean ranks."""

    def test(table: Floats, i: int, j: int) -> float:
        others = np.delete(np.arange(table.shape[1]), i)
        p = mean_ranks_test(table, control=i).pvalues[others]
        return float(adjust(p, name)[np.flatnonzero(others == j)[0]])

    return one_by_one(test)


TESTS: Mapping[str, Test] = MappingProxyType(
    {
        # two columns, Demsar (2006), section 4.2
        "t": _of_two(paired_t),
        "t-relative": _of_two(partial(paired_t, difference="relative")),
        "wilcoxon": _of_two(wilcoxon),
        "sign": _of_two(sign_test),
        # all columns, section 4.3
        "anova": _of_all(anova),
        "friedman": _of_all(friedman),
        "iman-davenport": _of_all(partial(friedman, reference="F")),
        # the two columns among all pairs; the last two as in Garcia and Herrera (2008), section 4
        "tukey": _of_pairs(lambda x: tukey(x).pvalues),
        "nemenyi": _of_pairs(lambda x: nemenyi(x).pvalues),
        "shaffer": _of_pairs(lambda x: shaffer(mean_ranks_test(x).pvalues)),
        "bergmann-hommel": _of_pairs(lambda x: bergmann_hommel(mean_ranks_test(x).pvalues)),
        # all columns against the first
        "dunnett": one_by_one(lambda x, i, j: float(dunnett(x, control=i).pvalues[j])),
        "bonferroni-dunn": _of_control("bonferroni"),
        **{name: _of_control(name) for name in ("holm", "hochberg", "hommel")},
    }
)


def _chosen(tests: Sequence[str] | Mapping[str, Test]) -> Mapping[str, Test]:
    if isinstance(tests, Mapping):
        chosen = dict(tests)
    else:
        names = (tests,) if isinstance(tests, str) else tests
        chosen = {name: TESTS[argument(choice(tuple(TESTS)), name, "tests")] for name in names}
    if not chosen:
        raise InputError(f"tests must be one or more of {', '.join(TESTS)}; got none")
    return chosen


def _as_differences(differences: ArrayLike) -> Floats:
    d = np.asarray(differences)
    if d.ndim != 1 or d.size == 0 or d.dtype.kind not in "biuf" or np.isnan(d).any():
        raise InputError(must_be("differences", "a vector of numbers", differences))
    return d.astype(np.float64)


def _log_chances(d: Floats, bias: float) -> Floats:
    if not np.isfinite(bias):
        raise InputError(must_be("bias", "a finite number", bias))
    # Never -inf, so that an instance without a chance is still drawn when no other is left
    with np.errstate(over="ignore"):
        steep = np.clip(bias * d, -1e300, 1e300) if bias else np.zeros_like(d)
    log_odds = log_expit(steep)
    log_odds -= log_odds.max()
    return np.asarray(log_odds - np.log(np.exp(log_odds).sum()))


def main() -> None:
    """Print, for each bias, how often each test rejects."""
    parser = argparse.ArgumentParser(description="How often does each test find a difference?")
    parser.add_argument("table", help="a CSV file of costs, instances × algorithms")
    parser.add_argument("first", type=int, help="the column that the samples favour")
    parser.add_argument("second", type=int, help="the column that it is compared with")
    args = parser.parse_args()
    costs = np.loadtxt(args.table, delimiter=",")
    study = power_study(costs, args.first, args.second, rng=np.random.default_rng(1))
    print("bias", *study.tests)
    for bias, rejections in zip(study.biases, study.rejections, strict=True):
        print(f"{bias:g}", *rejections)


if __name__ == "__main__":
    main()
