"""A comparison of runs as a document: a section for each problem, then one for all problems."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from racing.analysis.compare import words
from racing.analysis.compare.caveats import SOURCES, caveat
from racing.analysis.compare.posterior_words import posteriors, probability
from racing.analysis.compare.reasons import reasons
from racing.analysis.compare.rows import left_out, marks, pair
from racing.analysis.compare.unpaired.comparison import (
    OverProblems,
    ProblemComparison,
    RunComparison,
)
from racing.analysis.compare.words import count, number, p_value
from racing.answer.document import BulletList, Heading, Paragraph, Part, TextTable, literal, quoted
from racing.stats.pseudo_ranks import RelativeEffects

MOST_ROWS = 45  # all pairs of ten algorithms
_SIZES = ((0.06, "negligible"), (0.14, "small"), (0.21, "medium"))  # |A − 1/2|, exclusive


def document(c: RunComparison, *, most_rows: int | None = MOST_ROWS) -> tuple[Part, ...]:
    """The report; it has at most `most_rows` pairs, those with the smallest p. None means all."""
    k = len(c.names)
    rows = max(c.problems[0].family.first.size, k) if most_rows is None else most_rows
    blocks: list[Part] = [
        Heading(f"Comparison of the runs of {k} algorithms ({literal(c.table.source)})"),
        Paragraph(subject(c)),
    ]
    for at, one in enumerate(c.problems):
        blocks += _problem(one, "" if c.over is None else f"-{at + 1}", rows)
    if c.over is not None:
        blocks += _over(c, c.over, rows)
    blocks += [
        Heading("To keep in mind"),
        BulletList(_caveats(c)),
        Heading("Why these tests"),
        BulletList(reasons(c.problems[0], paired=False)),
        Heading("Where the numbers come from"),
        BulletList(tuple(f"{what}: {SOURCES[key]}." for what, key in _sources(c))),
    ]
    return tuple(blocks)


def subject(c: RunComparison) -> str:
    """What was compared."""
    sizes, q = c.table.sizes, len(c.table.problems)
    few, many = int(sizes.min()), int(sizes.max())
    runs = count(few, "run") if few == many else f"{few} to {many} runs"
    on = f" on each of {q} problems" if q > 1 else ""
    better = "lower" if c.table.direction == "minimize" else "higher"
    return (
        f"{len(c.names)} algorithms, {runs} of each{on}; the runs are unpaired; {better} scores "
        "are better."
    )


def _problem(c: ProblemComparison, suffix: str, rows: int) -> list[Part]:
    """The section of one problem; `suffix` distinguishes its tables from those of others."""
    on = f"{quoted(c.problem)}: " if suffix else ""
    blocks: list[Part] = [
        *([Heading(f"Problem {quoted(c.problem)}")] if suffix else []),
        ranking(c, suffix, most_rows=rows),
        *left_out(len(c.names) - rows, "algorithm", "with worse mean ranks"),
    ]
    if c.omnibus is not None:
        blocks += [
            Heading(f"{on}is there any difference?" if on else "Is there any difference?"),
            Paragraph(words.omnibus(c.omnibus, c)),
        ]
    return [
        *blocks,
        Heading(f"{on}which ones differ?" if on else "Which ones differ?"),
        Paragraph(words.procedure(c)),
        BulletList(words.findings(c)),
        comparisons(c, suffix, most_rows=rows),
        *left_out(c.family.first.size - rows, "comparison", "with larger p-values"),
        *_bayesian(c, on, suffix, rows),
    ]


def ranking(c: ProblemComparison, suffix: str, *, most_rows: int) -> TextTable:
    """The algorithms, best mean rank first, with letters or the verdict against the control."""
    title, verdicts, reading = marks(c)
    e, medians = c.relative, c.medians
    level = f"{100 * e.level:.3g} %"
    columns = ("algorithm", ">runs", ">mean rank", f">relative effect [{level}]",
               ">median score", title)  # fmt: skip
    order = c.order[:most_rows]
    rows = tuple(
        (
            quoted(c.names[i]),
            str(int(c.sizes[i])),
            f"{c.mean_ranks[i]:.2f}",
            f"{e.effects[i]:.2f} [{e.low[i]:.2f}, {e.high[i]:.2f}]",
            number(float(medians[i]), 4),
            verdicts[i],
        )
        for i in order
    )
    costs = medians if c.table.direction == "minimize" else -medians
    ranked = ((2, c.mean_ranks), (3, -e.effects), (4, costs))
    best = {
        (at, column)
        for at, i in enumerate(order)
        for column, values in ranked
        if values[i] == np.min(values)
    }
    on = f"On {quoted(c.problem)}. " if suffix else ""
    caption = (
        f"{on}The relative effect is the chance to be better than a run of an algorithm drawn at "
        f"random, 1/2 if all are equal; the mean rank is that among one run of each. {reading}"
    )
    return TextTable(f"ranks{suffix}", columns, rows, caption, frozenset(best))


def comparisons(c: ProblemComparison, suffix: str, *, most_rows: int) -> TextTable:
    """The comparisons, smallest adjusted p-value first, each with the leading algorithm first."""
    f, choices = c.family, c.choices
    order = np.lexsort((f.pvalues, f.adjusted))[:most_rows]
    whole = choices.test in ("steel-dwass", "steel")
    adjusted = f.first.size > 1 and choices.correction != "none"
    columns = (
        "comparison", f">{f.statistic_name}", ">family-wise p" if whole else ">p",
        *([">adjusted p"] if adjusted else []), f">A [{100 * c.effects.level:.3g} %]", "size", "",
    )  # fmt: skip
    rows = tuple(_row(c, int(k), adjusted) for k in order)
    on = f"On {quoted(c.problem)}. " if suffix else ""
    caption = (
        f"{on}{words.procedure(c)} A is the chance that a run of the first is better than one of "
        "the second, ties counted half; intervals hold one by one. A star marks pairs shown to "
        "differ."
    )
    return TextTable(f"comparisons{suffix}", columns, rows, caption)


def size(a: float) -> str:
    """Vargha and Delaney's (2000) word for an A."""
    away = round(abs(a - 0.5), 9)
    return next((word for end, word in _SIZES if away < end), "large")


