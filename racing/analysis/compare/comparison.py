"""A comparison as data: what was compared, by which tests, and what came out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from racing.analysis.compare.bayes import sample
from racing.analysis.compare.groups import Group, cover, groups
from racing.analysis.compare.notes import table_notes, test_notes
from racing.analysis.compare.reports import ComparisonReport, cd_diagram
from racing.analysis.compare.result_table import Bools, Floats, Ints, ResultTable
from racing.analysis.compare.verdicts import (
    Choices,
    Effects,
    Estimates,
    Family,
    Method,
    Note,
    Omnibus,
    Posterior,
    Statements,
    StudyDesign,
)
from racing.base.errors import InputError, show
from racing.stats.brunner_munzel import RelativeEffects

Three = tuple[float, float, float]
"""An estimate and the low and high end of its interval."""


@dataclass(frozen=True, kw_only=True)
class ComparedPair:
    """The comparison of two algorithms.

    Attributes
    ----------
    ahead : which of the two the test favours; None for neither
    statistic, statistic_name : positive if the first is better, but for counts and rank sums
    exact : whether the p-value is that of an exact distribution
    p, adjusted_p : two-sided; before and after the correction for the number of comparisons
    wins, ties, losses : of the first; of runs, over all pairs of them
    a : the chance that the first is better, ties counted half
    advantage : the location of the differences in units of score, or the difference of shares
    """

    first: str
    second: str
    ahead: str | None
    statistic: float
    statistic_name: str
    exact: bool
    p: float
    adjusted_p: float
    shown_to_differ: bool
    wins: int
    ties: int
    losses: int
    a: Three
    advantage: Three | None
    cohens_d: float | None
    akinshin_gamma: float | None

    @property
    def led(self) -> ComparedPair:
        """The same with the leading algorithm first."""
        if self.ahead != self.second:
            return self
        signed = self.statistic_name in ("t", "z")
        of_all = {"U": self.wins + self.ties + self.losses - self.statistic,
                  "wins": self.losses + self.ties // 2}  # fmt: skip
        turned = -self.statistic if signed else of_all.get(self.statistic_name, self.statistic)
        a, away = self.a, self.advantage
        return replace(
            self, first=self.second, second=self.first, statistic=float(turned), wins=self.losses,
            losses=self.wins, a=(1 - a[0], 1 - a[2], 1 - a[1]),
            advantage=None if away is None else (-away[0], -away[2], -away[1]),
            cohens_d=None if self.cohens_d is None else -self.cohens_d,
            akinshin_gamma=None if self.akinshin_gamma is None else -self.akinshin_gamma,
        )  # fmt: skip


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class _OfTable(ComparisonReport):
    """What paired tables and runs have in common."""

    design: StudyDesign
    table: ResultTable
    choices: Choices

    @property
    def names(self) -> tuple[str, ...]:
        """The algorithms, in the order of the table."""
        return self.table.names

    @property
    def test(self) -> Method:
        """What the pairs were compared by."""
        return self.design.tests[self.choices.test]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Comparison(_OfTable):
    """The comparison of m algorithms in a paired table, or of their runs on one problem.

    Nothing is rounded or put into words.

    Attributes
    ----------
    table : the scores; of runs, those on this problem
    mean_ranks : (m,), lower is better; of runs, the expected rank of a run of each algorithm among
        one run of every algorithm
    relative : of runs, relative effects by pseudo-ranks, (m,); larger is better
    omnibus : None if it was left out
    critical_difference : of two mean ranks, if the procedure has one
    posterior : of all pairs, one at a time, if asked for
    statements : what can be believed together, if asked for
    estimates : what was asked for besides tests
    """

    mean_ranks: Floats
    relative: RelativeEffects | None
    omnibus: Omnibus | None
    family: Family
    effects: Effects
    critical_difference: float | None
    posterior: Posterior | None
    statements: Statements | None
    estimates: Estimates

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """Caveats."""
        return (*(table_notes(self) if self.table.paired else ()), *test_notes(self))

    @property
    def counted(self) -> int:
        """How many comparisons the correction counts."""
        return 1 if self.choices.correction == "none" else int(self.family.first.size)

    @property
    def problems(self) -> tuple[Comparison, ...]:
        """This one: a paired table, and one problem, are compared as a whole."""
        return (self,)

    @property
    def over(self) -> None:
        """Nothing is compared over problems."""

    @property
    def problem(self) -> str:
        """Of runs, the name of the problem; "" if it is the only one."""
        return "" if self.table.paired else self.table.instances[0]

    @property
    def control(self) -> int | None:
        """The column that all others are compared with."""
        return None if self.choices.control is None else self.names.index(self.choices.control)

    def cd_diagram(self, ax: Any = None, *, footnote: bool = True) -> Any:
        """The critical-difference diagram of the mean ranks; returns matplotlib's figure.

        Parameters
        ----------
        ax : axes to draw on, whose figure has a constrained layout; None makes a new figure
        footnote : whether a line below a new figure says how to read it

        Raises
        ------
        MissingExtra
            If matplotlib is not installed.
        """
        return cd_diagram(self, ax, footnote=footnote)

    def sample(self, first: str, second: str, *, draws: int = 5000) -> Floats:
        """(draws, 3) draws of the posterior of two algorithms; see `bayes.sample`."""
        return sample(self.table, self.choices, first, second, draws=draws)

    @cached_property
    def sizes(self) -> Ints:
        """(m,) how many scores there are of each algorithm."""
        return np.asarray(self.table.sizes.sum(axis=0))

    @cached_property
    def medians(self) -> Floats:
        """(m,) the median score of each, in the user's direction; repetitions averaged."""
        if self.table.paired:
            return np.asarray(np.median(self.table.means, axis=0))
        return np.array([np.median(own) for own in self.table.runs[0]])

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The columns, best mean rank first; ties keep the order of the columns."""
        return tuple(int(i) for i in np.argsort(self.mean_ranks, kind="stable"))

    @cached_property
    def by_p(self) -> tuple[int, ...]:
        """The comparisons, smallest adjusted p-value first."""
        return tuple(np.lexsort((self.family.pvalues, self.family.adjusted)).tolist())

    def pair(self, k: int) -> ComparedPair:
        """The k-th comparison."""
        f, e = self.family, self.effects
        first, second = self.names[int(f.first[k])], self.names[int(f.second[k])]
        side, standardized = int(f.favours[k]), (self.estimates.cohens_d,
                                                 self.estimates.akinshin_gamma)  # fmt: skip
        d, gamma = (None if one is None else float(one[k]) for one in standardized)
        return ComparedPair(
            first=first, second=second, ahead=first if side > 0 else second if side < 0 else None,
            statistic=float(f.statistic[k]), statistic_name=f.statistic_name,
            exact=bool(f.exact[k]), p=float(f.pvalues[k]), adjusted_p=float(f.adjusted[k]),
            shown_to_differ=bool(self.significant[k]), wins=int(e.wins[k]), ties=int(e.ties[k]),
            losses=int(e.losses[k]), a=_three(k, e.a, e.a_low, e.a_high), cohens_d=d,
            advantage=None if np.isnan(e.difference[k]) else _three(k, e.difference, e.low, e.high),
            akinshin_gamma=gamma,
        )  # fmt: skip

    @cached_property
    def significant(self) -> Bools:
        """(h,) whether each comparison's adjusted p-value is at most α."""
        return np.asarray(self.family.adjusted <= self.choices.alpha)

    @cached_property
    def pvalues(self) -> Floats:
        """(m, m) raw p-values; NaN where no comparison was made, 1 on the diagonal."""
        return self._matrix(self.family.pvalues)

    @cached_property
    def adjusted(self) -> Floats:
        """(m, m) adjusted p-values; NaN where no comparison was made, 1 on the diagonal."""
        return self._matrix(self.family.adjusted)

    @cached_property
    def joined(self) -> Bools:
        """(m, m) which pairs were compared, and not shown to differ."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self.adjusted > self.choices.alpha)

    @cached_property
    def groups(self) -> tuple[Group, ...] | None:
        """All maximal groups of algorithms not shown to differ, by rank of their best member.

        Columns in each are in order of mean rank. None against a control, and if there are too
        many to list.
        """
        if self.control is not None:
            return None
        found = groups(self._joined_in_order())
        return None if found is None else self._named(found)

    @cached_property
    def bars(self) -> tuple[Group, ...]:
        """Groups of two or more that together show every pair not shown to differ."""
        return () if self.control is not None else self._named(cover(self._joined_in_order()))

    def _joined_in_order(self) -> Bools:
        return self.joined[np.ix_(self.order, self.order)]

    def _named(self, found: Sequence[Group]) -> tuple[Group, ...]:
        return tuple(tuple(self.order[place] for place in group) for group in found)

    def _matrix(self, values: Floats) -> Floats:
        m = len(self.names)
        matrix = np.full((m, m), np.nan)
        np.fill_diagonal(matrix, 1.0)
        matrix[self.family.first, self.family.second] = values
        matrix[self.family.second, self.family.first] = values
        return matrix


def _three(k: int, *ends: Floats) -> Three:
    value, low, high = (float(one[k]) for one in ends)
    return value, low, high


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class OverProblems:
    """The comparison over all problems together.

    Attributes
    ----------
    effects : relative effects averaged over these problems, (k,)
    paired : the effects compared as scores, a problem being an instance; None if problems are few
    """

    effects: RelativeEffects
    paired: Comparison | None


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class RunComparison(_OfTable):
    """The outcome of `compare` for unpaired runs.

    Attributes
    ----------
    problems : the comparison on each problem
    over : None if there is one problem
    """

    problems: tuple[Comparison, ...]
    over: OverProblems | None

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """Caveats that are not of one problem."""
        return tuple(table_notes(self))

    def cd_diagram(self, ax: Any = None, *, footnote: bool = True) -> Any:
        """The diagram of the only problem, see `Comparison.cd_diagram`."""
        return self.only.cd_diagram(ax, footnote=footnote)

    @property
    def only(self) -> Comparison:
        """The comparison on the only problem.

        Raises
        ------
        InputError
            If there are several.
        """
        if len(self.problems) > 1:
            raise InputError(
                f"{self.table.source}: there are {len(self.problems)} problems; choose one "
                f"(--problem {show(self.table.instances[0])})"
            )
        return self.problems[0]
