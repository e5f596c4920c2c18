"""Which ones differ? The tests of pairs by name, over all pairs or against a control."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from racing.analysis.compare.choices import Asked, Choices
from racing.analysis.compare.result_table import Floats, ResultTable
from racing.analysis.compare.verdicts import Bools, Family, Ints
from racing.base.errors import InputError
from racing.stats import corrections
from racing.stats.anova import dunnett, tukey
from racing.stats.comparisons import Comparisons
from racing.stats.mean_ranks import (
    bonferroni_dunn_cd,
    conover,
    mean_ranks_test,
    nemenyi,
    nemenyi_cd,
)
from racing.stats.pair_corrections import bergmann_hommel, shaffer
from racing.stats.sign import sign_p
from racing.stats.ttest import paired_t
from racing.stats.weighted_ranks import aligned_ranks
from racing.stats.wilcoxon import wilcoxon

MOST_PAIRS = 50_000
"""The most pairs that are compared: each has a test, an interval and a line."""


@dataclass(frozen=True, kw_only=True, eq=False)
class _Tested:
    """Raw outcomes, (h,) arrays; of `favours` only the sign counts."""

    statistic: Floats
    name: str
    favours: Floats
    pvalues: Floats
    exact: bool | Bools = False


def pairs_of(m: int, control: int | None) -> tuple[Ints, Ints]:
    """The columns that are compared: all pairs i < j, or all others with the control.

    Raises
    ------
    InputError
        If there are more than `MOST_PAIRS`.
    """
    if control is None:
        if (pairs := m * (m - 1) // 2) > MOST_PAIRS:
            raise InputError(
                f"{m} algorithms are {pairs} pairs, and at most {MOST_PAIRS} are compared: compare "
                "all with one of them (--control NAME, control=), or fewer algorithms"
            )
        return np.triu_indices(m, 1)
    others = np.delete(np.arange(m), control)
    return others, np.full(m - 1, control)


def family(table: ResultTable, choices: Choices, wins: tuple[Ints, Ints, Ints]) -> Family:
    """Test every pair, and correct for the number of pairs. `wins` holds wins, ties and losses."""
    first, second = pairs_of(table.m, choices.control)
    if choices.test in _COUNTED:
        tested = _COUNTED[choices.test](wins)
    else:
        tested = _TESTS[choices.test](table.costs, choices, first, second)
    return Family(
        first=first,
        second=second,
        statistic=tested.statistic,
        statistic_name=tested.name,
        favours=np.sign(tested.favours).astype(np.intp),
        pvalues=tested.pvalues,
        adjusted=adjusted(choices, tested.pvalues),
        exact=np.broadcast_to(tested.exact, first.shape),
    )


def critical_difference(table: ResultTable, choices: Choices) -> float | None:
    """The critical difference of two mean ranks, if it is the same for all pairs."""
    if choices.test != "mean-ranks":
        return None
    m, n, alpha = table.m, table.n, choices.alpha
    if choices.correction == "nemenyi":
        return nemenyi_cd(m, n, alpha=alpha)
    if choices.correction == "bonferroni" and choices.control is not None:
        return bonferroni_dunn_cd(m, n, alpha=alpha)
    return None


def adjusted(choices: Asked, p: Floats) -> Floats:
    """The p-values (h,) of a family, corrected for the number of comparisons."""
    if choices.correction in ("none", "nemenyi"):
        return p
    if choices.correction == "shaffer":
        return shaffer(p)
    if choices.correction == "bergmann-hommel":
        return bergmann_hommel(p)
    return corrections.adjust(p, choices.correction)


def _sign(counts: tuple[Ints, Ints, Ints]) -> _Tested:
    wins, ties, losses = counts
    p = sign_p(wins, losses, ties)
    return _Tested(
        statistic=wins + (ties // 2).astype(float),
        name="wins",
        favours=(wins - losses).astype(float),
        pvalues=p,
        exact=True,
    )


def _mcnemar(counts: tuple[Ints, Ints, Ints]) -> _Tested:
    wins, _, losses = counts
    return _Tested(
        statistic=(wins + losses).astype(float),
        name="decided",
        favours=(wins - losses).astype(float),
        pvalues=sign_p(wins, losses),
        exact=True,
    )


_COUNTED = MappingProxyType({"sign": _sign, "mcnemar": _mcnemar})
"""Tests that need no more than wins, ties and losses."""


def _wilcoxon(costs: Floats, choices: Choices, first: Ints, second: Ints) -> _Tested:
    found = wilcoxon(costs.T[first], costs.T[second], tie_correction=choices.tie_correction)
    return _Tested(
        statistic=found.statistic,
        name="T",
        favours=found.r_plus - found.r_minus,
        pvalues=found.pvalue,
        exact=found.exact,
    )


def _t(costs: Floats, choices: Choices, first: Ints, second: Ints) -> _Tested:
    found = paired_t(costs.T[first], costs.T[second])
    return _Tested(statistic=found.t, name="t", favours=found.t, pvalues=found.pvalue)


def _mean_ranks(costs: Floats, choices: Choices, first: Ints, second: Ints) -> _Tested:
    if choices.correction == "nemenyi":
        return _compared(nemenyi(costs, ranked=choices.ranked), "z", first, second)
    found = mean_ranks_test(costs, control=choices.control, ranked=choices.ranked)
    return _compared(found, "z", first, second)


def _aligned_ranks(costs: Floats, choices: Choices, first: Ints, second: Ints) -> _Tested:
    found = aligned_ranks(costs, control=choices.control)
    return _compared(found.comparisons, "z", first, second)


def _conover(costs: Floats, choices: Choices, first: Ints, second: Ints) -> _Tested:
    found = conover(costs, control=choices.control, ranked=choices.ranked)
    return _compared(found, "t", first, second)


def _tukey(costs: Floats, choices: Choices, first: Ints, second: Ints) -> _Tested:
    return _compared(tukey(costs), "t", first, second)


def _dunnett(costs: Floats, choices: Choices, first: Ints, second: Ints) -> _Tested:
    assert choices.control is not None  # resolved so
    return _compared(dunnett(costs, control=choices.control), "t", first, second)


def _compared(found: Comparisons, name: str, first: Ints, second: Ints) -> _Tested:
    at = (first, second) if found.control is None else first
    better = -found.statistic[at]
    return _Tested(statistic=better, name=name, favours=better, pvalues=found.pvalues[at])


_TESTS: Mapping[str, Callable[[Floats, Choices, Ints, Ints], _Tested]] = MappingProxyType(
    {
        "wilcoxon": _wilcoxon,
        "t": _t,
        "mean-ranks": _mean_ranks,
        "aligned-ranks": _aligned_ranks,
        "conover": _conover,
        "tukey": _tukey,
        "dunnett": _dunnett,
    }
)
