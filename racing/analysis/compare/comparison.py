"""A comparison as data, by which tests and what came out; and `compare`, which makes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from typing import Any, Literal, Unpack, cast, overload

import numpy as np

from racing.analysis.compare.arrays import as_table
from racing.analysis.compare.bayes import sample
from racing.analysis.compare.choices import resolve
from racing.analysis.compare.groups import Group, cover, groups
from racing.analysis.compare.methods import option, refusal
from racing.analysis.compare.options import READING, Options, check_design, takes
from racing.analysis.compare.report import ComparisonReport
from racing.analysis.compare.result_table import (
    Bools,
    Floats,
    Ints,
    ResultTable,
    counted,
    place,
    stopped_at,
)
from racing.analysis.compare.verdicts import (
    Effects,
    Estimates,
    Family,
    Omnibus,
    Posterior,
    Statements,
    Study,
)
from racing.base.errors import InputError, show
from racing.stats.brunner_munzel import RelativeEffects, mean_effects, relative_effects
from racing.stats.mean_ranks import bonferroni_dunn_cd, nemenyi_cd
from racing.stats.ranks import mean_ranks

_ENOUGH = 6  # problems from which a signed-rank test can reach .05
_FIELDS = {"contrasts": "contrasts", "plackett-luce": "worths", "cohens-d": "cohens_d",
           "akinshin-gamma": "akinshin_gamma"}  # fmt: skip

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


class Tested(ComparisonReport, Study):
    """What the tests found, in a paired table, or in runs on one problem or on several."""

    @property
    def only(self) -> Comparison:
        """The comparison on the only problem.

        Raises
        ------
        InputError
            If there are several.
        """
        one, *others = cast(Any, self).problems
        if others:
            raise InputError(
                f"{self.table.source}: there are {len(others) + 1} problems; choose one "
                f"({option(f'--problem {show(self.table.instances[0])}', 'problems[0]')})"
            )
        return cast(Comparison, one)

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
        picture = import_module("racing.report.pictures.ranks").mean_ranks(self.only)
        figure = (picture if footnote else picture.without_note).figure
        return import_module("racing.report.figures").draw(figure, ax)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Comparison(Tested):
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

    def sample(self, first: str, second: str, *, draws: int = 5000) -> Floats:
        """(draws, 3) draws of the posterior of two algorithms; see `bayes.sample`."""
        return sample(self, first, second, draws=draws)

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
        names = first, second = self.names[int(f.first[k])], self.names[int(f.second[k])]
        both = self.estimates.cohens_d, self.estimates.akinshin_gamma
        d, gamma = (None if one is None else float(one[k]) for one in both)
        return ComparedPair(
            first=first, second=second, ahead=(None, *names)[int(f.favours[k])],
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
        found = None if self.control is not None else groups(self._joined_in_order)
        return None if found is None else self._named(found)

    @cached_property
    def bars(self) -> tuple[Group, ...]:
        """Groups of two or more that together show every pair not shown to differ."""
        return () if self.control is not None else self._named(cover(self._joined_in_order))

    @property
    def _joined_in_order(self) -> Bools:
        return self.joined[np.ix_(self.order, self.order)]

    def _named(self, found: Sequence[Group]) -> tuple[Group, ...]:
        return tuple(tuple(self.order[place] for place in group) for group in found)

    def _matrix(self, values: Floats) -> Floats:
        first, second = self.pairs
        matrix = np.where(np.eye(self.table.m) > 0, 1.0, np.nan)
        matrix[first, second] = matrix[second, first] = values
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
class RunComparison(Tested):
    """The outcome of `compare` for unpaired runs.

    Attributes
    ----------
    problems : the comparison on each problem
    over : None if there is one problem
    """

    problems: tuple[Comparison, ...]
    over: OverProblems | None


@overload
def compare(
    data: Any, *, paired: Literal[True] = True, **options: Unpack[Options]
) -> Comparison: ...


@overload
def compare(data: Any, *, paired: Literal[False], **options: Unpack[Options]) -> RunComparison: ...


@overload
def compare(
    data: Any, *, paired: bool, **options: Unpack[Options]
) -> Comparison | RunComparison: ...


@takes("paired", "unpaired")
def compare(
    data: Any, *, paired: bool = True, **options: Unpack[Options]
) -> Comparison | RunComparison:
    """Which algorithms differ, over many instances, or over many runs?

    By default: the test of Iman and Davenport, then Wilcoxon's signed-ranks test of all pairs with
    the correction of Bergmann and Hommel (Shaffer's beyond 15 algorithms), or of every other
    algorithm with the control, with Holm's. Two algorithms get a Bayesian signed-rank test as well.
    Scores that are all 0 or 1 get McNemar's exact test, and differences of shares.
    Pairs are not compared by mean ranks unless asked for, because their outcome then depends on the
    other algorithms in the table (Benavoli et al., 2016).

    With `paired=False` the scores are runs, such as 30 of each algorithm with other seeds. On each
    problem by itself: Kruskal and Wallis' test, then Brunner and Munzel's test of all pairs, or of
    every other algorithm with the control, with Holm's correction; Vargha and Delaney's A with
    intervals; relative effects by pseudo-ranks; for two algorithms the Bayesian rank-sum test, for
    more the Bayesian Kruskal-Wallis test. Over several problems the relative effects are averaged,
    and from six problems on compared as a paired table.

    Parameters
    ----------
    data : a table, or what `as_table` makes one of: an array, mapping, data frame or file.
    paired : False if the scores are runs that nothing pairs.

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
    check_design(options, "paired" if paired else "unpaired")
    given: dict[str, Any] = dict(options)
    reading = {name: given.pop(name) for name in READING if name in given}
    table = as_table(data, paired=paired, **reading)
    cutoff = given.pop("cutoff", None)
    table = table if cutoff is None else stopped_at(table, cutoff)
    table = counted(table, given.pop("on_failure", None))
    if not paired:
        _check_enough(table)
    study = resolve(table, **given)
    if paired:
        return _compared(study)
    parts = (replace(study, table=table.only(problem)) for problem in table.instances)
    found = tuple(_compared(one) for one in parts)
    over = _over(study, found) if len(found) > 1 else None
    return RunComparison(
        design=study.design, table=table, choices=study.choices, problems=found, over=over
    )


def _compared(c: Study) -> Comparison:
    """Run every test that was chosen, on a paired table or on the runs of one problem."""
    table, design, choices = c.table, c.design, c.choices
    bayes, run = design.posteriors.get(choices.posterior), design.omnibus.get(choices.omnibus)
    overall, tested = None if run is None else run.run(c), c.test.run(c)
    found = None if bayes is None else bayes.run(c)
    pairwise = found if isinstance(found, Posterior) else None
    relative = None if table.paired else relative_effects(c.runs, level=1.0 - choices.alpha)
    return Comparison(
        design=design, table=table, choices=choices, omnibus=overall, family=tested,
        # a run of i among one of each: 1 + Σ over j ≠ i of (1 − A_ij), and A_ii = 1/2
        mean_ranks=mean_ranks(c.costs) if relative is None
        else table.m * (1 - relative.effects) + 0.5,
        relative=relative, effects=design.effects(c), critical_difference=_critical_difference(c),
        posterior=pairwise, statements=None if pairwise is not None else found,
        estimates=Estimates(**{_FIELDS[name]: design.also[name].run(c) for name in choices.also}),
    )  # fmt: skip


def _critical_difference(c: Study) -> float | None:
    """The critical difference of two mean ranks, if it is the same for all pairs."""
    correction, control = c.choices.correction, c.control is not None
    distance = bonferroni_dunn_cd if correction == "bonferroni" and control else (
        nemenyi_cd if correction == "nemenyi" else None)  # fmt: skip
    if c.choices.test != "mean-ranks" or distance is None:
        return None
    return distance(c.table.m, c.table.n, alpha=c.choices.alpha)


def _over(c: Study, found: tuple[Comparison, ...]) -> OverProblems:
    relative = [one.relative for one in found if one.relative is not None]
    effects = np.array([one.effects for one in relative])
    paired, how = None, c.choices
    if len(found) >= _ENOUGH:
        source = f"relative effects of {c.table.source}"
        scores = ResultTable(c.names, c.table.instances, effects, "maximize", source)
        own = resolve(scores, control=how.control, alpha=how.alpha, seed=how.seed)
        paired = _compared(own)
    return OverProblems(effects=mean_effects(relative, level=1.0 - how.alpha), paired=paired)


def _check_enough(table: ResultTable) -> None:
    sizes = table.sizes
    if (sizes == 1).all():
        of = f" on each of {table.n} problems" if table.n > 1 else ""
        raise table.error(refusal("one-run", of=of))
    for p, a in np.argwhere(sizes < 2)[:1]:
        raise table.error(refusal("no-spread", cell=place(table.names[a], table.instances[p])))
