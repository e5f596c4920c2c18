"""Which tests are run: the defaults that suit a table, and combinations that make no sense."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any, Unpack

import numpy as np

from racing.analysis.compare.bayes import BOUNDS
from racing.analysis.compare.corrections import ALIASES, CORRECTIONS, SHORTHANDS
from racing.analysis.compare.estimates import ALSO
from racing.analysis.compare.options import PYTHON, REPETITIONS, Options
from racing.analysis.compare.paired import PAIRED
from racing.analysis.compare.result_table import ResultTable
from racing.analysis.compare.unpaired import UNPAIRED
from racing.analysis.compare.verdicts import Choices, StudyDesign
from racing.base.errors import InputError, TableError, did_you_mean, must_be
from racing.stats.ranks import rank_rows

_AFFORDABLE = {"mean-ranks": 40}  # algorithms: Bergmann-Hommel in about half a second; else:
_AFFORDABLE_ANY = 15
_WEIGHT = 0.25  # of a prior, in runs: see docs/evidence/levels.md
_FOLDS = (
    "at least two scores of each algorithm on each instance, as many of each; give them in the "
    "long form: algorithm, instance, score, repetition"
)


def design_of(table: ResultTable) -> StudyDesign:
    """What suits a table."""
    return PAIRED if table.paired else UNPAIRED


def resolve(table: ResultTable, **options: Unpack[Options]) -> Choices:
    """Fill in the defaults that suit the table, and refuse options that contradict each other.

    Raises
    ------
    InputError
        If an option is unknown, or two of them contradict each other.
    """
    o = SimpleNamespace(**{name: one.default for name, one in PYTHON.items()} | options)
    if o.control is not None:
        table.column(o.control)
    check_numbers(o.alpha, o.rope, o.seed)
    design, test, correction, posterior = design_of(table), o.test, o.correction, o.bayes
    asked = {
        "omnibus": o.omnibus, "test": test, "correction": correction, "posterior": posterior
    }  # fmt: skip
    if test in SHORTHANDS and table.paired:
        test, implied = SHORTHANDS[test]
        correction = implied if correction is None else correction
    test = _test(design, test, table, o.ranked, o.control)
    omnibus = o.omnibus or ("none" if table.m == 2 else next(iter(design.omnibus)))
    posterior = _posterior(design, table, o.bayes, o.repetitions, o.rope, o.ranked)
    choices = Choices(
        omnibus=known(omnibus, (*design.omnibus, "none"), "omnibus"), test=test,
        correction=_correction(design, correction, test, o.control, table.m), control=o.control,
        alpha=float(o.alpha), tie_correction=o.tie_correction, ranked=o.ranked,
        posterior=posterior, rope=float(o.rope), bound=_bound(design, o.bound, posterior),
        s=_weight(posterior, table) if o.s is None else o.s, seed=o.seed,
        rho=1.0 / max(table.repetitions, 2) if o.rho is None else o.rho,
        also=_also(o.also, o.ranked),
        given=tuple(name for name, value in asked.items() if value is not None),
    )  # fmt: skip
    if o.ranked:
        _check_ranked(design, choices, table)
    return choices


def known(word: str, allowed: Iterable[str], option: str) -> str:
    """The word, if it is allowed."""
    allowed = tuple(allowed)
    if word not in allowed:
        wrong = must_be(option, f"one of {', '.join(allowed)}", word)
        raise InputError(f"{wrong}{did_you_mean(word, allowed)}")
    return word


def check_numbers(alpha: float, rope: float, seed: int) -> None:
    """Refuse levels, ropes and seeds out of range."""
    if not (isinstance(alpha, (int, float, np.floating)) and 0.0 < alpha < 0.5):
        raise InputError(must_be("alpha", "a level above 0 and below 0.5", alpha))
    if not (isinstance(rope, (int, float, np.floating)) and 0.0 <= rope < np.inf):
        raise InputError(must_be("rope", "a finite difference of scores, 0 or more", rope))
    if not isinstance(seed, (int, np.integer)) or isinstance(seed, bool) or seed < 0:
        raise InputError(must_be("seed", "a whole number, 0 or more", seed))


def _test(
    design: StudyDesign, test: str | None, table: ResultTable, ranked: bool, control: str | None
) -> str:
    """The requested test, or the one that suits the scores."""
    yes_or_no = table.paired and table.yes_or_no and not ranked
    if test is None:
        return "mcnemar" if yes_or_no else "sign" if ranked else next(iter(design.tests))
    traits = design.tests[known(test, design.tests, "test")].traits
    if test == "mcnemar" and not yes_or_no:
        raise InputError("test: mcnemar is for scores that are 0 or 1; for others use sign")
    if "whole" in traits:
        needs = "pairs" if "control" in traits else "control"
        other = next(name for name, one in design.tests.items() if {"whole", needs} <= one.traits)
        if "control" in traits and control is None:
            raise InputError(
                f"test: {test} needs a control (--control NAME); for all pairs use {other}"
            )
        if "pairs" in traits and control is not None:
            raise InputError(f"test: {test} compares all pairs; against a control use {other}")
    return test


def _correction(
    design: StudyDesign, correction: str | None, test: str, control: str | None, m: int
) -> str:
    if "whole" in design.tests[test].traits:
        if correction not in (None, "none"):
            raise InputError(f"correction: {test} corrects by itself, leave out {correction}")
        return "none"
    if correction is None:
        return _default_correction(design, test, control, m)
    correction = known(ALIASES.get(correction, correction), design.corrections, "correction")
    if "pairs" in CORRECTIONS[correction].traits and control is not None:
        raise InputError(
            f"correction: {correction} is for all pairs; against a control use holm or hommel"
        )
    comparisons = m * (m - 1) // 2 if control is None else m - 1
    if correction == "rom" and comparisons > 1000:
        raise InputError(
            f"comparisons must be at most 1000 for correction rom; got {comparisons}; use hommel"
        )
    if correction == "nemenyi" and test != "mean-ranks":
        raise InputError(
            f"correction: nemenyi is a test of mean ranks, not of {test}; use test='mean-ranks', "
            "or bergmann-hommel, shaffer or holm"
        )
    return correction


def _default_correction(design: StudyDesign, test: str, control: str | None, m: int) -> str:
    """Holm's, unless all pairs are compared and equality is transitive: then one that uses this.

    If A does not differ from B nor B from C, A does not differ from C: true of means, of expected
    ranks, and of the centres of symmetric differences, but not of which wins more often. So the
    sign test, runs, and comparisons against a control, get Holm's.
    """
    if not design.paired or control is not None or "intransitive" in design.tests[test].traits:
        return "holm"
    affordable = _AFFORDABLE.get(test, _AFFORDABLE_ANY)
    return "bergmann-hommel" if m <= affordable else "shaffer"


def _posterior(
    design: StudyDesign, table: ResultTable, bayes: str | None, repetitions: str, rope: float,
    ranked: bool,
) -> str:  # fmt: skip
    known(repetitions, REPETITIONS, "repetitions")
    if repetitions == "correlated-t":
        if bayes not in (None, "none"):
            raise InputError(f"bayes: repetitions='correlated-t' is Bayesian, leave out {bayes}")
        _check_folds(table, f"repetitions: correlated-t needs {_FOLDS}")
        return "correlated-t"
    if not table.paired:
        return _posterior_of_runs(design, table, bayes, rope)
    if bayes is None:
        own = "sign" if table.yes_or_no else "signed-rank"
        return own if table.m == 2 and not ranked else "none"
    if bayes == "hierarchical":
        what = "bayes: hierarchical is for the folds of cross-validation"
        _check_folds(table, f"{what}: {_FOLDS}; or use signed-rank")
    names = [name for name in design.posteriors if name != "correlated-t"]
    return known(bayes, (*names, "none"), "bayes")


def _check_folds(table: ResultTable, message: str) -> None:
    if table.repetitions < 2 or bool((table.sizes < table.repetitions).any()):
        raise InputError(message)


def _posterior_of_runs(
    design: StudyDesign, table: ResultTable, bayes: str | None, rope: float
) -> str:
    if rope >= 0.5:
        allowed = "below 0.5, such as 0.06 (for runs, it is in units of A, the chance to be better)"
        raise InputError(must_be("rope", allowed, rope))
    if bayes is None:
        return "rank-sum" if table.m == 2 or rope > 0 else "kruskal"
    if bayes == "kruskal" and rope > 0:
        raise InputError("rope: is for bayes='rank-sum' (--bayes rank-sum), not for kruskal")
    return known(bayes, (*design.posteriors, "none"), "bayes")


def _bound(design: StudyDesign, bound: str | None, posterior: str) -> str:
    if bound is None:
        return design.usual_bound
    known(bound, BOUNDS, "bound")
    have = [name for name, one in design.posteriors.items() if "bounds" in one.traits]
    if posterior not in have and design.paired:
        raise InputError(
            f"bound: {bound} is a choice for bayes={', '.join(map(repr, have))}, not for "
            f"{posterior}"
        )
    return bound


def _weight(posterior: str, table: ResultTable) -> float:
    return _WEIGHT if not table.paired else 0.5 if posterior == "signed-rank" else 1.0


def _also(also: Sequence[str], ranked: bool) -> tuple[str, ...]:
    if isinstance(also, str):
        raise InputError(must_be("also", "a list of names", also, f"write [{also!r}]"))
    for name in also:
        if "sizes" in ALSO[known(name, ALSO, "also")].traits and ranked:
            raise InputError(
                f"also: {name} looks at the size of differences, which ranks do not hold"
            )
    return tuple(name for name in ALSO if name in also)


def _check_ranked(design: StudyDesign, choices: Choices, table: ResultTable) -> None:
    """Refuse tests of sizes for ranks, and rows that are no ranking."""
    if table.direction == "maximize":
        raise InputError("ranked: rank 1 is best, so ranks are minimized; leave out maximize")
    taken: Mapping[str, Any] = {
        "test": design.tests.get(choices.test),
        "omnibus": design.omnibus.get(choices.omnibus),
        "bayes": design.posteriors.get(choices.posterior),
    }
    for option, one in taken.items():
        if one is not None and "sizes" in one.traits:
            word = getattr(choices, "posterior" if option == "bayes" else option)
            raise InputError(
                f"{option}: {word} looks at the size of differences, which ranks do not hold; use "
                "the scores, or sign, mean-ranks or conover"
            )
    for name, row in zip(table.instances, table.costs, strict=True):
        if (rank_rows(row[None], check=False)[0] != row).any():
            raise TableError(
                f"{table.source}: {name} must be average ranks of {table.m}, 1 = best, as in 1, "
                f"2.5, 2.5, 4; got {row.tolist()}; or leave out --ranks"
            )
