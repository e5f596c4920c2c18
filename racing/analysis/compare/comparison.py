"""A comparison as data: what was compared, by which tests, and what came out."""

from __future__ import annotations

from dataclasses import dataclass

from racing.analysis.compare.choices import Choices
from racing.analysis.compare.estimates import Estimates
from racing.analysis.compare.report import document, ranking
from racing.analysis.compare.result_table import ResultTable
from racing.analysis.compare.verdicts import Verdicts
from racing.answer.text import text
from racing.base.markup import MOST_ROWS, table
from racing.stats.joint import JointComparisons


@dataclass(frozen=True, kw_only=True, eq=False)
class Comparison(Verdicts):
    """The outcome of `compare` for a table whose rows pair the scores.

    Attributes
    ----------
    joint : statements that can all be believed together, if asked for
    estimates : what was asked for besides tests
    """

    table: ResultTable
    choices: Choices
    joint: JointComparisons | None
    estimates: Estimates

    def __repr__(self) -> str:
        """The report, as `racing compare` prints it."""
        return text(document(self)).rstrip()

    def _repr_html_(self) -> str:
        """The ranking, for notebooks; `report` has the tests and the caveats too."""
        found = ranking(self, most_rows=MOST_ROWS)
        columns = [name.lstrip(">") for name in found.columns]
        return table(found.caption, columns, found.rows)
