"""What a comparison can be made into: text, a table for a paper, a frame, a figure, a page.

Pages and figures are made by `racing.report`, which stands above: it is looked up when asked for.
"""

from __future__ import annotations

from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from racing.answer.document import Document, TextTable
from racing.answer.html import html
from racing.answer.json import as_data
from racing.answer.tables import latex
from racing.answer.text import text
from racing.base.errors import InputError, must_be, require

if TYPE_CHECKING:  # they are made of comparisons
    from racing.analysis.compare.facts import Facts
    from racing.analysis.compare.profiles import Profiles
    from racing.analysis.compare.verdicts import Note

MOST_ROWS = 45  # all pairs of ten algorithms


class ComparisonReport:
    """How every comparison shows itself."""

    def document(self, *, most_rows: int | None = MOST_ROWS, more: Document = ()) -> Document:
        """The report; of more algorithms and pairs than `most_rows` the first. None lists all.

        `more` stands before what is to be kept in mind.
        """
        from racing.analysis.compare.report import document

        own: Any = self
        return document(own, most_rows=most_rows, more=more)

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """Caveats; of several problems those that are not of one of them."""
        from racing.analysis.compare.notes import notes_of

        return tuple(notes_of(self))

    def facts(self, profiles: Profiles | None = None) -> Facts:
        """The record that `--json` prints: everything, unrounded, but the scores."""
        from racing.analysis.compare.facts import facts_of

        return facts_of(self, profiles)

    def __repr__(self) -> str:
        """The report as text, as `racing compare` prints it."""
        return text(self.document()).rstrip()

    def _repr_html_(self) -> str:
        """The first table, for notebooks; `report` writes all of it."""
        return html([part for part in self.document() if isinstance(part, TextTable)][:1])

    def to_latex(self, *, longtable: bool = False) -> str:
        """The tables of the report in booktabs style, with captions, the best in bold."""
        return latex(self.document(), longtable=longtable)

    def to_frame(self, what: str = "algorithms") -> Any:
        """A DataFrame of the "algorithms", best first, or of the "comparisons"; unrounded.

        Of runs on several problems, those of every problem, named in the column `problem`.

        Raises
        ------
        InputError
            If there is no such table.
        MissingExtra
            If pandas is not installed.
        """
        pandas = require("pandas", extra="pandas", purpose="a DataFrame")
        found = as_data(self.facts())
        rows = found.get(what)
        problems = found.get("problems", ())
        if rows is None and problems and what in problems[0]:
            of = [{"problem": one["problem"]} if len(problems) > 1 else {} for one in problems]
            rows = [{**of[at], **row} for at, one in enumerate(problems) for row in one[what]]
        if rows is None or what not in ("algorithms", "comparisons"):
            raise InputError(must_be("to_frame", "algorithms or comparisons", what))
        return pandas.DataFrame(rows)

    def report(self, path: str | Path) -> Path:
        """Write the whole report with pictures as a page, a single HTML file.

        Raises
        ------
        InputError
            If the file cannot be written.
        """
        page = import_module("racing.report.page")
        written: Path = page.write_page(Path(path), page.compared_data(self, name=""))
        return written
