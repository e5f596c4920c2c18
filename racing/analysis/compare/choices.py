"""Which tests are run: the defaults that suit a table, and combinations that make no sense."""

from __future__ import annotations

from collections.abc import Iterable
from types import SimpleNamespace
from typing import Unpack

import numpy as np

from racing.analysis.compare.bayes import BOUNDS
from racing.analysis.compare.methods import ALIASES, CORRECTIONS, SHORTHANDS
from racing.analysis.compare.options import PYTHON, REPETITIONS, Options
from racing.analysis.compare.paired import ALSO, PAIRED
from racing.analysis.compare.result_table import ResultTable
from racing.analysis.compare.unpaired import UNPAIRED
from racing.analysis.compare.verdicts import Choices, Study
from racing.base.errors import InputError, TableError, did_you_mean, must_be
from racing.stats.ranks import rank_rows

_AFFORDABLE = {"mean-ranks": 40}  # algorithms: Bergmann-Hommel in about half a second; else:
_AFFORDABLE_ANY = 15
_WEIGHT = 0.25  # of a prior, in runs: see docs/evidence/levels.md
_FOLDS = (
    "at least two scores of each algorithm on each instance, as many of each; give them in the "
    "long form: algorithm, instance, score, repetition"
)


def resolve(table: ResultTable, **options: Unpack[Options]) -> Study:
    """What a table is compared by: the defaults that suit it, where nothing else is asked for.

    Raises
    ------
    InputError
        If an option is unknown, or two of them contradict each other.
    """
    return _Asked(table, **options).study()


