"""The function `compare`, from a table to a comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, overload

from racing.analysis.compare.arrays import as_table
from racing.analysis.compare.choices import resolve
from racing.analysis.compare.comparison import Comparison
from racing.analysis.compare.paired import compare_table
from racing.analysis.compare.profiles.stopped import counted
from racing.analysis.compare.result_table import Missing
from racing.analysis.compare.unpaired.arrays import as_runs
from racing.analysis.compare.unpaired.comparison import RunComparison
from racing.analysis.compare.unpaired.procedure import compare_runs
from racing.base.errors import InputError
from racing.base.quantities import Direction
from racing.core.failures import OnFailure


@overload
def compare(
    data: Any,
    *,
    paired: Literal[True] = True,
    direction: Direction | None = None,
    missing: Missing = "refuse",
    on_failure: OnFailure | Mapping[str, Any] | str = "worst",
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
    groups: Sequence[object] = (),
) -> Comparison: ...


@overload
def compare(
    data: Any,
    *,
    paired: Literal[False],
    direction: Direction | None = None,
    missing: Missing = "refuse",
    on_failure: OnFailure | Mapping[str, Any] | str = "worst",
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
) -> RunComparison: ...


def compare(
    data: Any,
    *,
    paired: bool = True,
    direction: Direction | None = None,
    missing: Missing = "refuse",
    on_failure: OnFailure | Mapping[str, Any] | str = "worst",
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
    groups: Sequence[object] = (),
) -> Comparison | RunComparison:
    """Which algorithms differ, over many instances, or over many runs?

    By default: the test of Iman and Davenport, then Wilcoxon's signed-ranks test of all pairs with
    the correction of Bergmann and Hommel (Shaffer's beyond 15 algorithms), or of every other
    algorithm with the control, with Holm's. Two algorithms get a Bayesian signed-rank test as well.
    Scores that are all 0 or 1 get McNemar's exact test, and differences of shares.
    Pairs are not compared by mean ranks unless asked for, because their outcome then depends on the
    other algorithms in the table (Benavoli et al., 2016).

    With `paired=False` the scores are unpaired: they are runs, such as 30 of each algorithm with
    other seeds, and `racing.analysis.compare.unpaired.procedure.compare_runs` says which tests
    compare them, and which names `omnibus`, `test` and `bayes` have then.

    Parameters
    ----------
    paired : whether the scores of a row belong together; False for runs.
    data : a `ResultTable`, an (n instances, m algorithms) array, or (n, m, r) with repetitions, a
        mapping from names to the scores of each algorithm, or a DataFrame; lower is better unless
        `direction` is "maximize".
    direction, missing : as for `as_table`.
    on_failure : what an infinite score counts as, as in a scenario: "worst", "rate" for scores that
        are paired, or {"penalty": 60}.
    control : the algorithm that all others are compared with; by default all pairs are compared.
    alpha : level of the whole family of comparisons.
    omnibus : "iman-davenport", "friedman", "aligned-ranks", "quade", "exact", "permutation",
        "anova" or "none".
    test : "wilcoxon", "sign", "t", "mean-ranks", "aligned-ranks", "conover", "tukey" or "dunnett";
        "mcnemar" for scores 0 and 1; or "nemenyi" and "bonferroni-dunn" for mean ranks with that
        correction.
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
    groups : a label for each instance, where instances come in groups, such as questions about one
        text. Intervals of differences of shares are then clustered by group.

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
    if not paired:
        _refuse(
            tie_correction=not tie_correction, ranked=ranked, rho=rho is not None, also=len(also),
            groups=len(groups), repetitions=repetitions != "average",
        )  # fmt: skip
        runs = counted(as_runs(data, direction=direction, missing=missing), on_failure)
        return compare_runs(
            runs, control=control, alpha=alpha,
            omnibus=omnibus, test=test, correction=correction, bayes=bayes, rope=rope, bound=bound,
            s=s, seed=seed,
        )  # fmt: skip
    table = as_table(data, direction=direction, missing=missing, groups=groups)
    table = counted(table, on_failure)
    choices = resolve(
        table, omnibus=omnibus, test=test, correction=correction, control=control, alpha=alpha,
        tie_correction=tie_correction, ranked=ranked, bayes=bayes, rope=rope, bound=bound, s=s,
        repetitions=repetitions, rho=rho, seed=seed, also=also,
    )  # fmt: skip
    return compare_table(table, choices)


def _refuse(**used: object) -> None:
    """Refuse options that only a paired table has."""
    for option, given in used.items():
        if given:
            raise InputError(
                f"{option}: is for tables whose rows pair the scores; leave it out, or "
                "paired=False (--unpaired)"
            )
