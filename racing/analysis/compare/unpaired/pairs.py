"""Which algorithms differ on one problem, and by how much? The tests of pairs of runs by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from racing.analysis.compare.pairwise import adjusted, pairs_of
from racing.analysis.compare.result_table import Floats
from racing.analysis.compare.unpaired.choices import RunChoices
from racing.analysis.compare.verdicts import Bools, Effects, Family, Ints
from racing.stats.brunner_munzel import brunner_munzel
from racing.stats.dunn import conover_iman, dunn
from racing.stats.effects import vargha_delaney
from racing.stats.mann_whitney import mann_whitney
from racing.stats.steel import steel, steel_dwass


@dataclass(frozen=True, kw_only=True, eq=False)
class _Tested:
    """All pairs, (k, k); `statistic` is positive where the row is better, except for counts."""

    statistic: Floats
    name: str
    pvalues: Floats
    exact: bool | Bools = False


def family(costs: list[Floats], choices: RunChoices) -> Family:
    """Test every pair, and correct for their number."""
    first, second = pairs_of(len(costs), choices.control)
    tested = _TESTS[choices.test](costs, choices)
    a = vargha_delaney(costs, paired=False).a[first, second]
    p = tested.pvalues[first, second]
    return Family(
        first=first,
        second=second,
        statistic=tested.statistic[first, second],
        statistic_name=tested.name,
        favours=np.sign(a - 0.5).astype(np.intp),
        pvalues=p,
        adjusted=adjusted(choices, p),
        exact=np.broadcast_to(tested.exact, tested.pvalues.shape)[first, second],
    )


def effects(costs: list[Floats], choices: RunChoices, first: Ints, second: Ints) -> Effects:
    """Vargha and Delaney's A of each first over its second, with Brunner and Munzel's intervals.

    Wins, ties and losses count pairs of runs. Runs have no paired difference, so its location is
    NaN.
    """
    counted = vargha_delaney(costs, paired=False)
    sized = brunner_munzel(costs, level=1.0 - choices.alpha)
    at = first, second
    nothing = np.full(first.size, np.nan)
    return Effects(
        wins=counted.wins[at],
        ties=counted.ties[at],
        losses=counted.losses[at],
        a=sized.a[at],
        a_low=sized.low[at],
        a_high=sized.high[at],
        difference=nothing,
        low=nothing,
        high=nothing,
        level=1.0 - choices.alpha,
        estimator="none",
    )


def _brunner_munzel(costs: list[Floats], choices: RunChoices) -> _Tested:
    found = brunner_munzel(costs)
    return _Tested(statistic=found.statistic, name="t", pvalues=found.pvalue)


def _brunner_munzel_permutation(costs: list[Floats], choices: RunChoices) -> _Tested:
    rng = np.random.default_rng(choices.seed)
    found = brunner_munzel(costs, method="permutation", rng=rng)
    return _Tested(statistic=found.statistic, name="t", pvalues=found.pvalue)


def _mann_whitney(costs: list[Floats], choices: RunChoices) -> _Tested:
    found = mann_whitney(costs)
    return _Tested(statistic=found.u, name="U", pvalues=found.pvalue, exact=found.exact)


def _mann_whitney_exact(costs: list[Floats], choices: RunChoices) -> _Tested:
    found = mann_whitney(costs, method="exact")
    return _Tested(statistic=found.u, name="U", pvalues=found.pvalue, exact=True)


def _dunn(costs: list[Floats], choices: RunChoices) -> _Tested:
    found = dunn(costs)
    return _Tested(statistic=-found.statistic, name="z", pvalues=found.pvalues)


def _conover_iman(costs: list[Floats], choices: RunChoices) -> _Tested:
    found = conover_iman(costs)
    return _Tested(statistic=-found.statistic, name="t", pvalues=found.pvalues)


def _steel_dwass(costs: list[Floats], choices: RunChoices) -> _Tested:
    found = steel_dwass(costs)
    return _Tested(statistic=found.statistics / np.sqrt(2), name="z", pvalues=found.pvalues)


def _steel(costs: list[Floats], choices: RunChoices) -> _Tested:
    assert choices.control is not None  # resolved so
    found = steel(costs, control=choices.control)
    square = np.ones((len(costs), len(costs)))  # the column of the control is what is read
    return _Tested(
        statistic=found.statistics[:, None] * square,
        name="z",
        pvalues=found.pvalues[:, None] * square,
    )


_TESTS: Mapping[str, Callable[[list[Floats], RunChoices], _Tested]] = MappingProxyType(
    {
        "brunner-munzel": _brunner_munzel,
        "brunner-munzel-permutation": _brunner_munzel_permutation,
        "mann-whitney": _mann_whitney,
        "mann-whitney-exact": _mann_whitney_exact,
        "dunn": _dunn,
        "conover-iman": _conover_iman,
        "steel-dwass": _steel_dwass,
        "steel": _steel,
    }
)
