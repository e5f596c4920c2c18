"""Makes a comparison from unpaired runs."""

from __future__ import annotations

from typing import Any

import numpy as np

from racing.analysis.compare.choices import resolve as resolve_paired
from racing.analysis.compare.paired import compare_table
from racing.analysis.compare.result_table import Missing, ResultTable
from racing.analysis.compare.unpaired.arrays import as_runs
from racing.analysis.compare.unpaired.choices import RunChoices, resolve
from racing.analysis.compare.unpaired.comparison import (
    OverProblems,
    ProblemComparison,
    RunComparison,
)
from racing.analysis.compare.unpaired.notes import notes, problem_notes
from racing.analysis.compare.unpaired.omnibus import omnibus as run_omnibus
from racing.analysis.compare.unpaired.pairs import effects, family
from racing.analysis.compare.unpaired.posterior import posterior, statements
from racing.analysis.compare.unpaired.table import RunTable, place
from racing.base.errors import TableError
from racing.base.quantities import Direction
from racing.stats.pseudo_ranks import mean_effects, relative_effects

_ENOUGH = 6  # problems from which a signed-rank test can reach .05


def compare_runs(
    data: Any,
    *,
    direction: Direction | None = None,
    missing: Missing = "refuse",
    control: str | None = None,
    alpha: float = 0.05,
    omnibus: str | None = None,
    test: str | None = None,
    correction: str | None = None,
    bayes: str | None = None,
    rope: float = 0.0,
    bound: str | None = None,
    s: float | None = None,
    seed: int = 1,
) -> RunComparison:
    """Which algorithms differ, from unpaired runs: `compare(paired=False)` calls this.

    On each problem by itself: Kruskal and Wallis' test, then Brunner and Munzel's test of all
    pairs, or of every other algorithm with the control, with Holm's correction; Vargha and
    Delaney's A with intervals; relative effects by pseudo-ranks; for two algorithms the Bayesian
    rank-sum test, for more the Bayesian Kruskal-Wallis test. Over several problems the relative
    effects are averaged, and from six problems on compared as a paired table.

    Parameters
    ----------
    data : a `RunTable`, or what `as_runs` takes: vectors of scores by algorithm, perhaps by problem
    direction, missing, control, alpha, seed : as for `compare`
    omnibus : "kruskal" (exact where runs are few), "kruskal-exact", "kruskal-permutation" or "none"
    test : "brunner-munzel", "brunner-munzel-permutation", "mann-whitney" (exact up to 50 runs of a
        pair), "mann-whitney-exact", "dunn", "conover-iman", "steel-dwass"; against a control
        "steel" in place of the last
    correction : as for `compare`, but "nemenyi"; "holm" by default
    bayes : "rank-sum", "kruskal" or "none"
    rope : values of A this near to 1/2 are practically equivalent, such as 0.06
    bound : "lower", what every prior of weight s grants (the default), "upper", or "precise",
        without a prior
    s : weight of the prior, in runs; 0.25 by default

    Raises
    ------
    TableError
        If the data are no runs that can be compared.
    InputError
        If an option is unknown or does not suit the others.
    """
    table = as_runs(data, direction=direction, missing=missing)
    _check_enough(table)
    choices = resolve(
        table, omnibus=omnibus, test=test, correction=correction, control=control, alpha=alpha,
        bayes=bayes, rope=rope, bound=bound, s=s, seed=seed,
    )  # fmt: skip
    found = tuple(_on(table.only(problem), choices) for problem in table.problems)
    return RunComparison(
        table=table,
        choices=choices,
        problems=found,
        over=_over(table, choices, found) if len(found) > 1 else None,
        notes=notes(table, choices),
    )


def _on(table: RunTable, choices: RunChoices) -> ProblemComparison:
    """The comparison of the runs on one problem."""
    costs = table.costs(0)
    relative = relative_effects(costs, level=1.0 - choices.alpha)
    tested, overall = family(costs, choices), run_omnibus(costs, choices)
    return ProblemComparison(
        table=table,
        names=table.names,
        choices=choices,
        # a run of i among one of each: 1 + Σ over j ≠ i of (1 − A_ij), and A_ii = 1/2
        mean_ranks=len(costs) * (1 - relative.effects) + 0.5,
        relative=relative,
        omnibus=overall,
        family=tested,
        effects=effects(costs, choices, tested.first, tested.second),
        posterior=posterior(costs, choices),
        statements=statements(costs, choices),
        notes=problem_notes(table, choices, overall, tested),
    )


def _over(
    table: RunTable, choices: RunChoices, found: tuple[ProblemComparison, ...]
) -> OverProblems:
    effects = np.array([one.relative.effects for one in found])
    paired = None
    if len(found) >= _ENOUGH:
        scores = ResultTable(
            table.names, table.problems, effects, "maximize", f"relative effects of {table.source}"
        )
        control = None if choices.control is None else table.names[choices.control]
        paired = compare_table(
            scores,
            resolve_paired(scores, control=control, alpha=choices.alpha, seed=choices.seed),
        )
    averaged = mean_effects([one.relative for one in found], level=1.0 - choices.alpha)
    return OverProblems(effects=averaged, paired=paired)


def _check_enough(table: RunTable) -> None:
    sizes = table.sizes
    if (sizes == 1).all():
        of = f" on each of {len(table.problems)} problems" if len(table.problems) > 1 else ""
        raise TableError(
            f"{table.source}: one run of each algorithm{of}: problems that all algorithms solved "
            "once pair the scores; leave out --unpaired (paired=False)"
        )
    if sizes.min() < 2:
        p, a = np.argwhere(sizes < 2)[0]
        raise TableError(
            f"{table.source}: {place(table.names[a], table.problems[p])}: one run shows no spread; "
            "at least two are needed, and ten or more are advised"
        )
