"""A comparison as a document: headings, paragraphs, items and tables, ready to be set."""

from __future__ import annotations

import numpy as np

from racing.compare import words
from racing.compare.blocks import Block, Heading, Items, Paragraph, TextTable
from racing.compare.caveats import caveat, reading_of_silence, sources
from racing.compare.comparison import Comparison
from racing.compare.groups import letters
from racing.compare.words import number, p_value

MOST_ROWS = 45  # all pairs of ten algorithms


def document(c: Comparison, *, most_rows: int = MOST_ROWS) -> tuple[Block, ...]:
    """The report of a comparison; of more than `most_rows` pairs those with the smallest p."""
    blocks: list[Block] = [
        Heading(f"Comparison of {c.table.m} algorithms ({c.table.source})"),
        Paragraph(words.subject(c)),
        ranking(c),
    ]
    if c.omnibus is not None:
        blocks += [Heading("Is there any difference?"), Paragraph(words.omnibus(c.omnibus, c))]
    blocks += [
        Heading("Which ones differ?"),
        Paragraph(words.procedure(c)),
        Items(words.findings(c)),
        comparisons(c, most_rows=most_rows),
        *_critical_difference(c),
        *_bayesian(c, most_rows),
        Heading("To keep in mind"),
        Items(_caveats(c)),
        Heading("Where the numbers come from"),
        Items(tuple(f"{what}: {source}." for what, source in sources(c))),
    ]
    return tuple(blocks)


def ranking(c: Comparison) -> TextTable:
    """The algorithms, best mean rank first, with letters or the verdict against the control."""
    grouped = c.choices.control is None
    found = c.groups if c.groups is not None else c.bars
    marks = letters(found, c.table.m) if grouped else _against(c)
    medians = np.median(c.table.means, axis=0)
    last = "groups" if grouped else "against the control"
    columns = ["algorithm", ">mean rank", *([] if c.choices.ranked else [">median score"]), last]
    rows = []
    for i in c.order:
        median = [] if c.choices.ranked else [number(float(medians[i]), 4)]
        rows.append((f"`{c.names[i]}`", f"{c.mean_ranks[i]:.2f}", *median, marks[i]))
    reading = (
        "Algorithms that share a letter were not shown to differ."
        if grouped
        else f"The control is `{c.names[c.choices.control or 0]}`."
    )
    caption = f"{words.subject(c)} Rank 1 is best. {reading}"
    return TextTable("ranks", tuple(columns), tuple(rows), caption)


def comparisons(c: Comparison, *, most_rows: int = MOST_ROWS) -> TextTable:
    """The comparisons, smallest adjusted p-value first, each from the side of the one ahead."""
    f, sized = c.family, not c.choices.ranked
    order = np.lexsort((f.pvalues, f.adjusted))[:most_rows]
    level = f"{100 * c.effects.level:.3g} %"
    whole = c.choices.test in ("tukey", "dunnett") or c.choices.correction == "nemenyi"
    p = ">family-wise p" if whole else ">p"
    columns = ["comparison", f">{f.statistic_name}", p]
    adjusted = f.first.size > 1 and c.choices.correction not in ("none", "nemenyi")
    columns += [">adjusted p"] if adjusted else []
    columns += [">wins/ties/losses", f">A [{level}]"]
    columns += [f">advantage [{level}]"] if sized else []
    rows = tuple(_row(c, int(k), adjusted, sized) for k in order)
    left = f.first.size - order.size
    rest = f" {left} further comparisons with larger p-values are not shown." if left else ""
    caption = (
        f"{words.procedure(c)} A is the chance that the first is better on an instance, ties "
        f"counted half{', advantage the location of the differences' if sized else ''}; intervals "
        f"hold one by one. A star marks pairs shown to differ.{rest}"
    )
    return TextTable("comparisons", (*columns, ""), rows, caption)


