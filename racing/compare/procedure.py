"""One function from a table to a comparison."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from racing.compare.arrays import as_table
from racing.compare.choices import resolve
from racing.compare.comparison import Comparison
from racing.compare.estimates import estimates
from racing.compare.notes import notes
from racing.compare.omnibus import omnibus as run_omnibus
from racing.compare.pairwise import critical_difference, family, pairs_of
from racing.compare.posterior import joint, posterior
from racing.compare.result_table import Missing
from racing.compare.sizes import counts, effects
from racing.quantities import Direction
from racing.stats.ranks import mean_ranks


def compare(
    data: Any,
    *,
    direction: Direction | None = None,
    missing: Missing = "refuse",
    control: str | None = None,
    alpha: float = 0.05,
    omnibus: str | None = None,
    test: str | None = None,
    correction: str | None = None,
    tie_correction: bool = True,
    ranked: bool = False,
    bayes: str | None = None,
    rope: float = 0.0,
    bound: str | None = None,
    s: float | None = None,
    repetitions: str = "average",
    rho: float | None = None,
    seed: int = 1,
    also: Sequence[str] = (),
) -> Comparison:
    """Which algorithms differ, over many instances?

    By default: the test of Iman and Davenport, then Wilcoxon's signed-ranks test of all pairs with
    the correction of Bergmann and Hommel (Shaffer's beyond 15 algorithms), or of every other
    algorithm with the control, with Holm's. Two algorithms get a Bayesian signed-rank test as well.
    Pairs are not compared by mean ranks unless asked for, because their outcome then depends on the
    other algorithms in the table (Benavoli et al., 2016).

    Parameters
    ----------
    data : a `ResultTable`, an (n instances, m algorithms) array, or (n, m, r) with repetitions, or
        a DataFrame; lower is better unless `direction` is "maximize".
    direction, missing : as for `as_table`.
    control : the algorithm that all others are compared with; by default all pairs are compared.
    alpha : level of the whole family of comparisons.
    omnibus : "iman-davenport", "friedman", "aligned-ranks", "quade", "exact", "permutation",
        "anova" or "none".
    test : "wilcoxon", "sign", "t", "mean-ranks", "aligned-ranks", "conover", "tukey" or "dunnett";
        or "nemenyi" and "bonferroni-dunn" for mean ranks with that correction.
    correction : "none", "bonferroni", "sidak", "holm", "hochberg", "hommel", "finner", "li",
        "rom", "benjamini-hochberg"; for all pairs also "shaffer", "bergmann-hommel" and, of mean
        ranks, "nemenyi".
    tie_correction : False gives Friedman's, Iman and Davenport's and the normal approximation of
        Wilcoxon's test as printed by Demšar (2006).
    ranked : `data` holds ranks (1 = best) rather than scores.
    bayes : "signed-rank", "sign" or "hierarchical": posterior probabilities of all pairs; "joint":
        statements that can all be believed together; or "none". "hierarchical" uses repetitions one
        by one, as folds of cross-validation, and speaks of the next instance.
    rope : differences up to this are practically equivalent; in units of score.
    bound : which prior of weight s: "precise" stands on no difference, the default; "lower" gives
        what every prior would grant (it stands against each statement), "upper" what some would.
        For up to 30 instances the bounds are reported in any case.
    s : weight of the prior, in instances (0.5 for "signed-rank", else 1).
    repetitions : "average" them; or "correlated-t", which also uses them one by one: a Bayesian
        correlated t-test per instance, and the chance to win on more instances than the other.
    rho : correlation of repetitions; by default 1/r, which is right for one r-fold
        cross-validation. For several runs of k folds give 1/k.
    seed : of all random draws.
    also : what to estimate besides: "contrasts" (of medians), "plackett-luce" (worths),
        "cohens-d", "akinshin-gamma".

    Raises
    ------
    TableError
        If the data are no table that can be compared.
    InputError
        If an option is unknown or does not suit the others.
    """
    table = as_table(data, direction=direction, missing=missing)
    choices = resolve(
        table, omnibus=omnibus, test=test, correction=correction, control=control, alpha=alpha,
        tie_correction=tie_correction, ranked=ranked, bayes=bayes, rope=rope, bound=bound, s=s,
        repetitions=repetitions, rho=rho, seed=seed, also=also,
    )  # fmt: skip
    first, second = pairs_of(table.m, choices.control)
    won = counts(table, first, second)
    overall, tested = run_omnibus(table, choices), family(table, choices, won)
    found = posterior(table, choices)
    return Comparison(
        table=table,
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
