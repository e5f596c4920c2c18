"""What a comparison can be made into: a document of headings, sentences and tables, and all forms.

Pages and figures are made by `racing.report`, which stands above: it is looked up when asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from racing.analysis.compare import words
from racing.analysis.compare.groups import letters
from racing.analysis.compare.methods import listed, sentence
from racing.analysis.compare.result_table import Floats
from racing.analysis.compare.words import p_value, probability
from racing.answer.document import BulletList, Heading, Paragraph, Part, TextTable, literal, quoted
from racing.answer.html import html
from racing.answer.json import as_data
from racing.answer.tables import latex
from racing.answer.text import text
from racing.base.errors import InputError, must_be, require
from racing.base.words import number
from racing.stats.effects import magnitude

if TYPE_CHECKING:  # a comparison prints as its report
    from racing.analysis.compare.comparison import (
        ComparedPair,
        Comparison,
        OverProblems,
        RunComparison,
        Three,
    )
    from racing.analysis.compare.facts import Facts
    from racing.analysis.compare.profiles import Profiles
    from racing.analysis.compare.verdicts import Note
    from racing.answer.document import Document

Column: TypeAlias = tuple[str, Sequence[str], Floats | None]
"""A head, cells, and of each cell a value of which the lowest is best."""

MOST_ROWS = 45  # all pairs of ten algorithms
_LETTERS = 26  # groups up to which letters can be read


class ComparisonReport:
    """How every comparison shows itself."""

    def document(self, *, most_rows: int | None = MOST_ROWS, more: Document = ()) -> Document:
        """The report; of more algorithms and pairs than `most_rows` the first. None lists all.

        `more` stands before what is to be kept in mind.
        """
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


def document(
    c: Comparison | RunComparison, *, most_rows: int | None = MOST_ROWS, more: Iterable[Part] = ()
) -> tuple[Part, ...]:
    """The report; it has at most `most_rows` pairs, those with the smallest p.

    Of more than `most_rows` algorithms the best are listed. None lists everything. `more` stands
    before what is to be kept in mind.
    """
    parts = c.problems
    rows = max(parts[0].family.first.size, c.table.m) if most_rows is None else most_rows
    runs = "" if c.table.paired else "the runs of "
    blocks: list[Part] = [
        Heading(f"Comparison of {runs}{c.table.m} algorithms ({literal(c.table.source)})"),
        Paragraph(words.subject(c)),
    ]
    for at, one in enumerate(parts, start=1):
        blocks += _section(one, "" if c.over is None else f"-{at}", rows)
    if c.over is not None:
        blocks += _over(c.problems, c.over, rows)
    sources = {line: None for one in parts for line in words.sources(one).items()}
    return (
        *blocks,
        *more,
        *ending(caveats(c), words.reasons(parts[0]), (f"{k}: {source}." for k, source in sources)),
    )


def ending(caveats: Iterable[str], why: Iterable[str], sources: Iterable[str]) -> Iterator[Part]:
    """What every report ends with."""
    table = "The page “Which test” of the documentation has all cases in a small table."
    for title, items in (("To keep in mind", caveats), ("Why these tests", [*why, table]),
                         ("Where the numbers come from", sources)):  # fmt: skip
        yield from (Heading(title), BulletList(tuple(items)))


def caveats(c: Comparison | RunComparison) -> Iterator[str]:
    """What is to be kept in mind; each once, with the problems that it is about."""
    parts = c.problems
    if not all(bool(one.significant.all()) for one in parts):
        yield words.silence(parts[0])
    yield from (note.text for note in c.notes)
    about: dict[str, list[str]] = {}
    for one in parts if c is not parts[0] else ():
        for note in one.notes:
            about.setdefault(note.text, []).append(one.problem)
    for said, problems in about.items():
        yield said if len(problems) == len(parts) else f"On {listed(problems)}: {said}"


def _section(c: Comparison, suffix: str, rows: int) -> Iterator[Part]:
    """The section of a table or of a problem; `suffix` tells its tables from those of others."""

    def heading(question: str) -> Heading:
        on = f"{quoted(c.problem)}: {question[0].lower()}{question[1:]}"
        return Heading(on if suffix else question)

    if suffix:
        yield Heading(f"Problem {quoted(c.problem)}")
    yield ranking(c, suffix, most_rows=rows)
    yield from left_out(len(c.names) - rows, "algorithm", "with worse mean ranks")
    if c.omnibus is not None:
        yield heading("Is there any difference?")
        yield Paragraph(words.omnibus(c.omnibus, c))
    yield heading("Which ones differ?")
    yield Paragraph(words.procedure(c))
    yield BulletList(words.findings(c))
    yield comparisons(c, suffix, most_rows=rows)
    yield from left_out(c.family.first.size - rows, "comparison", "with larger p-values")
    if c.critical_difference is not None:
        yield Paragraph(sentence("captions", "critical-difference", distance=c.critical_difference))
    if c.posterior is not None:
        yield heading("How probable is it?")
        yield Paragraph(words.posterior_words(c))
        yield posteriors(c, suffix, most_rows=rows)
    if c.statements is not None:
        yield heading("What can be believed together?")
        yield from _statements(c, rows)


def ranking(c: Comparison, suffix: str = "", *, most_rows: int = MOST_ROWS) -> TextTable:
    """The algorithms, best mean rank first, with letters or the verdict against the control."""
    title, verdicts, reading = marks(c)
    columns: list[Column] = [("algorithm", [quoted(name) for name in c.names], None)]
    if not c.table.paired:
        columns.append((">runs", [str(int(size)) for size in c.sizes], None))
    columns.append((">mean rank", [f"{r:.2f}" for r in c.mean_ranks], c.mean_ranks))
    columns += [*_estimated(c), (title, verdicts, None)]
    order = c.order[:most_rows]
    left = len(c.names) - len(order)
    rest = f" {left} further algorithms with worse mean ranks are not shown." if left else ""
    caption = sentence(
        "captions", "rows" if c.table.paired else "runs", subject=words.subject(c),
        reading=reading, rest=rest, on=_on(c, suffix),
    )  # fmt: skip
    return with_best(f"ranks{suffix}", columns, order, caption)


def with_best(key: str, columns: Sequence[Column], order: Sequence[int], caption: str) -> TextTable:
    """A table with a row for each algorithm in order, and the best cells of its columns marked."""
    best = frozenset(
        (at, k)
        for k, (_, _, values) in enumerate(columns)
        for at, i in enumerate(order)
        if values is not None and values[i] == np.min(values)
    )
    rows = tuple(tuple(cells[i] for _, cells, _ in columns) for i in order)
    return TextTable(key, tuple(head for head, _, _ in columns), rows, caption, best)


def _on(c: Comparison, suffix: str) -> str:
    return f"On {quoted(c.problem)}. " if suffix else ""


def _estimated(c: Comparison) -> Iterator[Column]:
    """Columns of estimates."""
    sign = 1.0 if c.table.direction == "minimize" else -1.0
    if c.relative is not None:
        e = c.relative
        ends = zip(e.effects, e.low, e.high, strict=True)
        yield f">relative effect [{_level(e.level)}]", [_chance(one) for one in ends], -e.effects
    if c.table.paired and c.table.yes_or_no and not c.choices.ranked:
        shares = c.table.means.mean(axis=0)
        yield ">share of 1", [number(float(x), 4) for x in shares], sign * shares
    elif not c.choices.ranked:
        yield ">median score", [number(float(x), 4) for x in c.medians], sign * c.medians
    if (contrasts := c.estimates.contrasts) is not None:
        cells = [number(float(x), 3) for x in contrasts.advantages]
        yield ">advantage over the mean", cells, -contrasts.advantages
    if (model := c.estimates.worths) is not None:
        cells = [probability(float(w)) for w in model.worths]
        yield ">worth (chance to be best)", cells, -model.worths


def marks(c: Comparison) -> tuple[str, tuple[str, ...], str]:
    """The last column of the ranking: its head, its cells, and how it is read."""
    control, found = c.control, c.groups
    if control is None and found is not None and len(found) <= _LETTERS:
        reading = "Algorithms that share a letter were not shown to differ."
        return "groups", letters(found, len(c.names)), reading
    first = c.order[0] if control is None else control
    ahead = dict(zip(c.family.first.tolist(), c.family.favours.tolist(), strict=True))

    def verdict(i: int) -> str:
        if i == first:
            return "" if control is None else "control"
        if c.joined[first, i]:
            return "not shown to differ"
        return "differs" if control is None else "better" if ahead[i] > 0 else "worse"

    cells = tuple(map(verdict, range(len(c.names))))
    if control is None:
        return "from the first", cells, "The last column compares with the first algorithm."
    return "against the control", cells, f"The control is {quoted(c.names[control])}."


def comparisons(c: Comparison, suffix: str = "", *, most_rows: int = MOST_ROWS) -> TextTable:
    """The comparisons, smallest adjusted p-value first, each with the leading algorithm first."""
    columns = dict(_pair_columns(c))
    led = [c.pair(k).led for k in c.by_p[:most_rows]]
    left = c.family.first.size - len(led)
    rest = f" {left} further comparisons with larger p-values are not shown." if left else ""
    shares = "shares" if c.effects.estimator == "shares" else "advantage"
    kind = "unpaired" if not c.table.paired else "ranked" if c.choices.ranked else shares
    caption = sentence(
        "captions", "pairs", on=_on(c, suffix), procedure=words.procedure(c),
        better=sentence("captions", kind), rest=rest if c.table.paired else "",
    )  # fmt: skip
    rows = tuple(tuple(cell(one) for cell in columns.values()) for one in led)
    return TextTable(f"comparisons{suffix}", tuple(columns), rows, caption)


def _pair_columns(c: Comparison) -> Iterator[tuple[str, Callable[[ComparedPair], str]]]:
    """The head of each column of comparisons, and what it shows of one."""
    choices, level = c.choices, _level(c.effects.level)
    whole = "whole" in c.test.traits or choices.correction == "nemenyi"
    yield "comparison", lambda one: f"{quoted(one.first)} – {quoted(one.second)}"
    yield f">{c.family.statistic_name}", lambda one: number(one.statistic, 4)
    yield ">family-wise p" if whole else ">p", lambda one: p_value(one.p)
    if c.family.first.size > 1 and choices.correction not in ("none", "nemenyi"):
        yield ">adjusted p", lambda one: p_value(one.adjusted_p)
    if c.table.paired:
        yield ">wins/ties/losses", lambda one: f"{one.wins}/{one.ties}/{one.losses}"
    yield f">A [{level}]", lambda one: _chance(one.a)
    if not c.table.paired:
        yield "size", lambda one: str(magnitude(one.a[0]))
    elif not choices.ranked:
        shares = c.effects.estimator == "shares"
        head = "difference of shares" if shares else "advantage"
        yield f">{head} [{level}]", lambda one: _interval(one.advantage)
    if c.estimates.cohens_d is not None:
        yield ">Cohen's d", lambda one: number(one.cohens_d, 3)
    if c.estimates.akinshin_gamma is not None:
        yield ">γ", lambda one: number(one.akinshin_gamma, 3)
    yield "", lambda one: "*" if one.shown_to_differ else ""


def _level(level: float) -> str:
    return f"{100 * level:.3g} %"


def _chance(three: Sequence[float]) -> str:
    return "{:.2f} [{:.2f}, {:.2f}]".format(*three)


def _interval(three: Three | None) -> str:
    middle, low, high = (number(x, 3) for x in three or (None,) * 3)
    return f"{middle} [{low}, {high}]"


def left_out(many: int, what: str, which: str) -> tuple[Part, ...]:
    """How many rows of a table are not shown; () if none."""
    if many <= 0:
        return ()
    which = f"{many} further {what}{'' if many == 1 else 's'} {which}"
    are = "is" if many == 1 else "are"
    return (Paragraph(sentence("captions", "left-out", which=f"{which} {are}")),)


def posteriors(c: Comparison, suffix: str = "", *, most_rows: int = MOST_ROWS) -> TextTable:
    """Posterior probabilities of the comparisons, the surest first."""
    found = c.posterior
    assert found is not None
    equal = "practically equal" if c.choices.rope > 0 else ""
    equal = "as often" if found.test == "correlated-t" else equal
    heads = ["comparison", ">first better", *[">over all priors"] * (found.low is not None)]
    heads += [*[f">{equal}"] * bool(equal), ">second better"]
    said, rows = partial(words.probability, drawn=found.drawn), []
    for i, j in zip(c.family.first.tolist(), c.family.second.tolist(), strict=True):
        if found.better[i, j] < found.better[j, i]:
            i, j = j, i
        cells = [f"{quoted(c.names[i])} – {quoted(c.names[j])}", said(found.better[i, j])]
        if found.low is not None and found.high is not None:
            cells.append(" to ".join(said(end[i, j]) for end in (found.low, found.high)))
        cells += [said(found.rope[i, j])] * bool(equal)
        rows.append((float(found.better[i, j]), (*cells, said(found.better[j, i]))))
    rows.sort(key=lambda row: -row[0])
    shown = tuple(row for _, row in rows[:most_rows])
    return TextTable(f"posterior{suffix}", tuple(heads), shown, words.posterior_words(c))


def _statements(c: Comparison, rows: int) -> Iterator[Part]:
    found = c.statements
    assert found is not None
    if said := words.any_difference(c):
        yield Paragraph(said)
    yield Paragraph(words.statement_words(c))
    names = [quoted(name) for name in c.names]
    each = [f"{names[b]} is better than {names[w]}." for b, w, _ in found.believed]
    yield from some(each, rows)


def some(statements: Sequence[str], rows: int) -> Iterator[Part]:
    """The first statements as a list, and how many more there are; nothing of none."""
    rest = [f"And {len(statements) - rows} more."] * (len(statements) > rows)
    yield from [BulletList((*statements[:rows], *rest))] * bool(statements)


def _over(parts: Sequence[Comparison], over: OverProblems, rows: int) -> Iterator[Part]:
    """The section of all problems together."""
    e, paired, n = over.effects, over.paired, len(parts)
    order = np.argsort(-e.effects, kind="stable")[:rows]
    heads = ("algorithm", ">runs", f">mean relative effect [{_level(e.level)}]", ">best on",
             ">worst on")  # fmt: skip
    cells = tuple(
        (quoted(parts[0].names[i]), str(int(e.sizes[i])),
         _chance((e.effects[i], e.low[i], e.high[i])),
         *(str(sum(one.order[end] == i for one in parts)) for end in (0, -1)))
        for i in order
    )  # fmt: skip
    table = TextTable("over", heads, cells, sentence("over", "table", n=n))
    yield from (Heading("Over the problems"), Paragraph(table.caption), table)
    if paired is None:
        yield Paragraph(sentence("over", "few", n=n))
        return
    overall = "" if paired.omnibus is None else words.omnibus(paired.omnibus, paired) + " "
    yield Heading("On problems like these")
    yield Paragraph(sentence("over", "paired", how=f"{overall}{words.procedure(paired)}"))
    yield BulletList(words.over_findings(over))