class _Asked:
    """What is asked for of a table; None where a default is to be found."""

    def __init__(self, table: ResultTable, **options: Unpack[Options]) -> None:
        self.table, self.design = table, PAIRED if table.paired else UNPAIRED
        self.o = o = SimpleNamespace(**{name: one.default for name, one in PYTHON.items()})
        vars(o).update(options)
        asked = {"omnibus": o.omnibus, "test": o.test, "correction": o.correction,
                 "posterior": o.bayes}  # fmt: skip
        self.given = tuple(name for name, value in asked.items() if value is not None)
        if o.test in SHORTHANDS and table.paired:
            o.test, implied = SHORTHANDS[o.test]
            o.correction = implied if o.correction is None else o.correction

    def study(self) -> Study:
        """The table and its design, with all choices made."""
        o, table, design = self.o, self.table, self.design
        if o.control is not None:
            table.column(o.control)
        check_numbers(o.alpha, o.rope, o.seed)
        test, posterior = self.test(), self.posterior()
        omnibus = o.omnibus or ("none" if table.m == 2 else next(iter(design.omnibus)))
        choices = Choices(
            omnibus=known(omnibus, (*design.omnibus, "none"), "omnibus"), test=test,
            correction=self.correction(test), control=o.control, alpha=float(o.alpha),
            tie_correction=o.tie_correction, ranked=o.ranked, posterior=posterior,
            rope=float(o.rope), bound=self.bound(posterior), seed=o.seed, given=self.given,
            s=self.weight(posterior) if o.s is None else o.s, also=self.also(),
            rho=1.0 / max(table.repetitions, 2) if o.rho is None else o.rho,
        )  # fmt: skip
        found = Study(design=design, table=table, choices=choices)
        if o.ranked:
            _check_ranked(found)
        return found

    def test(self) -> str:
        """The requested test, or the one that suits the scores."""
        tests, test, control = self.design.tests, self.o.test, self.o.control
        yes_or_no = self.table.paired and self.table.yes_or_no and not self.o.ranked
        if test is None:
            return "mcnemar" if yes_or_no else "sign" if self.o.ranked else next(iter(tests))
        traits = tests[known(test, tests, "test")].traits
        if test == "mcnemar" and not yes_or_no:
            raise InputError("test: mcnemar is for scores that are 0 or 1; for others use sign")
        if "whole" in traits and ("control" in traits) == (control is None):
            needs = "pairs" if control is None else "control"
            other = next(name for name, one in tests.items() if {"whole", needs} <= one.traits)
            raise InputError(
                f"test: {test} needs a control (--control NAME); for all pairs use {other}"
                if control is None
                else f"test: {test} compares all pairs; against a control use {other}"
            )
        return str(test)

    def correction(self, test: str) -> str:
        """The requested correction, or the one that suits the test.

        Holm's, unless all pairs are compared and equality is transitive: then one that uses this.
        If A does not differ from B nor B from C, A does not differ from C: true of means, of
        expected ranks, and of the centres of symmetric differences, but not of which wins more
        often. So the sign test, runs, and comparisons against a control, get Holm's.
        """
        design, control, m = self.design, self.o.control, self.table.m
        correction, traits = self.o.correction, design.tests[test].traits
        if "whole" in traits:
            if correction not in (None, "none"):
                raise InputError(f"correction: {test} corrects by itself, leave out {correction}")
            return "none"
        if correction is None:
            if not design.paired or control is not None or "intransitive" in traits:
                return "holm"
            affordable = _AFFORDABLE.get(test, _AFFORDABLE_ANY)
            return "bergmann-hommel" if m <= affordable else "shaffer"
        correction = known(ALIASES.get(correction, correction), design.corrections, "correction")
        if "pairs" in CORRECTIONS[correction].traits and control is not None:
            raise InputError(
                f"correction: {correction} is for all pairs; against a control use holm or hommel"
            )
        comparisons = m * (m - 1) // 2 if control is None else m - 1
        if correction == "rom" and comparisons > 1000:
            most = "comparisons must be at most 1000 for correction rom"
            raise InputError(f"{most}; got {comparisons}; use hommel")
        if correction == "nemenyi" and test != "mean-ranks":
            raise InputError(
                f"correction: nemenyi is a test of mean ranks, not of {test}; use "
                "test='mean-ranks', or bergmann-hommel, shaffer or holm"
            )
        return correction

    def posterior(self) -> str:
        """The requested Bayesian test, or the one that suits the scores."""
        table, bayes, rope = self.table, self.o.bayes, self.o.rope
        known(self.o.repetitions, REPETITIONS, "repetitions")
        if self.o.repetitions == "correlated-t":
            if bayes not in (None, "none"):
                raise InputError(
                    f"bayes: repetitions='correlated-t' is Bayesian, leave out {bayes}"
                )
            self.check_folds(f"repetitions: correlated-t needs {_FOLDS}")
            return "correlated-t"
        if not table.paired and rope >= 0.5:
            of_runs = "such as 0.06 (for runs, it is in units of A, the chance to be better)"
            raise InputError(must_be("rope", f"below 0.5, {of_runs}", rope))
        if bayes is None and not table.paired:
            return "rank-sum" if table.m == 2 or rope > 0 else "kruskal"
        if bayes is None:
            own = "sign" if table.yes_or_no else "signed-rank"
            return own if table.m == 2 and not self.o.ranked else "none"
        if bayes == "kruskal" and rope > 0 and not table.paired:
            raise InputError("rope: is for bayes='rank-sum' (--bayes rank-sum), not for kruskal")
        if bayes == "hierarchical" and table.paired:
            what = "bayes: hierarchical is for the folds of cross-validation"
            self.check_folds(f"{what}: {_FOLDS}; or use signed-rank")
        names = [name for name in self.design.posteriors if name != "correlated-t"]
        return known(bayes, (*names, "none"), "bayes")

    def check_folds(self, message: str) -> None:
        """Refuse tables that have not several scores in each cell, as many."""
        if self.table.repetitions < 2 or (self.table.sizes < self.table.repetitions).any():
            raise InputError(message)

    def bound(self, posterior: str) -> str:
        """The requested bound of a posterior, or the usual one."""
        if self.o.bound is None:
            return self.design.usual_bound
        known(self.o.bound, BOUNDS, "bound")
        have = [name for name, one in self.design.posteriors.items() if "bounds" in one.traits]
        if posterior not in have and self.design.paired:
            raise InputError(
                f"bound: {self.o.bound} is a choice for bayes={', '.join(map(repr, have))}, not "
                f"for {posterior}"
            )
        return str(self.o.bound)

    def weight(self, posterior: str) -> float:
        """The usual weight of the prior."""
        return _WEIGHT if not self.table.paired else 0.5 if posterior == "signed-rank" else 1.0

    def also(self) -> tuple[str, ...]:
        """What is estimated besides."""
        also = self.o.also
        if isinstance(also, str):
            raise InputError(must_be("also", "a list of names", also, f"write [{also!r}]"))
        for name in also:
            if "sizes" in ALSO[known(name, ALSO, "also")].traits and self.o.ranked:
                raise InputError(
                    f"also: {name} looks at the size of differences, which ranks do not hold"
                )
        return tuple(name for name in ALSO if name in also)


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


def _check_ranked(c: Study) -> None:
    """Refuse tests of sizes for ranks, and rows that are no ranking."""
    table, design, choices = c.table, c.design, c.choices
    if table.direction == "maximize":
        raise InputError("ranked: rank 1 is best, so ranks are minimized; leave out maximize")
    for option, word, methods in (("test", choices.test, design.tests),
                                  ("omnibus", choices.omnibus, design.omnibus),
                                  ("bayes", choices.posterior, design.posteriors)):  # fmt: skip
        if word in methods and "sizes" in methods[word].traits:
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
