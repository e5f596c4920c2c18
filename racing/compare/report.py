"""A comparison as a document: headings, paragraphs, items and tables, ready to be set."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from racing.compare import words
from racing.compare.blocks import Block, BulletList, Heading, Paragraph, TextTable
from racing.compare.caveats import caveat, reading_of_silence, sources
from racing.compare.comparison import Comparison
from racing.compare.groups import letters
from racing.compare.marks import printable, quoted
from racing.compare.result_table import Floats
from racing.compare.words import number, p_value

Column: TypeAlias = tuple[str, list[str], Floats | None]

MOST_ROWS = 45  # all pairs of ten algorithms
_LETTERS = 26  # groups up to which letters can be read


def document(c: Comparison, *, most_rows: int | None = MOST_ROWS) -> tuple[Block, ...]:
    """The report of a comparison; of more than `most_rows` pairs those with the smallest p.

    Of more than `most_rows` algorithms the best are listed. None lists everything.
    """
    rows = max(c.family.first.size, c.table.m) if most_rows is None else most_rows
    blocks: list[Block] = [
        Heading(f"Comparison of {c.table.m} algorithms ({printable(c.table.source)})"),
        Paragraph(words.subject(c)),
        ranking(c, most_rows=rows),
        *_left_out(c.table.m - rows, "algorithm", "with worse mean ranks"),
    ]
    if c.omnibus is not None:
        blocks += [Heading("Is there any difference?"), Paragraph(words.omnibus(c.omnibus, c))]
    blocks += [
        Heading("Which ones differ?"),
        Paragraph(words.procedure(c)),
        BulletList(words.findings(c)),
        comparisons(c, most_rows=rows),
        *_left_out(c.family.first.size - rows, "comparison", "with larger p-values"),
        *_critical_difference(c),
        *_bayesian(c, rows),
        Heading("To keep in mind"),
        BulletList(_caveats(c)),
        Heading("Where the numbers come from"),
        BulletList(tuple(f"{what}: {source}." for what, source in sources(c))),
    ]
    return tuple(blocks)


def _left_out(many: int, what: str, which: str) -> tuple[Block, ...]:
    if many <= 0:
        return ()
    return (
        Paragraph(
            f"{many} further {what}{'' if many == 1 else 's'} {which} "
            f"{'is' if many == 1 else 'are'} not shown (--all-rows shows everything, --tables "
            "FOLDER writes it as CSV)."
        ),
    )


def ranking(c: Comparison, *, most_rows: int = MOST_ROWS) -> TextTable:
    """The algorithms, best mean rank first, with letters or the verdict against the control."""
    title, marks, reading = _marks(c)
    columns: list[Column] = [("algorithm", [quoted(name) for name in c.names], None)]
    columns.append((">mean rank", [f"{r:.2f}" for r in c.mean_ranks], c.mean_ranks))
    if not c.choices.ranked:
        medians = np.median(c.table.means, axis=0)
        costs = medians if c.table.direction == "minimize" else -medians
        columns.append((">median score", [number(float(x), 4) for x in medians], costs))
    columns += [*_estimated(c), (title, list(marks), None)]
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


def _marks(c: Comparison) -> tuple[str, tuple[str, ...], str]:
    """The last column of the ranking: its head, its cells, and how it is read."""
    if c.choices.control is not None:
        control = quoted(c.names[c.choices.control])
        return "against the control", _against(c), f"The control is {control}."
    found = c.groups
    if found is not None and len(found) <= _LETTERS:
        reading = "Algorithms that share a letter were not shown to differ."
        return "groups", letters(found, c.table.m), reading
    best = c.order[0]
    marks = tuple(
        "" if i == best else "not shown to differ" if c.joined[best, i] else "differs"
        for i in range(c.table.m)
    )
    return "from the first", marks, "The last column compares with the first algorithm."


def _estimated(c: Comparison) -> list[Column]:
    """Columns of estimates: head, cells by algorithm, and values of which the lowest is best."""
    found: list[Column] = []
    if (contrasts := c.estimates.contrasts) is not None:
        cells = [number(float(x)) for x in contrasts.advantages]
        found.append((">advantage over the mean", cells, -contrasts.advantages))
    if (model := c.estimates.worths) is not None:
        cells = [probability(float(w)) for w in model.worths]
        found.append((">worth (chance to be best)", cells, -model.worths))
    return found


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
    columns += [f">{name}" for name, _ in _standardized(c)]
    rows = tuple(_row(c, int(k), adjusted, sized) for k in order)
    left = f.first.size - order.size
    rest = f" {left} further comparisons with larger p-values are not shown." if left else ""
    caption = (
        f"{words.procedure(c)} A is the chance that the first is better on an instance, ties "
        f"counted half{', advantage the location of the differences' if sized else ''}; intervals "
        f"hold one by one. A star marks pairs shown to differ.{rest}"
    )
    return TextTable("comparisons", (*columns, ""), rows, caption)


def _standardized(c: Comparison) -> list[tuple[str, Floats]]:
    """Standardized differences that were asked for: head, and values by comparison."""
    named = (("Cohen's d", c.estimates.cohens_d), ("γ", c.estimates.akinshin_gamma))
    return [(name, values) for name, values in named if values is not None]


def posteriors(c: Comparison, *, most_rows: int = MOST_ROWS) -> TextTable | None:
    """Posterior probabilities of the comparisons, the surest first."""
    if c.posterior is None:
        return None
    found, equal = c.posterior, _middle(c)
    bounded = found.low is not None
    columns = ["comparison", ">first better", *([">over all priors"] if bounded else [])]
    columns += [*([f">{equal}"] if equal else []), ">second better"]
    rows = []
    for i, j in zip(c.family.first.tolist(), c.family.second.tolist(), strict=True):
        if found.better[i, j] < found.better[j, i]:
            i, j = j, i
        cells = [probability(float(found.better[i, j]))]
        if found.low is not None and found.high is not None:
            ends = (probability(float(end[i, j])) for end in (found.low, found.high))
            cells.append(" to ".join(ends))
        cells += [probability(float(found.rope[i, j]))] if equal else []
        cells.append(probability(float(found.better[j, i])))
        rows.append((float(found.better[i, j]), (_pair(c, i, j), *cells)))
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
        *(number(float(-v[k] if turned else v[k]) + 0.0) for _, v in _standardized(c)),
        "*" if c.significant[k] else "",
    )


def _interval(three: tuple[float, ...]) -> str:
    middle, low, high = (number(float(x) + 0.0) for x in three)
    return f"{middle} [{low}, {high}]"


def _pair(c: Comparison, i: int, j: int) -> str:
    return f"{quoted(c.names[i])} – {quoted(c.names[j])}"


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


def _posterior_words(c: Comparison) -> str:
    assert c.posterior is not None
    rope = number(c.choices.rope)
    if c.posterior.test == "correlated-t":
        near = f"by more than {rope} " if c.choices.rope > 0 else ""
        return (
            f"The chance that the first is better {near}on more of these {c.table.n} instances "
            "than the second, on as many, on fewer."
        )
    if c.posterior.test == "hierarchical":
        return _hierarchical_words(c)
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
    if c.choices.bound != "precise":
        agree = "all priors" if c.choices.bound == "lower" else "some prior"
        text += f" The number is what {agree} of weight {number(c.choices.s)} would grant."
    return text + _monte_carlo(c)


def _hierarchical_words(c: Comparison) -> str:
    rope = number(c.choices.rope)
    outcomes = (
        "the first being better"
        if c.choices.rope == 0.0
        else f"the first being better by more than {rope}, a difference of at most {rope}, or the "
        f"second being better by more than {rope}"
    )
    return (
        f"The posterior probability that {outcomes} is the most likely outcome on the next "
        f"instance.{_monte_carlo(c)}"
    )


def _monte_carlo(c: Comparison) -> str:
    assert c.posterior is not None
    error = c.posterior.standard_error
    return f" Monte Carlo error at most {number(error, 1)}." if error > 0 else ""


def _middle(c: Comparison) -> str | None:
    """What the middle column of posteriors is called, if there is one."""
    assert c.posterior is not None
    if c.posterior.test == "correlated-t":
        return "as often"
    return "practically equal" if c.choices.rope > 0 else None


def _caveats(c: Comparison) -> tuple[str, ...]:
    silent = () if bool(c.significant.all()) else (reading_of_silence(),)
    return (*silent, *(caveat(note) for note in c.notes))
