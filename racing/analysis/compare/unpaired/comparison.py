"""A comparison of runs as data: what came out on each problem, and over the problems."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from racing.analysis.compare.comparison import Comparison
from racing.analysis.compare.result_table import Floats
from racing.analysis.compare.unpaired.choices import RunChoices
from racing.analysis.compare.unpaired.table import RunTable
from racing.analysis.compare.verdicts import Note, Verdicts
from racing.answer.text import text
from racing.stats.dp_kruskal import BayesianKruskal
from racing.stats.pseudo_ranks import RelativeEffects


@dataclass(frozen=True, kw_only=True, eq=False)
class ProblemComparison(Verdicts):
    """The comparison of the runs on one problem.

    `mean_ranks` are expected ranks: of a run of each algorithm among one run of every algorithm.

    Attributes
    ----------
    table : the runs, of this problem only
    relative : relative effects by pseudo-ranks, (k,); larger is better
    statements : the Bayesian Kruskal-Wallis test, if asked for
    """

    table: RunTable
    choices: RunChoices
    relative: RelativeEffects
    statements: BayesianKruskal | None

    @property
    def problem(self) -> str:
        """Its name; "" if it is the only one."""
        return self.table.problems[0]

    @property
    def sizes(self) -> np.ndarray:
        """(k,) how many runs there are of each algorithm."""
        return self.relative.sizes

    @property
    def medians(self) -> Floats:
        """(k,) the median score of each, in the user's direction."""
        return np.array([np.median(scores) for scores in self.table.runs[0]])


@dataclass(frozen=True, kw_only=True, eq=False)
class OverProblems:
    """The comparison over all problems together.

    Attributes
    ----------
    effects : relative effects averaged over these problems, (k,)
    paired : the effects compared as scores, a problem being an instance; None if problems are few
    """

    effects: RelativeEffects
    paired: Comparison | None


@dataclass(frozen=True, kw_only=True, eq=False)
class RunComparison:
    """The outcome of `compare` for unpaired runs; nothing is rounded or put into words.

    Attributes
    ----------
    problems : the comparison on each problem
    over : None if there is one problem
    notes : caveats that are not of one problem
    """

    table: RunTable
    choices: RunChoices
    problems: tuple[ProblemComparison, ...]
    over: OverProblems | None
    notes: tuple[Note, ...]

    def __repr__(self) -> str:
        """The report, as `racing compare` prints it."""
        from racing.analysis.compare.unpaired.report import document  # it names this class

        return text(document(self)).rstrip()

    @property
    def names(self) -> tuple[str, ...]:
        """The algorithms, in the order of the table."""
        return self.table.names

    @property
    def only(self) -> ProblemComparison:
        """The comparison on the only problem.

        Raises
        ------
        InputError
            If there are several.
        """
        from racing.base.errors import InputError, show

        if len(self.problems) > 1:
            raise InputError(
                f"{self.table.source}: there are {len(self.problems)} problems; choose one "
                f"(--problem {show(self.table.problems[0])})"
            )
        return self.problems[0]
