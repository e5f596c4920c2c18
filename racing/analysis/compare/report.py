"""A comparison as a document: headings, paragraphs, items and tables, ready for formatting."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from racing.analysis.compare import words
from racing.analysis.compare.caveats import caveat, reading_of_silence, sources
from racing.analysis.compare.posterior_words import posterior_words, posteriors, probability
from racing.analysis.compare.reasons import reasons
from racing.analysis.compare.result_table import Floats
from racing.analysis.compare.rows import left_out, marks, pair
from racing.analysis.compare.words import number, p_value
from racing.answer.document import BulletList, Heading, Paragraph, Part, TextTable, literal, quoted

if TYPE_CHECKING:  # `comparison` imports the words, for notebooks
    from racing.analysis.compare.comparison import Comparison

Column: TypeAlias = tuple[str, list[str], Floats | None]

MOST_ROWS = 45  # all pairs of ten algorithms


def document(c: Comparison, *, most_rows: int | None = MOST_ROWS) -> tuple[Part, ...]:
    """The report of a comparison; it has at most `most_rows` pairs, those with the smallest p.

    Of more than `most_rows` algorithms the best are listed. None lists everything.
    """
    rows = max(c.family.first.size, c.table.m) if most_rows is None else most_rows
    blocks: list[Part] = [
        Heading(f"Comparison of {c.table.m} algorithms ({literal(c.table.source)})"),
        Paragraph(words.subject(c)),
        ranking(c, most_rows=rows),
        *left_out(c.table.m - rows, "algorithm", "with worse mean ranks"),
    ]
    if c.omnibus is not None:
        blocks += [Heading("Is there any difference?"), Paragraph(words.omnibus(c.omnibus, c))]
    blocks += [
        Heading("Which ones differ?"),
        Paragraph(words.procedure(c)),
        BulletList(words.findings(c)),
        comparisons(c, most_rows=rows),
        *left_out(c.family.first.size - rows, "comparison", "with larger p-values"),
        *_critical_difference(c),
        *_bayesian(c, rows),
        Heading("To keep in mind"),
        BulletList(_caveats(c)),
        Heading("Why these tests"),
        BulletList(reasons(c, paired=True)),
        Heading("Where the numbers come from"),
        BulletList(tuple(f"{what}: {source}." for what, source in sources(c))),
    ]
    return tuple(blocks)


def ranking(c: Comparison, *, most_rows: int = MOST_ROWS) -> TextTable:
    """The algorithms, best mean rank first, with letters or the verdict against the control."""
    title, verdicts, reading = marks(c)
    columns: list[Column] = [("algorithm", [quoted(name) for name in c.names], None)]
    columns.append((">mean rank", [f"{r:.2f}" for r in c.mean_ranks], c.mean_ranks))
    if not c.choices.ranked:
        columns.append(_typical(c))
    columns += [*_estimated(c), (title, list(verdicts), None)]
    order = c.order[:most_rows]
    rows = tuple(tuple(cells[i] for _, cells, _ in columns) for i in order)
    best = frozenset(
        (at, k)
        for k, (_, _, values) in enumerate(columns)
        for at, i in enumerate(order)
        if values is not None and values[i] == np.min(values)
    )
    left = c.table.m - len(order)
    rest = f" {left} further algorithms with worse mean ranks are not shown." if left else ""
    caption = f"{words.subject(c)} Rank 1 is best. {reading}{rest}"
    return TextTable("ranks", tuple(name for name, _, _ in columns), rows, caption, best)


def _typical(c: Comparison) -> Column:
    """The median score of each algorithm; of scores that are 0 or 1 the share of 1."""
    shares = c.table.yes_or_no
    values = c.table.means.mean(axis=0) if shares else np.median(c.table.means, axis=0)
    costs = values if c.table.direction == "minimize" else -values
    head = ">share of 1" if shares else ">median score"
    return head, [number(float(x), 4) for x in values], costs


def _estimated(c: Comparison) -> list[Column]:
    """Columns of estimates: head, cells by algorithm, and values of which the lowest is best."""
    found: list[Column] = []
    if (contrasts := c.estimates.contrasts) is not None:
        cells = [number(float(x), 3) for x in contrasts.advantages]
        found.append((">advantage over the mean", cells, -contrasts.advantages))
    if (model := c.estimates.worths) is not None:
        cells = [probability(float(w)) for w in model.worths]
        found.append((">worth (chance to be best)", cells, -model.worths))
    return found


def comparisons(c: Comparison, *, most_rows: int = MOST_ROWS) -> TextTable:
    """The comparisons, smallest adjusted p-value first, each with the leading algorithm first."""
    f, sized = c.family, not c.choices.ranked
    order = np.lexsort((f.pvalues, f.adjusted))[:most_rows]
    level = f"{100 * c.effects.level:.3g} %"
    whole = c.choices.test in ("tukey", "dunnett") or c.choices.correction == "nemenyi"
    p = ">family-wise p" if whole else ">p"
    columns = ["comparison", f">{f.statistic_name}", p]
    adjusted = f.first.size > 1 and c.choices.correction not in ("none", "nemenyi")
    columns += [">adjusted p"] if adjusted else []
    columns += [">wins/ties/losses", f">A [{level}]"]
    shares = c.effects.estimator == "shares"
    columns += [f">{'difference of shares' if shares else 'advantage'} [{level}]"] if sized else []
    columns += [f">{name}" for name, _ in _standardized(c)]
    rows = tuple(_row(c, int(k), adjusted, sized) for k in order)
    left = f.first.size - order.size
    rest = f" {left} further comparisons with larger p-values are not shown." if left else ""
    caption = (
        f"{words.procedure(c)} A is the chance that the first is better on an instance, ties "
        f"counted half{_what_is_located(c) if sized else ''}; intervals "
        f"hold one by one. A star marks pairs shown to differ.{rest}"
    )
    return TextTable("comparisons", (*columns, ""), rows, caption)


def _what_is_located(c: Comparison) -> str:
    if c.effects.estimator == "shares":
        return ", difference of shares how much larger the share of the better score is"
    return ", advantage the location of the differences"


def _standardized(c: Comparison) -> list[tuple[str, Floats]]:
    """Standardized differences that were asked for: head, and values by comparison."""
    named = (("Cohen's d", c.estimates.cohens_d), ("γ", c.estimates.akinshin_gamma))
    return [(name, values) for name, values in named if values is not None]


def _row(c: Comparison, k: int, adjusted: bool, sized: bool) -> tuple[str, ...]:
    f, e = c.family, c.effects
    i, j = int(f.first[k]), int(f.second[k])
    turned = f.favours[k] < 0
    if turned:
        i, j = j, i
    counts = (e.losses[k], e.ties[k], e.wins[k]) if turned else (e.wins[k], e.ties[k], e.losses[k])
    chance = (e.a[k], e.a_low[k], e.a_high[k])
    away = (e.difference[k], e.low[k], e.high[k])
    if turned:
        chance = (1 - chance[0], 1 - chance[2], 1 - chance[1])
        away = (-away[0], -away[2], -away[1])
    statistic = float(f.statistic[k])
    signed = f.statistic_name in ("t", "z")
    if f.statistic_name == "wins" and turned:
        statistic = float(e.losses[k] + e.ties[k] // 2)
    return (
        pair(c, i, j),
        number(abs(statistic) if signed else statistic, 4),
        p_value(float(f.pvalues[k])),
        *([p_value(float(f.adjusted[k]))] if adjusted else []),
        "/".join(str(int(n)) for n in counts),
        "{:.2f} [{:.2f}, {:.2f}]".format(*chance),
        *([_interval(away)] if sized else []),
        *(number(float(-v[k] if turned else v[k]), 3) for _, v in _standardized(c)),
        "*" if c.significant[k] else "",
    )


def _interval(three: tuple[float, ...]) -> str:
    middle, low, high = (number(float(x), 3) for x in three)
    return f"{middle} [{low}, {high}]"


def _critical_difference(c: Comparison) -> tuple[Part, ...]:
    if c.critical_difference is None:
        return ()
    return (
        Paragraph(
            f"The critical difference of mean ranks is {number(c.critical_difference, 4)}: pairs "
            "whose mean ranks are at least that far apart differ significantly."
        ),
    )


def _bayesian(c: Comparison, most_rows: int) -> tuple[Part, ...]:
    table = posteriors(c, most_rows=most_rows)
    if table is not None:
        return Heading("How probable is it?"), Paragraph(posterior_words(c)), table
    if c.joint is None:
        return ()
    found, names = c.joint, c.names
    said = tuple(
        f"{quoted(names[int(b)])} is better than {quoted(names[int(w)])}."
        for b, w in zip(found.better[: found.accepted], found.worse[: found.accepted], strict=True)
    )
    intro = (
        f"These {found.accepted} statements are all true with posterior probability "
        f"{number(found.joint)}; better means: more often better than worse."
        if said
        else "No statement that one is better than another can be believed at this level."
    )
    shown = (*said[:most_rows], *([f"And {len(said) - most_rows} more."] * (len(said) > most_rows)))
    return (
        Heading("What can be believed together?"),
        Paragraph(intro),
        *([BulletList(shown)] if said else []),
    )


def _caveats(c: Comparison) -> tuple[str, ...]:
    silent = () if bool(c.significant.all()) else (reading_of_silence(),)
    return (*silent, *(caveat(note) for note in c.notes))
