"""Demšar's comparison of tests on real results, repeated on any table.

Small samples of instances are drawn repeatedly from a large table, with a bias towards those that
suit one algorithm. A test that rejects more often at the same bias is more powerful there; the
study does not show which rejections are true (Demšar, 2006, section 4).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from racing.base.errors import InputError
from racing.stats import corrections
from racing.stats._checks import Floats, Ints, as_column, as_costs, as_count, as_level, one_of
from racing.stats._stepwise import as_pvalues
from racing.stats.anova import anova, dunnett, tukey
from racing.stats.bergmann_hommel import bergmann_hommel
from racing.stats.friedman import friedman, iman_davenport
from racing.stats.mean_ranks import mean_ranks_test, nemenyi
from racing.stats.replicability import (
    decisions_agree,
    draw_instances,
    replicability_of_pvalues,
)
from racing.stats.shaffer import shaffer
from racing.stats.sign import sign_p
from racing.stats.ttest import paired_t_p
from racing.stats.wilcoxon import wilcoxon_p

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
    >>> from racing.stats import power_study
    >>> rng = np.random.default_rng(1)
    >>> X = rng.uniform(1, 2, (40, 3)) + [0.0, 0.3, 0.3]
    >>> found = power_study(X, 0, 1, rng=rng, biases=[0, 20], repetitions=100)
    >>> found.tests, found.biases.tolist()
    (('t', 't-relative', 'wilcoxon', 'sign'), [0.0, 20.0])
    >>> (found.rejections / found.repetitions).tolist()
    [[0.4, 0.41, 0.39, 0.06], [1.0, 1.0, 1.0, 0.99]]
    """

    biases: Floats
    tests: tuple[str, ...]
    mean_pvalues: Floats
    replicability_of_pvalues: Floats
    rejections: Ints
    replicability_of_decisions: Floats
    first: int
    second: int
    size: int
    repetitions: int
    alpha: float


