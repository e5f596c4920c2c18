"""The function `compare`, from a table to a comparison."""

from __future__ import annotations

from inspect import cleandoc
from typing import Any, Literal, Unpack, overload

import numpy as np

from racing.analysis.compare.arrays import as_table
from racing.analysis.compare.choices import design_of, resolve
from racing.analysis.compare.comparison import Comparison, OverProblems, RunComparison
from racing.analysis.compare.corrections import CORRECTIONS
from racing.analysis.compare.estimates import estimates
from racing.analysis.compare.failures import counted, stopped_at
from racing.analysis.compare.options import Options, check_design, documentation, signature
from racing.analysis.compare.result_table import Ints, ResultTable, place
from racing.analysis.compare.verdicts import Choices, Family, Posterior, StudyDesign
from racing.base.errors import InputError
from racing.stats.brunner_munzel import mean_effects, relative_effects
from racing.stats.mean_ranks import bonferroni_dunn_cd, nemenyi_cd
from racing.stats.ranks import mean_ranks

MOST_PAIRS = 50_000
"""The most pairs that are compared: each has a test, an interval and a line."""
_ENOUGH = 6  # problems from which a signed-rank test can reach .05


@overload
def compare(
    data: Any, *, paired: Literal[True] = True, **options: Unpack[Options]
) -> Comparison: ...


@overload
def compare(data: Any, *, paired: Literal[False], **options: Unpack[Options]) -> RunComparison: ...


def compare(
    data: Any, *, paired: bool = True, **options: Unpack[Options]
) -> Comparison | RunComparison:
    """Which algorithms differ, over many instances, or over many runs?

    By default: the test of Iman and Davenport, then Wilcoxon's signed-ranks test of all pairs with
    the correction of Bergmann and Hommel (Shaffer's beyond 15 algorithms), or of every other
    algorithm with the control, with Holm's. Two algorithms get a Bayesian signed-rank test as well.
    Scores that are all 0 or 1 get McNemar's exact test, and differences of shares.
    Pairs are not compared by mean ranks unless asked for, because their outcome then depends on the
    other algorithms in the table (Benavoli et al., 2016).

    With `paired=False` the scores are runs, such as 30 of each algorithm with other seeds. On each
    problem by itself: Kruskal and Wallis' test, then Brunner and Munzel's test of all pairs, or of
    every other algorithm with the control, with Holm's correction; Vargha and Delaney's A with
    intervals; relative effects by pseudo-ranks; for two algorithms the Bayesian rank-sum test, for
    more the Bayesian Kruskal-Wallis test. Over several problems the relative effects are averaged,
    and from six problems on compared as a paired table.

    Raises
    ------
    TableError
        If the data are no table that can be compared.
    InputError
        If an option is unknown or does not suit the others.

    Examples
    --------
    >>> import racing
    >>> table = [[0.1 * i + j + (i * 7 % 5) * 0.1 * j for j in range(3)] for i in range(12)]
    >>> comparison = racing.compare(table)
    >>> comparison.omnibus.pvalue < 0.05
    True
    >>> runs = {"old": [5.1, 4.8, 5.3, 4.9, 5.6], "new": [4.2, 4.4, 4.1, 4.7, 4.3, 4.6]}
    >>> racing.compare(runs, paired=False).only.effects.a
    array([0.])
    """
    signature().bind(data, paired=paired, **options)
    check_design(options, "paired" if paired else "unpaired")
    given: dict[str, Any] = dict(options)
    table = as_table(
        data, paired=paired,
        **{name: given.pop(name) for name in ("direction", "missing", "columns", "groups")
           if name in given},
    )  # fmt: skip
    cutoff = given.pop("cutoff", None)
    table = table if cutoff is None else stopped_at(table, cutoff)
    table = counted(table, given.pop("on_failure", None))
    if paired:
        return _compared(table, resolve(table, **given))
    _check_enough(table)
    choices = resolve(table, **given)
    found = tuple(_compared(table.only(problem), choices) for problem in table.instances)
    over = _over(table, choices, found) if len(found) > 1 else None
    return RunComparison(
        design=design_of(table), table=table, choices=choices, problems=found, over=over
    )


compare.__signature__ = signature()  # type: ignore[attr-defined]
compare.__doc__ = cleandoc(compare.__doc__ or "").replace(  # indented before Python 3.13
    "\nRaises\n", f"\n{documentation()}\n\nRaises\n"
)


