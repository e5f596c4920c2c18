"""Finished results as the data of a page: a paired table, runs, or several metrics."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from racing.analysis.compare import Comparison, MetricComparison, RunComparison
from racing.analysis.compare.comparison import OverProblems
from racing.analysis.compare.front import algorithms, among, measured, together
from racing.analysis.compare.profiles import Profiles
from racing.analysis.compare.words import (
    believed,
    findings,
    headline,
    over_findings,
    procedure,
    subject,
)
from racing.answer.document import BulletList, Heading, TextTable, bare
from racing.base.words import count, listed, refer, shown
from racing.report.page.data import page
from racing.report.picture import Item, Picture, plain, table
from racing.report.pictures.front import front_of, statements_of
from racing.report.pictures.ranks import comparison_ranks, heat, mean_ranks
from racing.report.pictures.runs import every_run, profile_pictures

_SAID = 3  # statements in the head
_ROWS = 20  # of the table in the head; that of the picture has all


def compared_data(
    found: Comparison | RunComparison | MetricComparison, *, name: str,
    profiles: Profiles | None = None,
) -> dict[str, Any]:  # fmt: skip
    """The data of a page: what was shown, pictures, what to keep in mind, and why these tests."""
    if isinstance(found, MetricComparison):
        head = _of_metrics(found)
        pictures = [front_of(found), *statements_of(found)]
    else:
        head = _of_tests(found)
        pictures = list(_pictures(found))
        pictures += [] if profiles is None else profile_pictures(profiles)
    head["name"] = name or head["name"]
    return page(**head, pictures=[*pictures, *_lists(found)])


def _lists(found: Comparison | RunComparison | MetricComparison) -> Iterator[Picture]:
    """What the report says at its end."""
    parts = found.document()
    for id, title in (("to-keep-in-mind", "To keep in mind"), ("why", "Why these tests")):
        items = parts[parts.index(Heading(title)) + 1]
        assert isinstance(items, BulletList)
        yield Picture(
            id=id, title=title, sentence="",
            items=tuple(Item(text=shown(bare(one), 900)) for one in items.items),
        )  # fmt: skip


def _of_tests(found: Comparison | RunComparison) -> dict[str, Any]:
    """The head of a page: title, sentences and figures."""
    parts, over = found.problems, found.over
    title = headline(found)
    sentences = [*findings(parts[0]), *believed(found)]
    if over is not None:
        each = [f"{one.problem}: {' '.join(dict.fromkeys((said[0], said[-1])))}"
                for one in parts for said in [findings(one)]]  # fmt: skip
        sentences = [*over_findings(over), *believed(found), *each]
    return {
        "name": found.table.source,
        "state": bare(subject(found)),
        "made": f"{found.table.direction} scores; level {found.choices.alpha:g}.",
        "headline": bare(title),
        "sentences": [bare(one) for one in sentences if one != title],
    }


def _pictures(found: Comparison | RunComparison) -> Iterator[Picture]:
    if isinstance(found, Comparison):
        yield from (_ranks(found), comparison_ranks(found))
    else:
        yield every_run(found)
        yield _ranks(found.only) if found.over is None else _by_problem(found, found.over)
    yield _comparisons(found)


def _ranks(found: Comparison) -> Picture:
    """The diagram with how it was made; what was found stands in the head."""
    return replace(mean_ranks(found), sentence=shown(procedure(found), 600))


def _comparisons(found: Comparison | RunComparison) -> Picture:
    """All comparisons as a table; there is nothing that a chart would show better."""
    pairs = [(one, one.pair(k)) for one in found.problems for k in range(one.family.first.size)]
    sizes = "with the sizes of the differences."
    if found.table.paired:
        middle: tuple[str, ...] = ("wins", "ties", "losses", "difference", "from", "to")
    else:
        middle, sizes = ("A", "from", "to"), "A is the chance that a run of the first is better."
    several = ("problem",) * (not found.table.paired)
    rows = (
        (
            *(refer(one.problem) for _ in several), refer(p.first), refer(p.second),
            *((p.wins, p.ties, p.losses) if found.table.paired else ()),
            *map(plain, (p.advantage or (np.nan,) * 3) if found.table.paired else p.a),
            p.adjusted_p if np.isnan(p.adjusted_p) else float(f"{p.adjusted_p:.2g}"),
        )
        for one, p in pairs
    )  # fmt: skip
    heads = (*several, "first", "second", *middle, "adjusted p")
    said = f"{count(len(pairs), 'comparison')}{',' if found.table.paired else ';'} {sizes}"
    return Picture(id="comparisons", title="Comparisons", sentence=said, table=table(heads, rows))


def _by_problem(found: RunComparison, over: OverProblems) -> Picture:
    """Relative effects by problem as a heat map."""
    mean, relative = over.effects.effects, [one.relative for one in found.problems]
    order = sorted(range(len(found.names)), key=lambda i: (-mean[i], i))
    effects = np.array([e.effects[order] for e in relative if e is not None]).T
    rows = (
        (refer(one.problem), refer(one.names[i]), *(plain(float(x[i])) for x in
         (e.effects, e.low, e.high)))
        for one, e in zip(found.problems, relative, strict=True) if e is not None
        for i in one.order
    )  # fmt: skip
    return Picture(
        id="effects-by-problem",
        title="Relative effects by problem",
        sentence=f"{count(len(found.names), 'algorithm')} on {len(found.problems)} problems.",
        reading=(
            "The chance to be better than a run of an algorithm drawn at random, 0.5 if all are "
            "equal. A dark cell is a good one; a row that is dark throughout is good everywhere."
        ),
        figure=heat(
            [refer(found.names[i]) for i in order],
            [refer(problem) for problem in found.table.instances],
            1 - effects, effects, "relative effect", of="algorithm", instance="problem",
        ),
        table=table(("problem", "algorithm", "relative effect", "from", "to"), rows),
    )  # fmt: skip


def _of_metrics(found: MetricComparison) -> dict[str, Any]:
    """The head of a page: the front, means, and the first statements."""
    said = [f"{refer(better)} dominates {refer(worse)}." for better, worse in found.statements]
    more = len(said) - _SAID
    first = [" ".join([*said[:_SAID], *[f"And {more} more."] * (more > 0)])] if said else []
    return {
        "name": listed([*found.metrics]),
        "state": bare(measured(found)),
        "made": f"Level {found.alpha:g}; seed {found.seed}.",
        "headline": _front_headline(found),
        "sentences": [bare(one) for one in (*first, together(found))],
        "tables": [_means(found)],
    }


def _front_headline(found: MetricComparison) -> str:
    names = [refer(one) for one in found.front]
    if len(names) == 1:
        others = "all that failed as seldom" if found.failed.any() else "all others"
        return f"{names[0]} is alone on the front: it dominates {others}."
    knee, of = refer(found.names[found.knee]), among(found)
    return f"{of}{listed(names)} are on the front; the best compromise is {knee}."


def _means(found: MetricComparison) -> TextTable:
    rows: TextTable = algorithms(found, most_rows=_ROWS)
    more = len(found.names) - len(rows.rows)
    return replace(rows, title=f"Means, without {count(more, 'other')}" if more else "Means")
