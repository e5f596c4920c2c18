"""Makes a comparison from a table whose rows pair the scores."""

from __future__ import annotations

from racing.analysis.compare.choices import Choices
from racing.analysis.compare.comparison import Comparison
from racing.analysis.compare.estimates import estimates
from racing.analysis.compare.notes import notes
from racing.analysis.compare.omnibus import omnibus as run_omnibus
from racing.analysis.compare.pairwise import critical_difference, family, pairs_of
from racing.analysis.compare.posterior import joint, posterior
from racing.analysis.compare.result_table import ResultTable
from racing.analysis.compare.sizes import counts, effects
from racing.stats.ranks import mean_ranks


def compare_table(table: ResultTable, choices: Choices) -> Comparison:
    """Run every test that was chosen."""
    first, second = pairs_of(table.m, choices.control)
    won = counts(table, first, second)
    overall, tested = run_omnibus(table, choices), family(table, choices, won)
    found = posterior(table, choices)
    return Comparison(
        table=table,
        names=table.names,
        choices=choices,
        mean_ranks=mean_ranks(table.costs),
        omnibus=overall,
        family=tested,
        effects=effects(table, choices, first, second, won),
        critical_difference=critical_difference(table, choices),
        posterior=found,
        joint=joint(table, choices),
        estimates=estimates(table, choices, first, second),
        notes=notes(table, choices, overall, tested, found),
    )