def power_study(
    X: ArrayLike,
    first: int,
    second: int,
    *,
    rng: np.random.Generator,
    biases: ArrayLike = tuple(range(0, 21, 5)),
    tests: Sequence[str] | Mapping[str, Test] = ("t", "t-relative", "wilcoxon", "sign"),
    differences: ArrayLike | None = None,
    size: int = 10,
    repetitions: int = 1000,
    alpha: float = 0.05,
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
    >>> from racing.stats import power_study
    >>> rng = np.random.default_rng(1)
    >>> X = rng.uniform(1, 2, (40, 3)) + [0.0, 0.1, 0.3]
    >>> found = power_study(X, 0, 1, rng=rng, size=10, repetitions=20)
    >>> type(found).__name__
    'PowerStudy'
    """
    costs = as_costs(X)
    first, second = (as_column(c, costs.shape[1], name="column") for c in (first, second))
    if first == second:
        raise InputError(f"second: expected another column than the first, got {second} twice")
    alpha, repetitions = as_level(alpha), as_count(repetitions, name="repetitions", least=2)
    d = _advantage(costs[:, first], costs[:, second]) if differences is None else differences
    if np.size(d) != len(costs):
        raise InputError(f"differences: expected one for each of {len(costs)} instances")
    chosen = _chosen(tests)
    ks = _as_biases(biases)
    p = np.empty((ks.size, len(chosen), repetitions))
    for at, k in enumerate(ks):
        rows = draw_instances(d, bias=float(k), size=size, repetitions=repetitions, rng=rng)
        p[at] = _pvalues(costs[rows], first, second, chosen)
    rejections = np.count_nonzero(p <= alpha, axis=2)
    agree = np.vectorize(decisions_agree, otypes=[float])(rejections, repetitions)
    spread = np.apply_along_axis(replicability_of_pvalues, 2, p)
    return PowerStudy(
        ks,
        tuple(chosen),
        p.mean(axis=2),
        spread,
        rejections,
        agree,
        first,
        second,
        size,
        repetitions,
        alpha,
    )


def _pvalues(tables: Floats, first: int, second: int, tests: Mapping[str, Test]) -> Floats:
    """Checked p-values, (tests, repetitions)."""
    return np.array([as_pvalues(test(tables, first, second)) for test in tests.values()])


def one_by_one(test: Callable[[Floats, int, int], float]) -> Test:
    """Turn a test of one (size, m) table and two columns into a test of many tables.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import one_by_one
    >>> test = one_by_one(lambda table, i, j: float(np.ptp(table[:, i] - table[:, j])))
    >>> test(np.array([[[1, 2], [3, 3]], [[1, 5], [2, 4]]]), 0, 1).tolist()
    [1.0, 2.0]
    """

    def of_many(tables: Floats, i: int, j: int) -> Floats:
        return np.array([test(table, i, j) for table in tables])

    return of_many


def _sign(tables: Floats, i: int, j: int) -> Floats:
    a, b = tables[:, :, i], tables[:, :, j]
    wins, losses = np.count_nonzero(a < b, axis=1), np.count_nonzero(b < a, axis=1)
    return sign_p(wins, losses, a.shape[1] - wins - losses)


def _of_control(name: str) -> Test:
    """The corrected p-value of i against j among all comparisons with i, by mean ranks."""

    def test(table: Floats, i: int, j: int) -> float:
        others = np.delete(np.arange(table.shape[1]), i)
        p = mean_ranks_test(table, control=i).pvalues[others]
        return float(corrections.adjust(p, name)[np.flatnonzero(others == j)[0]])

    return one_by_one(test)


TESTS: Mapping[str, Test] = MappingProxyType(
    {
        # two columns, Demsar (2006), section 4.2
        "t": lambda x, i, j: paired_t_p(x[:, :, i], x[:, :, j], difference="absolute"),
        "t-relative": lambda x, i, j: paired_t_p(x[:, :, i], x[:, :, j], difference="relative"),
        "wilcoxon": lambda x, i, j: wilcoxon_p(x[:, :, i], x[:, :, j]),
        "sign": _sign,
        # all columns, section 4.3
        "anova": one_by_one(lambda x, i, j: anova(x).pvalue),
        "friedman": one_by_one(lambda x, i, j: friedman(x).pvalue),
        "iman-davenport": one_by_one(lambda x, i, j: iman_davenport(x).pvalue),
        # the two columns among all pairs; the last two as in Garcia and Herrera (2008), section 4
        "tukey": one_by_one(lambda x, i, j: float(tukey(x).pvalues[i, j])),
        "nemenyi": one_by_one(lambda x, i, j: float(nemenyi(x).pvalues[i, j])),
        "shaffer": one_by_one(lambda x, i, j: float(shaffer(mean_ranks_test(x).pvalues)[i, j])),
        "bergmann-hommel": one_by_one(
            lambda x, i, j: float(bergmann_hommel(mean_ranks_test(x).pvalues)[i, j])
        ),
        # all columns against the first
        "dunnett": one_by_one(lambda x, i, j: float(dunnett(x, control=i).pvalues[j])),
        "bonferroni-dunn": _of_control("bonferroni"),
        "holm": _of_control("holm"),
        "hochberg": _of_control("hochberg"),
        "hommel": _of_control("hommel"),
    }
)


def _chosen(tests: Sequence[str] | Mapping[str, Test]) -> Mapping[str, Test]:
    if isinstance(tests, Mapping):
        chosen = dict(tests)
    else:
        names = (tests,) if isinstance(tests, str) else tests
        chosen = {name: TESTS[one_of(name, tuple(TESTS), name="tests")] for name in names}
    if not chosen:
        raise InputError(f"tests: expected at least one of {', '.join(TESTS)}")
    return chosen


def _advantage(first: Floats, second: Floats) -> Floats:
    with np.errstate(invalid="ignore", over="ignore"):
        d: Floats = second - first
    return np.nan_to_num(d, nan=0.0, posinf=np.inf, neginf=-np.inf)  # two failures: no advantage


def _as_biases(biases: ArrayLike) -> Floats:
    array: NDArray[np.generic] = np.atleast_1d(np.asarray(biases))
    if array.ndim != 1 or array.size == 0 or array.dtype.kind not in "iuf":
        raise InputError(f"biases: expected numbers, got {biases!r}")
    return array.astype(np.float64)
