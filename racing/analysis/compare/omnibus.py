"""Is there any difference at all? The omnibus tests by name."""

from __future__ import annotations

import numpy as np

from racing.analysis.compare.choices import Choices
from racing.analysis.compare.result_table import ResultTable
from racing.analysis.compare.verdicts import Omnibus


def omnibus(table: ResultTable, choices: Choices) -> Omnibus | None:
    """The chosen omnibus test of all columns, or None."""
    if choices.omnibus == "none":
        return None
    if choices.omnibus == "quade":
        return _quade(table)
    if choices.omnibus == "aligned-ranks":
        return _aligned_ranks(table)
    if choices.omnibus == "anova":
        return _anova(table)
    return _friedman(table, choices)


def _friedman(table: ResultTable, choices: Choices) -> Omnibus:
    from racing.stats.friedman import Reference, friedman

    references: dict[str, Reference] = {
        "friedman": "chi2",
        "iman-davenport": "F",
        "exact": "exact",
        "permutation": "permutation",
    }
    test, ties = choices.omnibus, choices.tie_correction
    found = friedman(
        table.costs,
        reference=references[test],
        tie_correction=ties,
        ranked=choices.ranked,
        rng=np.random.default_rng(choices.seed),
    )
    if not found.tied:
        treated = "none"
    elif test in ("exact", "permutation"):
        treated = "exact"
    else:
        treated = "corrected" if ties else "ignored"
    return Omnibus(
        test=test,
        statistic=found.statistic,
        pvalue=found.pvalue,
        df=found.df,
        effect=found.concordance,
        ties=treated,
        p_error=found.p_error,
    )


def _quade(table: ResultTable) -> Omnibus:
    from racing.stats.weighted_ranks import quade

    found = quade(table.costs)
    return Omnibus(
        test="quade",
        statistic=found.statistic,
        pvalue=found.pvalue,
        df=found.df,
        effect=None,
        ties="corrected",
    )


def _aligned_ranks(table: ResultTable) -> Omnibus:
    from racing.stats.weighted_ranks import aligned_ranks

    found = aligned_ranks(table.costs)
    return Omnibus(
        test="aligned-ranks",
        statistic=found.statistic,
        pvalue=found.pvalue,
        df=(found.df,),
        effect=None,
        ties="none",
    )


def _anova(table: ResultTable) -> Omnibus:
    from racing.stats.anova import anova

    found = anova(table.costs)
    return Omnibus(
        test="anova",
        statistic=found.statistic,
        pvalue=found.pvalue,
        df=found.df,
        effect=found.effect,
        ties="none",
    )