def _row(c: ProblemComparison, k: int, adjusted: bool) -> tuple[str, ...]:
    f, e = c.family, c.effects
    i, j = int(f.first[k]), int(f.second[k])
    chance = (float(e.a[k]), float(e.a_low[k]), float(e.a_high[k]))
    statistic = float(f.statistic[k])
    if f.favours[k] < 0:
        i, j = j, i
        chance = (1 - chance[0], 1 - chance[2], 1 - chance[1])
        pairs = float(e.wins[k] + e.ties[k] + e.losses[k])
        statistic = pairs - statistic if f.statistic_name == "U" else -statistic
    return (
        pair(c, i, j),
        number(statistic, 4),
        p_value(float(f.pvalues[k])),
        *([p_value(float(f.adjusted[k]))] if adjusted else []),
        "{:.2f} [{:.2f}, {:.2f}]".format(*chance),
        size(chance[0]),
        "*" if c.significant[k] else "",
    )


def _bayesian(c: ProblemComparison, on: str, suffix: str, rows: int) -> Iterable[Part]:
    table = posteriors(c, most_rows=rows)
    if table is not None:
        title = f"{on}how probable is it?" if on else "How probable is it?"
        yield Heading(title)
        yield Paragraph(table.caption)
        yield TextTable(f"posterior{suffix}", table.columns, table.rows, table.caption)
    if c.statements is not None:
        title = "what can be believed together?"
        yield Heading(f"{on}{title}" if on else title.capitalize())
        yield Paragraph(_any_difference(c))
        yield from _statements(c, rows)


def _any_difference(c: ProblemComparison) -> str:
    """The Bayesian Kruskal-Wallis test as an answer to the omnibus question."""
    found = c.statements
    assert found is not None
    apart, h = int(np.triu(found.different, 1).sum()), len(c.names) * (len(c.names) - 1) // 2
    said = (
        f"{apart} of {h} exclude 1/2, so there is a difference"
        if apart
        else "none excludes 1/2, so this test shows no difference"
    )
    return (
        "The Bayesian Kruskal-Wallis test gives each pair an interval of A, so that all intervals "
        f"hold their A with probability {number(1 - found.gamma)}: {said}. Spreads may differ."
    )