def _compared(table: ResultTable, choices: Choices) -> Comparison:
    """Run every test that was chosen, on a paired table or on the runs of one problem."""
    design, columns = design_of(table), table.m
    first, second = pairs_of(columns, None if choices.control is None
                             else table.column(choices.control))  # fmt: skip
    run = design.omnibus.get(choices.omnibus)
    overall = None if run is None else run.run(table, choices)
    tested = _family(table, choices, design, first, second)
    bayes = design.posteriors.get(choices.posterior)
    found = None if bayes is None else bayes.run(table, choices)
    pairwise = found if isinstance(found, Posterior) else None
    relative = None
    if not table.paired:
        relative = relative_effects(table.run_costs(0), level=1.0 - choices.alpha)
    return Comparison(
        design=design, table=table, choices=choices, omnibus=overall, family=tested,
        # a run of i among one of each: 1 + Σ over j ≠ i of (1 − A_ij), and A_ii = 1/2
        mean_ranks=mean_ranks(table.costs) if relative is None
        else columns * (1 - relative.effects) + 0.5,
        relative=relative, effects=design.effects(table, choices, first, second, design.tests),
        critical_difference=_critical_difference(table, choices), posterior=pairwise,
        statements=None if pairwise is not None else found,
        estimates=estimates(table, choices, first, second),
    )  # fmt: skip


def pairs_of(m: int, control: int | None) -> tuple[Ints, Ints]:
    """The columns that are compared: all pairs i < j, or all others with the control.

    Raises
    ------
    InputError
        If there are more than `MOST_PAIRS`.
    """
    if control is not None:
        return np.delete(np.arange(m), control), np.full(m - 1, control)
    if (pairs := m * (m - 1) // 2) > MOST_PAIRS:
        raise InputError(
            f"{m} algorithms are {pairs} pairs, and at most {MOST_PAIRS} are compared: compare "
            "all with one of them (--control NAME, control=), or fewer algorithms"
        )
    return np.triu_indices(m, 1)


def _family(
    table: ResultTable, choices: Choices, design: StudyDesign, first: Ints, second: Ints
) -> Family:
    """Test every pair, and correct for the number of pairs."""
    tested = design.tests[choices.test].run(table, choices, first, second)
    return Family(
        first=first, second=second, statistic=tested.statistic, statistic_name=tested.name,
        favours=np.sign(tested.favours).astype(np.intp), pvalues=tested.pvalues,
        adjusted=CORRECTIONS[choices.correction].run(tested.pvalues),
        exact=np.broadcast_to(tested.exact, first.shape),
    )  # fmt: skip


def _critical_difference(table: ResultTable, choices: Choices) -> float | None:
    """The critical difference of two mean ranks, if it is the same for all pairs."""
    if choices.test == "mean-ranks" and choices.correction == "nemenyi":
        return nemenyi_cd(table.m, table.n, alpha=choices.alpha)
    dunn = choices.correction == "bonferroni" and choices.control is not None
    if choices.test == "mean-ranks" and dunn:
        return bonferroni_dunn_cd(table.m, table.n, alpha=choices.alpha)
    return None


def _over(table: ResultTable, choices: Choices, found: tuple[Comparison, ...]) -> OverProblems:
    relative = [one.relative for one in found if one.relative is not None]
    effects = np.array([one.effects for one in relative])
    paired = None
    if len(found) >= _ENOUGH:
        source = f"relative effects of {table.source}"
        scores = ResultTable(table.names, table.instances, effects, "maximize", source)
        own = resolve(scores, control=choices.control, alpha=choices.alpha, seed=choices.seed)
        paired = _compared(scores, own)
    return OverProblems(effects=mean_effects(relative, level=1.0 - choices.alpha), paired=paired)


def _check_enough(table: ResultTable) -> None:
    sizes = table.sizes
    if (sizes == 1).all():
        of = f" on each of {table.n} problems" if table.n > 1 else ""
        raise table.error(
            f"one run of each algorithm{of}: problems that all algorithms solved once pair the "
            "scores; leave out --unpaired (paired=False)"
        )
    for p, a in np.argwhere(sizes < 2)[:1]:
        raise table.error(
            f"{place(table.names[a], table.instances[p])}: one run shows no spread; at least two "
            "are needed, and ten or more are advised"
        )
