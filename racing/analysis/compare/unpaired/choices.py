"""Which tests of runs are made: names, defaults, and combinations that make no sense."""

from __future__ import annotations

from dataclasses import dataclass

from racing.analysis.compare.choices import (
    ALIASES,
    BOUNDS,
    CORRECTIONS,
    FAMILY_WISE,
    Asked,
    check_number_of_tests,
    check_numbers,
    chosen,
    known,
)
from racing.analysis.compare.unpaired.table import RunTable
from racing.base.errors import InputError

OMNIBUS = ("kruskal", "kruskal-exact", "kruskal-permutation", "none")
TESTS = (
    *("brunner-munzel", "brunner-munzel-permutation", "mann-whitney", "mann-whitney-exact"),
    *("dunn", "conover-iman", "steel-dwass", "steel"),
)
POSTERIORS = ("rank-sum", "kruskal", "none")

_WEIGHT = 0.25  # of the prior, in runs: see the table of levels in docs/statistics.md


@dataclass(frozen=True, kw_only=True)
class RunChoices(Asked):
    """The options of unpaired runs; names from `OMNIBUS`, `TESTS` and `POSTERIORS` in this file."""


def resolve(
    table: RunTable,
    *,
    omnibus: str | None,
    test: str | None,
    correction: str | None,
    control: str | None,
    alpha: float,
    bayes: str | None,
    rope: float,
    bound: str | None,
    s: float | None,
    seed: int,
) -> RunChoices:
    """Fill in the defaults, and refuse options that contradict each other.

    Raises
    ------
    InputError
        If an option is unknown, or two of them contradict each other.
    """
    k = len(table.names)
    column = None if control is None else table.column(control)
    given = chosen(omnibus=omnibus, test=test, correction=correction, posterior=bayes)
    check_numbers(alpha, rope, seed)
    test = known(test or "brunner-munzel", TESTS, "test")
    _check_control(test, column)
    return RunChoices(
        omnibus=known(omnibus or ("none" if k == 2 else "kruskal"), OMNIBUS, "omnibus"),
        test=test,
        correction=_correction(correction, test, column, k),
        control=column,
        alpha=float(alpha),
        posterior=_posterior(bayes, k, rope),
        rope=float(rope),
        bound=known(bound or "lower", BOUNDS, "bound"),
        s=_WEIGHT if s is None else s,
        seed=seed,
        given=given,
    )


def _check_control(test: str, control: int | None) -> None:
    if test == "steel" and control is None:
        raise InputError(
            "test: steel needs a control (--control NAME); for all pairs use steel-dwass"
        )
    if test == "steel-dwass" and control is not None:
        raise InputError("test: steel-dwass compares all pairs; against a control use steel")


def _correction(correction: str | None, test: str, control: int | None, k: int) -> str:
    if test in FAMILY_WISE:
        if correction not in (None, "none"):
            raise InputError(f"correction: {test} corrects by itself, leave out {correction}")
        return "none"
    allowed = tuple(name for name in CORRECTIONS if name != "nemenyi")
    correction = known(ALIASES.get(correction or "", correction or "holm"), allowed, "correction")
    check_number_of_tests(correction, control, k)
    return correction


def _posterior(bayes: str | None, k: int, rope: float) -> str:
    if rope >= 0.5:
        raise InputError(
            f"rope: of runs it is in units of A, the chance that one is better: expected a number "
            f"below 0.5, such as 0.06, got {rope!r}"
        )
    if bayes is None:
        return "rank-sum" if k == 2 or rope > 0 else "kruskal"
    if bayes == "kruskal" and rope > 0:
        raise InputError("rope: is for bayes='rank-sum' (--bayes rank-sum), not for kruskal")
    return known(bayes, POSTERIORS, "bayes")