def posteriors(c: Comparison, *, most_rows: int = MOST_ROWS) -> TextTable | None:
    """Posterior probabilities of the comparisons, the surest first."""
    if c.posterior is None:
        return None
    found, equal = c.posterior, _middle(c)
    columns = ["comparison", ">first better", *([f">{equal}"] if equal else []), ">second better"]
    rows = []
    for i, j in zip(c.family.first.tolist(), c.family.second.tolist(), strict=True):
        if found.better[i, j] < found.better[j, i]:
            i, j = j, i
        p = [found.better[i, j], *([found.rope[i, j]] if equal else []), found.better[j, i]]
        rows.append((float(p[0]), (_pair(c, i, j), *(probability(float(q)) for q in p))))
    rows.sort(key=lambda row: -row[0])
    caption = _posterior_words(c)
    return TextTable("posterior", tuple(columns), tuple(r for _, r in rows[:most_rows]), caption)


def probability(p: float) -> str:
    """A posterior probability; certainty only where it is one."""
    if 0.9995 <= p < 1.0:
        return ">0.999"
    return "<0.001" if 0.0 < p < 0.0005 else f"{p:.3f}"


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
        _pair(c, i, j),
        number(abs(statistic) if signed else statistic, 4),
        p_value(float(f.pvalues[k])),
        *([p_value(float(f.adjusted[k]))] if adjusted else []),
        "/".join(str(int(n)) for n in counts),
        "{:.2f} [{:.2f}, {:.2f}]".format(*chance),
        *([_interval(away)] if sized else []),
        "*" if c.significant[k] else "",
    )


def _interval(three: tuple[float, ...]) -> str:
    middle, low, high = (number(float(x) + 0.0) for x in three)
    return f"{middle} [{low}, {high}]"


def _pair(c: Comparison, i: int, j: int) -> str:
    return f"`{c.names[i]}` – `{c.names[j]}`"


def _against(c: Comparison) -> tuple[str, ...]:
    marks = []
    for i in range(c.table.m):
        if i == c.choices.control:
            marks.append("control")
            continue
        k = int(np.flatnonzero(c.family.first == i)[0])
        if not c.significant[k]:
            marks.append("not shown to differ")
        else:
            marks.append("better" if c.family.favours[k] > 0 else "worse")
    return tuple(marks)


def _critical_difference(c: Comparison) -> tuple[Block, ...]:
    if c.critical_difference is None:
        return ()
    return (
        Paragraph(
            f"The critical difference of mean ranks is {number(c.critical_difference, 4)}: pairs "
            "whose mean ranks are at least that far apart differ significantly."
        ),
    )


def _bayesian(c: Comparison, most_rows: int) -> tuple[Block, ...]:
    table = posteriors(c, most_rows=most_rows)
    if table is not None:
        return Heading("How probable is it?"), Paragraph(_posterior_words(c)), table
    if c.joint is None:
        return ()
    found, names = c.joint, c.names
    said = tuple(
        f"`{names[int(b)]}` is better than `{names[int(w)]}`."
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
        *([Items(shown)] if said else []),
    )


def _posterior_words(c: Comparison) -> str:
    assert c.posterior is not None
    rope = number(c.choices.rope)
    if c.posterior.test == "correlated-t":
        near = f"by more than {rope} " if c.choices.rope > 0 else ""
        return (
            f"The chance that the first is better {near}on more of these {c.table.n} instances "
            "than the second, on as many, on fewer."
        )
    what = (
        "wins more often than it loses"
        if c.posterior.test == "sign"
        else "is ahead in the signed ranks, summed over two random instances,"
    )
    if c.choices.rope == 0.0:
        text = f"The posterior probability that the first {what} on the population of instances."
    else:
        text = (
            f"The posterior probability that a difference of more than {rope} in favour of the "
            f"first, of at most {rope}, or of more than {rope} in favour of the second is the most "
            "likely of the three on the population of instances."
        )
    error = c.posterior.standard_error
    return text + (f" Monte Carlo error at most {number(error, 1)}." if error > 0 else "")


def _middle(c: Comparison) -> str | None:
    """What the middle column of posteriors is called, if there is one."""
    assert c.posterior is not None
    if c.posterior.test == "correlated-t":
        return "as often"
    return "practically equal" if c.choices.rope > 0 else None


def _caveats(c: Comparison) -> tuple[str, ...]:
    silent = () if bool(c.significant.all()) else (reading_of_silence(),)
    return (*silent, *(caveat(note) for note in c.notes))
