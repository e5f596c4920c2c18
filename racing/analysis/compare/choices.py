"""Which tests are run: names, defaults, and combinations that make no sense."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from racing.analysis.compare.result_table import ResultTable
from racing.base.errors import InputError, TableError, did_you_mean, show
from racing.stats.ranks import rank_rows

OMNIBUS = (
    *("iman-davenport", "friedman", "aligned-ranks", "quade", "exact", "permutation", "anova"),
    "none",
)
TESTS = (
    *("wilcoxon", "sign", "t", "mean-ranks", "aligned-ranks", "conover", "tukey", "dunnett"),
    "mcnemar",
)
CORRECTIONS = (
    *("none", "bonferroni", "sidak", "holm", "hochberg", "hommel"),
    *("finner", "li", "rom", "benjamini-hochberg"),
    *("shaffer", "bergmann-hommel", "nemenyi"),
)
POSTERIORS = ("signed-rank", "sign", "joint", "hierarchical", "none")
BOUNDS = ("precise", "lower", "upper")
ALSO = ("contrasts", "plackett-luce", "cohens-d", "akinshin-gamma")
REPETITIONS = ("average", "correlated-t")
ALIASES = {"bh": "benjamini-hochberg", "fdr": "benjamini-hochberg", "bonferroni-dunn": "bonferroni"}
SHORTHANDS = {  # names of whole procedures: (test, correction)
    "nemenyi": ("mean-ranks", "nemenyi"),
    "bonferroni-dunn": ("mean-ranks", "bonferroni"),
}

FAMILY_WISE = ("tukey", "dunnett", "steel-dwass", "steel")
"""Tests that account for the number of comparisons themselves."""
_ALL_PAIRS = ("shaffer", "bergmann-hommel", "nemenyi")
_AFFORDABLE = {"mean-ranks": 40}  # Bergmann-Hommel in about half a second; else:
_AFFORDABLE_ANY = 15


@dataclass(frozen=True, kw_only=True)
class Asked:
    """The options of every comparison, with all defaults filled in.

    Attributes
    ----------
    omnibus : the test of any difference
    test : what every pair is compared by
    correction : a name from `CORRECTIONS`
    control : the column that all others are compared with, or None for all pairs
    alpha : family-wise level (or false discovery rate), two-sided
    posterior : the Bayesian test
    rope : differences up to this are practically equivalent: in units of score, or of A for runs
    bound : a name from `BOUNDS`: which prior of weight s the posterior is for
    s : prior weight, in instances or runs
    seed : of every random draw
    given : which of omnibus, test, correction and posterior were chosen by the user
    """

    omnibus: str
    test: str
    correction: str
    control: int | None
    alpha: float
    posterior: str
    rope: float
    bound: str
    s: float
    seed: int
    given: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Choices(Asked):
    """The options for a paired table; names from `OMNIBUS`, `TESTS` and `POSTERIORS`.

    Attributes
    ----------
    tie_correction : whether omnibus test and normal approximations account for ties
    ranked : the table holds ranks, 1 = best
    also : names from `ALSO`: what is estimated besides
    rho : correlation of repetitions, for "correlated-t"
    """

    tie_correction: bool
    ranked: bool
    rho: float
    also: tuple[str, ...]


def resolve(
    table: ResultTable,
    *,
    omnibus: str | None = None,
    test: str | None = None,
    correction: str | None = None,
    control: str | None = None,
    alpha: float = 0.05,
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
) -> Choices:
    """Fill in the defaults that suit the table, and refuse options that contradict each other.

    Raises
    ------
    InputError
        If an option is unknown, or two of them contradict each other.
    """
    column = None if control is None else table.column(control)
    given = chosen(omnibus=omnibus, test=test, correction=correction, posterior=bayes)
    if test in SHORTHANDS:
        test, implied = SHORTHANDS[test]
        correction = implied if correction is None else correction
    test = _test(test, table, ranked)
    correction = _correction(correction, test, column, table.m)
    omnibus = "none" if table.m == 2 and omnibus is None else omnibus or "iman-davenport"
    posterior = _posterior(table, bayes, repetitions, ranked)
    check_numbers(alpha, rope, seed)
    _check_ranked(ranked, test, known(omnibus, OMNIBUS, "omnibus"), posterior, table)
    return Choices(
        omnibus=omnibus,
        test=test,
        correction=correction,
        control=column,
        alpha=float(alpha),
        tie_correction=tie_correction,
        ranked=ranked,
        posterior=posterior,
        rope=float(rope),
        bound=_bound(bound, posterior),
        s=(0.5 if posterior == "signed-rank" else 1.0) if s is None else s,
        rho=1.0 / max(table.repetitions, 2) if rho is None else rho,
        seed=seed,
        also=_also(also, ranked),
        given=given,
    )


def chosen(**options: str | None) -> tuple[str, ...]:
    """The names of the options that are not left to the defaults."""
    return tuple(name for name, value in options.items() if value is not None)


def known(word: str, allowed: tuple[str, ...], option: str) -> str:
    """The word, if it is allowed."""
    if word not in allowed:
        raise InputError(
            f"{option}: expected one of {', '.join(allowed)}; got {show(word)}"
            f"{did_you_mean(word, allowed)}"
        )
    return word


def _test(test: str | None, table: ResultTable, ranked: bool) -> str:
    """The requested test, or the one that suits the scores."""
    yes_or_no = table.yes_or_no and not ranked
    if test is None:
        return "mcnemar" if yes_or_no else "sign" if ranked else "wilcoxon"
    if known(test, TESTS, "test") == "mcnemar" and not yes_or_no:
        raise InputError("test: mcnemar is for scores that are 0 or 1; for others use sign")
    return test


def _correction(correction: str | None, test: str, control: int | None, m: int) -> str:
    if test in FAMILY_WISE:
        return _built_in(correction, test, control)
    if correction is None:
        return _default_correction(test, control, m)
    correction = known(ALIASES.get(correction, correction), CORRECTIONS, "correction")
    check_number_of_tests(correction, control, m)
    if correction == "nemenyi" and test != "mean-ranks":
        raise InputError(
            f"correction: nemenyi is a test of mean ranks, not of {test}; use test='mean-ranks', "
            "or bergmann-hommel, shaffer or holm"
        )
    return correction


def check_number_of_tests(correction: str, control: int | None, m: int) -> None:
    """Refuse a correction that is not for the comparisons of m algorithms.

    Raises
    ------
    InputError
        If it is for all pairs and there is a control, or there are too many comparisons.
    """
    if correction in _ALL_PAIRS and control is not None:
        raise InputError(
            f"correction: {correction} is for all pairs; against a control use holm or hommel"
        )
    comparisons = m * (m - 1) // 2 if control is None else m - 1
    if correction == "rom" and comparisons > 1000:
        raise InputError(
            f"correction: rom is for up to 1000 comparisons, these are {comparisons}; use hommel"
        )


def _built_in(correction: str | None, test: str, control: int | None) -> str:
    if correction not in (None, "none"):
        raise InputError(f"correction: {test} corrects by itself, leave out {correction}")
    if test == "tukey" and control is not None:
        raise InputError("test: tukey compares all pairs; against a control use dunnett")
    if test == "dunnett" and control is None:
        raise InputError("test: dunnett needs a control (--control NAME); for all pairs use tukey")
    return "none"


def _default_correction(test: str, control: int | None, m: int) -> str:
    """Holm's, unless all pairs are compared and equality is transitive: then one that uses this.

    If A does not differ from B nor B from C, A does not differ from C: true of means, of expected
    ranks, and of the centres of symmetric differences, but not of which wins more often. So the
    sign test, and comparisons against a control, get Holm's.
    """
    if control is not None or test in ("sign", "conover", "aligned-ranks"):
        return "holm"
    affordable = _AFFORDABLE.get(test, _AFFORDABLE_ANY)
    return "bergmann-hommel" if m <= affordable else "shaffer"


def _posterior(
    table: ResultTable, bayes: str | None, repetitions: str, ranked: bool
) -> Literal["correlated-t"] | str:
    known(repetitions, REPETITIONS, "repetitions")
    if repetitions == "correlated-t":
        if table.repetitions < 2:
            raise InputError(
                "repetitions: correlated-t needs at least two scores of each algorithm on each "
                "instance; give them in the long form: algorithm, instance, score, repetition"
            )
        if bayes not in (None, "none"):
            raise InputError(f"bayes: repetitions='correlated-t' is Bayesian, leave out {bayes}")
        return "correlated-t"
    if bayes is None:
        own = "sign" if table.yes_or_no else "signed-rank"
        return own if table.m == 2 and not ranked else "none"
    if bayes == "hierarchical" and table.repetitions < 2:
        raise InputError(
            "bayes: hierarchical is for the folds of cross-validation: at least two scores of each "
            "algorithm on each instance; give them in the long form: algorithm, instance, score, "
            "repetition; or use signed-rank"
        )
    return known(bayes, POSTERIORS, "bayes")


def _bound(bound: str | None, posterior: str) -> str:
    if bound is None:
        return "precise"
    if posterior not in ("signed-rank", "sign", "joint"):
        raise InputError(
            f"bound: {known(bound, BOUNDS, 'bound')} is a choice for bayes='signed-rank', 'sign' "
            f"and 'joint', not for {posterior}"
        )
    return known(bound, BOUNDS, "bound")


def _also(also: Sequence[str], ranked: bool) -> tuple[str, ...]:
    if isinstance(also, str):
        raise InputError(f"also: expected names in a list, got {show(also)}; write [{also!r}]")
    for name in also:
        if known(name, ALSO, "also") != "plackett-luce" and ranked:
            raise InputError(
                f"also: {name} looks at the size of differences, which ranks do not hold"
            )
    return tuple(name for name in ALSO if name in also)


def check_numbers(alpha: float, rope: float, seed: int) -> None:
    """Refuse levels, ropes and seeds out of range."""
    if not (isinstance(alpha, (int, float, np.floating)) and 0.0 < alpha < 0.5):
        raise InputError(f"alpha: expected a level between 0 and 0.5, got {alpha!r}")
    if not (isinstance(rope, (int, float, np.floating)) and 0.0 <= rope < np.inf):
        raise InputError(f"rope: expected a finite difference of scores from 0, got {rope!r}")
    if not isinstance(seed, (int, np.integer)) or isinstance(seed, bool) or seed < 0:
        raise InputError(f"seed: expected a whole number from 0, got {seed!r}")


def _check_ranked(
    ranked: bool, test: str, omnibus: str, posterior: str, table: ResultTable
) -> None:
    if not ranked:
        return
    if table.direction == "maximize":
        raise InputError("ranked: rank 1 is best, so ranks are minimized; leave out maximize")
    by_size = {
        *("wilcoxon", "t", "tukey", "dunnett", "aligned-ranks", "quade", "anova"),
        *("signed-rank", "correlated-t", "hierarchical"),
    }
    for option, word in (("test", test), ("omnibus", omnibus), ("bayes", posterior)):
        if word in by_size:
            raise InputError(
                f"{option}: {word} looks at the size of differences, which ranks do not hold; use "
                "the scores, or sign, mean-ranks or conover"
            )
    for name, row in zip(table.instances, table.costs, strict=True):
        if (rank_rows(row[None], check=False)[0] != row).any():
            raise TableError(
                f"{table.source}: {name} is no ranking of {table.m}: {row.tolist()}; expected "
                "average ranks, 1 = best, as in 1, 2.5, 2.5, 4; or leave out --ranks"
            )