def _statements(c: ProblemComparison, rows: int) -> Iterable[Part]:
    found, names = c.statements, c.names
    assert found is not None
    n = found.accepted
    if n == 0:
        yield Paragraph("No statement that one is better than another can be believed.")
        return
    which = {"lower": "whatever the prior", "upper": "for some prior", "precise": "with no prior"}
    yield Paragraph(
        f"{f'These {n} statements are all' if n > 1 else 'This statement is'} true with posterior "
        f"probability {probability(found.joint)}, {which[found.bound]}; better means: a run is "
        "better more often than not. They say what order to believe in and are no test: among "
        "several equal algorithms the surest pair often passes."
    )
    said = [
        f"{quoted(names[int(b)])} is better than {quoted(names[int(w)])}."
        for b, w in zip(found.better[:n], found.worse[:n], strict=True)
    ]
    more = [f"And {n - rows} more."] if n > rows else []
    yield BulletList((*said[:rows], *more))


def _over(c: RunComparison, over: OverProblems, rows: int) -> list[Part]:
    """The section of all problems together."""
    e = over.effects
    level = f"{100 * e.level:.3g} %"
    order = np.argsort(-e.effects, kind="stable")
    table = TextTable(
        "over",
        ("algorithm", ">runs", f">mean relative effect [{level}]", ">best on", ">worst on"),
        tuple(_over_row(c, e, int(i)) for i in order[:rows]),
        f"Relative effects averaged over these {len(c.problems)} problems, each with one weight; "
        "the intervals are of these problems.",
    )
    blocks: list[Part] = [Heading("Over the problems"), Paragraph(table.caption), table]
    if over.paired is None:
        few = (
            f"{len(c.problems)} problems show nothing about others; from six on their relative "
            "effects are compared as a paired table, with a problem as an instance."
        )
        return [*blocks, Paragraph(few)]
    paired = over.paired
    return [
        *blocks,
        Heading("On problems like these"),
        Paragraph(
            "The relative effects as scores, with a problem as an instance: "
            + ("" if paired.omnibus is None else words.omnibus(paired.omnibus, paired) + " ")
            + words.procedure(paired)
        ),
        BulletList(words.findings(paired)),
    ]


def _over_row(c: RunComparison, found: RelativeEffects, i: int) -> tuple[str, ...]:
    best = sum(one.order[0] == i for one in c.problems)
    worst = sum(one.order[-1] == i for one in c.problems)
    return (
        quoted(c.names[i]),
        str(int(found.sizes[i])),
        f"{found.effects[i]:.2f} [{found.low[i]:.2f}, {found.high[i]:.2f}]",
        str(best),
        str(worst),
    )


def _caveats(c: RunComparison) -> tuple[str, ...]:
    """Each caveat once, with the problems that it is about."""
    about: dict[str, list[str]] = {}
    for one in c.problems:
        for note in one.notes:
            about.setdefault(caveat(note), []).append(one.problem)
    said = [caveat(note) for note in c.notes]
    for text, problems in about.items():
        everywhere = len(problems) == len(c.problems)
        said.append(text if everywhere else f"On {words.listed(problems)}: {text}")
    silent = all(bool(one.significant.all()) for one in c.problems)
    return (*(() if silent else (_silence(),)), *said)


def _silence() -> str:
    return (
        "Not shown to differ does not mean equal: the runs may be too few to show a difference. "
        "For a claim of equivalence use --bayes rank-sum --rope 0.06."
    )


def _sources(c: RunComparison) -> list[tuple[str, str]]:
    """(what, key of its source) of every number shown."""
    one, choices = c.problems[0], c.choices
    rows = [("relative effect", "relative-effects")]
    rows += sorted({("omnibus test", p.omnibus.test) for p in c.problems if p.omnibus is not None})
    rows.append(("comparisons", choices.test))
    if choices.correction != "none" and one.family.first.size > 1:
        rows.append(("adjusted p", choices.correction))
    rows.append(("A", "a-of-runs"))
    if choices.posterior != "none":
        key = "bayesian-kruskal" if choices.posterior == "kruskal" else choices.posterior
        rows.append(("posterior", key))
    return rows
